// The PTX of Moves, run and held: every kind over sizes, dtypes, ranks and views; transposes without bank
// conflicts and with a copy's sectors. It must not know how offsets are written.
#include "emit/move_code.h"

#include <random>

#include "catch.h"
#include "graph_builder.h"
#include "one_move.h"
#include "ptxas.h"
#include "verified.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;
using Ints = std::vector<int64_t>;

const std::vector<DType> kDtypes = {DType::i8,  DType::u8,  DType::boolean, DType::f16, DType::bf16,
                                    DType::f32, DType::i32, DType::f64,     DType::u64};

/// Runs a graph whose last op is a Move of ours; "" where it verified.
std::string wrong_of(const PlannedGraph& planned, ptx::Counters* counters = nullptr) {
  const VerifyReport report = planned.verify();
  for (const KernelRun& each : report.kernels) {
    const Kernel& kernel = planned.kernels[planned.launched[each.kernel]];
    if (!kernel.move) continue;
    if (counters != nullptr) *counters = each.counters;
    const std::string text = emit(planned.graph, kernel, planned.emit_options).text;
    if (each.verdict != RunVerdict::verified) return first_wrong(report, planned) + each.note + "\n" + text;
    if (each.counters.shared_bank_conflicts != 0) return "bank conflicts\n" + text;
    return "";
  }
  return "no kernel of ours: " + (planned.kernels.empty() || planned.kernels.back().diagnostics.empty()
                                      ? std::string("a library call")
                                      : planned.kernels.back().diagnostics[0].message);
}

std::string wrong_of(FusionGraph graph, ptx::Counters* counters = nullptr) {
  return wrong_of(PlannedGraph(std::move(graph), Math::fast), counters);
}

const Kernel& kernel_of(const PlannedGraph& planned) { return planned.kernels.back(); }

}  // namespace

TEST_CASE("a transpose of any permutation and dtype moves every bit, without a bank conflict") {
  const std::vector<std::pair<Shape, Ints>> cases = {{{64, 96}, {1, 0}},
                                                     {{33, 47}, {1, 0}},
                                                     {{1, 7}, {1, 0}},
                                                     {{3, 200}, {1, 0}},
                                                     {{200, 3}, {1, 0}},
                                                     {{2, 64, 130}, {0, 2, 1}},
                                                     {{40, 3, 66}, {2, 1, 0}},
                                                     {{17, 5, 31}, {2, 0, 1}},
                                                     {{4, 16, 3, 64}, {0, 2, 1, 3}},
                                                     {{2, 3, 20, 2, 20}, {1, 4, 0, 3, 2}},
                                                     {{3, 2, 2, 18, 1, 34}, {5, 1, 4, 0, 3, 2}},
                                                     {{256, 128}, {1, 0}},
                                                     {{128, 36}, {1, 0}},
                                                     {{5}, {0}},
                                                     {{}, {}}};
  for (const DType dtype : kDtypes) {
    for (const auto& [shape, perm] : cases) {
      INFO(shape_text(shape) << " " << dtype_text(dtype));
      CHECK(wrong_of(one_move(OpKind::transpose, {shape}, dtype, {{"perm", perm}})) == "");
    }
  }
}

TEST_CASE("a transpose whose sides are whole tiles touches as few sectors as a copy") {
  for (const DType dtype : {DType::i8, DType::f16, DType::f32, DType::f64}) {
    const Shape shape{3, 128, 256};
    const PlannedGraph planned(one_move(OpKind::transpose, {shape}, dtype, {{"perm", Ints{0, 2, 1}}}),
                               Math::fast);
    REQUIRE(kernel_of(planned).move->walk == MoveWalk::tiles);
    ptx::Counters counters;
    INFO(dtype_text(dtype));
    CHECK(wrong_of(planned, &counters) == "");
    const uint64_t sectors = 3 * 128 * 256 * dtype_bytes(dtype) / 32;
    CHECK(counters.global_load_sectors == sectors);
    CHECK(counters.global_store_sectors == sectors);
    CHECK(counters.shared_bank_conflicts == 0);
    CHECK(counters.shared_requests > 0);
    if (dtype == DType::f32) CHECK(counters.global_load_requests == sectors / 4);
  }
}

