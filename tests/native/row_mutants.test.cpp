// Mutants of the PTX of kernels that reduce, but for the arithmetic of their Point ops, which has tests of
// its own (verification_mutants.test.cpp): each is caught, or shown to do the same, or listed below with the
// reason why a fold may be so as well. A mutant does the same where the line that it changes depends on no
// data, and every lane executes the same lines, leaves the same values in their registers and accesses the
// same addresses. It must not know how rows are held. FUSEBOARD_MUTANTS=all prints what does the same.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <regex>

#include "catch.h"
#include "graph_builder.h"
#include "kernel_runner.h"
#include "mutation.h"
#include "shared_rows.h"
#include "state_trace.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;
using Ints = std::vector<int64_t>;

constexpr uint64_t kSeeds = 3;

/// What a fold leaves open.
struct Allowed {
  std::regex subject, rule, before;
  std::string why;
};

const std::vector<Allowed>& allowed() {
  static const std::vector<Allowed> all = {
      {std::regex("."), std::regex("number \\+ 1"), std::regex("shfl.*, (2|4|8|16), 31,"),
       "a butterfly by 3, 5, 9, 17 still reaches each lane once, with the others: a sum in another order"},
      {std::regex("."), std::regex("^\\.rn\\. is"), std::regex("(add|fma|mul)\\.rn\\."),
       "one rounding to another side is within a sum's bound"},
      {std::regex("."), std::regex("constant changed"), std::regex("0f00000000|0d0000000000000000"),
       "what counts for nothing is a subnormal: within a sum's bound; any finite maximum does for none"},
      {std::regex("."), std::regex("\\.lt\\. is|number \\+ 1|operands exchanged"),
       std::regex("setp\\.lt\\.u32 .*, 1;"),
       "behind a butterfly all lanes of a warp have what one of them stores"},
      {std::regex("."), std::regex("guard"), std::regex("@%p\\d+ st\\.shared"),
       "behind a butterfly all lanes of a warp have what one of them stores"},
      {std::regex("."), std::regex("number \\+ 1"), std::regex("setp\\.eq\\.u32 .*, 0;"),
       "each lane of a row has its values: another one stores them"},
      {std::regex("looped"), std::regex("add. is sub."), std::regex("add\\.f32"),
       "of an online sum: the maximum less itself is 0, or NaN where the sum has to be"},
      {std::regex("."), std::regex("number \\+ 1"), std::regex("selp\\.b32 .*, 1, 0,"),
       "any word but 0 is true"},
      {std::regex("looped"), std::regex("constant changed"), std::regex("setp\\.eq\\.f32 .*0fFF800000"),
       "of the whole row: the maximum less itself is NaN there anyway"},
      {std::regex("argmax in a thread"), std::regex("."),
       std::regex("setp\\.eq\\.or|setp\\.lt\\.and|or\\.pred"),
       "columns grow along a thread: of equals it has the first already"},
      {std::regex("argmax"), std::regex("\\.lt\\. is"), std::regex("setp\\.lt\\.and\\.u64"),
       "no two lanes have the same column"},
      {std::regex("argmax"), std::regex("dropped|second operand"), std::regex("shfl.* %r\\d+, %r\\d+,"),
       "the upper half of a column's number is 0"},
      {std::regex("all of"), std::regex("second operand"), std::regex("shfl"),
       "by 1 where a lane has true, itself where it has false: false stays false"}};
  return all;
}

struct Tally {
  size_t mutants = 0, unread = 0, caught = 0, same = 0, allowed = 0, survived = 0;
};

/// What the first input has along each row: what tells folds that lose, repeat or prefer something.
enum class Row {
  nan,            ///< one NaN (of bools: one true) among ones
  spike,          ///< one large value among small ones (of bools: one false)
  negative,       ///< all below zero
  alike,          ///< all alike
  half_infinite,  ///< half of them -infinity
};

