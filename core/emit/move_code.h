// The body of a Move's kernel that walks elements: each thread finds its access of a part, loads it, stores
// it. It must not know the module around it, nor tiles.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emit/index_code.h"
#include "emit/move_words.h"
#include "emit/ptx.h"
#include "emit/ptx_writer.h"
#include "graph/fusion_graph.h"
#include "launch/kernel.h"

namespace fuseboard {

/// What both walks of a Move write alike: pointers, offsets as sums, addresses.
class MoveCode {
 public:
  /// `kernel.move` must be there.
  MoveCode(const FusionGraph& graph, const Kernel& kernel, const EmitOptions& options);

  void write();

  const PtxWriter& writer() const { return writer_; }
  std::vector<std::pair<uint32_t, std::string>> take_registers() { return std::move(registers_); }

 private:
  struct Term {
    std::string value;
    uint64_t factor = 1;  ///< wraps, as strides do
  };

  void write_part(size_t number);
  void write_access(const MovePart& part, IndexCode& index, const std::vector<uint32_t>& digits);
  std::vector<std::string> load_splat(const MovePart& part);
  /// The operand's index along a padded dimension; narrows `guard` to where it is read.
  std::string padded_index(const MovePadding& padding, const std::string& index, std::string& guard);
  std::string gathered_index(const std::string& place);
  std::string load_index(const std::string& address, bool in_64_bits);
  /// Offset in an operand as offset in the storage behind its views; "0" where it is known to be 0.
  std::string storage_offset(uint32_t operand, const std::string& offset);
  void write_tile();

  std::string pointer(ParameterRole role, uint32_t op);
  std::string operand_pointer(uint32_t operand);
  std::string sum(uint64_t base, const std::vector<Term>& terms);
  std::string address(const std::string& pointer, const std::string& offset, uint32_t bytes);
  std::string below(const std::string& reg, uint64_t limit);  ///< a predicate
  std::string both(const std::string& a, const std::string& b);
  std::string fresh_offset() { return writer_.fresh(shape_.wide ? RegisterClass::b64 : RegisterClass::b32); }
  std::string typed(const char* opcode, const char* type) const;
  std::string immediate(uint64_t value) const;

  const FusionGraph& graph_;
  const Kernel& kernel_;
  const EmitOptions& options_;
  const MoveShape& shape_;
  const FusionOp& op_;
  uint32_t id_ = 0;
  PtxWriter writer_;
  std::string block_, thread_;  ///< 32-bit registers
  std::vector<std::pair<uint32_t, std::string>> registers_;
};

}  // namespace fuseboard
