// Hints for misspelled names.
// It must not know what the words name.
#include "base/nearest_word.h"

#include "catch.h"

using fuseboard::NearestWord;

namespace {

std::string nearest(std::string_view wanted, std::initializer_list<std::string_view> words) {
  NearestWord near(wanted);
  for (const std::string_view word : words) near.offer(word);
  return near.best();
}

}  // namespace

TEST_CASE("the word with the fewest edits is meant") {
  CHECK(nearest("weigth", {"width", "weight", "height"}) == "weight");
  CHECK(nearest("rleu", {"add", "relu"}) == "relu");  // a swap is one edit
  CHECK(nearest("sigmod", {"sign", "sigmoid"}) == "sigmoid");
}

TEST_CASE("a word that differs in more than a third of its letters is not meant") {
  CHECK(nearest("bias", {"x", "weight", "b"}).empty());
  CHECK(nearest("", {"x"}).empty());
  CHECK(nearest(std::string(1000, 'a'), {std::string(999, 'a')}).empty());
}