class RowMutation {
 public:
  /// Of the one kernel of a graph under the policy rows, with its rows shared as told.
  RowMutation(std::string subject, FusionGraph graph, const SharedRows& shared)
      : subject_(std::move(subject)), planned_(std::move(graph), Math::fast, Policy::rows) {
    REQUIRE(planned_.launched.size() == 1);
    Kernel& kernel = planned_.kernels[planned_.launched[0]];
    REQUIRE(kernel.rows);
    share_rows(kernel, shared);
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const TensorValues values(planned_.graph, seed);
      std::vector<Tensor> tensors(planned_.graph.size());
      for (const KernelParameter& each : kernel.parameters) {
        if (each.role == ParameterRole::input) tensors[each.op] = {true, values.dense(each.op)};
      }
      tensors_.push_back(std::move(tensors));
    }
  }

  Tally run() {
    MutationSubject subject(planned_, 0);
    for (const Row row : {Row::nan, Row::spike, Row::negative, Row::alike, Row::half_infinite}) {
      const uint64_t columns = planned_.kernels[planned_.launched[0]].rows->domain.columns();
      for (const uint64_t from :
           {uint64_t{0}, uint64_t{1}, uint64_t{5}, columns / 4, columns / 2, columns - 1}) {
        subject.also_on(values_of(row, from));
      }
    }
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      std::string why;
      const bool holds = subject.holds(seed, &why);
      INFO(why << "\n" << subject.emitted().text);
      REQUIRE(holds);
    }
    Tally tally;
    for (const Mutant& mutant : MutantMaker::all_of(subject.emitted().text)) {
      if (!is_ours(subject.emitted(), mutant)) continue;
      ++tally.mutants;
      switch (subject.fate(mutant, kSeeds)) {
        case Fate::unread:
          ++tally.unread;
          break;
        case Fate::caught:
          ++tally.caught;
          break;
        case Fate::survived:
          sort_out(subject.emitted().text, mutant, tally);
          break;
      }
    }
    std::printf(
        "mutants of %s: %zu, of which %zu no PTX, %zu caught, %zu the same, %zu within what a fold leaves "
        "open, %zu survived\n",
        subject_.c_str(), tally.mutants, tally.unread, tally.caught, tally.same, tally.allowed,
        tally.survived);
    return tally;
  }

 private:
  /// `from`: at which column, counted from the last, the first row has what is apart; the next rows at
  /// others.
  TensorValues values_of(Row row, uint64_t from) const {
    const Kernel& kernel = planned_.kernels[planned_.launched[0]];
    const uint32_t x = kernel.parameters[0].op;
    const RowDomain& domain = kernel.rows->domain;
    const DType dtype = planned_.graph.op(x).dtype;
    std::vector<uint8_t> bytes(domain.elements() * dtype_bytes(dtype));
    for (uint64_t r = 0; r < domain.rows(); ++r) {
      const uint64_t apart = domain.columns() - 1 - (from + r * 13) % domain.columns();
      for (uint64_t c = 0; c < domain.columns(); ++c) {
        element_to_bytes(dtype, element_of(row, c, c == apart),
                         &bytes[domain.element(r, c) * dtype_bytes(dtype)]);
      }
    }
    TensorValues values(planned_.graph, 1);
    values.hold(x, std::move(bytes));
    return values;
  }

  static Element element_of(Row row, uint64_t column, bool is_apart) {
    switch (row) {
      case Row::nan:
        return {is_apart ? std::nan("") : 1, is_apart ? 1U : 0U};
      case Row::spike:
        return {is_apart ? 64 : 0.5, is_apart ? 0U : 1U};
      case Row::negative:
        return {-4 - static_cast<double>(column % 7), 1};
      case Row::alike:
        return {2, 0};
      case Row::half_infinite:
        return {column % 2 == 0 ? -INFINITY : 1, column % 2};
    }
    return {};
  }

  bool is_ours(const EmittedKernel& emitted, const Mutant& mutant) const {
    const int64_t op = emitted.lines[mutant.line - 1];
    const bool is_point =
        op >= 0 && planned_.graph.op(static_cast<uint32_t>(op)).op_class() == OpClass::Point;
    return !is_point || mutant.before.find("st.global") != std::string::npos;
  }

  void sort_out(const std::string& text, const Mutant& mutant, Tally& tally) const {
    const bool prints = std::getenv("FUSEBOARD_MUTANTS") != nullptr;
    const bool is_same = does_the_same(text, mutant);
    const auto reason = std::find_if(allowed().begin(), allowed().end(), [&](const Allowed& each) {
      return std::regex_search(subject_, each.subject) && std::regex_search(mutant.rule, each.rule) &&
             std::regex_search(mutant.before, each.before);
    });
    const bool is_allowed = !is_same && reason != allowed().end();
    ++(is_same ? tally.same : is_allowed ? tally.allowed : tally.survived);
    if ((is_same || is_allowed) && !prints) return;
    std::printf("%s: %s |%s |%s\n",
                is_same      ? "the same"
                : is_allowed ? "allowed"
                             : "survived",
                mutant.rule.c_str(), mutant.before.c_str(), mutant.after.c_str());
  }

  /// Whether nobody reads what the line leaves.
  static bool leaves_nothing(const std::string& text, const Mutant& mutant) {
    PtxLine line;
    if (!PtxLine::read(mutant.before, line) || line.operands.empty() || line.operands[0][0] != '%')
      return false;
    const std::string own = line.operands[0];
    size_t seen = 0;
    for (size_t at = text.find(own); at != std::string::npos; at = text.find(own, at + 1)) {
      seen += std::isdigit(static_cast<unsigned char>(text[at + own.size()])) != 0 ? 0 : 1;
    }
    return seen == 1;
  }

  struct Trace {
    uint64_t all = 0, line = 0;
  };

  Trace trace_of(const std::string& text, uint32_t line, size_t seed) const {
    const Kernel& kernel = planned_.kernels[planned_.launched[0]];
    const Result<ptx::Module> module = ptx::read_module(text);
    REQUIRE(module);
    StateTrace trace(*module.value->entry(kernel.entry), line);
    CHECK(run_kernel(kernel, text, tensors_[seed], 1, &trace, trace.lines()).error == "");
    return {trace.number(), trace.left_out_number()};
  }

  bool does_the_same(const std::string& text, const Mutant& mutant) const {
    if (leaves_nothing(text, mutant)) return true;
    const bool matters = std::regex_search(mutant.before, std::regex("(ld|st)\\.|bar\\.|bra|shfl|ret"));
    if (matters && mutant.rule == "dropped") return false;
    const std::string changed = MutantMaker::applied(text, mutant);
    const Trace first = trace_of(text, mutant.line, 0);
    for (size_t seed = 0; seed < kSeeds; ++seed) {
      const Trace before = trace_of(text, mutant.line, seed);
      const Trace after = trace_of(changed, mutant.line, seed);
      const bool is_equal = before.all == after.all && (!matters || before.line == after.line);
      if (!is_equal || (!matters && before.line != first.line)) return false;
    }
    return true;
  }

  std::string subject_;
  PlannedGraph planned_;
  std::vector<std::vector<Tensor>> tensors_;  ///< by seed, by op
};

