// A scratch launch behind the facade: its request read from JSON, its answer written.
// It must not know JavaScript or pages.
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "formats/json_tape.h"
#include "playground.h"
#include "report/diagnostics_json.h"
#include "report/json_writer.h"
#include "report/scratch_json.h"
#include "verify/scratch_launch.h"

namespace fuseboard {
namespace {

/// Reads one request; the first fault is kept.
class RequestReader {
 public:
  explicit RequestReader(const JsonTape& tape) : tape_(tape) {}

  ScratchRequest read() {
    ScratchRequest request;
    if (tape_.size() == 0 || !tape_.is(0, JsonTape::Type::object)) {
      complain("a request is an object");
      return request;
    }
    request.ptx = text(0, "ptx");
    request.entry = text(0, "entry");
    request.grid = three("grid");
    request.block = three("block");
    request.shared_bytes =
        static_cast<uint32_t>(whole(0, "shared_bytes", 0, std::numeric_limits<uint32_t>::max()));
    request.seed = whole(0, "seed", request.seed, std::numeric_limits<uint64_t>::max());
    request.most_steps = whole(0, "most_steps", request.most_steps, std::numeric_limits<uint64_t>::max());
    const std::optional<uint32_t> list = tape_.find(0, "parameters");
    if (!list) return request;
    if (!tape_.is(*list, JsonTape::Type::array)) complain("parameters is a list");
    if (fault_) return request;
    for (uint32_t at = *list + 1; at < tape_[*list].end; at = tape_[at].end) {
      request.parameters.push_back(parameter(at));
    }
    return request;
  }

  const std::optional<Diagnostic>& fault() const { return fault_; }

 private:
  /// Without a place: the request is not the text that the user sees.
  void complain(std::string message) {
    if (fault_) return;
    fault_.emplace();
    fault_->code = Code::bad_option;
    fault_->message = std::move(message);
  }

  std::string text(uint32_t object, std::string_view key) {
    const std::optional<uint32_t> node = tape_.find(object, key);
    if (!node) return "";
    if (!tape_.is(*node, JsonTape::Type::string)) complain(std::string(key) + " is a text");
    return fault_ ? "" : tape_.string(*node);
  }

  uint64_t whole(uint32_t object, std::string_view key, uint64_t absent, uint64_t most) {
    const std::optional<uint32_t> node = tape_.find(object, key);
    if (!node) return absent;
    const std::optional<uint64_t> value = tape_.as_u64(*node);
    if (value && *value <= most) return *value;
    complain(std::string(key) + " is a whole number from 0 to " + std::to_string(most));
    return absent;
  }

  std::array<uint32_t, 3> three(std::string_view key) {
    std::array<uint32_t, 3> out{1, 1, 1};
    const std::optional<uint32_t> node = tape_.find(0, key);
    if (!node) return out;
    size_t count = 0;
    if (tape_.is(*node, JsonTape::Type::array)) {
      for (uint32_t at = *node + 1; at < tape_[*node].end; at = tape_[at].end, ++count) {
        const std::optional<uint64_t> value = tape_.as_u64(at);
        const bool fits = value && *value > 0 && *value <= std::numeric_limits<uint32_t>::max();
        if (fits && count < 3) out[count] = static_cast<uint32_t>(*value);
        if (!fits) complain(std::string(key) + " is one to three whole numbers of at least 1");
      }
    }
    if (count < 1 || count > 3) complain(std::string(key) + " is one to three whole numbers of at least 1");
    return out;
  }

  /// A number or a text, as the bits of a dtype.
  uint64_t bits(DType dtype, uint32_t node) {
    const bool is_text = tape_.is(node, JsonTape::Type::string);
    const std::string written = is_text ? tape_.string(node) : std::string(tape_.raw(node));
    const std::optional<uint64_t> value = bits_from_text(dtype, written);
    if (!value) complain(written.substr(0, 40) + " is no value of " + std::string(dtype_text(dtype)));
    return value.value_or(0);
  }

  ScratchParameter parameter(uint32_t node) {
    ScratchParameter out;
    if (!tape_.is(node, JsonTape::Type::object)) {
      complain("a parameter is an object");
      return out;
    }
    const std::string name = text(node, "dtype");
    const std::optional<DType> dtype = dtype_from_text(name);
    if (!dtype || *dtype == DType::foreign) {
      complain("there is no dtype \"" + name.substr(0, 40) + "\"");
      return out;
    }
    out.dtype = *dtype;
    const std::optional<uint32_t> count = tape_.find(node, "count");
    const std::optional<uint32_t> fill = tape_.find(node, "fill");
    out.is_buffer = count.has_value() || fill.has_value();
    out.count = whole(node, "count", 0, std::numeric_limits<uint64_t>::max());
    if (out.is_buffer) {
      if (fill) set_fill(out, *fill);
    } else if (const std::optional<uint32_t> value = tape_.find(node, "value")) {
      out.bits = bits(out.dtype, *value);
    }
    return out;
  }

  void set_fill(ScratchParameter& out, uint32_t node) {
    const std::string word = tape_.is(node, JsonTape::Type::string) ? tape_.string(node) : "";
    if (word == "random") return;
    if (word == "iota") {
      out.fill = ScratchFill::iota;
    } else if (word == "none") {
      out.fill = ScratchFill::none;
    } else {
      out.fill = ScratchFill::constant;
      if (word != "zeros") out.bits = bits(out.dtype, node);
    }
  }

  const JsonTape& tape_;
  std::optional<Diagnostic> fault_;
};

}  // namespace

struct Scratch::State {
  std::optional<ScratchLaunch> launch;
  std::string failure;  ///< the answer where the request could not be read
};

Scratch::Scratch(std::unique_ptr<State> state) : state_(std::move(state)) {}
Scratch::Scratch(Scratch&&) noexcept = default;
Scratch& Scratch::operator=(Scratch&&) noexcept = default;
Scratch::~Scratch() = default;

Scratch Scratch::open(std::string_view request_json) {
  auto state = std::make_unique<State>();
  const Result<JsonTape> tape = JsonTape::parse(request_json);
  std::vector<Diagnostic> faults = tape.diagnostics;
  if (tape) {
    RequestReader reader(*tape.value);
    ScratchRequest request = reader.read();
    if (reader.fault()) {
      faults.push_back(*reader.fault());
    } else {
      state->launch.emplace(std::move(request));
    }
  }
  if (!state->launch) {
    JsonWriter json;
    json.begin_object().field("state", "failed").key("diagnostics");
    write_diagnostics(json, faults, LineMap(request_json));
    json.key("fault").null().key("counters").null();
    json.field("blocks_finished", 0).field("blocks", 0).field("steps", 0);
    json.key("buffers").begin_array().end_array().end_object();
    state->failure = json.take();
  }
  return Scratch(std::move(state));
}

bool Scratch::advance(uint64_t steps) {
  return !state_->launch || state_->launch->advance(steps) != ScratchState::running;
}

std::string Scratch::json() const { return state_->launch ? scratch_json(*state_->launch) : state_->failure; }

void Scratch::write(uint32_t parameter, std::string_view bytes) {
  if (!state_->launch) return;
  state_->launch->write(parameter, std::span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
}

std::string Scratch::read(uint32_t parameter) const {
  if (!state_->launch) return "";
  const std::vector<uint8_t> bytes = state_->launch->read(parameter, 0, std::numeric_limits<uint64_t>::max());
  return {bytes.begin(), bytes.end()};
}

std::string ptx_entries_json(std::string_view ptx) { return entries_json(ptx); }

}  // namespace fuseboard
