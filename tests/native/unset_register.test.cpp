// Registers that are read, though nothing sets them.
// It must not know who writes such texts.
#include "verify/unset_register.h"

#include "catch.h"
#include "ptx/read.h"

namespace {

using namespace fuseboard;

/// "%r3 in line 7", or "".
std::string unset_in(const std::string& body) {
  const std::string text =
      ".version 8.1\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
      "  .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .f32 %f<4>;\n"
      "  ld.param.u64 %rd1, [p];\n" +
      body + "  ret;\n}\n";
  const Result<ptx::Module> module = ptx::read_module(text);
  INFO(text);
  REQUIRE(module);
  const std::optional<UnsetRegister> unset = unset_register(*module.value->entry("k"));
  return unset ? unset->name + " in line " + std::to_string(unset->line) : "";
}

}  // namespace

TEST_CASE("a register that nothing sets is named where it is read first") {
  CHECK(unset_in("  mov.u32 %r1, %tid.x;\n  add.s32 %r2, %r1, 1;\n  st.global.u32 [%rd1], %r2;\n") == "");
  CHECK(unset_in("  add.s32 %r2, %r1, 1;\n  st.global.u32 [%rd1], %r2;\n") == "%r1 in line 7");
  CHECK(unset_in("  st.global.u32 [%rd2], 1;\n") == "%rd2 in line 7");
  CHECK(unset_in("  @%p1 st.global.u32 [%rd1], 1;\n") == "%p1 in line 7");
  CHECK(unset_in("  mov.u32 %r1, 1;\n  st.global.v2.u32 [%rd1], {%r1, %r2};\n") == "%r2 in line 8");
  CHECK(unset_in("  ld.global.v2.u32 {%r1, %r2}, [%rd1];\n  st.global.v2.u32 [%rd1], {%r1, %r2};\n") == "");
  CHECK(unset_in("  mov.u32 %r1, 1;\n  setp.eq.s32 %p1|%p2, %r1, 2;\n  @!%p2 st.global.u32 [%rd1], %r1;\n") ==
        "");
}

TEST_CASE("a loop that sets a register behind its first use sets it all the same") {
  CHECK(unset_in("$again:\n  add.s32 %r1, %r1, 1;\n  setp.lt.s32 %p1, %r1, 9;\n  @%p1 bra $again;\n") == "");
}
