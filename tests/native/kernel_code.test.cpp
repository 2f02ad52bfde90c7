// Loops of every kind run in the interpreter: every dtype, vectors and rests, rows, columns and turned
// operands, one pass and many. It must not know how instructions are chosen.
#include "emit/kernel_code.h"

#include "catch.h"
#include "graph_builder.h"
#include "kernel_runner.h"
#include "launch/launch_shape.h"
#include "launch/lower.h"
#include "plan/fusion_planner.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

constexpr DType kAll[] = {
#define DTYPE(identifier, ...) DType::identifier,
#include "graph/dtypes.def"
};

/// Small whole numbers, which every dtype holds and sums of few keep exact.
std::vector<Tensor> inputs_of(const FusionGraph& graph) {
  std::vector<Tensor> given(graph.size());
  for (uint32_t id = 0; id < graph.size(); ++id) {
    const FusionOp& op = graph.op(id);
    if (op.kind != OpKind::input) continue;
    const size_t bytes = dtype_bytes(op.dtype);
    given[id].known = true;
    given[id].bytes.resize(static_cast<size_t>(*element_count(op.output_shape)) * bytes);
    for (size_t i = 0; i * bytes < given[id].bytes.size(); ++i) {
      const double value = static_cast<double>((i * 7 + id * 3 + i / 5) % 6);
      element_to_bytes(op.dtype, converted(DType::f64, op.dtype, {value, 0}),
                       given[id].bytes.data() + i * bytes);
    }
  }
  return given;
}

/// The graph's kernels with at most so many blocks, run and held; "" where all is right.
std::string wrong(const FusionGraph& graph, uint32_t most_blocks, const char* target = "sm_90",
                  Math math = Math::precise) {
  const std::vector<Tensor> tensors = evaluate(graph, inputs_of(graph));
  for (Kernel& kernel : lower(graph, FusionPlanner().plan(graph), {math})) {
    if (kernel.kind != LaunchKind::kernel) continue;
    if (!kernel.emittable) return kernel.diagnostics.at(0).message;
    kernel.config.grid[0] = std::min(kernel.config.grid[0], most_blocks);
    const EmittedKernel emitted = emit(graph, kernel, {*target_from_name(target), math, {}, "pasted"});
    const std::string error = difference(graph, run_kernel(kernel, emitted.text, tensors), tensors);
    if (!error.empty()) return error + "\n" + emitted.text;
  }
  return "";
}

/// (x op row) op column over [rows, columns].
FusionGraph rows_and_columns(DType dtype, uint64_t rows, uint64_t columns) {
  GraphBuilder b;
  const OpKind kind = dtype == DType::boolean ? OpKind::xor_ : OpKind::add;
  const uint32_t x = b.add("x", OpKind::input, {}, {rows, columns}, dtype);
  const uint32_t row = b.add("row", OpKind::input, {}, {columns}, dtype);
  const uint32_t column = b.add("column", OpKind::input, {}, {rows, 1}, dtype);
  const uint32_t sum = b.add("sum", kind, {x, row}, {rows, columns}, dtype);
  b.add("out", kind, {sum, column}, {rows, columns}, dtype);
  return b.graph;
}

}  // namespace

TEST_CASE("every dtype, in one pass and in many, with and without a rest") {
  for (const DType dtype : kAll) {
    for (const auto& [rows, columns] :
         {std::pair{64, 512}, {61, 48}, {37, 6}, {99, 33}, {1, 1003}, {3, 1}, {1, 1}}) {
      for (const uint32_t most_blocks : {1U, 2U, 3U, 100U}) {
        INFO(dtype_text(dtype) << " " << rows << " x " << columns << ", blocks " << most_blocks);
        REQUIRE(wrong(rows_and_columns(dtype, static_cast<uint64_t>(rows), static_cast<uint64_t>(columns)),
                      most_blocks) == "");
      }
    }
  }
}

