// The gallery's examples: each is planned to what its text says, by every policy.
// It must not know kernels; the page's tests hold its figures.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.h"
#include "formats/format.h"
#include "plan/fusion_planner.h"
#include "plan/pattern.h"

namespace {

using namespace fuseboard;
namespace fs = std::filesystem;

const fs::path kFolder = FUSEBOARD_SOURCE_DIR "/web/examples";

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

FusionGraph example(const std::string& name) {
  Result<ReadGraph> read = read_graph(contents(kFolder / name));
  REQUIRE(read);
  CHECK(read.diagnostics.empty());
  return std::move(read.value->graph);
}

FusionPlan planned(const FusionGraph& graph, Policy policy) {
  return FusionPlanner().with_policy(policy).plan(graph);
}

/// "[Softmax: a b c] | d": the groups that run, those that reduce with their pattern.
std::string groups(const FusionGraph& graph, const FusionPlan& plan) {
  const Dag dag = graph.dag();
  std::string out;
  for (const FusionGroup& group : plan.groups) {
    if (graph.op(group.members[0]).op_class() == OpClass::Source) continue;
    std::string names;
    for (const uint32_t id : group.members) names += (names.empty() ? "" : " ") + graph.name_of(id);
    const std::string_view pattern = group_pattern_text(group_pattern(graph, dag, group.members));
    if (!pattern.empty()) names = "[" + std::string(pattern) + ": " + names + "]";
    out += (out.empty() ? "" : " | ") + names;
  }
  return out;
}

struct Expected {
  std::string groups;          ///< under rows
  uint64_t rows, elementwise;  ///< bytes
};

constexpr uint64_t kMi = 1 << 20;

/// Bytes by hand: what a kernel reads from outside once, and what it writes.
const std::map<std::string, Expected> kExpected = {
    {"softmax.json",
     {"[Softmax: highest shifted powers total weights]",
      2 * 8 * kMi,               // x in, weights out
      6 * 8 * kMi + 4 * 8192}},  // x 2, powers 1 + 2, weights 1; highest and total out and in
    {"masked-softmax.json",
     {"scores | [Softmax: scaled masked highest shifted powers total weights] | attended",
      (2 * 256 * 1024 + 2 * kMi) * 2 +  // scores: two operands of 8*512*64, 8*512*512 out
          (2 * kMi + 256 * 1024 + 2 * kMi) * 2 + (2 * kMi + 2 * 256 * 1024) * 2,
      (2 * 256 * 1024 + 2 * kMi) * 2 + (2 * kMi + 2 * 256 * 1024) * 2 +
          (2 * kMi + 256 * 1024 + 2 * kMi) * 2 +  // scaled, masked
          (2 * kMi + 4096) * 2 +                  // highest
          (2 * kMi + 4096 + 2 * kMi) * 2 +        // shifted, powers
          (2 * kMi + 4096) * 2 +                  // total
          (2 * kMi + 4096 + 2 * kMi) * 2}},       // weights
    {"layer-norm.json",
     {"[LayerNorm: mean centred squares variance above_zero rstd normal scaled y]", 2 * 8 * kMi + 2 * 4096,
      8 * kMi + 8192 +                    // mean
          8 * kMi + 8192 + 2 * 8 * kMi +  // centred, squares, both out
          8 * kMi + 8192 +                // variance
          8192 + 8 * kMi + 2 * 4096 + 8 * kMi}},
    {"layer-norm-statistics.json",
     {"[LayerNorm: wide mean centred squares variance above_zero rstd normal scaled moved y]",
      2 * 4 * kMi + 2 * 4096 + 2 * 8192,
      4 * kMi + 8 * kMi +                 // wide
          8 * kMi + 8192 +                // mean
          8 * kMi + 8192 + 2 * 8 * kMi +  // centred, squares, both out
          8 * kMi + 8192 +                // variance
          8192 + 8192 + 8 * kMi + 2 * 4096 + 4 * kMi}},
    {"rms-norm.json",
     {"[RMSNorm: hidden squares mean_square above_zero rrms normal y]", 4 * 8 * kMi + 4096,
      4 * 8 * kMi +         // hidden, squares, both out
          8 * kMi + 8192 +  // mean_square
          8192 + 8 * kMi + 4096 + 8 * kMi}},
    {"cross-entropy.json",
     {"[CrossEntropy: highest shifted powers total log_total log_weights classes is_label picked "
      "log_likelihood losses] | [Generic: loss]",
      8 * kMi + 2048 + 2048 + 2048 + 4,
      8 * kMi + 2048 +                       // highest
          8 * kMi + 2048 + 2 * 8 * kMi +     // shifted, powers, both out
          8 * kMi + 2048 +                   // total
          2048 + 8 * kMi + 2048 + 8 * kMi +  // log_total .. picked
          8 * kMi + 2048 +                   // log_likelihood
          2 * 2048 + 2048 + 4}},             // losses, loss
    {"batch-norm.json",
     {"[BatchNormStatistics: mean squares mean_square mean_squared variance old_mean new_mean old_variance "
      "new_variance]",
      32 * 64 * 784 * 4 + 6 * 256,
      4 * 32 * 64 * 784 * 4 + 10 * 256}},  // x twice, squares out and in; mean is read by two kernels
    {"attention.hlo",
     {"scores | [Softmax: eighth_wide scaled row_max row_max_wide shifted powers row_sum row_sum_wide "
      "weights] | out",
      4 * 8 * kMi + 4 * kMi, 10 * 8 * kMi + 4 * kMi + 4 * 4096 * 4}},
};

}  // namespace

