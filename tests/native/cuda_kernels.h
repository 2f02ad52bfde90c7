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

/// The first place where the two differ bit for bit (NaN equals itself, -0 is not 0): "at 3: 5, not 7"; ""
/// where none.
template <class T>
std::string difference(const std::vector<T>& got, const std::vector<T>& expected) {
  if (got.size() != expected.size()) return "sizes";
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::memcmp(&got[i], &expected[i], sizeof(T)) == 0) continue;
    return "at " + std::to_string(i) + ": " + std::to_string(got[i]) + ", not " + std::to_string(expected[i]);
  }
  return "none";
}

}  // namespace cuda