TEST_CASE("half precision is packed and rounded alike on every target") {
  for (const DType dtype : {DType::f16, DType::bf16}) {
    for (const char* target : {"sm_75", "sm_80", "sm_120"}) {
      GraphBuilder b;
      const uint32_t x = b.add("x", OpKind::input, {}, {1003}, dtype);
      const uint32_t third = b.add("third", OpKind::constant, {}, {}, dtype, {{"value", 1.0 / 3}});
      b.add("out", OpKind::mul, {x, third}, {1003}, dtype);
      INFO(dtype_text(dtype) << " " << target);
      REQUIRE(wrong(b.graph, 100, target) == "");
    }
  }
}

TEST_CASE("operands turned, stretched in the middle, split and counted") {
  for (const uint32_t most_blocks : {1U, 2U, 100U}) {
    for (const DType dtype : {DType::f32, DType::f16, DType::i64, DType::u8}) {
      for (const uint64_t n : {24, 16, 10, 7}) {
        GraphBuilder b;
        const uint32_t x = b.add("x", OpKind::input, {}, {n, n}, dtype);
        const uint32_t turned =
            b.add("turned", OpKind::broadcast, {x}, {n, n}, dtype, {{"axes", std::vector<int64_t>{1, 0}}});
        const uint32_t both = b.add("both", OpKind::add, {x, turned}, {n, n}, dtype);
        const uint32_t wide = b.add("wide", OpKind::broadcast, {both}, {n, 3, n}, dtype,
                                    {{"axes", std::vector<int64_t>{2, 0}}});
        const uint32_t middle = b.add("middle", OpKind::input, {}, {3, 1}, dtype);
        const uint32_t sum = b.add("sum", OpKind::add, {wide, middle}, {n, 3, n}, dtype);
        const uint32_t flat = b.add("flat", OpKind::reshape, {sum}, {3 * n * n}, dtype);
        const uint32_t again = b.add("again", OpKind::input, {}, {3 * n * n}, dtype);
        b.add("out", OpKind::add, {flat, again}, {3 * n * n}, dtype);
        INFO(dtype_text(dtype) << " " << n << ", blocks " << most_blocks);
        REQUIRE(wrong(b.graph, most_blocks) == "");
      }
    }
  }
}

TEST_CASE("slots in groups, where too many values would live at once") {
  for (const DType dtype : {DType::f16, DType::u8, DType::i16, DType::f64}) {
    GraphBuilder b;
    std::vector<uint32_t> read;
    for (int i = 0; i < 6; ++i) read.push_back(b.add("", OpKind::input, {}, {1000}, dtype));
    uint32_t sum = read[0];
    for (const uint32_t each : read) sum = b.add("", OpKind::add, {sum, each}, {1000}, dtype);
    for (const uint32_t each : read) sum = b.add("", OpKind::max, {sum, each}, {1000}, dtype);
    const Kernel kernel = lower(b.graph, FusionPlanner().plan(b.graph)).back();
    const std::string text =
        emit(b.graph, kernel, {*target_from_name("sm_90"), Math::fast, {}, "pasted"}).text;
    const uint32_t bytes = dtype_bytes(dtype);
    CHECK((count_of(text, bytes == 1 ? ", slots 4 to 7" : ", slots 4 to 5") > 0) == (bytes < 4));
    INFO(dtype_text(dtype));
    REQUIRE(wrong(b.graph, 100) == "");
  }
}

TEST_CASE("several domains in one kernel, each with its own slots and rest") {
  for (const uint32_t most_blocks : {1U, 100U}) {
    GraphBuilder b;
    const uint32_t x = b.add("x", OpKind::input, {}, {33});
    const uint32_t s = b.add("s", OpKind::input, {}, {});
    const uint32_t twice = b.add("twice", OpKind::add, {s, s}, {});
    const uint32_t row = b.add("row", OpKind::add, {x, twice}, {33});
    const uint32_t y = b.add("y", OpKind::input, {}, {41, 33});
    b.add("out", OpKind::mul, {y, row}, {41, 33});
    b.graph.add_output(row);
    b.graph.add_output(twice);
    REQUIRE(wrong(b.graph, most_blocks) == "");
  }
}

