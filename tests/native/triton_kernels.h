// A Triton kernel as a case: its launch, inputs that follow from their index, outputs as functions of them;
// and its run. It must not know single kernels.
#pragma once

#include <cmath>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>

#include "float_bits.h"
#include "ptx_device.h"

namespace triton {

using device::Device;
using device::Pointer;
namespace fs = std::filesystem;

/// A tensor whose every element follows from its index, so that only what a kernel touches is ever made.
struct In {
  uint64_t seed = 0;
  uint64_t count = 0;
  double low = -2, high = 2;
  bool bfloat = false;

  double operator[](uint64_t i) const {
    device::Random random(seed * 0x100000001b3u + i);
    const double value = random.real(static_cast<float>(low), static_cast<float>(high));
    return bfloat ? float_bits::from_bfloat(float_bits::to_bfloat(value)) : value;
  }
  uint64_t width() const { return bfloat ? 2 : 4; }

  void fill(uint64_t offset, std::span<uint8_t> out) const {
    for (uint64_t i = 0; i < out.size(); ++i) {
      const uint64_t at = offset + i;
      const double value = (*this)[at / width()];
      const uint32_t bits =
          bfloat ? float_bits::to_bfloat(value) : float_bits::bits_of(static_cast<float>(value));
      out[i] = static_cast<uint8_t>(bits >> (8 * (at % width())));
    }
  }
};

using Ins = std::vector<In>;

struct Out {
  uint64_t count = 0;
  uint64_t per_block = 0;  ///< elements that a block writes
  std::function<double(const Ins&, uint64_t)> expected;
  double relative = 0;
  double absolute = 0;
  bool bfloat = false;
  /// The k-th element of a block; by default blocks follow each other.
  std::function<uint64_t(uint64_t, uint64_t)> element = {};
};

struct Case {
  const char* function;
  const char* kernel;
  std::array<uint32_t, 3> grid;
  uint32_t block;
  /// i: the next input; b: an input that is also the first output; o: the next output; n: a size, which these
  /// kernels know already. Two scratch pointers follow, null.
  const char* parameters;
  Ins in;
  std::vector<Out> out;
};

/// Kernels of truth/functions, and those of them that reduce nothing.
constexpr size_t kKernels = 25;
constexpr size_t kPointwise = 10;

constexpr uint64_t kBig = uint64_t{4096} * 4096;
constexpr double kBfloat = 1.0 / 256;  ///< half an ULP of bf16, and what f32 before it was off

inline Out pointwise(uint64_t count, uint64_t per_block, std::function<double(const Ins&, uint64_t)> expected,
                     double relative, double absolute) {
  return {count, per_block, std::move(expected), relative, absolute};
}

inline Out in_bfloat(Out out) {
  out.bfloat = true;
  out.relative = kBfloat;
  return out;
}

inline double element(const Device& device, Pointer buffer, bool bfloat, uint64_t i) {
  const uint64_t width = bfloat ? 2 : 4;
  REQUIRE(device.memory().holds_values(buffer.buffer, i * width, width));
  uint8_t bytes[4] = {};
  device.memory().read(buffer.buffer, i * width, {bytes, static_cast<size_t>(width)});
  uint16_t half = 0;
  float single = 0;
  std::memcpy(&half, bytes, 2);
  std::memcpy(&single, bytes, 4);
  return bfloat ? float_bits::from_bfloat(half) : single;
}

/// What an H200 counted for a kernel with this launch; nothing where it was measured with another.
inline nlohmann::json on_an_h200(const Case& each) {
  std::ifstream in(fs::path(FUSEBOARD_SHARED_DIR) / "truth/h200_inductor_counters.jsonl");
  const auto three = [](const std::array<uint32_t, 3>& size) {
    return "(" + std::to_string(size[0]) + ", " + std::to_string(size[1]) + ", " + std::to_string(size[2]) +
           ")";
  };
  for (std::string line; std::getline(in, line);) {
    nlohmann::json entry = nlohmann::json::parse(line, nullptr, false);
    if (!entry.is_object()) continue;
    if (entry["function"] == each.function && entry["kernel"] == each.kernel &&
        entry["grid"] == three(each.grid) && entry["block"] == three({each.block, 1, 1}))
      return entry;
  }
  return nullptr;
}

/// Every block of these kernels does the same: some tell of all. Whether there was something to compare with.
inline bool check_counters(const Case& each, const device::Counters& counters, uint64_t ran) {
  const nlohmann::json real = on_an_h200(each);
  if (real.is_null()) return false;
  const uint64_t grid = uint64_t{each.grid[0]} * each.grid[1];
  const auto of_all = [&](uint64_t counted) { return counted * grid / ran; };
  CHECK(of_all(counters.global_load_requests) == real["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"]);
  CHECK(of_all(counters.global_load_sectors) == real["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]);
  CHECK(of_all(counters.global_store_sectors) == real["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"]);
  // The hardware's count has what other accesses to the same pipe delay besides: up to 4 in a block's
  // accesses.
  const uint64_t conflicts = of_all(counters.shared_bank_conflicts);
  const auto measured = real["l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"].get<uint64_t>();
  CHECK(conflicts <= measured);
  CHECK(measured <= conflicts + conflicts / 20 + 4 * grid);
  return true;
}

/// Whether its counters could be held against an H200's.
inline bool run(const Case& each, const fs::path& file) {
  INFO(each.function << " " << each.kernel);
  Device device(device::file_text(file));
  std::vector<uint8_t> parameters;
  std::vector<Pointer> outputs;
  size_t input = 0, output = 0;
  for (const char* at = each.parameters; *at != '\0'; ++at) {
    if (*at == 'n') {
      device.pass(parameters, uint32_t{0});
      continue;
    }
    Pointer buffer;
    if (*at == 'o') {
      const Out& out = each.out[output++];
      buffer.buffer = device.memory().add("out", out.count * (out.bfloat ? 2 : 4));
      outputs.push_back(buffer);
    } else {
      const In in = each.in[input++];
      buffer.buffer = device.memory().add_filled(
          "in", in.count * in.width(),
          [in](uint64_t offset, std::span<uint8_t> bytes) { in.fill(offset, bytes); });
      if (*at == 'b') {
        ++output;
        outputs.push_back(buffer);
      }
    }
    device.pass(parameters, buffer);
  }
  device.pass(parameters, uint64_t{0});
  device.pass(parameters, uint64_t{0});
  const uint64_t grid = uint64_t{each.grid[0]} * each.grid[1];
  const std::vector<uint64_t> blocks = {0, 1, grid / 2 + 1, grid - 1};
  const device::Counters counters =
      device.launch_bytes(each.kernel, {each.grid, {each.block, 1, 1}, 16384, blocks}, std::move(parameters));
  REQUIRE(outputs.size() == each.out.size());
  for (size_t k = 0; k < outputs.size(); ++k) {
    const Out& out = each.out[k];
    CHECK(device.memory().bytes_written(outputs[k].buffer) ==
          blocks.size() * out.per_block * (out.bfloat ? 2 : 4));
    double worst = 0;
    for (const uint64_t block : blocks) {
      for (uint64_t n = 0; n < out.per_block; ++n) {
        const uint64_t i = out.element ? out.element(block, n) : block * out.per_block + n;
        const double got = element(device, outputs[k], out.bfloat, i), expected = out.expected(each.in, i);
        const double error = std::fabs(got - expected);
        const double allowed = out.relative * std::fabs(expected) + out.absolute;
        worst = std::max(worst, allowed > 0 ? error / allowed : error > 0 ? HUGE_VAL : 0);
        if (error <= allowed) continue;
        INFO("output " << k << " element " << i);
        REQUIRE(got == Approx(expected).epsilon(out.relative).margin(out.absolute));
      }
    }
    INFO("worst " << worst << " of what is allowed, output " << k);
    CHECK(worst <= 1);
  }
  return check_counters(each, counters, blocks.size());
}

/// Runs all; `counted` of them were measured with the launch that they have here.
inline void run_all(const std::vector<Case>& cases, size_t counted) {
  const fs::path folder = fs::path(FUSEBOARD_SHARED_DIR) / "truth/functions";
  if (!fs::exists(folder)) {
    std::printf("skipped: shared/truth/functions is not here; %zu Triton kernels were not run\n",
                cases.size());
    return;
  }
  size_t held = 0;
  for (const Case& each : cases)
    held += run(each, folder / each.function / (std::string(each.kernel) + ".ptx"));
  CHECK(held == counted);
}

}  // namespace triton
