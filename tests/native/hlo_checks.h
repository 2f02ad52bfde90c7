// Short words for tests of the HLO reader: read a text, find an op, find a diagnostic.
// It must not know what is tested.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "formats/hlo_text.h"

namespace hlo {

using namespace fuseboard;

/// ENTRY with `body` as its instructions, behind `computations`.
inline std::string entry(const std::string& body, const std::string& computations = "") {
  return "HloModule m\n" + computations + "ENTRY main {\n" + body + "\n}\n";
}

inline std::string told(const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  for (const Diagnostic& each : diagnostics) {
    out += std::string(severity_text(each.severity)) + "[" + std::string(code_text(each.code)) + "] " +
           each.message + "\n";
  }
  return out;
}

/// The graph of a text that must read.
inline FusionGraph graph_of(const std::string& text) {
  Result<ReadGraph> read = read_hlo(text);
  INFO(told(read.diagnostics));
  REQUIRE(read);
  return std::move(read.value->graph);
}

inline const FusionOp& op(const FusionGraph& graph, std::string_view name) {
  for (const FusionOp& each : graph.ops()) {
    if (each.name == name) return each;
  }
  FAIL("no op is named " << name);
  return graph.op(0);
}

inline std::string inputs(const FusionGraph& graph, std::string_view name) {
  std::string out;
  for (const uint32_t input : op(graph, name).inputs) out += (out.empty() ? "" : " ") + graph.name_of(input);
  return out;
}

inline std::string outputs(const FusionGraph& graph) {
  std::string out;
  for (const uint32_t output : graph.outputs()) out += (out.empty() ? "" : " ") + graph.name_of(output);
  return out;
}

inline std::vector<int64_t> ints(const FusionGraph& graph, std::string_view name,
                                 std::string_view attribute) {
  const std::vector<int64_t>* found = op(graph, name).ints(attribute);
  REQUIRE(found != nullptr);
  return *found;
}

/// The one diagnostic of this code that a text gets, and the text under its place.
struct Complaint {
  Diagnostic diagnostic;
  std::string at;
};

inline Complaint complaint(const std::string& text, Code code, Severity severity = Severity::error) {
  const Result<ReadGraph> read = read_hlo(text);
  INFO(told(read.diagnostics));
  CHECK(read.value.has_value() != has_errors(read.diagnostics));
  for (const Diagnostic& each : read.diagnostics) {
    if (each.code == code && each.severity == severity)
      return {each, text.substr(each.place.offset, each.place.length)};
  }
  FAIL("not reported: " << code_text(code));
  return {};
}

}  // namespace hlo
