// Fields of a label are cut at line ends, and in a record at bars and braces; escaped ones belong to a field.
// It must not know clusters, edges nor the text around it.
#include "formats/cuda_graph_label.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/checked.h"
#include "base/in_quotes.h"
#include "formats/cuda_graph_fields.h"
#include "formats/demangle.h"
#include "launch/fusible_guess.h"

namespace fuseboard {
namespace {

using Fields = std::vector<CudaGraphField>;

struct KnownKind {
  std::string_view word;
  NodeKind kind;
};
/// As the driver prints them, without blanks and underscores; the first that a word begins with.
constexpr std::array kKinds = std::to_array<KnownKind>({{"MEMCPY", NodeKind::memcpy},
                                                        {"MEMSET", NodeKind::memset},
                                                        {"HOST", NodeKind::host_callback},
                                                        {"EVENTRECORD", NodeKind::event_record},
                                                        {"RECORDEVENT", NodeKind::event_record},
                                                        {"EVENTWAIT", NodeKind::event_wait},
                                                        {"WAITEVENT", NodeKind::event_wait},
                                                        {"CONDITIONAL", NodeKind::conditional},
                                                        // What orders others, and moves nothing itself.
                                                        {"EMPTY", NodeKind::barrier},
                                                        {"MEMALLOC", NodeKind::barrier},
                                                        {"MEMFREE", NodeKind::barrier},
                                                        {"EXTSEMAS", NodeKind::barrier},
                                                        {"BATCHMEMOP", NodeKind::barrier}});

std::optional<NodeKind> kind_of(std::string_view word) {
  std::string letters;
  for (const char byte : word.substr(0, 64)) {
    if (byte != '_' && byte != ' ') letters += byte;
  }
  for (const KnownKind& each : kKinds) {
    if (letters.starts_with(each.word)) return each.kind;
  }
  return std::nullopt;
}

struct KnownDirection {
  std::string_view word;
  CopyDirection direction;
};
constexpr std::array kDirections =
    std::to_array<KnownDirection>({{"HtoD", CopyDirection::host_to_device},
                                   {"HostToDevice", CopyDirection::host_to_device},
                                   {"DtoH", CopyDirection::device_to_host},
                                   {"DeviceToHost", CopyDirection::device_to_host},
                                   {"DtoD", CopyDirection::device_to_device},
                                   {"DeviceToDevice", CopyDirection::device_to_device},
                                   {"HtoH", CopyDirection::host_to_host},
                                   {"HostToHost", CopyDirection::host_to_host}});

CopyDirection direction_of(std::string_view text) {
  for (const KnownDirection& each : kDirections) {
    if (text.find(each.word) != std::string_view::npos) return each.direction;
  }
  return CopyDirection::unknown;
}

/// "0", or "0 (topoId: 3)".
bool is_id(std::string_view text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view rest = text.substr(digits);
  return digits > 0 && (rest.empty() || rest.starts_with(" (") || rest.starts_with("("));
}

constexpr std::string_view kAllFlags = "dump the graph with all debug flags (cudaGraphDebugDotFlagsVerbose)";

class LabelReader {
 public:
  LabelReader(const Fields& fields, std::string_view shape) : fields_(fields), shape_(shape) {}

  CudaGraphLabel run() {
    if (fields_.empty() || (fields_.size() == 1 && is_id(fields_[0].text))) {
      fault(fields_.empty() ? CudaGraphField() : fields_[0], Code::bad_attribute,
            "the label says neither a kernel's name nor what the node does", std::string(kAllFlags));
    } else if (fields_[0].text == "KERNEL") {
      read_verbose_kernel();
    } else {
      read_other(is_id(fields_[0].text) ? 1 : 0);
    }
    return std::move(out_);
  }

 private:
  void fault(const CudaGraphField& at, Code code, std::string message, std::string hint) {
    if (out_.fault) return;
    out_.fault = {code, std::move(message), std::move(hint), at.offset, at.length};
  }

  const CudaGraphField* configured() const {
    const auto found = std::find_if(fields_.begin(), fields_.end(), [](const CudaGraphField& each) {
      return each.text.ends_with(">>>") && each.text.find("<<<") != std::string::npos;
    });
    return found == fields_.end() ? nullptr : &*found;
  }

  /// {KERNEL | {ID | 1 (topoId: 7) | name<<<...>>>} ...}; no configuration where the dump leaves it out.
  void read_verbose_kernel() {
    if (const CudaGraphField* field = configured()) return read_kernel(*field, nullptr);
    if (fields_.size() > 3 && fields_[1].text == "ID" && is_id(fields_[2].text))
      return read_kernel(fields_[3], nullptr);
    fault(fields_[0], Code::bad_attribute, "the label of a kernel does not name its function",
          std::string(kAllFlags));
  }

  void read_other(size_t first) {
    const CudaGraphField& word = fields_[first];
    const std::optional<NodeKind> kind = shape_ == "octagon" ? std::nullopt : kind_of(word.text);
    if (kind) return read_known(*kind, first);
    if (shape_ == "octagon" || configured() != nullptr)
      return read_kernel(word, first + 1 < fields_.size() ? &fields_[first + 1] : nullptr);
    out_.is_known = false;
    out_.node.kind = NodeKind::barrier;
    out_.node.name = word.text;
    out_.payload = word.text;
    // A record says that it is a graph before it says which.
    const auto graph = std::find_if(fields_.begin(), fields_.end(),
                                    [](const CudaGraphField& each) { return is_cuda_graph_name(each.text); });
    if (graph != fields_.end()) out_.payload = graph->text;
  }