TEST_CASE("dimensions that move together are one: [8,128,512] is a batch of plain transposes") {
  const PlannedGraph batch(
      one_move(OpKind::transpose, {{2, 4, 128, 16, 32}}, DType::f32, {{"perm", Ints{0, 1, 3, 4, 2}}}),
      Math::fast);
  const MoveShape& shape = *kernel_of(batch).move;
  REQUIRE(shape.parts.size() == 1);
  REQUIRE(shape.parts[0].dims.size() == 3);
  CHECK(shape.parts[0].dims[0].extent == 8);
  CHECK(shape.parts[0].dims[1].extent == 512);
  CHECK(shape.parts[0].dims[2].extent == 128);
  CHECK(shape.walk == MoveWalk::tiles);
  const PlannedGraph inner(
      one_move(OpKind::transpose, {{8, 16, 4, 64}}, DType::f16, {{"perm", Ints{0, 2, 1, 3}}}), Math::fast);
  CHECK(kernel_of(inner).move->walk == MoveWalk::elements);
  CHECK(kernel_of(inner).move->parts[0].slots == 8);
}

TEST_CASE("slices, pads, reverses and concats of every dtype move every bit") {
  for (const DType dtype : kDtypes) {
    INFO(dtype_text(dtype));
    const auto slice = [&](Shape shape, Ints starts, Ints limits, Ints strides) {
      return wrong_of(one_move(OpKind::slice, {std::move(shape)}, dtype,
                               {{"starts", starts}, {"limits", limits}, {"strides", strides}}));
    };
    CHECK(slice({7, 64}, {2, 16}, {5, 48}, {1, 1}) == "");
    CHECK(slice({7, 64}, {0, 1}, {7, 64}, {3, 5}) == "");
    CHECK(slice({300, 8}, {4, 0}, {290, 8}, {2, 1}) == "");
    CHECK(slice({5}, {0}, {5}, {1}) == "");
    const auto pad = [&](Shape shape, Ints low, Ints high, Ints interior) {
      return wrong_of(one_move(OpKind::pad, {std::move(shape), {}}, dtype,
                               {{"low", low}, {"high", high}, {"interior", interior}}));
    };
    CHECK(pad({5, 7}, {1, 2}, {3, 0}, {0, 0}) == "");
    CHECK(pad({5, 32}, {1, 0}, {3, 0}, {0, 0}) == "");
    CHECK(pad({5, 7}, {0, -2}, {-1, 3}, {2, 1}) == "");
    CHECK(pad({5, 7}, {-3, 1}, {-1, 1}, {0, 6}) == "");
    CHECK(pad({0, 7}, {2, 1}, {2, 0}, {0, 0}) == "");
    CHECK(pad({}, {}, {}, {}) == "");
    const auto reverse = [&](Shape shape, Ints axes) {
      return wrong_of(one_move(OpKind::reverse, {std::move(shape)}, dtype, {{"axes", axes}}));
    };
    CHECK(reverse({9, 32}, {0}) == "");
    CHECK(reverse({9, 31}, {0, 1}) == "");
    CHECK(reverse({3, 4, 6}, {-2}) == "");
    CHECK(reverse({3, 4, 6}, {}) == "");
    const auto concat = [&](std::vector<Shape> shapes, int64_t axis) {
      return wrong_of(one_move(OpKind::concat, shapes, dtype, {{"axis", axis}}));
    };
    CHECK(concat({{3, 16}, {5, 16}, {1, 16}}, 0) == "");
    CHECK(concat({{3, 16}, {3, 32}}, 1) == "");
    CHECK(concat({{3, 5, 2}, {3, 0, 2}, {3, 1, 2}, {3, 7, 2}}, -2) == "");
    CHECK(concat({{11}}, 0) == "");
    CHECK(concat(std::vector<Shape>(70, Shape{2, 3}), 1) == "");
  }
}

