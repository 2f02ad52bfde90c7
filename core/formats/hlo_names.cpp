// The names of instructions: what an operand's name stands for, which are undefined, which are given twice.
// It must not know graphs.
#include "formats/hlo_names.h"

#include <bit>
#include <functional>
#include <string>
#include <string_view>

namespace fuseboard {
namespace {

std::string shown(const HloLexer& lexer, HloSpan span) { return std::string(lexer.view(span).substr(0, 80)); }

/// The instructions of one computation by name. A module has a million of them: open addressing with the
/// hashes beside the numbers takes a third of std::unordered_map's time.
class NameTable {
 public:
  NameTable(const HloLexer& lexer, const HloInstruction* instructions, uint32_t count)
      : lexer_(lexer), instructions_(instructions), entries_(std::bit_ceil(2 * size_t{count} + 1)) {}

  /// The number that `name` already has; else it gets `number`.
  uint32_t add(std::string_view name, uint32_t number) {
    const uint32_t hash = hash_of(name);
    Entry& entry = entries_[slot(name, hash)];
    if (entry.number == kHloNone) entry = {hash, number};
    return entry.number;
  }

  uint32_t find(std::string_view name) const { return entries_[slot(name, hash_of(name))].number; }

 private:
  struct Entry {
    uint32_t hash = 0;
    uint32_t number = kHloNone;
  };

  static uint32_t hash_of(std::string_view name) {
    const uint64_t hash = std::hash<std::string_view>()(name);
    return static_cast<uint32_t>(hash ^ (hash >> 32));
  }

  /// Where `name` stands, or where it would.
  size_t slot(std::string_view name, uint32_t hash) const {
    size_t at = hash & (entries_.size() - 1);
    while (entries_[at].number != kHloNone &&
           (entries_[at].hash != hash || lexer_.view(instructions_[entries_[at].number].name) != name)) {
      at = (at + 1) & (entries_.size() - 1);
    }
    return at;
  }

  const HloLexer& lexer_;
  const HloInstruction* instructions_;
  std::vector<Entry> entries_;
};

}  // namespace

void resolve_hlo_names(const HloLexer& lexer, HloComputation& computation, HloModule& module) {
  NameTable names(lexer, module.instructions.data() + computation.first, computation.count);
  for (uint32_t i = 0; i < computation.count; ++i) {
    const HloSpan span = module.instructions[computation.first + i].name;
    if (span.length == 0) continue;
    const uint32_t first = names.add(lexer.view(span), i);
    if (first != i)
      module.duplicates.push_back({static_cast<uint32_t>(module.computations.size()), first, i});
  }
  for (uint32_t i = 0; i < computation.count; ++i) {
    const HloInstruction& instruction = module.instructions[computation.first + i];
    for (uint32_t k = 0; k < instruction.operand_count; ++k) {
      HloOperand& operand = module.operands[instruction.first_operand + k];
      if (operand.instruction == kHloNone) {
        operand.instruction = names.find(lexer.view(operand.name));
      }
      if (operand.instruction != kHloNone && operand.instruction >= i) computation.forward = true;
    }
  }
}

void report_hlo_dangling(const HloLexer& lexer, const HloModule& module, Severity severity,
                         uint32_t computation, const HloInstruction& instruction, const HloOperand& operand,
                         HloProblems& problems) {
  if (problems.full()) return;  // before a message is built: there may be millions
  const HloSpan reader = instruction.name.length > 0 ? instruction.name : instruction.opcode;
  problems.add(severity, Code::dangling_input, operand.name, lexer.view(reader),
               shown(lexer, reader) + " reads " + shown(lexer, operand.name) + ", which is not defined in " +
                   shown(lexer, module.computations[computation].name),
               "Names are seen within their own computation only.");
}

void report_hlo_names(const HloLexer& lexer, const HloModule& module, const std::vector<bool>& reached,
                      HloProblems& problems) {
  for (const HloDuplicate& each : module.duplicates) {
    if (problems.full()) return;
    const HloComputation& computation = module.computations[each.computation];
    const HloSpan name = module.instructions[computation.first + each.second].name;
    problems.add(reached[each.computation] ? Severity::error : Severity::warning, Code::duplicate_name, name,
                 lexer.view(name),
                 "Two instructions of " + shown(lexer, computation.name) + " are named " + shown(lexer, name),
                 "Rename one of them.");
  }
  for (uint32_t c = 0; c < module.computations.size(); ++c) {
    if (reached[c]) continue;
    const HloComputation& computation = module.computations[c];
    for (uint32_t i = 0; i < computation.count; ++i) {
      const HloInstruction& instruction = module.instructions[computation.first + i];
      for (uint32_t k = 0; k < instruction.operand_count; ++k) {
        const HloOperand& operand = module.operands[instruction.first_operand + k];
        if (operand.instruction != kHloNone) continue;
        report_hlo_dangling(lexer, module, Severity::warning, c, instruction, operand, problems);
      }
    }
  }
}

}  // namespace fuseboard
