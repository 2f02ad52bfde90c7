// Questions asked of a module that was read.
// It must not know how it was read, nor how it runs.
#include "ptx/module.h"

#include <algorithm>

namespace fuseboard::ptx {

uint32_t Function::register_named(std::string_view register_name) const {
  const auto found = std::find_if(registers.begin(), registers.end(),
                                  [&](const Register& each) { return each.name == register_name; });
  return found == registers.end() ? kNone : static_cast<uint32_t>(found - registers.begin());
}

const Function* Module::entry(std::string_view name) const {
  const auto found = std::find_if(functions.begin(), functions.end(), [&](const Function& each) {
    return each.is_entry && !each.is_declaration && each.name == name;
  });
  return found == functions.end() ? nullptr : &*found;
}

std::string_view instruction_text(std::string_view text, uint32_t line) {
  for (uint32_t at = 1; at < line && !text.empty(); ++at) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  constexpr std::string_view kBlanks = " \t\r\f\v";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace fuseboard::ptx