TEST_CASE("a gather takes along its axis, from the end where negative, clamped where outside") {
  for (const DType dtype : {DType::i8, DType::f16, DType::f32, DType::f64}) {
    for (const DType index :
         {DType::i8, DType::u8, DType::i16, DType::i32, DType::u32, DType::i64, DType::u64}) {
      for (const int64_t axis : {0, 1, -1}) {
        const Shape shape{6, 10, 8};
        const Shape places{5, 3};
        GraphBuilder b;
        const uint32_t x = b.add("x", OpKind::input, {}, shape, dtype);
        const uint32_t i = b.add("i", OpKind::input, {}, places, index);
        Shape result(shape.begin(), shape.begin() + (axis + 3) % 3);
        result.insert(result.end(), places.begin(), places.end());
        result.insert(result.end(), shape.begin() + (axis + 3) % 3 + 1, shape.end());
        b.add("g", OpKind::gather, {x, i}, result, dtype, {{"axis", axis}});
        INFO(dtype_text(dtype) << " by " << dtype_text(index) << " along " << axis);
        CHECK(wrong_of(std::move(b.graph)) == "");
      }
    }
  }
}

TEST_CASE("a move reads through views, and constants that lie in no memory") {
  for (const DType dtype : kDtypes) {
    INFO(dtype_text(dtype));
    GraphBuilder b;
    const uint32_t x = b.add("x", OpKind::input, {}, {6, 10}, dtype);
    const uint32_t wide = b.add("wide", OpKind::broadcast, {x}, {4, 6, 10}, dtype);
    const uint32_t flat = b.add("flat", OpKind::reshape, {wide}, {24, 10}, dtype);
    b.add("t", OpKind::transpose, {flat}, {10, 24}, dtype);
    CHECK(wrong_of(PlannedGraph(std::move(b.graph), Math::fast, false)) == "");
    GraphBuilder c;
    const uint32_t one = c.add("one", OpKind::constant, {}, {}, dtype, {{"value", int64_t{1}}});
    const uint32_t ones = c.add("ones", OpKind::broadcast, {one}, {3, 16}, dtype);
    const uint32_t y = c.add("y", OpKind::input, {}, {2, 16}, dtype);
    c.add("joined", OpKind::concat, {ones, y}, {5, 16}, dtype, {{"axis", int64_t{0}}});
    CHECK(wrong_of(PlannedGraph(std::move(c.graph), Math::fast, false)) == "");
    GraphBuilder d;
    const uint32_t z = d.add("z", OpKind::input, {}, {3, 5}, dtype);
    const uint32_t zero = d.add("zero", OpKind::constant, {}, {}, dtype, {{"value", int64_t{0}}});
    d.add("p", OpKind::pad, {z, zero}, {6, 5}, dtype, {{"low", Ints{1, 0}}, {"high", Ints{2, 0}}});
    CHECK(wrong_of(PlannedGraph(std::move(d.graph), Math::fast, false)) == "");
  }
}

TEST_CASE("a huge transpose counts in 64 bits, and its sampled blocks hold") {
  const PlannedGraph planned(one_move(OpKind::transpose, {{70000, 70000}}, DType::f16, {}), Math::fast);
  CHECK(kernel_of(planned).move->wide);
  const VerifyReport report = planned.verify();
  CHECK(first_wrong(report, planned) == "");
  REQUIRE(report.kernels.size() == 1);
  CHECK(report.kernels[0].verdict == RunVerdict::held);
  CHECK(report.kernels[0].elements_held > 10000);
}

TEST_CASE("fused kernels before and behind moves equal their ops alone, bit for bit") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {40, 50});
  const uint32_t y = b.add("y", OpKind::input, {}, {50, 40});
  const uint32_t s = b.add("s", OpKind::mul, {x, x}, {40, 50});
  const uint32_t e = b.add("e", OpKind::exp, {s}, {40, 50});
  const uint32_t t = b.add("t", OpKind::transpose, {e}, {50, 40});
  const uint32_t c = b.add("c", OpKind::concat, {t, y}, {50, 80}, DType::f32, {{"axis", int64_t{1}}});
  const uint32_t d = b.add("d", OpKind::sub, {c, c}, {50, 80});
  b.add("r", OpKind::relu, {d}, {50, 80});
  const PlannedGraph planned(std::move(b.graph), Math::precise);
  const VerifyReport report = planned.verify();
  CHECK(first_wrong(report, planned) == "");
  CHECK(report.verified());
  CHECK(report.unfused.compared);
  CHECK(report.unfused.equal);
  CHECK(report.unfused.tensors == 2);
}

