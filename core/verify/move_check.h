// Holds a Move's kernel: every element that it stores is, bit for bit, the one that the graph's rule names,
// and those are what it loads, each once. It must not know how the kernel walks, nor how PTX is run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/fusion_graph.h"
#include "launch/kernel.h"
#include "ptx/machine.h"
#include "ptx/memory.h"
#include "ptx/module.h"
#include "verify/mismatch.h"
#include "verify/moved_from.h"
#include "verify/tensor_values.h"

namespace fuseboard {

/// All of it must outlive the check.
struct MoveCheckSetup {
  const FusionGraph& graph;
  const Kernel& kernel;  ///< its last parameter is the result
  const ptx::Function& entry;
  const ptx::Memory& memory;
  std::span<const uint32_t> buffers;  ///< one a parameter
  const TensorValues& values;
};

/// Sees every access to global and shared memory, whatever line it stands on, right after it was made.
///
/// What a block loads from global memory is held as a multiset of addresses: for each element that it stores
/// the address of that element's source once, for each access of a gather that of its index once, nothing
/// else; a pad's filler at most once an access. What it stores to shared memory it loads from there, each
/// place once. Multisets are compared by the sum of a 64-bit mix of their members (two that differ agree with
/// a chance of 2^-64). So a load too many is seen, and one from a wrong place, even where the values are
/// alike. O(bytes) in all, O(1) memory.
class MoveCheck : public ptx::Observer {
 public:
  explicit MoveCheck(const MoveCheckSetup& setup);

  std::span<const uint32_t> lines() const { return lines_; }  ///< to be watched
  void executed(const ptx::WarpView& warp, uint32_t index) override;
  /// Behind the last access of a block that ran to its end.
  void end_block();
  /// The block at hand was left before its end.
  void drop_block() { block_ = {}; }

  const std::optional<Mismatch>& mismatch() const { return mismatch_; }  ///< the first; then nothing is held
  uint64_t elements_stored() const { return stored_; }                   ///< repeats counted
  uint64_t elements_held() const { return held_; }

 private:
  struct Sums {
    uint64_t loaded = 0, needed = 0;                ///< of global memory
    uint64_t loaded_bytes = 0, needed_bytes = 0;    ///< of those
    uint64_t shared_stored = 0, shared_loaded = 0;  ///< of shared memory
    uint64_t fillers_loaded = 0, stores = 0;        ///< accesses
    uint64_t number = 0, element = 0;               ///< of the block; the first element that it stores
    bool is_begun = false;
  };

  void hold_store(uint64_t address, uint32_t bytes, uint32_t line);
  bool hold_element(uint64_t element, uint64_t offset, const MovedFrom& from, uint32_t line);
  void take_load(uint64_t address, uint32_t bytes, uint32_t line);
  void need(const StoredElement& element);
  std::optional<uint64_t> address_of(const StoredElement& element) const;
  void fail(Mismatch::What what, uint64_t element, uint32_t line, std::string message);

  MoveCheckSetup setup_;
  uint32_t op_ = 0;
  uint32_t result_ = 0;  ///< its buffer
  uint32_t element_bytes_ = 4;
  uint32_t unit_bytes_ = 4;  ///< of the narrowest thing that is loaded
  uint64_t address_ = 0;     ///< of the result
  std::optional<uint64_t> filler_;
  std::vector<uint64_t> addresses_;  ///< by op: of the storages that the kernel reads; 0 elsewhere
  std::vector<uint32_t> lines_;      ///< of loads and stores
  uint32_t first_load_ = 0;          ///< its line
  Sums block_;
  std::optional<Mismatch> mismatch_;
  uint64_t stored_ = 0, held_ = 0;
};

}  // namespace fuseboard
