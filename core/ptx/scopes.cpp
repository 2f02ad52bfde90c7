// Keeps names in nested scopes: what each means, and a list of what ends with a scope.
// It must not know how names are written down, nor what is done with them.
#include "ptx/scopes.h"

#include <algorithm>

namespace fuseboard::ptx {

void Scopes::push() { starts_.push_back(declared_.size()); }

void Scopes::pop() {
  for (; declared_.size() > starts_.back(); declared_.pop_back()) {
    Names& names = declared_.back().is_range ? ranges_ : names_;
    const auto found = names.find(declared_.back().name);
    found->second.pop_back();
    if (found->second.empty()) names.erase(found);
  }
  starts_.pop_back();
}

bool Scopes::declare_in(bool is_range, std::string_view name, Symbol symbol) {
  symbol.depth = depth();
  std::vector<Symbol>& meanings = (is_range ? ranges_ : names_)[name];
  if (!meanings.empty() && meanings.back().depth == symbol.depth) return false;
  meanings.push_back(symbol);
  declared_.push_back({name, is_range});
  return true;
}

bool Scopes::declare(std::string_view name, Symbol symbol) { return declare_in(false, name, symbol); }

bool Scopes::declare_outermost(std::string_view name, Symbol symbol) {
  symbol.depth = 0;
  std::vector<Symbol>& meanings = names_[name];
  if (!meanings.empty()) return false;
  meanings.push_back(symbol);
  return true;
}

bool Scopes::declare_range(std::string_view prefix, uint32_t first, uint32_t count) {
  return declare_in(true, prefix, {Symbol::Kind::reg, first, count, 0});
}

std::optional<Symbol> Scopes::find(std::string_view name) const {
  std::optional<Symbol> best;
  const auto exact = names_.find(name);
  if (exact != names_.end()) best = exact->second.back();

  constexpr size_t kMostDigits = 7;
  size_t digits = 0;
  while (digits < name.size() && name[name.size() - 1 - digits] >= '0' &&
         name[name.size() - 1 - digits] <= '9')
    ++digits;
  // %r<12> makes %r1, not %r01; a prefix may itself end in digits: %r1<10> makes %r12.
  for (size_t taken = std::min(digits, kMostDigits); taken > 0; --taken) {
    const std::string_view number = name.substr(name.size() - taken);
    if (number.size() > 1 && number[0] == '0') continue;
    const auto ranges = ranges_.find(name.substr(0, name.size() - taken));
    if (ranges == ranges_.end()) continue;
    uint32_t value = 0;
    for (const char c : number) value = value * 10 + static_cast<uint32_t>(c - '0');
    // An inner range hides only the names that it makes.
    const std::vector<Symbol>& meanings = ranges->second;
    const auto inner = std::find_if(meanings.rbegin(), meanings.rend(),
                                    [&](const Symbol& each) { return value < each.count; });
    if (inner == meanings.rend() || (best && best->depth >= inner->depth)) continue;
    best = *inner;
    best->index += value;
    best->count = 1;
  }
  return best;
}

}  // namespace fuseboard::ptx
