// The facade as JavaScript sees it: strings and flat arrays cross, and a handle of what was opened.
// It must not know more of the core than the facade.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstdint>
#include <string>
#include <vector>

#include "playground.h"

namespace {

using emscripten::val;
using fuseboard::Playground;
using fuseboard::Scratch;

/// A copy on the JavaScript side, so that no view of the heap outlives the heap's next growth.
template <class T>
val copy(const std::vector<T>& values) {
  return val(emscripten::typed_memory_view(values.size(), values.data())).call<val>("slice");
}

/// The options each under its name; index.mjs gives those that the caller left out.
Playground open(std::string text, const val& given) {
  fuseboard::PlaygroundOptions options;
  options.broadcast = given["broadcast"].as<bool>();
  options.fused = given["fused"].as<bool>();
  options.target = given["target"].as<std::string>();
  options.math = given["math"].as<std::string>();
  options.policy = given["policy"].as<std::string>();
  options.entry = given["entry"].as<std::string>();
  options.turned = emscripten::vecFromJSArray<std::string>(given["turned"]);
  return Playground::open(std::move(text), options);
}

val layout(const Playground& playground) {
  const fuseboard::PlaygroundLayout drawn = playground.layout();
  val out = val::object();
  out.set("total_width", drawn.total_width);
  out.set("total_height", drawn.total_height);
  out.set("x", copy(drawn.x));
  out.set("y", copy(drawn.y));
  out.set("width", copy(drawn.width));
  out.set("height", copy(drawn.height));
  out.set("group_x", copy(drawn.group_x));
  out.set("group_y", copy(drawn.group_y));
  out.set("group_width", copy(drawn.group_width));
  out.set("group_height", copy(drawn.group_height));
  out.set("edge_start", copy(drawn.edge_start));
  out.set("edge_points", copy(drawn.edge_points));
  return out;
}

/// A JavaScript number as a count: what lies outside, or is no number, is the nearest that fits.
uint64_t count_of(double number) {
  if (!(number > 0)) return 0;
  return number < 0x1p63 ? static_cast<uint64_t>(number) : uint64_t{1} << 63;
}

void start_run(Playground& playground, double seed, bool full) {
  fuseboard::RunOptions options;
  options.seed = count_of(seed);
  options.full = full;
  playground.start_run(options);
}

bool continue_run(Playground& playground, double steps) { return playground.continue_run(count_of(steps)); }

Scratch scratch(const std::string& request) { return Scratch::open(request); }

bool advance(Scratch& scratch, double steps) { return scratch.advance(count_of(steps)); }

void write(Scratch& scratch, uint32_t parameter, const std::string& bytes) {
  scratch.write(parameter, bytes);
}

val read(const Scratch& scratch, uint32_t parameter) {
  const std::string bytes = scratch.read(parameter);
  return copy(std::vector<uint8_t>(bytes.begin(), bytes.end()));
}

std::string ptx_entries_json(const std::string& ptx) { return fuseboard::ptx_entries_json(ptx); }

std::string plan_jsonl_line(const std::string& line, const std::string& policy, const std::string& entry) {
  return fuseboard::plan_jsonl_line(line, policy, entry);
}

}  // namespace

EMSCRIPTEN_BINDINGS(fuseboard) {
  emscripten::class_<Playground>("Playground")
      .function("ok", &Playground::ok)
      .function("diagnostics_json", &Playground::diagnostics_json)
      .function("plan_json", &Playground::plan_json)
      .function("dot", &Playground::dot)
      .function("kernel_count", &Playground::kernel_count)
      .function("kernel_json", &Playground::kernel_json)
      .function("kernel_ptx", &Playground::kernel_ptx)
      .function("kernels_json", &Playground::kernels_json)
      .function("layout", &layout)
      .function("start_run", &start_run)
      .function("continue_run", &continue_run)
      .function("cancel_run", &Playground::cancel_run)
      .function("run_json", &Playground::run_json);
  emscripten::class_<Scratch>("Scratch")
      .function("advance", &advance)
      .function("json", &Scratch::json)
      .function("write", &write)
      .function("read", &read);
  emscripten::function("open", &open);
  emscripten::function("scratch", &scratch);
  emscripten::function("ptx_entries_json", &ptx_entries_json);
  emscripten::function("plan_jsonl_line", &plan_jsonl_line);
  emscripten::function("ops_json", &fuseboard::ops_json);
  emscripten::function("about_json", &fuseboard::about_json);
}
