// Mutants of Moves' PTX: each is caught, or shown to do the same. A Move's text is for one launch, and its
// addresses depend on no data but a gather's indices; so a mutant is the same kernel where every lane of
// every block accesses the same addresses, at the same lines in the same order (and stores the same values,
// else it is caught), whatever the indices. It must not know how moves are held. FUSEBOARD_MUTANTS=all prints
// the mutants that do the same.
#include <array>
#include <cstdio>
#include <cstdlib>

#include "access_trace.h"
#include "catch.h"
#include "graph_builder.h"
#include "kernel_runner.h"
#include "mutation.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;
using Ints = std::vector<int64_t>;

constexpr uint64_t kSeeds = 6;

struct Tally {
  size_t mutants = 0, unread = 0, caught = 0, same = 0, survived = 0;
};

/// The accesses of a text of the graph's one kernel over the values of a seed.
uint64_t accesses_of(const PlannedGraph& planned, const std::string& text, uint64_t seed) {
  const Kernel& kernel = planned.kernels[planned.launched[0]];
  const TensorValues values(planned.graph, seed);
  std::vector<Tensor> tensors(planned.graph.size());
  for (const KernelParameter& each : kernel.parameters) {
    if (each.role == ParameterRole::input) tensors[each.op] = {true, values.dense(each.op)};
  }
  const Result<ptx::Module> module = ptx::read_module(text);
  REQUIRE(module);
  AccessTrace trace(*module.value->entry(kernel.entry));
  const auto run = run_kernel(kernel, text, tensors, 1, &trace, trace.lines());
  CHECK(run.error == "");
  return trace.number();
}

using Traces = std::array<uint64_t, kSeeds>;

Traces traces_of(const PlannedGraph& planned, const std::string& text) {
  Traces out{};
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) out[seed - 1] = accesses_of(planned, text, seed);
  return out;
}

/// Every mutant of the one kernel of a graph.
Tally mutants_of(FusionGraph graph, bool has_indices) {
  const PlannedGraph planned(std::move(graph), Math::fast);
  const MutationSubject subject(planned, 0);
  std::string why;
  REQUIRE(subject.holds(1, &why));
  const Traces traces = traces_of(planned, subject.emitted().text);
  for (uint64_t seed = 2; seed <= kSeeds; ++seed) CHECK((traces[seed - 1] == traces[0]) != has_indices);
  Tally tally;
  for (const Mutant& mutant : MutantMaker::all_of(subject.emitted().text)) {
    ++tally.mutants;
    switch (subject.fate(mutant, kSeeds)) {
      case Fate::unread:
        ++tally.unread;
        break;
      case Fate::caught:
        ++tally.caught;
        break;
      case Fate::survived: {
        const std::string text = MutantMaker::applied(subject.emitted().text, mutant);
        const bool is_same = traces_of(planned, text) == traces;
        ++(is_same ? tally.same : tally.survived);
        if (is_same && std::getenv("FUSEBOARD_MUTANTS") == nullptr) break;
        std::printf("%s: %s |%s |%s\n", is_same ? "the same" : "survived", mutant.rule.c_str(),
                    mutant.before.c_str(), mutant.after.c_str());
        break;
      }
    }
  }
  std::printf("mutants of a move: %zu, of which %zu no PTX, %zu caught, %zu the same, %zu survived\n",
              tally.mutants, tally.unread, tally.caught, tally.same, tally.survived);
  return tally;
}

/// x taken along axis 0 by indices that, over the seeds, have every value of i8.
FusionGraph taken_by_all_bytes() {
  GraphBuilder b;
  const uint32_t y = b.add("y", OpKind::input, {}, {9, 6});
  const uint32_t i = b.add("i", OpKind::input, {}, {3001}, DType::i8);
  b.add("g", OpKind::gather, {y, i}, {3001, 6}, DType::f32, {{"axis", int64_t{0}}});
  std::array<bool, 256> is_met{};
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    for (const uint8_t byte : TensorValues(b.graph, seed).dense(i)) is_met[byte] = true;
  }
  for (const bool each : is_met) REQUIRE(each);
  return std::move(b.graph);
}

}  // namespace

TEST_CASE("mutants of transposes through tiles are caught, or do the same") {
  for (const DType dtype : {DType::i8, DType::f16, DType::f32, DType::f64}) {
    // Two tiles along each side, the second short of one access.
    const uint32_t pack = dtype_bytes(dtype) < 4 ? 4 / dtype_bytes(dtype) : 1;
    const uint64_t side = 64 * pack - pack;
    GraphBuilder b;
    const uint32_t x = b.add("x", OpKind::input, {}, {2, side, side}, dtype);
    b.add("t", OpKind::transpose, {x}, {2, side, side}, dtype, {{"perm", Ints{0, 2, 1}}});
    const Tally tally = mutants_of(std::move(b.graph), false);
    CHECK(tally.caught > 200);
    CHECK(tally.same * 5 < tally.mutants);
    CHECK(tally.survived == 0);
  }
}

TEST_CASE("mutants of walks over elements are caught, or do the same") {
  const auto survived = [](OpKind kind, std::vector<Shape> operands, Shape result, DType dtype,
                           std::vector<Attribute> attributes) {
    GraphBuilder b;
    std::vector<uint32_t> inputs;
    for (const Shape& each : operands)
      inputs.push_back(b.add("x" + std::to_string(inputs.size()), OpKind::input, {}, each, dtype));
    b.add("m", kind, inputs, std::move(result), dtype, std::move(attributes));
    const Tally tally = mutants_of(std::move(b.graph), false);
    CHECK(tally.caught > 20);
    return tally.survived;
  };
  const DType f = DType::f32;
  CHECK(survived(OpKind::pad, {{5, 7}, {}}, {17, 17}, f,
                 {{"low", Ints{1, 2}}, {"high", Ints{3, 2}}, {"interior", Ints{2, 1}}}) == 0);
  CHECK(survived(OpKind::pad, {{9, 8}, {}}, {10, 5}, DType::i8,
                 {{"low", Ints{1, -2}}, {"high", Ints{0, -1}}}) == 0);
  CHECK(survived(OpKind::slice, {{40, 18}}, {19, 8}, DType::f16,
                 {{"starts", Ints{1, 2}}, {"limits", Ints{39, 10}}, {"strides", Ints{2, 1}}}) == 0);
  CHECK(survived(OpKind::reverse, {{11, 30}}, {11, 30}, DType::f64, {{"axes", Ints{1}}}) == 0);
  CHECK(survived(OpKind::transpose, {{7, 5, 6}}, {6, 7, 5}, f, {{"perm", Ints{2, 0, 1}}}) == 0);
  CHECK(survived(OpKind::concat, {{30, 3}, {30, 8}, {30, 10}}, {30, 21}, f, {{"axis", int64_t{1}}}) == 0);
}

TEST_CASE("mutants of a gather are caught, or do the same for every index that its dtype has") {
  CHECK(mutants_of(taken_by_all_bytes(), true).survived == 0);
  GraphBuilder g;
  const uint32_t y = g.add("y", OpKind::input, {}, {9, 6});
  const uint32_t i = g.add("i", OpKind::input, {}, {700}, DType::i32);
  g.add("g", OpKind::gather, {y, i}, {700, 6}, DType::f32, {{"axis", int64_t{0}}});
  CHECK(mutants_of(std::move(g.graph), true).survived == 0);
}
