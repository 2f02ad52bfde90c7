// Mutation: every row's PTX, index rules, loads and stores changed in turn. Each mutant is caught, or is
// listed in tests/data/equivalent_mutants.txt with the reason why it computes the same. It must not know how
// kernels are held. FUSEBOARD_MUTANTS=all prints every survivor with its line.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "catch.h"
#include "graph/infer.h"
#include "graph_builder.h"
#include "launch/emittable.h"
#include "launch/lowering.h"
#include "mutation.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

/// A line of the list: "kinds | rule | before | reason", the first three as regular expressions.
struct Equivalent {
  std::regex subject, rule, before;
  std::string text;
  mutable size_t used = 0;
};

std::vector<Equivalent> read_equivalents() {
  std::vector<Equivalent> all;
  std::ifstream in(FUSEBOARD_SOURCE_DIR "/tests/data/equivalent_mutants.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> cells;
    for (size_t at = 0; cells.size() < 4;) {
      const size_t end = cells.size() == 3 ? line.size() : line.find(" | ", at);
      REQUIRE(end != std::string::npos);
      cells.push_back(line.substr(at, end - at));
      at = end + 3;
    }
    all.push_back({std::regex(cells[0]), std::regex(cells[1]), std::regex(cells[2]), line});
  }
  return all;
}

struct Tally {
  size_t mutants = 0, unread = 0, caught = 0, equivalent = 0;
  std::vector<std::string> survivors;
};

class Mutation {
 public:
  Mutation() : equivalents_(read_equivalents()) {}

  /// Mutants of a kernel's lines: those of the op `only`, or all where it is kNoOp.
  void run(const std::string& subject, const PlannedGraph& planned, uint32_t launched, uint32_t only) {
    const MutationSubject kernel(planned, launched);
    INFO(subject);
    for (uint64_t seed = 1; seed <= 2; ++seed) {
      std::string why;
      const bool holds = kernel.holds(seed, &why);
      CHECK(holds);
      if (holds) continue;
      std::printf("%s does not hold as it is: %s\n", subject.c_str(), why.c_str());
      return;
    }
    const std::set<uint32_t> lines = lines_of(kernel.emitted(), only);
    for (const Mutant& mutant : MutantMaker::all_of(kernel.emitted().text)) {
      if (only == kNoOp || lines.count(mutant.line) != 0) tally(subject, kernel, mutant);
    }
  }

  Tally total;
  const std::vector<Equivalent>& equivalents() const { return equivalents_; }

 private:
  /// The lines of an op; of its copies, one a slot of each body, the first alone.
  static std::set<uint32_t> lines_of(const EmittedKernel& emitted, uint32_t op) {
    std::set<uint32_t> lines;
    for (uint32_t i = 0; i < emitted.lines.size(); ++i) {
      if (emitted.lines[i] == static_cast<int64_t>(op)) lines.insert(i + 1);
    }
    size_t copies = 0;
    for (const TracedBody& each : emitted.bodies) copies += each.slots;
    const size_t kept = std::max<size_t>(lines.size() / std::max<size_t>(copies, 1) + 8, 1);
    while (lines.size() > kept) lines.erase(std::prev(lines.end()));
    return lines;
  }

  void tally(const std::string& subject, const MutationSubject& kernel, const Mutant& mutant) {
    ++total.mutants;
    const Equivalent* listed = nullptr;
    for (const Equivalent& each : equivalents_) {
      if (std::regex_search(subject, each.subject) && std::regex_search(mutant.rule, each.rule) &&
          std::regex_search(mutant.before, each.before)) {
        listed = &each;
      }
    }
    switch (kernel.fate(mutant, listed != nullptr ? 1 : 400)) {
      case Fate::unread:
        ++total.unread;
        break;
      case Fate::caught:
        ++total.caught;
        break;
      case Fate::survived:
        if (listed != nullptr) {
          ++total.equivalent;
          ++listed->used;
        } else {
          total.survivors.push_back(subject + " | " + mutant.rule + " |" + mutant.before + " |" +
                                    mutant.after);
        }
        break;
    }
  }

  std::vector<Equivalent> equivalents_;
};

void report(const Tally& total) {
  std::printf("mutants: %zu, of which %zu no PTX, %zu caught, %zu equivalent, %zu survived\n", total.mutants,
              total.unread, total.caught, total.equivalent, total.survivors.size());
  for (const std::string& each : total.survivors) std::printf("survived: %s\n", each.c_str());
}

