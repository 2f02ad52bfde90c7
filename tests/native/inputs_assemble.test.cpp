// Graphs that people pasted, from text to assembled kernels: our examples, and the shared inputs where they
// are. It must not know what any of them holds.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "emit/ptx.h"
#include "formats/format.h"
#include "launch/lower.h"
#include "plan/fusion_planner.h"
#include "ptxas.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code missing;
  for (const auto& each : std::filesystem::directory_iterator(folder, missing)) {
    if (each.is_regular_file()) files.push_back(each.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Assembly {
  PtxasBatch batch;
  size_t graphs = 0;
  size_t kernels = 0;
  size_t emitted = 0;

  /// Plans and emits every kernel of a text for seven targets; each kernel that is not emitted must say why.
  void add(const std::string& text) {
    const Result<ReadGraph> read = read_graph(text);
    if (!read) return;
    ++graphs;
    const FusionGraph& graph = read.value->graph;
    const FusionPlan plan = FusionPlanner().with_policy(Policy::rows).plan(graph);
    for (const Kernel& kernel : lower(graph, plan)) {
      if (kernel.kind != LaunchKind::kernel) continue;
      ++kernels;
      REQUIRE(kernel.emittable == kernel.diagnostics.empty());
      if (!kernel.emittable) continue;
      ++emitted;
      for (const Target& target : targets()) {
        const EmittedKernel ptx = emit(graph, kernel, {target, Math::fast, {}, "pasted"});
        REQUIRE(ptx.registers.size() > 0);
        batch.add(target, ptx.text, kernel.entry);
      }
    }
  }
};

}  // namespace

TEST_CASE("every kernel of the examples assembles for seven targets in silence") {
  Assembly assembly;
  for (const auto& file : files_in(FUSEBOARD_SOURCE_DIR "/web/examples")) {
    if (file.filename() != "index.json") assembly.add(contents(file));
  }
  CHECK(assembly.graphs == 13);
  CHECK(assembly.emitted >= 6);
  CHECK(assembly.batch.assemble() == "");
}

TEST_CASE("every emitted kernel of the shared inputs assembles for seven targets in silence") {
  const std::filesystem::path inputs = FUSEBOARD_SHARED_DIR "/inputs";
  if (!std::filesystem::exists(inputs)) {
    std::printf("skipped: no shared inputs: 36 HLO files and 515 modules not assembled\n");
    return;
  }
  Assembly assembly;
  for (const auto& file : files_in(inputs / "hlo")) assembly.add(contents(file));
  std::ifstream many(inputs / "many" / "hlo_test_modules.jsonl");
  for (std::string line; std::getline(many, line);) {
    const nlohmann::json module = nlohmann::json::parse(line, nullptr, false);
    assembly.add(module["text"].get<std::string>());
  }
  std::printf("shared inputs: %zu graphs, %zu kernels, %zu emitted for 7 targets\n", assembly.graphs,
              assembly.kernels, assembly.emitted);
  CHECK(assembly.emitted > 100);
  CHECK(assembly.batch.assemble(true) == "");
}
