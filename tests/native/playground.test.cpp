// The facade: options as words, every question at any time, and any size in a small stack.
// It must not know JavaScript or pages.
#include "playground.h"

#include <pthread.h>

#include <nlohmann/json.hpp>

#include "catch.h"

namespace {

using namespace fuseboard;
using Json = nlohmann::ordered_json;

constexpr const char* kChain = R"({"ops": [{"name": "x", "kind": "input", "output_shape": [8]},
  {"name": "y", "kind": "relu", "inputs": ["x"]}, {"name": "z", "kind": "neg", "inputs": ["y"]}]})";

Json parsed(const std::string& text) { return Json::parse(text, nullptr, false); }

std::string chain(uint32_t ops) {
  std::string text = R"({"ops":[{"kind":"input","inputs":[],"output_shape":[4],"dtype_bytes":4})";
  for (uint32_t i = 1; i < ops; ++i) {
    text +=
        R"(,{"kind":"relu","inputs":[)" + std::to_string(i - 1) + R"(],"output_shape":[4],"dtype_bytes":4})";
  }
  return text + "]}";
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kSanitized = false;
#endif
// Sanitizers make frames larger and all slower; any recursion on input still overflows.
constexpr size_t kStack = (kSanitized ? 4 : 1) * 64 * 1024;
constexpr uint32_t kMillion = kSanitized ? 120'000 : 1'000'000;

/// Runs `job` in a thread with this many bytes of stack.
void with_stack(size_t bytes, void (*job)()) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, bytes) == 0);
  pthread_t thread;
  void* (*const start)(void*) = [](void* given) -> void* {
    (*static_cast<void (**)()>(given))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, start, &job) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
  pthread_attr_destroy(&attributes);
}

}  // namespace

TEST_CASE("a text that reads is planned, and answers every question") {
  const Playground board = Playground::open(kChain, {});
  REQUIRE(board.ok());
  CHECK(parsed(board.plan_json())["groups"].size() == 2);
  CHECK(parsed(board.diagnostics_json()).dump() == R"({"diagnostics":[]})");
  CHECK(board.dot().starts_with("digraph"));
  REQUIRE(board.kernel_count() == 1);
  const Json kernel = parsed(board.kernel_json(0));
  CHECK(kernel["ptx"] == board.kernel_ptx(0));
  CHECK(kernel["entry"] == parsed(board.kernels_json())[0]["entry"]);
  const std::string ptx = kernel["ptx"];
  CHECK(kernel["lines"].size() == static_cast<size_t>(std::count(ptx.begin(), ptx.end(), '\n')));
  const PlaygroundLayout layout = board.layout();
  CHECK(layout.x.size() == 3);
  CHECK(layout.edge_start.size() == 3);
  CHECK(layout.group_width.size() == 2);
  CHECK(layout.group_width[0] == 0);
  CHECK(layout.group_width[1] > 0);
}

TEST_CASE("a kernel that is not there is no kernel") {
  const Playground board = Playground::open(kChain, {});
  CHECK(board.kernel_ptx(1).empty());
  CHECK(board.kernel_json(7) == "{}");
  CHECK(board.kernel_json(UINT32_MAX) == "{}");
}

TEST_CASE("unknown targets and math modes are errors, told beside those of the text") {
  PlaygroundOptions options;
  options.target = "sm_1";
  options.math = "wild";
  const Playground board =
      Playground::open(R"({"ops": [{"kind": "relu", "inputs": [0], "output_shape": []}]})", options);
  CHECK_FALSE(board.ok());
  const Json found = parsed(board.diagnostics_json())["diagnostics"];
  REQUIRE(found.size() == 3);
  CHECK(found[0]["code"] == "bad-option");
  CHECK(found[0]["message"] == "there is no target \"sm_1\"");
  CHECK(found[0]["hint"] == "use one of sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120");
  CHECK(found[1]["message"] == "there is no math mode \"wild\"");
  CHECK(found[2]["code"] == "self-reference");
  for (const char* target : {"", "sm_90a", "SM_90", "sm_9", "90"}) {
    PlaygroundOptions wrong;
    wrong.target = target;
    CHECK_FALSE(Playground::open(kChain, wrong).ok());
  }
}

TEST_CASE("the policy is rows unless another is named; an unknown one is an error") {
  const std::string text = R"({"ops": [{"name": "x", "kind": "input", "output_shape": [4, 8]},
    {"name": "e", "kind": "exp", "inputs": ["x"]},
    {"name": "s", "kind": "reduce", "reducer": "sum", "axes": [1], "keepdims": true, "inputs": ["e"]},
    {"name": "y", "kind": "div", "inputs": ["e", "s"]}]})";
  PlaygroundOptions options;
  CHECK(parsed(Playground::open(text, options).plan_json())["groups"].size() == 2);
  options.policy = "regions";
  CHECK(parsed(Playground::open(text, options).plan_json())["groups"].size() == 2);
  options.policy = "elementwise";
  CHECK(parsed(Playground::open(text, options).plan_json())["groups"].size() == 4);
  for (const char* wrong : {"", "row", "ROWS", "greedy"}) {
    options.policy = wrong;
    const Playground board = Playground::open(text, options);
    CHECK_FALSE(board.ok());
    const Json found = parsed(board.diagnostics_json())["diagnostics"];
    REQUIRE(found.size() == 1);
    CHECK(found[0]["code"] == "bad-option");
    CHECK(found[0]["hint"] == "use rows, regions or elementwise");
  }
}

