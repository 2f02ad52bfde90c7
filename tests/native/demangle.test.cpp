// Mangled kernel names as people read them; what is not read is shown as it is.
// It must not know graphs.
#include "formats/demangle.h"

#include "catch.h"

using fuseboard::demangle;

TEST_CASE("demangle shows the qualified name, and template arguments as <...>", "[demangle]") {
  CHECK(demangle("_Z4axpyifPfS_") == "axpy");
  CHECK(demangle("_ZN2at6native6kernelILi4EEvPf") == "at::native::kernel<...>");
  CHECK(demangle("_ZN2at6native4copyEPf") == "at::native::copy");
  CHECK(demangle("_ZN12_GLOBAL__N_14fillEv") == "(anonymous namespace)::fill");
  CHECK(demangle("_Z4cubeIfEvPT_") == "cube<...>");
}

TEST_CASE("demangle gives back a name that it cannot read", "[demangle]") {
  for (const char* name : {"", "_Z", "relu_kernel", "_Z9short", "_Z0", "_ZN2at", "_ZN2atplE", "_ZSt",
                           "_Z99999999999999999999a", "_ZNK"}) {
    CHECK(demangle(name) == name);
  }
}
