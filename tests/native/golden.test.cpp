// The golden files: each holds a text, options, and everything the core must make of them, byte for byte.
// It must not know why an answer is right. FUSEBOARD_GOLDEN=write in the environment rewrites what the
// machine wrote.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/diagnostic.h"
#include "catch.h"
#include "playground.h"

namespace {

namespace fs = std::filesystem;
using namespace fuseboard;

struct Section {
  std::string name;
  std::string body;  ///< without the line break before the next section
  bool operator==(const Section&) const = default;
};

/// "opening" is what stands before the first "--- name" line.
std::vector<Section> sections_of(const std::string& text) {
  std::vector<Section> out{{"opening", ""}};
  std::istringstream in(text);
  bool empty = true;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("--- ")) {
      out.push_back({line.substr(4), ""});
      empty = true;
      continue;
    }
    out.back().body += (empty ? "" : "\n") + line;
    empty = false;
  }
  return out;
}

std::string text_of(const std::vector<Section>& sections) {
  std::string out;
  for (const Section& each : sections) {
    if (each.name != "opening") out += "--- " + each.name + "\n";
    out += each.body + "\n";
  }
  return out;
}

PlaygroundOptions options_of(const std::string& words) {
  PlaygroundOptions options;
  std::istringstream in(words);
  for (std::string word; in >> word;) {
    const size_t equals = word.find('=');
    REQUIRE(equals != std::string::npos);
    const std::string key = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    if (key == "broadcast") {
      options.broadcast = value != "false";
    } else if (key == "fused") {
      options.fused = value != "false";
    } else if (key == "policy") {
      options.policy = value;
    } else if (key == "entry") {
      options.entry = value;
    } else if (key == "target") {
      options.target = value;
    } else {
      REQUIRE(key == "math");
      options.math = value;
    }
  }
  return options;
}

/// The text of a section: one trailing line break is the file's.
std::string body(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

std::vector<Section> answered(const std::vector<Section>& given) {
  std::vector<Section> out(given.begin(), given.begin() + 3);
  const Playground board = Playground::open(given[2].body, options_of(given[1].body));
  out.push_back({"plan", body(board.plan_json())});
  if (!board.ok()) return out;
  out.push_back({"dot", body(board.dot())});
  const nlohmann::json plan = nlohmann::json::parse(board.plan_json(), nullptr, false);
  for (uint32_t kernel = 0; kernel < board.kernel_count(); ++kernel) {
    const std::string ptx = board.kernel_ptx(kernel);
    if (!ptx.empty())
      out.push_back({"ptx " + plan["kernels"][kernel]["entry"].get<std::string>(), body(ptx)});
  }
  return out;
}

std::vector<fs::path> golden_files() {
  std::vector<fs::path> files;
  for (const fs::directory_entry& each : fs::directory_iterator(FUSEBOARD_SOURCE_DIR "/tests/golden")) {
    if (each.path().extension() == ".golden") files.push_back(each.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string content(const fs::path& file) {
  std::ostringstream out;
  out << std::ifstream(file, std::ios::binary).rdbuf();
  return out.str();
}

}  // namespace

TEST_CASE("golden files: the core answers byte for byte") {
  const char* mode = std::getenv("FUSEBOARD_GOLDEN");
  const std::vector<fs::path> files = golden_files();
  CHECK(files.size() >= 20);
  for (const fs::path& file : files) {
    INFO(file.filename().string());
    const std::vector<Section> given = sections_of(content(file));
    REQUIRE(given.size() >= 3);
    REQUIRE(given[1].name == "options");
    REQUIRE(given[2].name == "text");
    CHECK(given[0].body.size() > 20);
    const std::vector<Section> expected = answered(given);
    if (mode != nullptr && std::string_view(mode) == "write") {
      std::ofstream(file, std::ios::binary) << text_of(expected);
      continue;
    }
    CHECK(given.size() == expected.size());
    for (size_t i = 0; i < std::min(given.size(), expected.size()); ++i) {
      CHECK(given[i].name == expected[i].name);
      CHECK(given[i].body == expected[i].body);
    }
    CHECK(text_of(given) == content(file));
  }
}

TEST_CASE("golden files: every code of a graph is seen, but kernel-too-large") {
  std::string all;
  for (const fs::path& file : golden_files()) all += content(file);
  for (const Code code : {
#define DIAGNOSTIC(identifier, text, meaning) Code::identifier,
#include "base/diagnostics.def"
       }) {
    if (code == Code::kernel_too_large) continue;                           // it takes ten thousand ops
    if (code == Code::empty_graph || code == Code::unknown_node) continue;  // kernel_graph_json.test.cpp
    if (code_text(code).starts_with("ptx-")) continue;  // of a pasted module: ptx_read_faults.test.cpp
    INFO(code_text(code));
    CHECK(all.find("\"code\":\"" + std::string(code_text(code)) + "\"") != std::string::npos);
  }
}
