// Cleaning names.
// It must not know kernels.
#include "launch/names.h"

namespace fuseboard {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

}  // namespace

std::string identifier_of(std::string_view name, size_t cap) {
  std::string out;
  for (const char c : name.substr(0, 4 * cap)) {
    if (out.size() == cap) break;
    if (is_word(c)) {
      out += c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

std::string comment_of(std::string_view name, size_t cap) {
  std::string out;
  for (const char c : name) {
    if (out.size() == cap) return out += "..";
    out += c >= ' ' && c <= '~' && c != '"' && c != '\\' ? c : '?';
  }
  return out;
}

}  // namespace fuseboard