TEST_CASE("what a move cannot do is told, and the rest are library calls") {
  const auto said = [](OpKind kind, std::vector<Shape> operands, std::vector<DType> dtypes, Shape result,
                       std::vector<Attribute> attributes) {
    GraphBuilder b;
    std::vector<uint32_t> inputs;
    for (size_t i = 0; i < operands.size(); ++i)
      inputs.push_back(b.add("x" + std::to_string(i), OpKind::input, {}, operands[i], dtypes[i]));
    b.add("m", kind, inputs, std::move(result), dtypes[0], std::move(attributes));
    const PlannedGraph planned(std::move(b.graph), Math::fast);
    const Kernel& kernel = kernel_of(planned);
    if (kernel.kind == LaunchKind::library) return std::string("library");
    return kernel.emittable ? std::string("emitted") : kernel.diagnostics.at(0).message;
  };
  const DType f = DType::f32;
  CHECK(said(OpKind::transpose, {{2, 3}}, {f}, {2, 3}, {{"perm", Ints{1, 0}}}) ==
        "transpose_m_1 is not written as PTX: m has shape [2,3], but its operands give [3,2]");
  CHECK(said(OpKind::transpose, {{2, 3}}, {f}, {3, 2}, {{"perm", Ints{1, 7}}}).find("not written") !=
        std::string::npos);
  CHECK(said(OpKind::slice, {{4}}, {f}, {4}, {{"starts", Ints{2}}, {"limits", Ints{6}}})
            .find("does not fit its operands") != std::string::npos);
  CHECK(said(OpKind::slice, {{4}}, {f}, {4}, {}).find("lacks attributes") != std::string::npos);
  CHECK(said(OpKind::reverse, {{4}}, {f}, {4}, {{"axes", Ints{3}}}).find("has axes") != std::string::npos);
  CHECK(said(OpKind::concat, {{4}, {4}}, {f, DType::f16}, {8}, {{"axis", int64_t{0}}}) ==
        "concat_m_2 is not written as PTX: m of dtype f32 reads x1 of dtype f16: a move converts nothing");
  CHECK(said(OpKind::gather, {{4}, {2}}, {f, f}, {2}, {{"axis", int64_t{0}}}).find("no integers") !=
        std::string::npos);
  CHECK(said(OpKind::gather, {{4}, {2}}, {f, DType::i32}, {2}, {{"axis", int64_t{1}}}).find("axis") !=
        std::string::npos);
  CHECK(said(OpKind::gather, {{4}, {2}}, {f, DType::i32}, {2}, {}) == "library");
  CHECK(said(OpKind::pad, {{4}, {}}, {f, f}, {4},
             {{"low", Ints{int64_t{1} << 60}}, {"high", Ints{-(int64_t{1} << 60)}}})
            .find("pads by more") != std::string::npos);
}