/// One op of a kind over inputs of a dtype; nothing where it has no PTX.
std::optional<FusionGraph> graph_of(OpKind kind, DType dtype, Math math, uint64_t elements) {
  GraphBuilder builder;
  const OpInfo& info = op_info(kind);
  std::vector<uint32_t> inputs;
  for (uint32_t i = 0; i < info.least_arity; ++i) {
    const bool is_condition = kind == OpKind::select && i == 0;
    inputs.push_back(builder.add("x" + std::to_string(i), OpKind::input, {}, {elements},
                                 is_condition ? DType::boolean : dtype));
  }
  std::vector<Attribute> attributes;
  if (kind == OpKind::reduce_precision)
    attributes = {{"exponent_bits", int64_t{5}}, {"mantissa_bits", int64_t{10}}};
  FusionOp wanted;
  wanted.kind = kind;
  wanted.inputs = inputs;
  wanted.output_shape = {elements};
  const DType result = infer_dtype(builder.graph, wanted).value_or(kind == OpKind::cast ? DType::f32 : dtype);
  const uint32_t id = builder.add("y", kind, inputs, {elements}, result, attributes);
  if (!point_fault(builder.graph, id, math).empty()) return std::nullopt;
  return std::move(builder.graph);
}

}  // namespace

TEST_CASE("mutants of every row's PTX are caught") {
  Mutation mutation;
  const bool all = std::getenv("FUSEBOARD_MUTANTS") != nullptr;
  const std::vector<DType> dtypes = {DType::f32, DType::f64, DType::i32,
                                     DType::i8,  DType::u64, DType::boolean};
  for (uint32_t k = 0; k < op_kind_count(); ++k) {
    const OpKind kind = static_cast<OpKind>(k);
    if (op_info(kind).op_class != OpClass::Point) continue;
    for (const DType dtype : dtypes) {
      for (const Math math : {Math::fast, Math::precise}) {
        if (math == Math::fast && dtype != DType::f32) continue;
        const bool is_float = dtype_class(dtype) == DTypeClass::Float;
        if (!is_float && op_info(kind).dtype_rule == DTypeRule::Float) continue;  // computes as f32 does
        std::optional<FusionGraph> graph = graph_of(kind, dtype, math, 1027);
        if (!graph) continue;
        const PlannedGraph planned(std::move(*graph), math);
        const FusionOp& op = planned.graph.op(planned.graph.size() - 1);
        const bool is_pred = lowering_of(planned.graph, op, math).arithmetic == Arithmetic::pred;
        if (dtype == DType::boolean && !is_pred) continue;  // computes as f32 does, on 0 and 1
        const std::string subject = std::string(op_text(kind)) + " " + std::string(dtype_text(dtype)) +
                                    (math == Math::fast ? " fast" : " precise");
        mutation.run(subject, planned, 0, planned.graph.size() - 1);
      }
    }
  }
  report(mutation.total);
  CHECK(mutation.total.caught > 1000);
  CHECK(mutation.total.survivors.empty());
  if (all) {
    for (const Equivalent& each : mutation.equivalents()) {
      if (each.used == 0) std::printf("listed, but not met: %s\n", each.text.c_str());
    }
  }
}

TEST_CASE("mutants of index rules, loads and stores are caught") {
  Mutation mutation;
  for (const DType dtype : {DType::f32, DType::i16}) {
    GraphBuilder views;  // broadcasts, exchanged axes, a reshape, two stores, a tail
    const uint32_t x = views.add("x", OpKind::input, {}, {60, 1, 7}, dtype);
    const uint32_t y = views.add("y", OpKind::input, {}, {5, 7}, dtype);
    const uint32_t z = views.add("z", OpKind::input, {}, {7, 60}, dtype);
    const uint32_t turned = views.add("turned", OpKind::broadcast, {z}, {60, 5, 7}, dtype,
                                      {{"axes", std::vector<int64_t>{2, 0}}});
    const uint32_t sum = views.add("sum", OpKind::add, {x, y}, {60, 5, 7}, dtype);
    const uint32_t both = views.add("both", OpKind::mul, {sum, turned}, {60, 5, 7}, dtype);
    const uint32_t flat = views.add("flat", OpKind::reshape, {both}, {2100}, dtype);
    const uint32_t low = views.add("low", OpKind::input, {}, {1}, dtype);
    views.add("out", OpKind::max, {flat, low}, {2100}, dtype);
    views.graph.add_output(sum);
    mutation.run("views " + std::string(dtype_text(dtype)),
                 PlannedGraph(std::move(views.graph), Math::precise), 0, kNoOp);

    GraphBuilder domains;  // vectors with a tail, and a second domain
    const uint32_t a = domains.add("a", OpKind::input, {}, {1, 67}, dtype);
    const uint32_t b = domains.add("b", OpKind::input, {}, {31, 67}, dtype);
    const uint32_t small = domains.add("small", OpKind::neg, {a}, {1, 67}, dtype);
    domains.add("large", OpKind::sub, {b, small}, {31, 67}, dtype);
    domains.graph.add_output(small);
    mutation.run("domains " + std::string(dtype_text(dtype)),
                 PlannedGraph(std::move(domains.graph), Math::precise), 0, kNoOp);
  }
  report(mutation.total);
  CHECK(mutation.total.caught > 500);
  CHECK(mutation.total.survivors.empty());
}
