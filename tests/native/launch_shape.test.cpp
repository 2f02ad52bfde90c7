// Slots and blocks for loops of every width, shape and size.
// It must not know PTX.
#include "launch/launch_shape.h"

#include "catch.h"
#include "graph_builder.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

/// x op bias, stored as `out`: one loop over `shape`.
struct OneLoop {
  GraphBuilder b;
  KernelLoop loop;
  LoopSchedule schedule{IndexMaps(1), {}, {}, {}};

  OneLoop(Shape shape, Shape bias, DType in, DType out) {
    const uint32_t x = b.add("x", OpKind::input, {}, shape, in);
    const uint32_t y = b.add("bias", OpKind::input, {}, std::move(bias), in);
    const uint32_t s = b.add("s", in == out ? OpKind::add : OpKind::lt, {x, y}, shape, out);
    loop.domain = shape;
    loop.elements = element_count(shape).value_or(0);
    loop.stores = {s};
    const std::vector<uint32_t> members{s};
    schedule = *schedule_loop(b.graph, members, loop, 100);
    loop.slots = slots_of(b.graph, loop, schedule);
  }
};

uint32_t slots(Shape shape, Shape bias, DType in, DType out) {
  return OneLoop(std::move(shape), std::move(bias), in, out).loop.slots;
}

}  // namespace

TEST_CASE("slots fill 16 bytes of the narrowest value and no more than 32 of the widest") {
  CHECK(slots({1024, 512}, {512}, DType::f32, DType::f32) == 4);
  CHECK(slots({1024, 512}, {512}, DType::f16, DType::f16) == 8);
  CHECK(slots({1024, 512}, {512}, DType::f64, DType::f64) == 2);
  CHECK(slots({1024, 512}, {512}, DType::i8, DType::i8) == 16);
  CHECK(slots({1024, 512}, {512}, DType::f32, DType::boolean) == 8);
  CHECK(slots({1024, 512}, {512}, DType::f64, DType::boolean) == 4);
}

TEST_CASE("slots shrink to what the broadcast dimensions divide by") {
  CHECK(slots({1000, 6}, {6}, DType::f32, DType::f32) == 2);
  CHECK(slots({1000, 50257}, {50257}, DType::f32, DType::f32) == 1);
  CHECK(slots({1000, 50257}, {}, DType::f32, DType::f32) == 4);
  CHECK(slots({1000, 50257}, {1000, 50257}, DType::f32, DType::f32) == 4);
  CHECK(slots({1000, 4}, {1000, 1}, DType::f16, DType::f16) == 4);
  CHECK(slots({3}, {3}, DType::f32, DType::f32) == 2);
  CHECK(slots({1}, {1}, DType::f32, DType::f32) == 1);
}

TEST_CASE("slots shrink where too many values would live at once") {
  for (const size_t inputs : {8U, 60U, 200U}) {
    GraphBuilder b;
    std::vector<uint32_t> read;
    for (size_t i = 0; i < inputs; ++i) read.push_back(b.add("", OpKind::input, {}, {4096}));
    std::vector<uint32_t> members;
    uint32_t sum = read[0];
    for (size_t i = 1; i < inputs; ++i)
      members.push_back(sum = b.add("", OpKind::add, {sum, read[i]}, {4096}));
    KernelLoop loop{{4096}, 4096, {sum}, 1};
    const auto schedule = schedule_loop(b.graph, members, loop, 1000);
    REQUIRE(schedule);
    CHECK(slots_of(b.graph, loop, *schedule) == (inputs == 8 ? 4 : 1));
  }
}

TEST_CASE("one thread a pass up to the most blocks; then a stride with which rows and columns walk") {
  const auto blocks = [](Shape shape, Shape bias) {
    const OneLoop one(std::move(shape), std::move(bias), DType::f32, DType::f32);
    return blocks_of(one.loop, one.schedule);
  };
  CHECK(blocks({1024, 512}, {512}) == 512);
  CHECK(blocks({1025, 512}, {512}) == 513);
  CHECK(blocks({3}, {3}) == 1);
  CHECK(blocks({1U << 20, 512}, {512}) == kMostBlocks);
  CHECK(blocks({1U << 20, 768}, {768}) == 2046);
  CHECK(blocks({1U << 20, 768}, {1U << 20, 1}) == 2046);
  CHECK(blocks({1U << 14, 768}, {1U << 14, 1}) == 2046);
  CHECK(blocks({1U << 20, 50257}, {50257}) == kMostBlocks);
}

TEST_CASE("passes cover the domain: whole slots by all threads, the rest by the first few") {
  OneLoop one({1001, 1003}, {}, DType::f32, DType::f32);
  KernelConfig config;
  config.block[0] = kThreads;
  config.grid[0] = blocks_of(one.loop, one.schedule);
  LoopPasses passes = passes_of(one.loop, config);
  CHECK(passes.vectors == 251000);
  CHECK(passes.rest == 3);
  CHECK(passes.threads == 981 * 256);
  CHECK(passes.stride == 0);
  config.grid[0] = 100;
  passes = passes_of(one.loop, config);
  CHECK(passes.stride == 100 * 256 * 4);
  CHECK(passes.rest == 3);
}
