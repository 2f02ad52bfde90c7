// Feeds any bytes to the HLO reader: it must answer with a sound graph or with errors, each inside the text.
// It must not know what a right answer is.
#include "formats/hlo_text.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace fuseboard;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)recognise_hlo(text);
  const Result<ReadGraph> read = read_hlo(text);
  require(read.value.has_value() != has_errors(read.diagnostics), "a value exactly when there is no error");
  for (const Diagnostic& each : read.diagnostics) {
    require(size_t{each.place.offset} + each.place.length <= size,
            "a diagnostic's place lies inside the text");
    require(!each.message.empty(), "a diagnostic says something");
  }
  if (!read) return 0;
  const FusionGraph& graph = read.value->graph;
  require(read.value->places.size() == graph.size(), "every op has a place");
  for (const OpPlaces::Span& each : read.value->places) {
    require(size_t{each.offset} + each.length <= size, "an op's place lies inside the text");
  }
  require(!has_errors(graph.validate()), "the graph is valid");
  for (const uint32_t output : graph.outputs()) require(output < graph.size(), "an output is an op");
  return 0;
}
