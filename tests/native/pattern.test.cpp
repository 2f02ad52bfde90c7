// What groups that reduce are called: by the structure of the ops, on graphs of a few lines and on real ones.
// It must not know kernels.
#include "plan/pattern.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "catch.h"
#include "formats/format.h"
#include "graph_builder.h"
#include "plan/fusion_planner.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;
namespace fs = std::filesystem;

/// Ops over one full shape, whose last dimension is folded unless said otherwise.
struct Maker : GraphBuilder {
  Shape full{8, 32};
  std::vector<int64_t> axes{-1};

  uint32_t input(const std::string& name = "x") { return add(name, OpKind::input, {}, full); }

  uint32_t fold(const char* reducer, uint32_t of) {
    Shape kept = full;
    for (const int64_t axis : axes)
      kept[static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(full.size()) : axis)] = 1;
    return add("", OpKind::reduce, {of}, kept, DType::f32,
               {{"reducer", std::string(reducer)}, {"axes", axes}, {"keepdims", true}});
  }

  /// Of the larger operand's shape.
  uint32_t point(OpKind kind, std::vector<uint32_t> inputs) {
    Shape shape;
    for (const uint32_t id : inputs) {
      const Shape& of = graph.op(id).output_shape;
      if (shape.empty() || element_count(of) > element_count(shape)) shape = of;
    }
    return add("", kind, std::move(inputs), shape);
  }

  uint32_t number(double value) { return add("", OpKind::constant, {}, {}, DType::f32, {{"value", value}}); }

  /// The names of the groups that reduce, under rows.
  std::string patterns() const {
    REQUIRE_FALSE(has_errors(graph.validate()));
    const Dag dag = graph.dag();
    std::string out;
    for (const FusionGroup& group : FusionPlanner().with_policy(Policy::rows).plan(graph).groups) {
      const GroupPattern pattern = group_pattern(graph, dag, group.members);
      if (pattern == GroupPattern::none) continue;
      out += (out.empty() ? "" : " ") + std::string(group_pattern_text(pattern));
    }
    return out;
  }
};

/// exp(x - max) of each row.
uint32_t powers(Maker& m, uint32_t x) {
  return m.point(OpKind::exp, {m.point(OpKind::sub, {x, m.fold("max", x)})});
}

uint32_t mean_square(Maker& m, uint32_t x) { return m.fold("mean", m.point(OpKind::mul, {x, x})); }

uint32_t rsqrt_above_zero(Maker& m, uint32_t x) {
  return m.point(OpKind::rsqrt, {m.point(OpKind::add, {x, m.number(1e-5)})});
}

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The distinct names of a text's groups under rows, without Generic; "unread" where it is no graph.
std::set<std::string> patterns_of(const fs::path& file) {
  const Result<ReadGraph> read = read_graph(contents(file));
  if (!read) return {"unread"};
  const FusionGraph& graph = read.value->graph;
  const Dag dag = graph.dag();
  std::set<std::string> out;
  for (const FusionGroup& group : FusionPlanner().with_policy(Policy::rows).plan(graph).groups) {
    const GroupPattern pattern = group_pattern(graph, dag, group.members);
    if (pattern != GroupPattern::none && pattern != GroupPattern::generic)
      out.emplace(group_pattern_text(pattern));
  }
  return out;
}

}  // namespace

TEST_CASE("pattern: a softmax, with or without its maximum, divided or multiplied, through casts and views") {
  {
    Maker m;
    const uint32_t e = powers(m, m.input());
    m.point(OpKind::div, {e, m.fold("sum", e)});
    CHECK(m.patterns() == "Softmax");
  }
  {
    Maker m;
    const uint32_t e = m.point(OpKind::exp2, {m.input()});
    m.point(OpKind::mul, {m.point(OpKind::reciprocal, {m.fold("sum", e)}), e});
    CHECK(m.patterns() == "Softmax");
  }
  {
    Maker m;
    m.axes = {0};
    const uint32_t e = powers(m, m.input());
    const uint32_t wide = m.add("", OpKind::cast, {e}, m.full, DType::f64);
    const uint32_t sum = m.fold("sum", wide);
    const uint32_t narrow = m.add("", OpKind::cast, {sum}, {1, 32});
    const uint32_t flat = m.add("", OpKind::reshape, {narrow}, {32});
    const uint32_t rows =
        m.add("", OpKind::broadcast, {flat}, m.full, DType::f32, {{"axes", std::vector<int64_t>{1}}});
    m.point(OpKind::div, {e, rows});
    CHECK(m.patterns() == "Softmax");
  }
}

