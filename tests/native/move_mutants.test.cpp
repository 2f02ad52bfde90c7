// Mutants of Moves' PTX: each is caught, or moves the same bytes for a reason that is listed.
// It must not know how moves are held. FUSEBOARD_MUTANTS=all prints those that move the same bytes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <regex>

#include "catch.h"
#include "graph_builder.h"
#include "mutation.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;
using Ints = std::vector<int64_t>;

struct Tally {
  size_t mutants = 0, unread = 0, caught = 0, equivalent = 0, survived = 0;
};

/// A mutant that moves the same bytes: its rule and its line, as regular expressions, and why.
struct Equivalent {
  std::regex rule, before;
  std::string why;
};

const std::vector<Equivalent>& equivalents() {
  static const std::vector<Equivalent> all = {
      {std::regex("ld.global.nc. is ld.global."), std::regex(".*"), "both load the same bytes"},
      {std::regex("number \\+ 1"), std::regex("mul\\.hi"), "the reciprocal has room for this few indices"},
      {std::regex("guard dropped"), std::regex("st\\.shared"), "it fills what nobody reads"},
      {std::regex("guard dropped|and. is or."), std::regex("ld\\.global\\.nc|and\\.pred"),
       "what is loaded besides lies in the tensor, and nobody reads it (elsewhere this is a fault)"},
      {std::regex("number \\+ 1|.lt. is .le."), std::regex("setp\\.lt\\.u32 .*, (63|126|252|13);"),
       "no line of this step, and no index, is the limit itself"},
      {std::regex("number \\+ 1"),
       std::regex("add\\.s32 .*, (8|16|24|32|48|64|96);|mad\\.lo\\.s32 .*, (2|4), %r"),
       "the guard of a step that is inside or outside as a whole"},
      {std::regex("second operand is the first|dropped"),
       std::regex("add\\.s32|and\\.pred|mad\\.lo\\.s32 .*, (2|4), %r"),
       "the guard of a step that is inside as a whole"},
      {std::regex("dropped"), std::regex("mov\\.u32 .*, tile;"), "the tile lies at address 0"}};
  return all;
}

bool is_equivalent(const Mutant& mutant) {
  return std::any_of(equivalents().begin(), equivalents().end(), [&](const Equivalent& each) {
    return std::regex_search(mutant.rule, each.rule) && std::regex_search(mutant.before, each.before);
  });
}

/// Every mutant of the one kernel of a graph.
Tally mutants_of(FusionGraph graph) {
  const PlannedGraph planned(std::move(graph), Math::fast);
  const MutationSubject subject(planned, 0);
  std::string why;
  REQUIRE(subject.holds(1, &why));
  Tally tally;
  for (const Mutant& mutant : MutantMaker::all_of(subject.emitted().text)) {
    ++tally.mutants;
    switch (subject.fate(mutant, 6)) {
      case Fate::unread:
        ++tally.unread;
        break;
      case Fate::caught:
        ++tally.caught;
        break;
      case Fate::survived:
        ++(is_equivalent(mutant) ? tally.equivalent : tally.survived);
        if (is_equivalent(mutant) && std::getenv("FUSEBOARD_MUTANTS") == nullptr) break;
        std::printf("survived: %s |%s |%s\n", mutant.rule.c_str(), mutant.before.c_str(),
                    mutant.after.c_str());
        break;
    }
  }
  std::printf("mutants of a move: %zu, of which %zu no PTX, %zu caught, %zu equivalent, %zu survived\n",
              tally.mutants, tally.unread, tally.caught, tally.equivalent, tally.survived);
  return tally;
}

}  // namespace

TEST_CASE("mutants of moves are caught, but for those that move the same bytes") {
  for (const DType dtype : {DType::i8, DType::f16, DType::f32, DType::f64}) {
    // Two tiles along each side, the second short of one access.
    const uint32_t pack = dtype_bytes(dtype) < 4 ? 4 / dtype_bytes(dtype) : 1;
    const uint64_t side = 64 * pack - pack;
    GraphBuilder b;
    const uint32_t x = b.add("x", OpKind::input, {}, {2, side, side}, dtype);
    b.add("t", OpKind::transpose, {x}, {2, side, side}, dtype, {{"perm", Ints{0, 2, 1}}});
    const Tally tally = mutants_of(std::move(b.graph));
    CHECK(tally.caught > 200);
    CHECK(tally.equivalent * 5 < tally.mutants);
    CHECK(tally.survived == 0);
  }
  GraphBuilder p;
  const uint32_t x = p.add("x", OpKind::input, {}, {5, 7});
  const uint32_t v = p.add("v", OpKind::input, {}, {});
  p.add("p", OpKind::pad, {x, v}, {17, 17}, DType::f32,
        {{"low", Ints{1, 2}}, {"high", Ints{3, 2}}, {"interior", Ints{2, 1}}});
  CHECK(mutants_of(std::move(p.graph)).survived == 0);
  GraphBuilder g;
  const uint32_t y = g.add("y", OpKind::input, {}, {9, 6});
  const uint32_t i = g.add("i", OpKind::input, {}, {700}, DType::i32);
  g.add("g", OpKind::gather, {y, i}, {700, 6}, DType::f32, {{"axis", int64_t{0}}});
  CHECK(mutants_of(std::move(g.graph)).survived == 0);
}
