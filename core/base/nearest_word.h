// The likeliest word that was meant, for the hint behind a misspelled name.
// It must not know what the words name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fuseboard {

/// Keeps of all words offered the one with the fewest edits from `wanted`, if they are at most a third of its
/// length. O(length of both) an offer; words much longer or shorter cost nothing.
class NearestWord {
 public:
  explicit NearestWord(std::string_view wanted);
  void offer(std::string_view word);
  const std::string& best() const { return best_; }  ///< "" where none is near

 private:
  size_t edits(std::string_view word) const;

  std::string wanted_;
  std::string best_;
  size_t limit_;  ///< a better word has fewer edits than this
};

}  // namespace fuseboard
