// The texts of verdicts and reasons, and offending paths unfolded from a tree.
// It must not know how the choice was made.
#include "plan/decision.h"

#include "catch.h"

using namespace fuseboard;

TEST_CASE("verdicts and reasons have texts") {
  CHECK(verdict_text(Verdict::fused) == "fused");
  CHECK(verdict_text(Verdict::refused) == "refused");
  CHECK(reason_text(Reason::fused) == "fused");
  CHECK(reason_text(Reason::producer_not_fusible) == "producer-not-fusible");
  CHECK(reason_text(Reason::consumer_not_fusible) == "consumer-not-fusible");
  CHECK(reason_text(Reason::shapes_differ) == "shapes-differ");
  CHECK(reason_text(Reason::would_create_cycle) == "would-create-cycle");
}

TEST_CASE("a path that is kept step by step is told as it is") {
  DecisionList list;
  list.steps = {9, 4, 5, 6, 9};
  Decision decision;
  decision.path_start = 1;
  decision.path_length = 3;
  CHECK(list.path(decision) == std::vector<uint32_t>{4, 5, 6});
}

TEST_CASE(
    "a tree path is walked up from the consumer; of a long one the ops behind the second are left out") {
  DecisionList list;
  for (uint32_t op = 0; op < 200; ++op) list.tree_parent.push_back(op == 0 ? 0 : op - 1);
  Decision decision;
  decision.tree = true;
  decision.path_length = 4;
  SECTION("short") {
    list.steps = {100, 3, 6, 101};
    CHECK(list.path(decision) == std::vector<uint32_t>{100, 3, 4, 5, 6, 101});
  }
  SECTION("of one op between") {
    list.steps = {100, 3, 3, 101};
    CHECK(list.path(decision) == std::vector<uint32_t>{100, 3, 101});
  }
  SECTION("just 64") {
    list.steps = {150, 1, 62, 151};
    const std::vector<uint32_t> path = list.path(decision);
    REQUIRE(path.size() == kPathKept);
    CHECK(path[2] == 2);
  }
  SECTION("long") {
    list.steps = {150, 1, 100, 151};
    const std::vector<uint32_t> path = list.path(decision);
    REQUIRE(path.size() == kPathKept);
    CHECK(path[0] == 150);
    CHECK(path[1] == 1);
    CHECK(path[2] == 40);
    CHECK(path[62] == 100);
    CHECK(path[63] == 151);
  }
}
