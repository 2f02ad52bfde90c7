// Keeps names in nested scopes: one table, and a list of what to put back when a scope ends.
// It must not know how names are written down, nor what is done with them.
#include "ptx/scopes.h"

#include <algorithm>

namespace fuseboard::ptx {

void Scopes::push() { starts_.push_back(undo_.size()); }

void Scopes::pop() {
  for (; undo_.size() > starts_.back(); undo_.pop_back()) {
    const Undo& last = undo_.back();
    Names& names = last.is_range ? ranges_ : names_;
    if (last.before)
      names[last.name] = *last.before;
    else
      names.erase(last.name);
  }
  starts_.pop_back();
}

bool Scopes::declare_in(Names& names, std::string_view name, Symbol symbol, bool is_range) {
  symbol.depth = depth();
  const auto [found, is_new] = names.emplace(name, symbol);
  if (!is_new && found->second.depth == symbol.depth) return false;
  undo_.push_back({name, is_range, is_new ? std::nullopt : std::optional(found->second)});
  found->second = symbol;
  return true;
}

bool Scopes::declare(std::string_view name, Symbol symbol) { return declare_in(names_, name, symbol, false); }

bool Scopes::declare_outermost(std::string_view name, Symbol symbol) {
  symbol.depth = 0;
  return names_.emplace(name, symbol).second;
}

bool Scopes::declare_range(std::string_view prefix, uint32_t first, uint32_t count) {
  return declare_in(ranges_, prefix, {Symbol::Kind::reg, first, count, 0}, true);
}

std::optional<Symbol> Scopes::find(std::string_view name) const {
  std::optional<Symbol> best;
  const auto exact = names_.find(name);
  if (exact != names_.end()) best = exact->second;

  constexpr size_t kMostDigits = 7;
  size_t digits = 0;
  while (digits < name.size() && name[name.size() - 1 - digits] >= '0' &&
         name[name.size() - 1 - digits] <= '9')
    ++digits;
  // %r<12> makes %r1, not %r01; a prefix may itself end in digits: %r1<10> makes %r12.
  for (size_t taken = std::min(digits, kMostDigits); taken > 0; --taken) {
    const std::string_view number = name.substr(name.size() - taken);
    if (number.size() > 1 && number[0] == '0') continue;
    const auto range = ranges_.find(name.substr(0, name.size() - taken));
    if (range == ranges_.end()) continue;
    uint32_t value = 0;
    for (const char c : number) value = value * 10 + static_cast<uint32_t>(c - '0');
    if (value >= range->second.count || (best && best->depth > range->second.depth)) continue;
    best = range->second;
    best->index += value;
    best->count = 1;
    return best;
  }
  return best;
}

}  // namespace fuseboard::ptx