TEST_CASE("indices along every axis are counted for every slot") {
  for (const uint32_t most_blocks : {1U, 100U}) {
    for (const int64_t axis : {0, 1, 2}) {
      GraphBuilder b;
      const uint32_t i = b.add("i", OpKind::iota, {}, {6, 50, 8}, DType::i32, {{"axis", axis}});
      const uint32_t x = b.add("x", OpKind::input, {}, {6, 50, 8}, DType::i32);
      b.add("out", OpKind::add, {i, x}, {6, 50, 8}, DType::i32);
      REQUIRE(wrong(b.graph, most_blocks) == "");
    }
  }
}

TEST_CASE("a warp's vector access asks for 16 sectors, a row's value for one") {
  const FusionGraph graph = rows_and_columns(DType::f32, 64, 512);
  const std::vector<Tensor> tensors = evaluate(graph, inputs_of(graph));
  const Kernel kernel = lower(graph, FusionPlanner().plan(graph)).back();
  const EmittedKernel emitted = emit(graph, kernel, {*target_from_name("sm_90"), Math::fast, {}, "pasted"});
  const ptx::Counters counters = run_kernel(kernel, emitted.text, tensors).counters;
  const uint64_t warps = 64 * 512 / 4 / 32;
  CHECK(counters.global_load_requests == 3 * warps);
  CHECK(counters.global_load_sectors == (16 + 16 + 1) * warps);
  CHECK(counters.global_store_sectors == 16 * warps);
}

TEST_CASE("indices neither wrap nor stop short where offsets pass 2^31 and 2^32") {
  constexpr uint64_t k31 = uint64_t{1} << 31;
  for (const uint64_t elements : {k31 - 1, k31, k31 + 3, 2 * k31 + 16, 4 * k31 + 9}) {
    GraphBuilder b;
    const uint32_t x = b.add("x", OpKind::input, {}, {elements}, DType::u8);
    b.add("out", OpKind::add, {x, x}, {elements}, DType::u8);
    const Kernel kernel = lower(b.graph, FusionPlanner().plan(b.graph)).back();
    REQUIRE(kernel.emittable);
    const EmittedKernel emitted =
        emit(b.graph, kernel, {*target_from_name("sm_90"), Math::fast, {}, "pasted"});
    const Result<ptx::Module> module = ptx::read_module(emitted.text);
    REQUIRE(module.value);
    const auto value_at = [](uint64_t at) { return static_cast<uint8_t>(at * 0x9e3779b97f4a7c15 >> 57); };
    ptx::Memory memory;
    const uint32_t in = memory.add_filled("x", elements, [&](uint64_t offset, std::span<uint8_t> out) {
      for (uint8_t& each : out) each = value_at(offset++);
    });
    const uint32_t out = memory.add("out", elements);
    ptx::Launch launch;
    launch.entry = kernel.entry;
    launch.grid = kernel.config.grid;
    launch.block = kernel.config.block;
    launch.blocks = {0, launch.grid[0] - 1};
    for (const uint64_t address : {memory.address(in), memory.address(out)}) {
      for (int i = 0; i < 8; ++i) launch.parameters.push_back(static_cast<uint8_t>(address >> 8 * i));
    }
    Result<ptx::Machine> machine = ptx::Machine::make(*module.value, memory, launch);
    REQUIRE(machine.value);
    while (machine.value->run(1 << 24) == ptx::RunState::running) {
    }
    REQUIRE_FALSE(machine.value->fault());
    const LoopPasses passes = passes_of(kernel.loops[0], kernel.config);
    const uint64_t slots = kernel.loops[0].slots;
    uint64_t written = 0;
    const auto check = [&](uint64_t at) {
      uint8_t got = 0;
      memory.read(out, at, std::span(&got, 1));
      written += memory.holds_values(out, at, 1) && got == static_cast<uint8_t>(2 * value_at(at)) ? 1 : 0;
    };
    uint64_t expected = passes.rest;
    for (uint64_t at = passes.vectors * slots; at < elements; ++at) check(at);
    for (const uint64_t block : launch.blocks) {
      for (uint64_t thread = block * 256; thread < (block + 1) * 256; ++thread) {
        for (uint64_t pass = thread; pass < passes.vectors; pass += passes.threads) {
          expected += slots;
          for (uint64_t slot = 0; slot < slots; ++slot) check(pass * slots + slot);
        }
      }
    }
    CHECK(written == expected);
    CHECK(memory.bytes_written(out) == expected);
  }
}
