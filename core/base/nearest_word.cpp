// The edit distance in which swapping two neighbours is one edit (optimal string alignment), row by row.
// It must not know what the words name.
#include "base/nearest_word.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace fuseboard {

NearestWord::NearestWord(std::string_view wanted) : wanted_(wanted), limit_(wanted.size() / 3 + 1) {
  constexpr size_t kLongest = 64;  // nobody misspells a name of a thousand letters
  if (wanted.size() > kLongest) limit_ = 0;
}

void NearestWord::offer(std::string_view word) {
  const size_t apart =
      word.size() > wanted_.size() ? word.size() - wanted_.size() : wanted_.size() - word.size();
  if (apart >= limit_ || word.empty()) return;
  const size_t distance = edits(word);
  if (distance >= limit_) return;
  limit_ = distance;
  best_ = word;
}

size_t NearestWord::edits(std::string_view word) const {
  const size_t columns = wanted_.size() + 1;
  std::vector<size_t> before(columns), above(columns), row(columns);
  std::iota(above.begin(), above.end(), size_t{0});
  for (size_t i = 0; i < word.size(); ++i) {
    row[0] = i + 1;
    for (size_t j = 0; j < wanted_.size(); ++j) {
      const size_t replaced = above[j] + (word[i] == wanted_[j] ? 0 : 1);
      row[j + 1] = std::min({replaced, row[j] + 1, above[j + 1] + 1});
      const bool swapped = i > 0 && j > 0 && word[i] == wanted_[j - 1] && word[i - 1] == wanted_[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    before = std::exchange(above, row);
  }
  return above.back();
}

}  // namespace fuseboard
