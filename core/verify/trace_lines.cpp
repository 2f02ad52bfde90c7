// Finding the instruction at a line, and passing over guarded ones.
// It must not know graphs, nor what is shown.
#include "verify/trace_lines.h"

#include <algorithm>

namespace fuseboard {

TraceLines::TraceLines(std::string_view text, const ptx::Function& entry) : entry_(entry) {
  uint32_t line = 1;
  for (size_t at = 0; at < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (end > at && text[end - 1] == ':') labels_.push_back(line);
    at = end + 1;
  }
}

std::optional<uint32_t> TraceLines::instruction_of(uint32_t line, TraceKind kind, std::string& fault) const {
  const std::vector<ptx::Instruction>& instructions = entry_.instructions;
  const auto behind = std::upper_bound(
      instructions.begin(), instructions.end(), line,
      [](uint32_t wanted, const ptx::Instruction& instruction) { return wanted < instruction.line; });
  const auto label = std::upper_bound(labels_.begin(), labels_.end(), line);
  const uint32_t before = behind == instructions.begin() ? 0 : (behind - 1)->line;
  const bool is_behind_label = label != labels_.begin() && *(label - 1) > before;
  const bool is_own = before == line;
  size_t at = static_cast<size_t>(behind - instructions.begin());
  const auto is_guarded = [&](size_t i) {
    return i < instructions.size() && instructions[i].guard != ptx::kNone;
  };
  if (is_own || (at > 0 && !is_behind_label && !is_guarded(at - 1))) {
    --at;
  } else {
    while (is_guarded(at)) ++at;
  }
  if (at < instructions.size() && (is_own || kind == TraceKind::value)) return static_cast<uint32_t>(at);
  fault = "line " + std::to_string(line) + " is traced, but holds no instruction";
  return std::nullopt;
}

}  // namespace fuseboard