TEST_CASE("every target that is named is taken, and written into the PTX") {
  const Json about = parsed(about_json());
  for (const Json& target : about["targets"]) {
    PlaygroundOptions options;
    options.target = target;
    const Playground board = Playground::open(kChain, options);
    REQUIRE(board.ok());
    CHECK(board.kernel_ptx(0).find(".target " + options.target) != std::string::npos);
  }
}

TEST_CASE("unfused, every op is a group of its own; the decisions stay, but nothing is together") {
  PlaygroundOptions options;
  options.fused = false;
  const Playground board = Playground::open(kChain, options);
  const Json plan = parsed(board.plan_json());
  CHECK(plan["groups"].size() == 3);
  CHECK(plan["options"]["fused"] == false);
  CHECK(plan["bytes_fused"] == plan["bytes_unfused"]);
  CHECK(plan["decisions"][1]["reason"] == "fused");
  CHECK(plan["decisions"][1]["together"] == false);
  CHECK(board.kernel_count() == 2);
}

TEST_CASE("without broadcasting, a stretching edge is refused") {
  const std::string text = R"({"ops": [{"kind": "relu", "inputs": [], "output_shape": [8], "dtype_bytes": 4},
    {"kind": "neg", "inputs": [0], "output_shape": [2, 8]}]})";
  PlaygroundOptions options;
  CHECK(parsed(Playground::open(text, options).plan_json())["groups"].size() == 1);
  options.broadcast = false;
  CHECK(parsed(Playground::open(text, options).plan_json())["groups"].size() == 2);
}

TEST_CASE("a text that cannot be read answers every question all the same") {
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("\0\0", 2), std::string("\xff\xfe{"),
        std::string("SELECT 1"), std::string(R"({"ops": [7]})"), std::string(100'000, '[')}) {
    const Playground board = Playground::open(text, {});
    CHECK_FALSE(board.ok());
    const Json found = parsed(board.diagnostics_json());
    REQUIRE(found["diagnostics"].size() >= 1);
    CHECK(found["diagnostics"][0]["severity"] == "error");
    CHECK(board.plan_json() == board.diagnostics_json());
    CHECK(board.dot().empty());
    CHECK(board.kernel_count() == 0);
    CHECK(board.kernel_ptx(0).empty());
    CHECK(board.kernel_json(0) == "{}");
    CHECK(parsed(board.kernels_json()).empty());
    CHECK(board.layout().x.empty());
  }
  CHECK(parsed(Playground::open("", {}).diagnostics_json())["diagnostics"][0]["message"] ==
        "there is no text");
}

TEST_CASE("an empty graph is fine, and draws nothing") {
  const Playground board = Playground::open(R"({"ops": []})", {});
  CHECK(board.ok());
  CHECK(board.kernel_count() == 0);
  CHECK(board.layout().x.empty());
  CHECK(parsed(board.plan_json())["groups"].empty());
}

TEST_CASE("a playground moves, and the text it was opened with need not outlive the call") {
  Playground first = Playground::open(std::string(kChain), {});
  const std::string plan = first.plan_json();
  Playground second = std::move(first);
  CHECK(second.plan_json() == plan);
  Playground third = Playground::open("{", {});
  third = std::move(second);
  CHECK(third.ok());
  CHECK(third.plan_json() == plan);
  CHECK(third.kernel_ptx(0).find(".entry") != std::string::npos);
}

TEST_CASE("what Fuseboard says of itself") {
  const Json about = parsed(about_json());
  CHECK(about["plan_json"] == 1);
  CHECK(about["targets"].dump() == R"(["sm_75","sm_80","sm_86","sm_89","sm_90","sm_100","sm_120"])");
  CHECK(about["formats"][0]["name"] == "graph-json");
  CHECK(about["formats"][1]["name"] == "hlo");
}

TEST_CASE("a chain of 100,000 ops answers every question; its kernel is too large to be written") {
  const Playground board = Playground::open(chain(kMillion / 10), {});
  REQUIRE(board.ok());
  const Json plan = parsed(board.plan_json());
  CHECK(plan["groups"].size() == 2);
  CHECK(plan["kernels"][0]["emitted"] == false);
  CHECK(plan["kernels"][0]["diagnostics"][0]["code"] == "kernel-too-large");
  CHECK(board.kernel_ptx(0).empty());
  CHECK(board.layout().x.size() == kMillion / 10);
  CHECK(board.dot().size() > kMillion);
}

TEST_CASE("a chain of a million ops is read, planned and reported in a stack of 64 KiB") {
  static bool done = false;
  with_stack(kStack, [] {
    const Playground board = Playground::open(chain(kMillion), {});
    done = board.ok() && board.plan_json().size() > 100 * size_t{kMillion} &&
           board.dot().size() > 10 * size_t{kMillion} && board.layout().x.size() == kMillion;
  });
  CHECK(done);
}

TEST_CASE("the longest cycle and the deepest nesting are told in a stack of 64 KiB") {
  static bool done = false;
  with_stack(kStack, [] {
    std::string ring = chain(kMillion / 5);
    ring.replace(ring.find("\"inputs\":[]"), 11, "\"inputs\":[" + std::to_string(kMillion / 5 - 1) + "]");
    const std::string told = Playground::open(std::move(ring), {}).diagnostics_json();
    const std::string deep = "{\"ops\":" + std::string(1'000'000, '[');
    done = told.find("\"cycle\"") != std::string::npos &&
           Playground::open(deep, {}).diagnostics_json().find("\"syntax\"") != std::string::npos;
  });
  CHECK(done);
}
