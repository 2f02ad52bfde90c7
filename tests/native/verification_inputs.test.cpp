// Graphs that people pasted, run: our examples, and the shared inputs where they are. Whatever runs is right,
// bytes are equal where they must be, library calls are counted.
// It must not know what any of them holds. FUSEBOARD_INPUT=NAME runs the files alone whose name has that
// part.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "catch.h"
#include "formats/format.h"
#include "verified.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  const char* part = std::getenv("FUSEBOARD_INPUT");
  std::vector<std::filesystem::path> files;
  std::error_code missing;
  for (const auto& each : std::filesystem::directory_iterator(folder, missing)) {
    const std::string name = each.path().filename().string();
    if (each.is_regular_file() && name != "index.json" &&
        (part == nullptr || name.find(part) != std::string::npos))
      files.push_back(each.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Kernels up to so many elements run in full: few, to be quick, unless FUSEBOARD_ELEMENTS says otherwise.
uint64_t most_elements() {
  const char* given = std::getenv("FUSEBOARD_ELEMENTS");
  return given == nullptr ? uint64_t{1} << 12 : std::strtoull(given, nullptr, 10);
}

struct Sum {
  size_t graphs = 0, full = 0, sampled = 0, library = 0, fresh = 0, none = 0, rows = 0, moves = 0, shrunk = 0;
  uint64_t values = 0, tensors = 0;

  void add(const std::filesystem::path& file, Math math, Policy policy, uint64_t elements) {
    const Result<ReadGraph> read = read_graph(contents(file));
    if (!read) return;
    ++graphs;
    INFO(file.filename().string() << " under " << policy_text(policy));
    const PlannedGraph planned(std::move(read.value->graph), math, policy);
    const auto begun = std::chrono::steady_clock::now();
    VerifyOptions options;
    options.most_elements = elements;
    options.most_steps_per_sampled_block = elements;
    const VerifyReport report = planned.verify(options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    const std::string wrong = first_wrong(report, planned);
    if (std::getenv("FUSEBOARD_INPUT") != nullptr) {
      std::printf("%s: %zu kernels, %.1f s%s%s\n", file.filename().string().c_str(), report.kernels.size(),
                  seconds, wrong.empty() ? "" : ": ", wrong.c_str());
    }
    CHECK(wrong == "");
    for (const KernelRun& each : report.kernels) {
      count(each);
      const Kernel& kernel = planned.kernels[planned.launched[each.kernel]];
      const bool is_shrunk = each.shrunk && each.shrunk->verdict == RunVerdict::verified;
      shrunk += is_shrunk ? 1 : 0;
      if (each.shrunk && !is_shrunk && std::getenv("FUSEBOARD_INPUT") != nullptr)
        std::printf("  not at small sizes: %s: %s\n", kernel.entry.c_str(), each.shrunk->why_not.c_str());
      rows += kernel.rows && each.kind != RunKind::none ? 1 : 0;
      moves += kernel.move && each.kind != RunKind::none ? 1 : 0;
      if (each.kind == RunKind::none) std::printf("not run: %s\n", each.note.c_str());
    }
    tensors += report.unfused.tensors;
  }

  void count(const KernelRun& run) {
    full += run.kind == RunKind::full ? 1 : 0;
    sampled += run.kind == RunKind::sampled ? 1 : 0;
    library += run.kind == RunKind::library ? 1 : 0;
    fresh += run.kind == RunKind::fresh ? 1 : 0;
    none += run.kind == RunKind::none ? 1 : 0;
    values += run.values_held;
  }

  void print(const char* what) const {
    std::printf(
        "%s: %zu graphs; kernels %zu in full, %zu sampled, %zu of these verified at small sizes (of "
        "all %zu reduce, %zu move), %zu without PTX; "
        "library calls %zu by reference, %zu with fresh values; %llu values held, %llu tensors fused = "
        "unfused\n",
        what, graphs, full, sampled, shrunk, rows, moves, none, library, fresh,
        static_cast<unsigned long long>(values), static_cast<unsigned long long>(tensors));
  }
};

}  // namespace

TEST_CASE("every example verifies in both modes, under every policy") {
  Sum sum;
  for (const Math math : {Math::fast, Math::precise}) {
    for (const Policy policy : kPolicies) {
      for (const auto& file : files_in(FUSEBOARD_SOURCE_DIR "/web/examples"))
        sum.add(file, math, policy, most_elements());
    }
  }
  sum.print("examples");
  CHECK(sum.graphs > 0);
  CHECK(sum.full + sum.sampled > 10);
  CHECK(sum.none == 0);
}

TEST_CASE("every shared HLO file that plans runs right") {
  if (!std::filesystem::exists(FUSEBOARD_SHARED_DIR "/inputs")) {
    std::printf("skipped: no shared inputs: 36 HLO files not run\n");
    return;
  }
  Sum sum;
  for (const auto& file : files_in(FUSEBOARD_SHARED_DIR "/inputs/hlo"))
    sum.add(file, Math::fast, Policy::rows, most_elements());
  sum.print("shared HLO files");
  CHECK(sum.full > 0);
  CHECK(sum.rows > 0);
  CHECK(sum.moves > 0);
}
