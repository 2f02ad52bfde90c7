// Random graphs of every dtype in both modes: every kernel verifies, fused or not.
// It must not know how kernels are written. FUSEBOARD_GRAPHS=20000 runs so many instead of the usual number;
// FUSEBOARD_FIRST_SEED is where they begin.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "catch.h"
#include "typed_random_graph.h"
#include "verified.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

uint32_t from_environment(const char* name, uint32_t absent) {
  const char* given = std::getenv(name);
  return given == nullptr ? absent : static_cast<uint32_t>(std::strtoul(given, nullptr, 10));
}

}  // namespace

TEST_CASE("random graphs of all dtypes verify in both modes") {
  const uint32_t first = from_environment("FUSEBOARD_FIRST_SEED", 1);
  const uint32_t count = from_environment("FUSEBOARD_GRAPHS", 500);
  uint64_t kernels = 0;
  uint64_t values = 0;
  uint64_t tensors = 0;
  for (uint32_t seed = first; seed < first + count; ++seed) {
    const Math math = seed % 2 == 0 ? Math::fast : Math::precise;
    PlannedGraph planned(TypedGraphMaker(seed, math).make(), math, seed % 5 != 0);
    INFO("seed " << seed);
    REQUIRE_FALSE(has_errors(planned.graph.validate()));
    VerifyOptions options;
    options.seed = seed;
    const VerifyReport report = planned.verify(options);
    const std::string wrong = first_wrong(report, planned);
    if (count != 500 && !wrong.empty()) std::printf("seed %u: %s\n", seed, wrong.c_str());
    CHECK(wrong == "");
    const bool any = std::any_of(report.kernels.begin(), report.kernels.end(),
                                 [](const KernelRun& each) { return each.kind == RunKind::full; });
    CHECK(report.passed());
    CHECK(report.verified() == any);  // views and sources alone launch nothing
    for (const KernelRun& each : report.kernels) {
      kernels += 1;
      values += each.values_held;
    }
    tensors += report.unfused.tensors;
  }
  if (count != 500) {
    std::printf("%u graphs, %llu kernels, %llu values held, %llu tensors fused = unfused\n", count,
                static_cast<unsigned long long>(kernels), static_cast<unsigned long long>(values),
                static_cast<unsigned long long>(tensors));
  }
  CHECK(kernels > count);
  CHECK(values > 100 * uint64_t{count});
}
