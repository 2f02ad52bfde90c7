// What a person calls a kernel whose name a C++ compiler mangled.
// It must not know graphs.
#pragma once

#include <string>
#include <string_view>

namespace fuseboard {

/// The qualified name in an Itanium mangled name: "_ZN2at6native6kernelILi4EEvPf" is
/// "at::native::kernel<...>",
/// "_Z4axpyifPfS_" is "axpy". Template arguments are shown as <...> where the first of them begin, whatever
/// follows; parameters are left out. Any other name is given back as it is. O(bytes).
std::string demangle(std::string_view name);

}  // namespace fuseboard
