// Kernels that reduce, of random graphs, under every policy and alone: each verifies by execution, reads and
// writes what its plan promised. It must not know how kernels are written. FUSEBOARD_REDUCTIONS=5000 runs so
// many graphs instead of the usual number; FUSEBOARD_FIRST_SEED is where they begin; of one graph the PTX is
// printed.
#include <array>
#include <cstdio>
#include <cstdlib>

#include "catch.h"
#include "ptxas.h"
#include "typed_reduction_graph.h"
#include "verified.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

uint32_t from_environment(const char* name, uint32_t absent) {
  const char* given = std::getenv(name);
  return given == nullptr ? absent : static_cast<uint32_t>(std::strtoul(given, nullptr, 10));
}

/// Rows, regions, and every op alone.
PlannedGraph planned_by(uint32_t way, FusionGraph graph, Math math) {
  if (way == 2) return {std::move(graph), math, false};
  return {std::move(graph), math, way == 0 ? Policy::rows : Policy::regions};
}

/// Whether every access of a kernel is to an element of its own: then what it asks for is what it touches,
/// and what it says that it reads again.
bool reads_full_alone(const FusionGraph& graph, const Kernel& kernel) {
  const uint64_t elements = kernel.rows->domain.elements();
  const bool is_full =
      std::all_of(kernel.parameters.begin(), kernel.parameters.end(), [&](const KernelParameter& each) {
        return each.role != ParameterRole::input || (each.elements == elements && elements > 1);
      });
  return is_full && std::none_of(kernel.order.begin(), kernel.order.end(),
                                 [&](uint32_t id) { return graph.op(id).op_class() == OpClass::View; });
}

struct Sum {
  size_t graphs = 0, reducing = 0, held = 0, looped = 0, along_rows = 0, library = 0, unwritten = 0,
         loads_told = 0;
  uint64_t values = 0, tensors = 0, reordered = 0;

  void add(const PlannedGraph& planned, const VerifyReport& report) {
    ++graphs;
    for (const KernelRun& each : report.kernels) {
      const Kernel& kernel = planned.kernels[planned.launched[each.kernel]];
      const bool reduces = std::any_of(kernel.order.begin(), kernel.order.end(), [&](uint32_t id) {
        return planned.graph.op(id).op_class() == OpClass::Reduce;
      });
      if (!reduces) continue;
      ++reducing;
      values += each.values_held;
      if (kernel.kind == LaunchKind::library) ++library;
      if (each.kind == RunKind::none) {
        ++unwritten;
        std::printf("not written: %s\n", each.note.c_str());
      }
      if (!kernel.rows || each.kind == RunKind::none) continue;
      ++(kernel.rows->walk == RowWalk::held ? held : looped);
      along_rows += kernel.rows->along_rows ? 1 : 0;
      if (each.kind == RunKind::full && reads_full_alone(planned.graph, kernel)) {
        ++loads_told;
        CHECK(each.counters.global_load_bytes == each.read.measured + kernel.bytes_reread);
      }
    }
    tensors += report.unfused.tensors;
    reordered += report.unfused.reordered;
  }

  void print() const {
    std::printf(
        "%zu graphs that reduce: %zu kernels that reduce, %zu held, %zu looped, %zu along rows, %zu library "
        "calls, %zu not written; %llu values held, %llu tensors fused = unfused, %llu in another order\n",
        graphs, reducing, held, looped, along_rows, library, unwritten,
        static_cast<unsigned long long>(values), static_cast<unsigned long long>(tensors),
        static_cast<unsigned long long>(reordered));
  }
};

/// The PTX of the kernels that reduce, or why there is none.
void print_reducing(const PlannedGraph& planned) {
  for (const uint32_t number : planned.launched) {
    const Kernel& kernel = planned.kernels[number];
    if (!kernel.rows && kernel.diagnostics.empty()) continue;
    std::printf("%s\n", emit(planned.graph, kernel, planned.emit_options).text.c_str());
    for (const Diagnostic& each : kernel.diagnostics) std::printf("%s\n", each.message.c_str());
  }
}

}  // namespace

TEST_CASE("random graphs that reduce verify under every policy and alone") {
  const uint32_t first = from_environment("FUSEBOARD_FIRST_SEED", 1);
  const uint32_t count = from_environment("FUSEBOARD_REDUCTIONS", 240);
  Sum sum;
  for (uint32_t seed = first; seed < first + count; ++seed) {
    const Math math = seed % 2 == 0 ? Math::fast : Math::precise;
    const PlannedGraph planned = planned_by(seed / 2 % 4 % 3, TypedReductionMaker(seed, math).make(), math);
    INFO("seed " << seed);
    REQUIRE_FALSE(has_errors(planned.graph.validate()));
    VerifyOptions options;
    options.seed = seed;
    const VerifyReport report = planned.verify(options);
    const std::string wrong = first_wrong(report, planned);
    if (!wrong.empty()) std::printf("seed %u: %s\n", seed, wrong.c_str());
    if (count == 1) print_reducing(planned);
    CHECK(wrong == "");
    CHECK(report.passed());
    sum.add(planned, report);
  }
  sum.print();
  CHECK(sum.loads_told > count / 4);
  CHECK(sum.library == 0);
  CHECK(sum.unwritten == 0);
  CHECK(sum.reducing > count);
}

TEST_CASE("kernels of random graphs that reduce assemble for seven targets in silence") {
  PtxasBatch batch;
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    const Math math = seed % 2 == 0 ? Math::fast : Math::precise;
    const PlannedGraph planned = planned_by(seed % 3, TypedReductionMaker(seed, math).make(), math);
    for (const uint32_t number : planned.launched) {
      const Kernel& kernel = planned.kernels[number];
      if (!kernel.rows) continue;
      for (const Target& target : targets()) {
        batch.add(target, emit(planned.graph, kernel, {target, math, {}, "pasted"}).text, kernel.entry);
      }
    }
  }
  CHECK(batch.kernels() > 300);
  CHECK(batch.assemble(true) == "");
}
