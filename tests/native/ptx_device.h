// A device for tests: a PTX module, buffers of values, launches, and what they left behind.
// It must not know what kernels compute.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "catch.h"
#include "ptx/machine.h"
#include "ptx/memory.h"
#include "ptx/read.h"

namespace device {

using fuseboard::ptx::Counters;

inline std::string file_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Seeded numbers (splitmix64): the same on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t bits() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int between(int low, int high) {
    return static_cast<int>(low +
                            static_cast<int64_t>(bits() % static_cast<uint64_t>(int64_t{high} - low + 1)));
  }
  float real(float low, float high) {
    return low + (high - low) * static_cast<float>(bits() >> 40) / static_cast<float>(1 << 24);
  }

 private:
  uint64_t state_;
};

inline std::vector<float> reals(size_t count, float low, float high, uint64_t seed) {
  Random random(seed);
  std::vector<float> all(count);
  for (float& each : all) each = random.real(low, high);
  return all;
}

inline std::vector<int> integers(size_t count, int low, int high, uint64_t seed) {
  Random random(seed);
  std::vector<int> all(count);
  for (int& each : all) each = random.between(low, high);
  return all;
}

/// A buffer as a launch's parameter: its address.
struct Pointer {
  uint32_t buffer = 0;
};

struct Shape {
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  uint32_t shared_bytes = 0;
  std::vector<uint64_t> blocks = {};
};

class Device {
 public:
  explicit Device(const std::string& text) {
    fuseboard::Result<fuseboard::ptx::Module> read = fuseboard::ptx::read_module(text);
    if (!read) {
      const std::string_view before = std::string_view(text).substr(0, read.diagnostics.front().place.offset);
      FAIL("line " << std::count(before.begin(), before.end(), '\n') + 1 << ": "
                   << read.diagnostics.front().message);
    }
    module_ = std::move(*read.value);
  }

  fuseboard::ptx::Memory& memory() { return memory_; }
  const fuseboard::ptx::Memory& memory() const { return memory_; }

  template <class T>
  Pointer buffer(const std::string& name, const std::vector<T>& values) {
    const Pointer made{memory_.add(name, values.size() * sizeof(T))};
    memory_.write(made.buffer, 0,
                  {reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T)});
    return made;
  }
  /// Holds no values until a kernel writes them.
  template <class T>
  Pointer empty(const std::string& name, size_t count) {
    return {memory_.add(name, count * sizeof(T))};
  }
  /// The first `count` values; each must have been written.
  template <class T>
  std::vector<T> values(Pointer from, size_t count) const {
    REQUIRE(memory_.holds_values(from.buffer, 0, count * sizeof(T)));
    std::vector<T> all(count);
    memory_.read(from.buffer, 0, {reinterpret_cast<uint8_t*>(all.data()), count * sizeof(T)});
    return all;
  }

  /// Runs to the end; a fault, or a run of more than kMostSteps warp instructions, fails the test.
  template <class... Arguments>
  Counters launch(const std::string& entry, const Shape& shape, const Arguments&... arguments) {
    std::vector<uint8_t> bytes;
    (pass(bytes, arguments), ...);
    return launch_bytes(entry, shape, std::move(bytes));
  }

  Counters launch_bytes(const std::string& entry, const Shape& shape, std::vector<uint8_t> parameters) {
    INFO(entry);
    const fuseboard::ptx::Machine machine = run(entry, shape, std::move(parameters));
    if (machine.fault()) {
      const fuseboard::ptx::Fault& fault = *machine.fault();
      FAIL(fault_kind_text(fault.kind)
           << " at line " << fault.line << ", block " << fault.block[0] << "," << fault.block[1] << " thread "
           << fault.thread[0] << "," << fault.thread[1] << ": " << fault.message);
    }
    REQUIRE(machine.blocks_finished() > 0);
    REQUIRE(machine.steps() < kMostSteps);
    return machine.counters();
  }

  /// The kind of the fault in which a launch ends, as text; "none" where it ends well.
  template <class... Arguments>
  std::string fault(const std::string& entry, const Shape& shape, const Arguments&... arguments) {
    std::vector<uint8_t> bytes;
    (pass(bytes, arguments), ...);
    const fuseboard::ptx::Machine machine = run(entry, shape, std::move(bytes));
    if (machine.fault()) return std::string(fault_kind_text(machine.fault()->kind));
    return machine.steps() < kMostSteps ? "none" : "step-budget";
  }

  const fuseboard::ptx::Module& module() const { return module_; }

  template <class T>
  void pass(std::vector<uint8_t>& bytes, const T& value) const {
    if constexpr (std::is_same_v<T, Pointer>) {
      pass(bytes, memory_.address(value.buffer));
    } else {
      static_assert(std::is_arithmetic_v<T>);
      bytes.resize((bytes.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
      const auto* raw = reinterpret_cast<const uint8_t*>(&value);
      bytes.insert(bytes.end(), raw, raw + sizeof(T));
    }
  }

 private:
  static constexpr uint64_t kMostSteps = 50'000'000;

  fuseboard::ptx::Machine run(const std::string& entry, const Shape& shape, std::vector<uint8_t> parameters) {
    fuseboard::ptx::Launch launch;
    launch.entry = entry;
    launch.grid = shape.grid;
    launch.block = shape.block;
    launch.shared_bytes = shape.shared_bytes;
    launch.parameters = std::move(parameters);
    launch.blocks = shape.blocks;
    fuseboard::Result<fuseboard::ptx::Machine> made =
        fuseboard::ptx::Machine::make(module_, memory_, std::move(launch));
    if (!made) FAIL(made.diagnostics.front().message);
    made.value->run(kMostSteps);
    return std::move(*made.value);
  }

  fuseboard::ptx::Module module_;
  fuseboard::ptx::Memory memory_;
};

}  // namespace device
