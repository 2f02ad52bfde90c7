// A list that compares by position, held against a plain vector; dense insertions force labels to move.
// It must not know what an item is.
#include "analysis/order_list.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "catch.h"

namespace {

using namespace fuseboard;
using Ids = std::vector<uint32_t>;

Ids up_to(uint32_t n) {
  Ids ids(n);
  std::iota(ids.begin(), ids.end(), 0U);
  return ids;
}

/// Whether `before` walks back along `expected` and ends in the sentinel.
bool linked(const OrderList& list, const Ids& expected, uint32_t sentinel) {
  for (size_t i = 0; i < expected.size(); ++i) {
    if (list.before(expected[i]) != (i == 0 ? sentinel : expected[i - 1])) return false;
  }
  return true;
}

void require_same(const OrderList& list, const Ids& expected, uint32_t sentinel) {
  REQUIRE(std::adjacent_find(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) {
            return list.label(a) >= list.label(b);
          }) == expected.end());
  REQUIRE(linked(list, expected, sentinel));
}

}  // namespace

TEST_CASE("items come in the order given") {
  const Ids given{2, 0, 3, 1};
  const OrderList list(given);
  require_same(list, given, 4);
}

TEST_CASE("remove, replace and insert_after do what a vector does") {
  OrderList list(up_to(6));
  list.remove(2);
  list.remove(5);
  list.replace(3, 5);
  require_same(list, {0, 1, 5, 4}, 6);
  list.insert_after(1, Ids{3, 2});
  require_same(list, {0, 1, 3, 2, 5, 4}, 6);
  list.remove(4);
  list.insert_after(list.before(0), Ids{4});
  require_same(list, {4, 0, 1, 3, 2, 5}, 6);
  list.insert_after(5, {});
  require_same(list, {4, 0, 1, 3, 2, 5}, 6);
}

TEST_CASE("a list that was emptied can be filled again behind its head") {
  OrderList list(up_to(3));
  const uint32_t head = list.before(0);
  for (const uint32_t item : {0U, 1U, 2U}) list.remove(item);
  list.insert_after(head, Ids{1, 0});
  list.insert_after(head, Ids{2});
  require_same(list, {2, 1, 0}, head);
}

TEST_CASE("200,000 random operations agree with a vector") {
  std::mt19937 random(13);
  const uint32_t n = 600;
  OrderList list(up_to(n));
  Ids expected = up_to(n);
  Ids out;
  for (int i = 0; i < 200'000; ++i) {
    const size_t at = random() % expected.size();
    const uint32_t what = random() % 8;
    if (what < 3 && expected.size() > n / 3) {
      out.push_back(expected[at]);
      list.remove(expected[at]);
      expected.erase(expected.begin() + static_cast<ptrdiff_t>(at));
    } else if (what == 3 && !out.empty()) {
      const uint32_t heir = out.back();
      out.back() = expected[at];
      list.replace(expected[at], heir);
      expected[at] = heir;
    } else if (!out.empty()) {
      const size_t count = 1 + random() % std::min<size_t>(out.size(), 5);
      const Ids items(out.end() - static_cast<ptrdiff_t>(count), out.end());
      out.resize(out.size() - count);
      // Often at the same spots, so that gaps close.
      const size_t spot = random() % 4 != 0 ? expected.size() / 2 : random() % (expected.size() + 1);
      list.insert_after(spot == 0 ? list.before(expected[0]) : expected[spot - 1], items);
      expected.insert(expected.begin() + static_cast<ptrdiff_t>(spot), items.begin(), items.end());
    }
    if (i % 997 == 0) require_same(list, expected, n);
  }
  require_same(list, expected, n);
}

TEST_CASE("100,000 insertions at one spot leave labels in order: middle, head and tail") {
  const uint32_t n = 100'000;
  OrderList list(up_to(n + 2));
  for (uint32_t item = 1; item <= n; ++item) list.remove(item);
  Ids expected;
  SECTION("right behind one item, each before the last one") {
    for (uint32_t item = 1; item <= n; ++item) list.insert_after(0, Ids{item});
    expected.push_back(0);
    for (uint32_t item = n; item >= 1; --item) expected.push_back(item);
    expected.push_back(n + 1);
  }
  SECTION("each behind the last one, towards a fixed end") {
    expected.push_back(0);
    for (uint32_t item = 1; item <= n; ++item) {
      list.insert_after(item - 1, Ids{item});
      expected.push_back(item);
    }
    expected.push_back(n + 1);
  }
  SECTION("at the head") {
    for (uint32_t item = 1; item <= n; ++item)
      list.insert_after(list.before(item == 1 ? 0 : item - 1), Ids{item});
    for (uint32_t item = n; item >= 1; --item) expected.push_back(item);
    expected.push_back(0);
    expected.push_back(n + 1);
  }
  SECTION("at the tail") {
    expected = {0, n + 1};
    for (uint32_t item = 1; item <= n; ++item) {
      list.insert_after(expected.back(), Ids{item});
      expected.push_back(item);
    }
  }
  SECTION("all in one go, where there was room for few") {
    for (uint32_t item = 1; item <= 60; ++item) list.insert_after(0, Ids{item});
    Ids many;
    for (uint32_t item = 61; item <= n; ++item) many.push_back(item);
    list.insert_after(0, many);
    expected.push_back(0);
    expected.insert(expected.end(), many.begin(), many.end());
    for (uint32_t item = 60; item >= 1; --item) expected.push_back(item);
    expected.push_back(n + 1);
  }
  require_same(list, expected, n + 2);
}
