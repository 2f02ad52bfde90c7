// Loads and stores of every dtype at every width: how wide the accesses are, and that they assemble.
// It must not know ops or loops.
#include "emit/memory_code.h"

#include "catch.h"
#include "graph_builder.h"
#include "ptxas.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

constexpr DType kAll[] = {
#define DTYPE(identifier, ...) DType::identifier,
#include "graph/dtypes.def"
};

struct Copied {
  LoadedElements loaded;
  std::vector<UnpackedElement> elements;
};

/// The body that copies `count` elements, from places `stride` apart, `group` of them at a time.
PtxWriter copying(DType dtype, size_t count, uint64_t stride, const Target& target, Copied* copied = nullptr,
                  size_t group = 0) {
  PtxWriter writer;
  const std::string from = writer.fresh(RegisterClass::b64);
  const std::string to = writer.fresh(RegisterClass::b64);
  writer.instruction("ld.param.u64", {from, "[from]"});
  writer.instruction("ld.param.u64", {to, "[to]"});
  MemoryCode memory(writer, target);
  const LoadedElements loaded = memory.load(dtype, from, stride, count);
  std::vector<std::string> packed;
  if (group == 0) group = count;
  for (size_t first = 0; first < count; first += group) {
    const std::vector<UnpackedElement> elements = memory.unpack(loaded, first, group);
    std::vector<std::string> registers;
    for (const UnpackedElement& each : elements) registers.push_back(each.reg);
    memory.pack(dtype, count, registers, packed);
    if (copied != nullptr) copied->elements.insert(copied->elements.end(), elements.begin(), elements.end());
  }
  if (copied != nullptr) copied->loaded = loaded;
  memory.store(dtype, to, count, packed);
  writer.instruction("ret");
  return writer;
}

std::string module_of(const PtxWriter& writer, const Target& target) {
  std::string text = ".version " + std::string(target.ptx_version) + "\n.target " + std::string(target.name) +
                     "\n.address_size 64\n.visible .entry k(.param .u64 from, .param .u64 to)\n{\n";
  for (size_t i = 0; i < kRegisterClasses; ++i) {
    const RegisterClass each = static_cast<RegisterClass>(i);
    text += ".reg " + std::string(register_type(each)) + " " + std::string(register_prefix(each)) + "<" +
            std::to_string(writer.register_end(each)) + ">;\n";
  }
  return text + writer.text() + "}\n";
}

std::string line_of(const PtxWriter& writer, uint32_t line) {
  size_t at = 0;
  for (uint32_t i = 1; i < line; ++i) at = writer.text().find('\n', at) + 1;
  return writer.text().substr(at, writer.text().find('\n', at) - at);
}

}  // namespace

TEST_CASE("every dtype moves at every width on every target, in silence") {
  PtxasBatch batch;
  for (const DType dtype : kAll) {
    for (const size_t count : {1, 2, 4, 8, 16}) {
      if (count * dtype_bytes(dtype) > 32) continue;
      for (const Target& target : targets()) {
        batch.add(target, module_of(copying(dtype, count, 1, target), target), "k");
      }
    }
  }
  CHECK(batch.kernels() == 7 * (3 * 3 + 3 * 4 + 4 * 5 + 3 * 5));
  CHECK(batch.assemble() == "");
}

TEST_CASE("neighbours move 16 bytes at once where there are so many") {
  const Target target = *target_from_name("sm_90");
  for (const DType dtype : kAll) {
    const size_t count = 16 / dtype_bytes(dtype);
    const std::string text = copying(dtype, count, 1, target).text();
    CHECK(count_of(text, "ld.global.nc.v") == 1);
    CHECK(count_of(text, "ld.global") == 1);
    CHECK(count_of(text, "st.global.v") == 1);
    CHECK(count_of(text, "st.global") == 1);
  }
  CHECK(count_of(copying(DType::f32, 8, 1, target).text(), "ld.global.nc.v4.f32") == 2);
  CHECK(count_of(copying(DType::f32, 8, 1, target).text(), "+16]") == 2);
}

TEST_CASE("elements apart are read one by one, behind immediate offsets where they fit 32 bits") {
  const Target target = *target_from_name("sm_90");
  const std::string near = copying(DType::f32, 4, 1000, target).text();
  CHECK(count_of(near, "ld.global.nc.f32") == 4);
  CHECK(count_of(near, "+12000]") == 1);
  CHECK(count_of(near, "add.s64") == 0);
  const std::string far = copying(DType::f32, 4, uint64_t{1} << 29, target).text();
  CHECK(count_of(far, "add.s64") == 3);
  const std::string nearly = copying(DType::u8, 2, 0x7fffffff, target).text();
  CHECK(count_of(nearly, "+2147483647]") == 1);
  PtxasBatch batch;
  for (const uint64_t stride : {uint64_t{1000}, uint64_t{1} << 29, uint64_t{1} << 40}) {
    batch.add(target, module_of(copying(DType::f32, 4, stride, target), target), "k");
  }
  CHECK(batch.assemble() == "");
}

TEST_CASE("each element tells its access, its place in it and where its register is ready") {
  const Target target = *target_from_name("sm_90");
  for (const DType dtype : kAll) {
    Copied copied;
    const size_t count = 16 / dtype_bytes(dtype);
    const PtxWriter writer = copying(dtype, count, 1, target, &copied);
    for (size_t i = 0; i < count; ++i) {
      const ElementAccess access = copied.loaded.accesses[i];
      const UnpackedElement& element = copied.elements[i];
      CHECK(line_of(writer, access.line).find("ld.global.nc.v") != std::string::npos);
      CHECK(access.offset == i * dtype_bytes(dtype));
      CHECK(line_of(writer, element.ready_line).find(element.reg) != std::string::npos);
      CHECK(element.ready_line >= access.line);
    }
  }
}

TEST_CASE("elements taken a word at a time cost no instruction more") {
  for (const char* name : {"sm_75", "sm_90"}) {
    const Target target = *target_from_name(name);
    for (const DType dtype : kAll) {
      const size_t count = 32 / dtype_bytes(dtype) > 16 ? 16 : 32 / dtype_bytes(dtype);
      const size_t word = MemoryCode::elements_per_register(dtype, count);
      const size_t lines = copying(dtype, count, 1, target).lines().size();
      CHECK(copying(dtype, count, 1, target, nullptr, word).lines().size() == lines);
    }
  }
}

TEST_CASE("bfloat16 is rounded by an instruction from sm_80 on, by integers below") {
  const std::string old = copying(DType::bf16, 8, 1, *target_from_name("sm_75")).text();
  CHECK(count_of(old, "cvt") == 0);
  CHECK(count_of(old, "setp.nan.f32") == 8);
  CHECK(count_of(old, "prmt.b32") == 4);
  CHECK(count_of(copying(DType::bf16, 8, 1, *target_from_name("sm_80")).text(), "cvt.rn.bf16x2.f32") == 4);
  CHECK(count_of(copying(DType::f16, 8, 1, *target_from_name("sm_75")).text(), "cvt.rn.f16.f32") == 8);
}
