// Offsets as the emitted instructions compute them, against indices taken apart dimension by dimension; 32
// and 64 bits. It must not know ops.
#include "emit/index_code.h"

#include <cstring>
#include <random>

#include "catch.h"
#include "emit/division.h"
#include "graph/shape.h"
#include "graph_builder.h"
#include "ptx/machine.h"
#include "ptx/read.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

/// The operand's offset behind an offset in `shape`, by NumPy's trailing rule, taken apart dimension by
/// dimension.
uint64_t operand_index(uint64_t at, const Shape& shape, const Shape& operand) {
  std::vector<uint64_t> index(shape.size());
  for (size_t k = shape.size(); k-- > 0;) {
    index[k] = at % shape[k];
    at /= shape[k];
  }
  uint64_t offset = 0;
  for (size_t i = 0; i < operand.size(); ++i) {
    const size_t k = shape.size() - operand.size() + i;
    offset = offset * operand[i] + (operand[i] == 1 ? 0 : index[k]);
  }
  return offset;
}

/// The offsets that the code computes for some indices, one thread each.
std::vector<uint64_t> computed(const IndexMaps& maps, uint32_t map, const std::vector<uint64_t>& at,
                               bool wide) {
  PtxWriter writer;
  const std::string thread = writer.fresh(RegisterClass::b32);
  const std::string place = writer.fresh(RegisterClass::b64);
  const std::string out = writer.fresh(RegisterClass::b64);
  const std::string index = writer.fresh(wide ? RegisterClass::b64 : RegisterClass::b32);
  const std::string type = wide ? ".u64" : ".u32";
  writer.instruction("ld.param.u64", {place, "[at]"});
  writer.instruction("ld.param.u64", {out, "[out]"});
  writer.instruction("mov.u32", {thread, "%tid.x"});
  writer.instruction("mad.wide.u32", {place, thread, "8", place});
  writer.instruction("mad.wide.u32", {out, thread, "8", out});
  writer.instruction("ld.global" + type, {index, "[" + place + "]"});
  IndexCode code(writer, maps, index, wide);
  writer.instruction("st.global" + type, {"[" + out + "]", code.offset(map)});
  writer.instruction("ret");
  const std::string text =
      ".version 8.1\n.target sm_90\n.address_size 64\n.entry k(.param .u64 at, .param .u64 out)\n{\n" +
      register_declarations(writer) + writer.text() + "}\n";
  const Result<ptx::Module> module = ptx::read_module(text);
  REQUIRE(module.value);
  ptx::Memory memory;
  const uint64_t bytes = 8 * at.size();
  const uint32_t from = memory.add("at", bytes);
  const uint32_t to = memory.add("out", bytes);
  std::vector<uint8_t> raw(bytes);
  std::memcpy(raw.data(), at.data(), bytes);
  memory.write(from, 0, raw);
  memory.write(to, 0, std::vector<uint8_t>(bytes, 0));
  ptx::Launch launch;
  launch.entry = "k";
  launch.block[0] = static_cast<uint32_t>(at.size());
  for (const uint64_t address : {memory.address(from), memory.address(to)}) {
    for (int i = 0; i < 8; ++i) launch.parameters.push_back(static_cast<uint8_t>(address >> 8 * i));
  }
  Result<ptx::Machine> machine = ptx::Machine::make(*module.value, memory, launch);
  REQUIRE(machine.value);
  REQUIRE(machine.value->run(1 << 20) == ptx::RunState::finished);
  std::vector<uint64_t> offsets(at.size());
  memory.read(to, 0, raw);
  std::memcpy(offsets.data(), raw.data(), bytes);
  return offsets;
}

}  // namespace

TEST_CASE("division by a known divisor is exact for every dividend that can occur") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200000; ++i) {
    const uint32_t bits = i % 2 == 0 ? 32 : 64;
    const uint64_t most = (random() >> (65 - bits)) >> random() % (bits - 2);
    const uint64_t divisor = std::max<uint64_t>(3, random() % (most + 2));
    if (exact_log2(divisor)) continue;
    const auto found = reciprocal_of(divisor, most, bits);
    REQUIRE(found);
    for (const uint64_t x : {most, most / divisor * divisor,
                             most / divisor * divisor - (most >= divisor ? 1 : 0), random() % (most + 1)}) {
      __extension__ typedef unsigned __int128 Wide;
      const uint64_t quotient = static_cast<uint64_t>((Wide{x} * found->multiplier) >> bits) >> found->shift;
      if (quotient != x / divisor) FAIL(x << " / " << divisor);
    }
  }
}

TEST_CASE("offsets through broadcasts and reshapes are those of the dimensions") {
  std::mt19937 random(11);
  const auto below = [&](uint32_t n) { return random() % n; };
  for (int i = 0; i < 400; ++i) {
    const bool wide = i % 2 == 0;
    Shape shape;
    uint64_t total = 1;
    const uint64_t limit = wide ? uint64_t{1} << 40 : uint64_t{1} << 30;
    for (uint32_t k = 0; k < 1 + below(6); ++k) {
      const uint64_t dim = below(4) == 0 ? 1 : 1 + below(wide ? 5000 : 60);
      if (total * dim > limit) break;
      shape.push_back(dim);
      total *= dim;
    }
    IndexMaps maps(total);
    std::vector<uint64_t> at;
    std::vector<uint64_t> want;
    for (int k = 0; k < 20; ++k)
      at.push_back(k == 0 ? total - 1 : (uint64_t{random()} << 32 | random()) % total);
    want = at;
    uint32_t map = 0;
    Shape current = shape;
    for (int hop = 0; hop < 4; ++hop) {
      Shape operand(current.begin() + below(static_cast<uint32_t>(current.size()) + 1), current.end());
      for (uint64_t& dim : operand) dim = below(3) == 0 ? 1 : dim;
      map = maps.stretch(map, current, operand, nullptr);
      for (uint64_t& each : want) each = operand_index(each, current, operand);
      const uint64_t count = *element_count(operand);
      current = {count};  // a reshape: any shape of as many elements
      for (uint64_t divisor = 2; divisor < 40; ++divisor) {
        if (count % divisor == 0 && below(3) == 0) current = {count / divisor, divisor};
      }
    }
    if (maps[map].digits.empty()) {
      REQUIRE(want == std::vector<uint64_t>(want.size(), 0));
    } else {
      REQUIRE(computed(maps, map, at, wide) == want);
    }
  }
}

TEST_CASE("contiguous operands take no arithmetic, broadcast rows one remainder") {
  IndexMaps maps(1000 * 500);
  const Shape shape{1000, 500};
  const Shape row{500};
  const Shape column{1000, 1};
  CHECK(maps.stretch(0, shape, shape, nullptr) == 0);
  const IndexMap along_row = maps[maps.stretch(0, shape, row, nullptr)];
  REQUIRE(along_row.digits.size() == 1);
  CHECK(along_row.digits[0].divisor == 1);
  CHECK(along_row.digits[0].extent == 500);
  const IndexMap along_column = maps[maps.stretch(0, shape, column, nullptr)];
  REQUIRE(along_column.digits.size() == 1);
  CHECK(along_column.digits[0].divisor == 500);
  CHECK(maps.stretch(0, Shape{1000, 500}, Shape{1, 500}, nullptr) == maps.stretch(0, shape, row, nullptr));
}