TEST_CASE("examples that reduce: one kernel a norm under rows, at the bytes that its text promises") {
  for (const auto& [file, expected] : kExpected) {
    INFO(file);
    const FusionGraph graph = example(file);
    const FusionPlan rows = planned(graph, Policy::rows);
    CHECK(groups(graph, rows) == expected.groups);
    CHECK(rows.bytes_fused == expected.rows);
    CHECK(planned(graph, Policy::elementwise).bytes_fused == expected.elementwise);
  }
}

TEST_CASE("examples that reduce: a closed region is one kernel, one that is seen from outside is not") {
  for (const auto& [file, is_closed] : std::map<std::string, bool>{{"softmax.json", true},
                                                                   {"masked-softmax.json", true},
                                                                   {"layer-norm.json", true},
                                                                   {"attention.hlo", true},
                                                                   {"layer-norm-statistics.json", false},
                                                                   {"rms-norm.json", false},
                                                                   {"batch-norm.json", false}}) {
    INFO(file);
    const FusionGraph graph = example(file);
    const uint64_t found = planned(graph, Policy::regions).bytes_fused;
    CHECK(found == planned(graph, is_closed ? Policy::rows : Policy::elementwise).bytes_fused);
  }
}

TEST_CASE("examples without reductions: all policies agree; and every example is in the list") {
  const nlohmann::json list = nlohmann::json::parse(contents(kFolder / "index.json"), nullptr, false);
  size_t listed = 0;
  size_t reducing = 0;
  for (const nlohmann::json& each : list) {
    const std::string file = each["file"];
    INFO(file);
    CHECK(fs::exists(kFolder / file));
    ++listed;
    if (file.starts_with("launches/")) continue;  // kernel graphs
    if (kExpected.contains(file)) {
      ++reducing;
      continue;
    }
    const FusionGraph graph = example(file);
    for (const FusionOp& op : graph.ops()) CHECK(op.op_class() != OpClass::Reduce);
    for (const Policy policy : kPolicies) {
      CHECK(planned(graph, policy).group_of == planned(graph, Policy::elementwise).group_of);
    }
  }
  CHECK(reducing == kExpected.size());
  size_t files = 0;
  for (const auto& each : fs::recursive_directory_iterator(kFolder)) files += each.is_regular_file() ? 1 : 0;
  CHECK(listed + 1 == files);
}
