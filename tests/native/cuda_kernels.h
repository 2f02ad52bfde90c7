// The PTX that nvcc made of tests/data/cuda, a device for each target it was made for.
// It must not know what the kernels compute.
#pragma once

#include <string>
#include <vector>

#include "ptx_device.h"

namespace cuda {

/// Calls `check` with a device for each of `name`.sm_75.ptx, .sm_80, .sm_90, .sm_100 that there is.
template <class Check>
void on_each_target(const std::string& name, const Check& check) {
  size_t found = 0;
  for (const char* target : {"sm_75", "sm_80", "sm_90", "sm_100"}) {
    const std::filesystem::path file =
        std::filesystem::path(FUSEBOARD_SOURCE_DIR) / "tests/data/cuda" / (name + "." + target + ".ptx");
    if (!std::filesystem::exists(file)) continue;
    ++found;
    INFO(file.filename());
    device::Device device(device::file_text(file));
    check(device);
  }
  CHECK(found >= 2);
}

/// Bit for bit, so that NaN equals NaN and -0 is not 0.
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace cuda
