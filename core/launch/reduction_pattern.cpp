// Looking for words in function names.
// It must not know how a region is found.
#include "launch/reduction_pattern.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace fuseboard {
namespace {

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

}  // namespace

std::string_view reduction_pattern_text(ReductionPattern pattern) {
  switch (pattern) {
    case ReductionPattern::LayerNorm:
      return "LayerNorm";
    case ReductionPattern::Softmax:
      return "Softmax";
    case ReductionPattern::Generic:
      return "Generic";
  }
  return "";
}

ReductionPattern reduction_pattern(std::span<const std::string> function_names) {
  std::vector<std::string> names;
  for (const std::string& each : function_names) names.push_back(lower_case(each));
  const auto holds = [&](std::initializer_list<std::string_view> words) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return std::any_of(words.begin(), words.end(),
                         [&](std::string_view word) { return name.find(word) != std::string::npos; });
    });
  };
  if (holds({"softmax"}) || (holds({"exp"}) && holds({"div", "sum", "norm"}))) {
    return ReductionPattern::Softmax;
  }
  if (holds({"layernorm"}) || (holds({"mean", "avg"}) && holds({"var", "std", "rms", "norm"}))) {
    return ReductionPattern::LayerNorm;
  }
  return ReductionPattern::Generic;
}

}  // namespace fuseboard