TEST_CASE("pattern: log-softmax keeps full values, log-sum-exp one a row, cross entropy folds them again") {
  for (const char* wanted : {"LogSumExp", "LogSoftmax", "CrossEntropy"}) {
    Maker m;
    const uint32_t x = m.input();
    const uint32_t top = m.fold("max", x);
    const uint32_t less = m.point(OpKind::sub, {x, top});
    const uint32_t log = m.point(OpKind::log, {m.fold("sum", m.point(OpKind::exp, {less}))});
    if (wanted == std::string("LogSumExp")) {
      m.point(OpKind::add, {log, top});
    } else {
      const uint32_t y = m.point(OpKind::sub, {less, log});
      if (wanted == std::string("CrossEntropy")) m.fold("sum", m.point(OpKind::mul, {y, m.input("target")}));
    }
    CHECK(m.patterns() == wanted);
  }
}

TEST_CASE("pattern: a layer norm in two passes or one, whatever follows it") {
  {
    Maker m;
    const uint32_t x = m.input();
    const uint32_t c = m.point(OpKind::sub, {x, m.fold("mean", x)});
    const uint32_t y = m.point(OpKind::mul, {c, rsqrt_above_zero(m, mean_square(m, c))});
    m.point(OpKind::add, {y, m.input("residual")});
    CHECK(m.patterns() == "LayerNorm");
  }
  {
    Maker m;
    const uint32_t x = m.input();
    const uint32_t mean = m.fold("mean", x);
    const uint32_t variance = m.point(OpKind::sub, {mean_square(m, x), m.point(OpKind::mul, {mean, mean})});
    m.point(OpKind::mul, {m.point(OpKind::sub, {x, mean}), rsqrt_above_zero(m, variance)});
    CHECK(m.patterns() == "LayerNorm");
  }
}

TEST_CASE(
    "pattern: the root of a mean square is RMS norm's, that of a sum L2's, and without a root neither") {
  {
    Maker m;
    const uint32_t x = m.input();
    m.point(OpKind::mul, {x, rsqrt_above_zero(m, mean_square(m, x))});
    CHECK(m.patterns() == "RMSNorm");
  }
  {
    Maker m;  // the mean as a sum and a division, the square as a power
    const uint32_t x = m.input();
    const uint32_t sum = m.fold("sum", m.point(OpKind::pow, {x, m.number(2)}));
    m.point(OpKind::mul, {x, rsqrt_above_zero(m, m.point(OpKind::div, {sum, m.number(32)}))});
    CHECK(m.patterns() == "RMSNorm");
  }
  {
    Maker m;
    const uint32_t x = m.input();
    const uint32_t norm = m.point(OpKind::sqrt, {m.fold("sum", m.point(OpKind::mul, {x, x}))});
    m.point(OpKind::div, {x, m.point(OpKind::max, {norm, m.number(1e-12)})});
    CHECK(m.patterns() == "L2Norm");
  }
  {
    Maker m;
    const uint32_t x = m.input();
    m.fold("sum", m.point(OpKind::pow, {x, m.number(3)}));
    CHECK(m.patterns() == "Generic");
    mean_square(m, x);
    CHECK(m.patterns() == "Generic Generic");
  }
}