FusionGraph softmax(Shape shape, int64_t axis, DType dtype = DType::f32) {
  GraphBuilder b;
  Shape kept = shape;
  kept[static_cast<size_t>(axis)] = 1;
  const std::vector<Attribute> over = {{"axes", Ints{axis}}, {"keepdims", true}};
  const auto with = [&](const char* reducer) {
    std::vector<Attribute> out = over;
    out.push_back({"reducer", std::string(reducer)});
    return out;
  };
  const uint32_t x = b.add("x", OpKind::input, {}, shape, dtype);
  const uint32_t m = b.add("m", OpKind::reduce, {x}, kept, dtype, with("max"));
  const uint32_t d = b.add("d", OpKind::sub, {x, m}, shape, dtype);
  const uint32_t e = b.add("e", OpKind::exp, {d}, shape, dtype);
  const uint32_t s = b.add("s", OpKind::reduce, {e}, kept, dtype, with("sum"));
  b.add("y", OpKind::div, {e, s}, shape, dtype);
  return std::move(b.graph);
}

/// LayerNorm that keeps its mean, with a weight of a row.
FusionGraph layer_norm(uint64_t rows, uint64_t columns, DType dtype = DType::f32) {
  GraphBuilder b;
  const Shape full{rows, columns};
  const Shape kept{rows, 1};
  const std::vector<Attribute> mean_of = {
      {"reducer", std::string("mean")}, {"axes", Ints{1}}, {"keepdims", true}};
  const uint32_t x = b.add("x", OpKind::input, {}, full, dtype);
  const uint32_t w = b.add("w", OpKind::input, {}, {columns}, dtype);
  const uint32_t mean = b.add("mean", OpKind::reduce, {x}, kept, dtype, mean_of);
  const uint32_t d = b.add("d", OpKind::sub, {x, mean}, full, dtype);
  const uint32_t q = b.add("q", OpKind::mul, {d, d}, full, dtype);
  const uint32_t v = b.add("v", OpKind::reduce, {q}, kept, dtype, mean_of);
  const uint32_t r = b.add("r", OpKind::rsqrt, {v}, kept, dtype);
  const uint32_t n = b.add("n", OpKind::mul, {d, r}, full, dtype);
  b.add("y", OpKind::mul, {n, w}, full, dtype);
  b.graph.add_output(mean);
  return std::move(b.graph);
}