  /// `next`: the line behind the name, where its configuration may stand too.
  void read_kernel(const CudaGraphField& field, const CudaGraphField* next) {
    std::string_view name = field.text;
    std::string_view config;
    const CudaGraphField* place = &field;
    const size_t open = name.rfind("<<<");
    const bool is_config = open != std::string_view::npos && open + 3 < name.size() &&
                           std::string_view("0123456789{(>").find(name[open + 3]) != std::string_view::npos;
    if (is_config || name.ends_with("<<<")) {
      config = name.substr(open);
      name = name.substr(0, open);
    } else if (next != nullptr && next->text.starts_with("<<<")) {
      config = next->text;
      place = next;
    }
    ComputeNode& node = out_.node;
    node.function_name = name.substr(0, name.find_last_not_of(' ') + 1);
    node.name = demangle(node.function_name);
    node.fusible = guess_fusible(node.name);
    node.fusible_is_guess = true;
    if (name.empty())
      fault(field, Code::bad_attribute, "a kernel has no name",
            "write its name before its launch configuration");
    if (config.empty()) return;
    node.config = read_launch_configuration(config);
    if (!node.config) {
      fault(*place, Code::bad_attribute, in_quotes(config) + " is no launch configuration",
            "it is <<<grid,block,shared bytes>>>, with sizes from 1 to 2^32 - 1");
    } else if (!node.threads()) {
      fault(*place, Code::overflow, "the launch's threads leave 64 bits: " + in_quotes(config),
            "make grid or block smaller");
    }
  }

  void read_known(NodeKind kind, size_t first) {
    out_.node.kind = kind;
    out_.node.name = fields_[first].text;
    if (kind == NodeKind::memcpy) read_copy();
    if (kind == NodeKind::memset) read_fill();
    if (kind == NodeKind::conditional) {
      for (const CudaGraphField& each : fields_) {
        if (is_cuda_graph_name(each.text)) out_.bodies.push_back(each.text);
      }
    }
  }

  /// The field after the one that reads `name`.
  const CudaGraphField* after(std::string_view name) const {
    const auto found = std::find_if(fields_.begin(), fields_.end(),
                                    [&](const CudaGraphField& each) { return each.text == name; });
    return fields_.end() - found > 1 ? &found[1] : nullptr;
  }

  /// Terse copies and fills: "(DtoD,4096)", "(0,640)".
  const CudaGraphField* bracket() const {
    const auto found = std::find_if(fields_.begin(), fields_.end(), [](const CudaGraphField& each) {
      return each.text.starts_with('(') && each.text.ends_with(')');
    });
    return found == fields_.end() ? nullptr : &*found;
  }

  void read_copy() {
    if (const CudaGraphField* kind = after("kind")) {
      out_.node.direction = direction_of(kind->text);
      multiply({after("Width"), after("Height"), after("Depth")});
    } else if (const CudaGraphField* field = bracket()) {
      out_.node.direction = direction_of(field->text);
      read_bracket(*field);
    }
  }

  /// The names of a fill's fields stand first, then as many values, of which the first is the ID's.
  void read_fill() {
    const auto names = std::find_if(fields_.begin(), fields_.end(),
                                    [](const CudaGraphField& each) { return each.text == "ID"; });
    const auto values =
        std::find_if(names, fields_.end(), [](const CudaGraphField& each) { return is_id(each.text); });
    if (values == fields_.end()) {
      if (const CudaGraphField* field = bracket()) read_bracket(*field);
      return;
    }
    const auto value = [&](std::string_view name) -> const CudaGraphField* {
      const auto at =
          std::find_if(names, values, [&](const CudaGraphField& each) { return each.text == name; });
      return at == values || fields_.end() - at <= values - names ? nullptr : &at[values - names];
    };
    std::vector<const CudaGraphField*> factors{value("elementSize"), value("width"), value("height")};
    if (const CudaGraphField* depth = value("depth")) factors.push_back(depth);
    multiply(factors);
  }

  void read_bracket(const CudaGraphField& field) {
    const size_t comma = field.text.rfind(',');
    if (comma == std::string::npos) return;
    CudaGraphField number = field;
    number.text = field.text.substr(comma + 1, field.text.size() - comma - 2);
    multiply({&number});
  }

  /// The bytes of a copy or a fill; unknown where a factor is.
  void multiply(const std::vector<const CudaGraphField*>& factors) {
    uint64_t product = 1;
    for (const CudaGraphField* each : factors) {
      if (each == nullptr) return;
      const CudaGraphNumber number = read_number(each->text);
      if (!number.is_number) return;
      const std::optional<uint64_t> next = number.value ? checked_mul(product, *number.value) : std::nullopt;
      if (!next)
        return fault(*each, Code::overflow, "the node's bytes leave 64 bits", "make the extent smaller");
      product = *next;
    }
    out_.node.bytes = product;
  }

  const Fields& fields_;
  std::string_view shape_;
  CudaGraphLabel out_;
};

}  // namespace

bool is_cuda_graph_name(std::string_view text) {
  constexpr std::string_view kPrefix = "graph_";
  return text.starts_with(kPrefix) && text.size() > kPrefix.size() &&
         text.find_first_not_of("0123456789", kPrefix.size()) == std::string_view::npos;
}

CudaGraphLabel read_cuda_graph_label(std::string_view label, std::string_view shape) {
  const Fields fields = cuda_graph_fields(label, shape);
  return LabelReader(fields, shape).run();
}

}  // namespace fuseboard