TEST_CASE("random moves of random graphs move what the rules say") {
  std::mt19937 random(7);
  const auto below = [&](uint64_t limit) { return random() % limit; };
  size_t kernels = 0;
  for (int round = 0; round < 600; ++round) {
    const DType dtype = kDtypes[below(kDtypes.size())];
    const size_t rank = below(6) + 1;
    Shape shape;
    const uint64_t widest[] = {0, 700, 40, 14, 8, 5, 4};
    for (size_t k = 0; k < rank; ++k) shape.push_back(1 + below(widest[rank]));
    Ints a, b, c;
    OpKind kind = OpKind::transpose;
    std::vector<Shape> operands{shape};
    std::vector<Attribute> attributes;
    switch (below(5)) {
      case 0:
        for (size_t k = 0; k < rank; ++k) a.push_back(static_cast<int64_t>(k));
        std::shuffle(a.begin(), a.end(), random);
        attributes = {{"perm", a}};
        break;
      case 1:
        kind = OpKind::slice;
        for (const uint64_t extent : shape) {
          const uint64_t start = below(extent);
          a.push_back(static_cast<int64_t>(start));
          b.push_back(static_cast<int64_t>(start + 1 + below(extent - start)));
          c.push_back(static_cast<int64_t>(1 + below(3)));
        }
        attributes = {{"starts", a}, {"limits", b}, {"strides", c}};
        break;
      case 2:
        kind = OpKind::pad;
        operands.push_back({});
        for (size_t k = 0; k < rank; ++k) {
          a.push_back(static_cast<int64_t>(below(4)) - (shape[k] > 3 ? 1 : 0));
          b.push_back(static_cast<int64_t>(below(4)) - (shape[k] > 3 ? 1 : 0));
          c.push_back(static_cast<int64_t>(below(3)));
        }
        attributes = {{"low", a}, {"high", b}, {"interior", c}};
        break;
      case 3:
        kind = OpKind::reverse;
        for (size_t k = 0; k < rank; ++k) {
          if (below(2) != 0) a.push_back(static_cast<int64_t>(k));
        }
        attributes = {{"axes", a}};
        break;
      default:
        kind = OpKind::concat;
        const size_t axis = below(rank);
        for (uint64_t more = below(4); more > 0; --more) {
          operands.push_back(shape);
          operands.back()[axis] = below(2 * shape[axis]);
        }
        attributes = {{"axis", static_cast<int64_t>(axis)}};
    }
    INFO(round << ": " << op_text(kind) << " of " << shape_text(shape) << " " << dtype_text(dtype));
    const std::string wrong = wrong_of(one_move(kind, operands, dtype, attributes));
    CHECK(wrong == "");
    if (!wrong.empty()) break;
    ++kernels;
  }
  CHECK(kernels == 600);
}

TEST_CASE("moves assemble for every target without a word") {
  PtxasBatch batch;
  std::vector<PlannedGraph> all;
  const auto add = [&](FusionGraph graph) { all.emplace_back(std::move(graph), Math::fast, false); };
  for (const DType dtype : {DType::i8, DType::f16, DType::f32, DType::f64}) {
    add(one_move(OpKind::transpose, {{64, 128}}, dtype, {}));
    add(one_move(OpKind::transpose, {{33, 47}}, dtype, {}));
    add(one_move(OpKind::transpose, {{70000, 70000}}, dtype, {}));
    add(one_move(OpKind::transpose, {{3, 5, 7}}, dtype, {}));
    add(one_move(OpKind::slice, {{70000, 70000}}, dtype,
                 {{"starts", Ints{1, 0}}, {"limits", Ints{70000, 69999}}}));
    add(one_move(OpKind::pad, {{5, 7}, {}}, dtype,
                 {{"low", Ints{1, 2}}, {"high", Ints{3, -1}}, {"interior", Ints{2, 0}}}));
    add(one_move(OpKind::pad, {{5, 16}, {}}, dtype, {{"low", Ints{1, 0}}, {"high", Ints{3, 0}}}));
    add(one_move(OpKind::reverse, {{5, 7}}, dtype, {}));
    add(one_move(OpKind::concat, {{5, 7}, {5, 9}, {5, 16}}, dtype, {{"axis", int64_t{1}}}));
    for (const DType index : {DType::i8, DType::u16, DType::i32, DType::u64}) {
      GraphBuilder b;
      const uint32_t x = b.add("x", OpKind::input, {}, {50, 16}, dtype);
      const uint32_t i = b.add("i", OpKind::input, {}, {9}, index);
      b.add("g", OpKind::gather, {x, i}, {9, 16}, dtype, {{"axis", int64_t{0}}});
      add(std::move(b.graph));
    }
  }
  for (const PlannedGraph& each : all) {
    for (const Target& target : targets()) {
      EmitOptions options;
      options.target = target;
      const Kernel& kernel = kernel_of(each);
      batch.add(target, emit(each.graph, kernel, options).text, kernel.entry);
    }
  }
  CHECK(batch.assemble() == "");
}