FusionGraph one_fold(Shape shape, Ints axes, Shape kept, const std::string& reducer, DType dtype,
                     DType result) {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, std::move(shape), dtype);
  b.add("r", OpKind::reduce, {x}, std::move(kept), result, {{"reducer", reducer}, {"axes", std::move(axes)}});
  return std::move(b.graph);
}

void all_told(const std::string& subject, FusionGraph graph, const SharedRows& shared) {
  const Tally tally = RowMutation(subject, std::move(graph), shared).run();
  CHECK(tally.caught > 20);
  CHECK(tally.survived == 0);
}

}  // namespace

TEST_CASE("mutants of softmax are told: lanes of a warp, warps of a block, a loop, rows side by side") {
  all_told("softmax in lanes", softmax({5, 50}, 1), {RowWalk::held, 2, 8, 4});
  all_told("softmax in warps", softmax({3, 200}, 1), {RowWalk::held, 1, 64, 2});
  all_told("softmax looped", softmax({3, 150}, 1, DType::f16), {RowWalk::looped, 2, 32, 2});
  all_told("softmax along rows", softmax({37, 24}, 0), {RowWalk::held, 2, 16, 4});
}

TEST_CASE("mutants of LayerNorm are told") {
  all_told("layer_norm in lanes", layer_norm(5, 36), {RowWalk::held, 4, 8, 4});
  all_told("layer_norm looped", layer_norm(3, 130), {RowWalk::looped, 1, 64, 1});
}

TEST_CASE("mutants of single reductions are told") {
  all_told("argmax in lanes", one_fold({5, 30}, {1}, {5}, "argmax", DType::f32, DType::i64),
           {RowWalk::held, 1, 32, 4});
  all_told("argmax in a thread", one_fold({40, 5}, {1}, {40}, "argmax", DType::f32, DType::i64),
           {RowWalk::held, 1, 1, 32});
  all_told("sum in warps", one_fold({300}, {0}, {}, "sum", DType::f64, DType::f64),
           {RowWalk::held, 1, 64, 1});
  all_told("all of lanes", one_fold({40, 6, 5}, {0, 2}, {6}, "all", DType::boolean, DType::boolean),
           {RowWalk::held, 1, 32, 2});
}
