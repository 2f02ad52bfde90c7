// What is said of slots and passes, against offsets taken from the digits one by one.
// It must not know ops.
#include "launch/index_walk.h"

#include <random>

#include "catch.h"
#include "graph/shape.h"

namespace {

using namespace fuseboard;

uint64_t offset_at(const IndexMaps& maps, uint32_t map, uint64_t index) {
  if (map == 0) return index;
  const uint64_t base = offset_at(maps, maps[map].base, index);
  uint64_t offset = 0;
  for (const Digit& digit : maps[map].digits)
    offset = offset * digit.extent + base / digit.divisor % digit.extent;
  return offset;
}

/// A loop's domain and maps through a few broadcasts, permutations and reshapes of it.
struct Domain {
  uint64_t elements = 1;
  IndexMaps maps{1};
};

Domain random_domain(std::mt19937& random) {
  const auto below = [&](uint32_t n) { return random() % n; };
  Shape shape;
  Domain out;
  for (uint32_t k = 0; k < 1 + below(4); ++k) {
    constexpr uint64_t kDims[] = {1, 2, 3, 4, 6, 8, 16, 20, 24};
    shape.push_back(kDims[below(9)]);
    out.elements *= shape.back();
  }
  out.maps = IndexMaps(out.elements);
  for (int path = 0; path < 3; ++path) {
    uint32_t map = 0;
    Shape current = shape;
    for (int hop = 0; hop < 2; ++hop) {
      std::vector<int64_t> axes;
      Shape operand;
      for (size_t k = 0; k < current.size(); ++k) {
        if (below(3) == 0) continue;
        const size_t place = below(static_cast<uint32_t>(axes.size()) + 1);
        axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(place), static_cast<int64_t>(k));
        operand.insert(operand.begin() + static_cast<std::ptrdiff_t>(place), current[k]);
      }
      map = out.maps.stretch(map, current, operand, &axes);
      current = {element_count(operand).value_or(1)};
      if (current[0] % 4 == 0) current = {4, current[0] / 4};
    }
  }
  return out;
}

}  // namespace

TEST_CASE("slots of a map are affine exactly where it says so") {
  std::mt19937 random(3);
  size_t contiguous = 0, strided = 0, uniform = 0;
  for (int i = 0; i < 2000; ++i) {
    const Domain domain = random_domain(random);
    for (const uint32_t slots : {2U, 4U, 8U}) {
      const std::vector<MapWalk> walks = walks_of(domain.maps, slots, 0);
      for (uint32_t map = 0; map < domain.maps.size(); ++map) {
        if (!walks[map].is_affine) continue;
        const uint64_t stride = walks[map].slot_stride;
        (stride == 0 ? uniform : stride == 1 ? contiguous : strided) += 1;
        for (uint64_t at = 0; at + slots <= domain.elements; at += slots) {
          const uint64_t first = offset_at(domain.maps, map, at);
          if (stride == 1) REQUIRE(first % slots == 0);
          for (uint32_t slot = 1; slot < slots; ++slot)
            REQUIRE(offset_at(domain.maps, map, at + slot) == first + slot * stride);
        }
      }
    }
  }
  CHECK(contiguous > 500);
  CHECK(strided > 100);
  CHECK(uniform > 500);
}

TEST_CASE("from pass to pass a map stays, walks by its stride, or is said to need its index") {
  std::mt19937 random(4);
  size_t fixed = 0, walking = 0;
  for (int i = 0; i < 2000; ++i) {
    const Domain domain = random_domain(random);
    const uint64_t stride = 1 + random() % domain.elements;
    const std::vector<MapWalk> walks = walks_of(domain.maps, 1, stride);
    for (uint32_t map = 1; map < domain.maps.size(); ++map) {
      if (walks[map].pass == PassWalk::recomputed) continue;
      (walks[map].pass == PassWalk::fixed ? fixed : walking) += 1;
      for (uint64_t at = 0; at + stride < domain.elements; ++at) {
        REQUIRE(offset_at(domain.maps, map, at + stride) ==
                offset_at(domain.maps, map, at) + walks[map].pass_stride);
      }
    }
  }
  CHECK(fixed > 100);
  CHECK(walking > 100);
}

TEST_CASE("a stride is found with which the columns stay and the rows walk") {
  IndexMaps maps(8192 * 768);
  const Shape shape{8192, 768};
  const uint32_t row = maps.stretch(0, shape, Shape{768}, nullptr);
  const uint32_t column = maps.stretch(0, shape, Shape{8192, 1}, nullptr);
  const uint64_t stride = walking_stride(maps, 1024, 1024 * 2048);
  CHECK(stride == 3 * 1024);
  const std::vector<MapWalk> walks = walks_of(maps, 4, stride);
  CHECK(walks[row].pass == PassWalk::fixed);
  CHECK(walks[column].pass == PassWalk::walks);
  CHECK(walks[column].pass_stride == 4);
}

TEST_CASE("a map that no stride serves does not keep the others from walking") {
  IndexMaps maps(uint64_t{50257} * 50261 * 64);
  const Shape shape{50257, 50261, 64};
  maps.stretch(0, shape, Shape{50261, 1}, nullptr);
  const uint32_t inner = maps.stretch(0, shape, Shape{64}, nullptr);
  const uint64_t stride = walking_stride(maps, 256, 256 * 2048);
  CHECK(stride == 256);
  CHECK(walks_of(maps, 1, stride)[inner].pass == PassWalk::fixed);
}
