// Reads every HLO text of shared/inputs: real dumps, and many small modules of XLA's own tests.
// It must not know single files: what may fail is told by rule.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "hlo_checks.h"

using namespace hlo;
namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_odd_type(const FusionOp& op) { return op.dtype == DType::foreign && op.foreign_dtype != "tuple"; }

/// Opcodes that must never come out opaque: all with a row of class Point, View, Move or Reduce but gather.
bool must_be_known(std::string_view opcode) {
  if (opcode == "compare") return true;
  const std::optional<OpKind> kind = op_kind_from_name("hlo", opcode);
  if (!kind) return false;
  const OpClass row = op_info(*kind).op_class;
  return row == OpClass::Point || row == OpClass::View || row == OpClass::Move || row == OpClass::Reduce;
}

void check_sound(const std::string& text, const ReadGraph& read) {
  CHECK(read.places.size() == read.graph.size());
  for (const OpPlaces::Span& each : read.places) CHECK(size_t{each.offset} + each.length <= text.size());
  std::set<std::string_view> names;
  for (const FusionOp& each : read.graph.ops()) {
    CHECK(names.insert(each.name).second);
    const bool several = each.foreign_dtype == "tuple";  // as a variadic reduce has
    const bool split = each.foreign_kind == "bitcast-convert";
    if (each.kind != OpKind::foreign || several || split || is_odd_type(each)) continue;
    INFO(each.name << " is an opaque " << each.foreign_kind);
    CHECK_FALSE(must_be_known(each.foreign_kind));
  }
}

/// Why a text that does not read is rightly refused, or nullptr.
const char* right_refusal(const std::string& text, const std::vector<Diagnostic>& diagnostics) {
  const Diagnostic& first = diagnostics.front();
  if (first.code == Code::unsupported && first.message.find("text proto") != std::string::npos)
    return "a text proto";
  int64_t open = 0;
  for (const char c : text) open += c == '{' ? 1 : c == '}' ? -1 : 0;
  if (first.code == Code::truncated && open > 0) return "it ends before its last brace";
  for (const Diagnostic& each : diagnostics) {
    if (each.severity != Severity::error) continue;
    const std::string at = text.substr(each.place.offset, 3);
    if (at.starts_with("$") || at.starts_with("<<") || at == "-<<")
      return "a template with placeholders left in it";
  }
  return nullptr;
}

}  // namespace

TEST_CASE("HLO: every file of shared/inputs/hlo plans but the text proto") {
  const fs::path folder = fs::path(FUSEBOARD_SHARED_DIR) / "inputs/hlo";
  if (!fs::exists(folder)) {
    std::puts("skipped: shared/inputs/hlo is not here; 36 HLO graphs were not checked");
    return;
  }
  size_t read_count = 0, refused = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    if (file.path().extension() != ".hlo") continue;
    const std::string text = content(file.path());
    INFO(file.path().filename());
    CHECK(recognise_hlo(text));
    const Result<ReadGraph> read = read_hlo(text);
    INFO(told(read.diagnostics));
    if (read) {
      ++read_count;
      check_sound(text, *read.value);
    } else {
      ++refused;
      const char* why = right_refusal(text, read.diagnostics);
      REQUIRE(why != nullptr);
      CHECK(std::string(why) == "a text proto");
    }
  }
  CHECK(read_count >= 35);
  CHECK(refused == 1);
}

TEST_CASE("HLO: every small module reads, or is refused for what it is") {
  const fs::path file = fs::path(FUSEBOARD_SHARED_DIR) / "inputs/many/hlo_test_modules.jsonl";
  if (!fs::exists(file)) {
    std::puts("skipped: shared/inputs/many is not here; 515 HLO graphs were not checked");
    return;
  }
  std::ifstream in(file);
  size_t lines = 0, read_count = 0;
  for (std::string line; std::getline(in, line); ++lines) {
    const nlohmann::json entry = nlohmann::json::parse(line, nullptr, false);
    REQUIRE_FALSE(entry.is_discarded());
    const std::string text = entry["text"].get<std::string>();
    const Result<ReadGraph> read = read_hlo(text);
    INFO("line " << lines + 1 << "\n" << told(read.diagnostics));
    CHECK(recognise_hlo(text));
    if (read) {
      ++read_count;
      check_sound(text, *read.value);
    } else {
      CHECK(right_refusal(text, read.diagnostics) != nullptr);
    }
  }
  CHECK(lines == 515);
  CHECK(read_count >= 511);
}

TEST_CASE("HLO: the functions that XLA was given have their calls inlined, none stays an op") {
  const fs::path folder = fs::path(FUSEBOARD_SHARED_DIR) / "truth/functions";
  if (!fs::exists(folder)) {
    std::puts("skipped: shared/truth/functions is not here; the calls of 15 HLO modules were not checked");
    return;
  }
  size_t modules = 0, with_calls = 0;
  for (const fs::directory_entry& function : fs::directory_iterator(folder)) {
    const fs::path file = function.path() / "xla_before.txt";
    if (!fs::exists(file)) continue;
    const std::string text = content(file);
    INFO(file);
    const Result<ReadGraph> read = read_hlo(text);
    REQUIRE(read);
    check_sound(text, *read.value);
    ++modules;
    if (text.find(" call(") != std::string::npos) ++with_calls;
    for (const FusionOp& each : read.value->graph.ops()) {
      CHECK(each.kind != OpKind::call);
      CHECK(each.foreign_kind != "call");
    }
  }
  CHECK(modules == 15);
  CHECK(with_calls == 4);
}
