// Every module that Triton wrote for regions of real models runs on made-up inputs without a fault.
// It must not know what the kernels compute: nobody told their sizes.
#include <cstdio>

#include "ptx_device.h"

using device::Device;
namespace fs = std::filesystem;
namespace ptx = fuseboard::ptx;

TEST_CASE("Triton: modules of real models run on made-up inputs without a fault") {
  const fs::path folder = fs::path(FUSEBOARD_SHARED_DIR) / "truth/triton_ptx";
  if (!fs::exists(folder)) {
    std::puts("skipped: shared/truth/triton_ptx is not here; 55 modules were not run");
    return;
  }
  size_t ran = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    if (file.path().extension() != ".ptx") continue;
    INFO(file.path().filename());
    const std::string text = device::file_text(file.path());
    Device device(text);
    const ptx::Function* entry = nullptr;
    for (const ptx::Function& each : device.module().functions) entry = each.is_entry ? &each : entry;
    REQUIRE(entry != nullptr);
    // Indices of 64 bits must point somewhere: zeros do. Elsewhere floats of about 1, of 16 bits or of 32.
    uint8_t byte = 0x3f;
    for (const ptx::Instruction& each : entry->instructions)
      if (each.opcode == ptx::Opcode::ld && each.space == ptx::StateSpace::global &&
          each.type() == ptx::Type::b64)
        byte = 0;
    std::vector<uint8_t> parameters;
    const size_t scratch = entry->parameters.size() - 2;
    for (size_t i = 0; i < entry->parameters.size(); ++i) {
      if (device.module().variables[entry->parameters[i]].bytes == 4) {
        device.pass(parameters, uint32_t{4096});
      } else if (i >= scratch) {
        device.pass(parameters, uint64_t{0});
      } else {
        const uint32_t buffer = device.memory().add_filled(
            "buffer", uint64_t{1} << 33,
            [byte](uint64_t, std::span<uint8_t> out) { std::fill(out.begin(), out.end(), byte); });
        device.pass(parameters, device::Pointer{buffer});
      }
    }
    const device::Counters counters = device.launch_bytes(
        entry->name, {{64, 1, 1}, entry->required_block, 65536, {0, 1, 63}}, std::move(parameters));
    CHECK(counters.global_store_requests > 0);
    ++ran;
  }
  CHECK(ran == 55);
}
