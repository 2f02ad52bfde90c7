// Runs PTX in tests: a module's text, buffers in, buffers and faults out.
// It must not know what any instruction should do.
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "catch.h"
#include "ptx/machine.h"
#include "ptx/read.h"

namespace fuseboard::ptx {

inline const std::string kHeader = ".version 8.3\n.target sm_90\n.address_size 64\n";

/// One module, its memory, and launches of its entries.
class PtxRun {
 public:
  explicit PtxRun(const std::string& text) {
    Result<Module> read = read_module(text);
    std::string told;
    for (const Diagnostic& each : read.diagnostics) told += each.message + "\n";
    INFO(text << told);
    REQUIRE(read.value.has_value());
    module_ = std::move(*read.value);
  }

  template <class T>
  uint32_t buffer(const std::vector<T>& values) {
    const uint32_t id = memory_.add("b" + std::to_string(parameters_.size()), values.size() * sizeof(T));
    memory_.write(id, 0, {reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T)});
    pass(memory_.address(id));
    return id;
  }
  uint32_t empty_buffer(uint64_t bytes) {
    const uint32_t id = memory_.add("b" + std::to_string(parameters_.size()), bytes);
    pass(memory_.address(id));
    return id;
  }
  /// The next parameter, at its natural alignment.
  template <class T>
  void pass(T value) {
    parameters_.resize((parameters_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    const auto* const bytes = reinterpret_cast<const uint8_t*>(&value);
    parameters_.insert(parameters_.end(), bytes, bytes + sizeof(T));
  }

  /// Runs the first entry to its end, or for at most `most_steps`.
  RunState run(std::array<uint32_t, 3> grid, std::array<uint32_t, 3> block, uint32_t shared_bytes = 0,
               uint64_t most_steps = 1'000'000) {
    for (const Function& each : module_.functions)
      if (each.is_entry) launch_.entry = each.name;
    launch_.grid = grid;
    launch_.block = block;
    launch_.shared_bytes = shared_bytes;
    launch_.parameters = parameters_;
    Result<Machine> made = Machine::make(module_, memory_, launch_);
    for (const Diagnostic& each : made.diagnostics) UNSCOPED_INFO(each.message);
    REQUIRE(made.value.has_value());
    machine_.emplace(std::move(*made.value));
    if (observer_) machine_->watch(lines_, *observer_);
    const RunState state = machine_->run(most_steps);
    if (fault()) UNSCOPED_INFO("line " << fault()->line << ": " << fault()->message);
    return state;
  }

  template <class T>
  std::vector<T> values(uint32_t id) const {
    std::vector<T> out(memory_.bytes(id) / sizeof(T));
    memory_.read(id, 0, {reinterpret_cast<uint8_t*>(out.data()), out.size() * sizeof(T)});
    return out;
  }

  void watch(std::vector<uint32_t> lines, Observer& observer) {
    lines_ = std::move(lines);
    observer_ = &observer;
  }
  const std::optional<Fault>& fault() const { return machine_->fault(); }
  const Counters& counters() const { return machine_->counters(); }
  Machine& machine() { return *machine_; }
  Memory& memory() { return memory_; }
  const Module& module() const { return module_; }

 private:
  Module module_;
  Memory memory_;
  Launch launch_;
  std::vector<uint8_t> parameters_;
  std::optional<Machine> machine_;
  std::vector<uint32_t> lines_;
  Observer* observer_ = nullptr;
};

}  // namespace fuseboard::ptx