TEST_CASE(
    "pattern: all but the channels are batch norm's, groups of channels that are only seen group norm's") {
  {
    Maker m;
    m.full = {4, 6, 5, 5};
    m.axes = {0, 2, 3};
    const uint32_t x = m.input();
    m.fold("mean", x);
    mean_square(m, x);
    CHECK(m.patterns() == "Generic Generic");  // no edge joins two folds of an input
  }
  {
    Maker m;
    m.full = {4, 6, 5, 5};
    m.axes = {0, 2, 3};
    const uint32_t x = m.point(OpKind::relu, {m.input()});
    m.fold("mean", x);
    mean_square(m, x);
    CHECK(m.patterns() == "BatchNormStatistics");
  }
  {
    Maker m;
    m.full = {4, 6, 5, 5};
    const uint32_t x = m.input();
    m.full = {4, 2, 3, 25};
    m.axes = {2, 3};
    const uint32_t seen = m.add("", OpKind::reshape, {x}, m.full);
    const uint32_t c = m.point(OpKind::sub, {seen, m.fold("mean", seen)});
    const uint32_t y = m.point(OpKind::mul, {c, rsqrt_above_zero(m, mean_square(m, c))});
    m.add("", OpKind::reshape, {y}, {4, 6, 5, 5});
    CHECK(m.patterns() == "GroupNorm");
  }
}

TEST_CASE("pattern: other reductions are generic, and a group without one has none") {
  Maker m;
  const uint32_t x = m.input();
  m.point(OpKind::relu, {x});
  CHECK(m.patterns().empty());
  m.point(OpKind::sub, {x, m.fold("max", x)});
  CHECK(m.patterns() == "Generic");
  CHECK(group_pattern_text(GroupPattern::none).empty());
}

TEST_CASE("pattern: what shared HLO texts and functions hold is found under rows") {
  const fs::path inputs = FUSEBOARD_SHARED_DIR "/inputs/hlo";
  const fs::path functions = FUSEBOARD_SHARED_DIR "/truth/functions";
  if (!fs::exists(inputs) || !fs::exists(functions)) {
    std::printf("skipped: shared HLO texts are absent\n");
    return;
  }
  using Names = std::set<std::string>;
  const std::pair<const char*, Names> texts[] = {
      {"mha_block_bf16", {"Softmax"}},
      {"layer_norm_bf16", {"LayerNorm"}},
      {"layer_norm_f16", {"LayerNorm"}},
      {"rms_norm", {"RMSNorm"}},
      {"spmd_sharded_layernorm_attention", {"Softmax"}},
      {"attention_forward_backward_ref", {"Softmax"}},
      {"resnet50_keras_predict", {"Softmax"}},
      {"llama3_8b_train_offload", {"RMSNorm", "Softmax", "L2Norm"}},
      {"maxtext_train_step_1gpu", {"RMSNorm", "Softmax", "L2Norm"}},
      {"mean_axis_bf16", {}},
      {"sum_axis_bf16", {}},
      {"fully_connected_mlp", {}},
  };
  for (const auto& [file, names] : texts) {
    INFO(file);
    CHECK(patterns_of(inputs / (std::string(file) + ".hlo")) == names);
  }
  const std::pair<const char*, Names> written[] = {
      {"softmax_f32", {"Softmax"}},     {"softmax_dim0", {"Softmax"}},
      {"attention_naive", {"Softmax"}}, {"layer_norm_fwd", {"LayerNorm"}},
      {"mlp_block", {"LayerNorm"}},     {"rms_norm_bf16", {"RMSNorm"}},
      {"column_reduce_siblings", {}},   {"batch_norm_train", {"BatchNormStatistics"}},
      {"diamond_barrier", {}},          {"chain12", {}},
  };
  for (const auto& [function, names] : written) {
    INFO(function);
    CHECK(patterns_of(functions / function / "xla_before.txt") == names);
  }
}

TEST_CASE("a group of 20,000 sums of squares behind a long chain of casts is known in linear time") {
  Maker m;
  const uint32_t y = m.point(OpKind::exp, {m.input()});
  uint32_t two = m.add("two", OpKind::constant, {}, {}, DType::f32, {{"value", 2.0}});
  for (int i = 0; i < 20000; ++i) two = m.add("", OpKind::cast, {two}, {}, DType::f32);
  for (int i = 0; i < 10000; ++i) {
    m.fold("sum", m.point(OpKind::mul, {y, y}));
    m.fold("sum", m.point(OpKind::pow, {y, two}));
  }
  std::vector<uint32_t> members;
  for (uint32_t id = 1; id < m.graph.size(); ++id) members.push_back(id);
  CHECK(group_pattern(m.graph, m.graph.dag(), members) == GroupPattern::generic);
}
