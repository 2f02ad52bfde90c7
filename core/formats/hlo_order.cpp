// The order in which a computation's instructions are visited: the text's, but operands first.
// It must not know opcodes.
#include "formats/hlo_order.h"

#include <string>

namespace fuseboard {

uint32_t HloOrder::at(uint32_t computation, uint32_t position) {
  if (!module_.computations[computation].forward) return position;
  auto found = sorted_.find(computation);
  if (found == sorted_.end()) {
    found = sorted_.emplace(computation, sort(module_.computations[computation])).first;
  }
  return found->second[position];
}

std::vector<uint32_t> HloOrder::sort(const HloComputation& computation) {
  enum class State : uint8_t { untouched, open, done };
  std::vector<State> state(computation.count, State::untouched);
  std::vector<uint32_t> order;
  order.reserve(computation.count);
  std::vector<Visit> open;
  for (uint32_t first = 0; first < computation.count; ++first) {
    if (state[first] == State::untouched) {
      open.push_back({first, 0});
      state[first] = State::open;
    }
    while (!open.empty()) {
      Visit& visit = open.back();
      const HloInstruction& instruction = module_.instructions[computation.first + visit.instruction];
      if (visit.operand == instruction.operand_count) {
        order.push_back(visit.instruction);
        state[visit.instruction] = State::done;
        open.pop_back();
        continue;
      }
      const HloOperand& operand = module_.operands[instruction.first_operand + visit.operand++];
      const uint32_t next = operand.instruction;
      if (next == kHloNone || state[next] == State::done) continue;
      if (state[next] == State::open) {
        complain(computation, open, next, operand);
        continue;
      }
      state[next] = State::open;
      open.push_back({next, 0});
    }
  }
  return order;
}

void HloOrder::complain(const HloComputation& computation, const std::vector<Visit>& open, uint32_t closing,
                        const HloOperand& operand) {
  if (problems_.full()) return;
  constexpr size_t kNamed = 16;
  const auto name = [&](uint32_t i) {
    return std::string(lexer_.view(module_.instructions[computation.first + i].name).substr(0, 40));
  };
  const uint32_t reader = open.back().instruction;
  if (reader == closing) {
    problems_.error(Code::self_reference, operand.name, name(reader), name(reader) + " reads its own result",
                    "An instruction reads what others produce.");
    return;
  }
  std::string ring;
  size_t named = 0;
  for (size_t i = open.size(); i > 0 && named < kNamed; --i, ++named) {
    ring += name(open[i - 1].instruction) + " reads ";
    if (open[i - 1].instruction == closing) break;
  }
  ring += named == kNamed ? "... reads " + name(reader) : name(reader);
  problems_.error(Code::cycle, operand.name, name(reader),
                  "Instructions read each other in a circle: " + ring, "Break one of these reads.");
}

}  // namespace fuseboard
