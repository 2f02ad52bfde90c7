// The house rules as tests: which folder may include which, how files open, how long they are, what is never
// written. It must not know what any file does.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"

namespace {

namespace fs = std::filesystem;
const fs::path root = FUSEBOARD_SOURCE_DIR;

/// What each folder of core/ may include besides itself (design, section 1). The facade sees all.
const std::map<std::string, std::set<std::string>> arrows = {
    {"base", {}},
    {"analysis", {"base"}},
    {"graph", {"base", "analysis"}},
    {"plan", {"base", "analysis", "graph"}},
    {"launch", {"base", "analysis", "graph", "plan"}},
    {"emit", {"base", "analysis", "graph", "plan", "launch"}},
    {"ptx", {"base", "analysis"}},
    {"layout", {"base", "analysis"}},
    {"formats", {"base", "analysis", "graph", "launch"}},
    {"verify", {"base", "analysis", "graph", "plan", "launch", "emit", "ptx"}},
    {"report", {"base", "analysis", "graph", "plan", "launch", "emit", "ptx", "verify"}},
};

const std::set<std::string> top_level = {"core", "wasm", "web", "tests", "CMakeLists.txt", "package.json",
                                         "package-lock.json", "README.md", "LICENSE",
                                         // what .gitignore names
                                         "build", "node_modules"};

/// Files that may be longer than 400 lines: the op table is one row an op, and not read from top to bottom.
const std::set<std::string> long_files = {"core/graph/ops.def"};

std::string name_of(const fs::path& file) { return fs::relative(file, root).generic_string(); }

/// The source files under `folder` with one of the extensions, without what is built or installed.
std::vector<fs::path> files(const std::string& folder, const std::set<std::string>& extensions) {
  std::vector<fs::path> found;
  if (!fs::exists(root / folder)) return found;
  for (auto entry = fs::recursive_directory_iterator(root / folder);
       entry != fs::recursive_directory_iterator(); ++entry) {
    const std::string name = entry->path().filename().string();
    if (name == "dist" || name == "node_modules")
      entry.disable_recursion_pending();
    else if (entry->is_regular_file() && extensions.count(entry->path().extension().string()))
      found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

const std::set<std::string> cpp = {".cpp", ".h", ".def"};
const std::set<std::string> source = {".cpp", ".h", ".def", ".mjs", ".ts"};

std::vector<fs::path> written_by_hand() {
  std::vector<fs::path> all;
  for (const char* folder : {"core", "wasm", "web", "tests"})
    for (const fs::path& file : files(folder, source)) all.push_back(file);
  return all;
}

std::vector<std::string> lines(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

std::string text(const fs::path& file) {
  std::ostringstream out;
  out << std::ifstream(file).rdbuf();
  return out.str();
}

}  // namespace

TEST_CASE("tidy: includes follow the arrows of the design") {
  const std::regex include(R"re(^\s*#\s*include\s*"([^"]+)")re");
  for (const fs::path& file : files("core", cpp)) {
    const std::string folder = fs::relative(file, root / "core").begin()->string();
    const bool facade = !arrows.count(folder);
    // playground.h is what wasm sees; the others are between the facade's own files.
    if (facade && file.extension() == ".h") CHECK(file.stem().string().starts_with("playground"));
    for (const std::string& line : lines(file)) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      INFO(name_of(file) << ": " << line);
      const std::string target = match[1];
      const std::string target_folder = target.substr(0, target.find('/'));
      if (facade) {
        CHECK((target.starts_with("playground") || arrows.count(target_folder)));
      } else {
        CHECK((target_folder == folder || arrows.at(folder).count(target_folder)));
      }
    }
  }
  for (const fs::path& file : files("wasm", cpp)) {
    for (const std::string& line : lines(file)) {
      std::smatch match;
      INFO(name_of(file) << ": " << line);
      if (std::regex_search(line, match, include)) CHECK(match[1] == "playground.h");
    }
  }
}

TEST_CASE("tidy: a file opens with its job and with what it must not know") {
  const std::regex must_not("must not", std::regex::icase);
  for (const fs::path& file : written_by_hand()) {
    INFO(name_of(file));
    std::string opening;
    int count = 0;
    for (const std::string& line : lines(file)) {
      if (line.rfind("#!", 0) == 0) continue;
      if (line.rfind("//", 0) != 0) break;
      opening += line + "\n";
      ++count;
    }
    CHECK(count >= 2);
    CHECK(std::regex_search(opening, must_not));
  }
}

TEST_CASE("tidy: no file is longer than 400 lines") {
  for (const fs::path& file : written_by_hand()) {
    INFO(name_of(file));
    if (!long_files.count(name_of(file))) CHECK(lines(file).size() <= 400);
  }
}

TEST_CASE("tidy: the core never throws, and nothing is left to do") {
  const std::regex throws(R"(\b(throw|try|catch)\b)");
  const std::regex aside(R"re(//.*|"([^"\\]|\\.)*")re");
  for (const fs::path& file : files("core", cpp))
    for (const std::string& line : lines(file)) {
      INFO(name_of(file) << ": " << line);
      CHECK_FALSE(std::regex_search(std::regex_replace(line, aside, ""), throws));
    }
  for (const fs::path& file : written_by_hand()) {
    INFO(name_of(file));
    const std::string all = text(file);
    for (const char* mark : {"TO"
                             "DO",
                             "FIX"
                             "ME"})
      CHECK(all.find(mark) == std::string::npos);
  }
}

TEST_CASE("tidy: the top level holds only what the design names") {
  for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    INFO(name);
    CHECK((name.front() == '.' || top_level.count(name)));
  }
}

TEST_CASE("tidy: a file is named after what it holds") {
  const std::regex vague("(^|[_.-])(utils?|helpers?|common|misc)([_.-]|$)", std::regex::icase);
  for (const fs::path& file : written_by_hand()) {
    INFO(name_of(file));
    CHECK_FALSE(std::regex_search(file.filename().string(), vague));
  }
}

TEST_CASE("tidy: no path of one machine is written down") {
  const std::regex path(
      "(^|[^A-Za-z0-9_.])/(ho"
      "me|ro"
      "ot|wo"
      "rk|Us"
      "ers)/");
  std::vector<fs::path> all = written_by_hand();
  for (const char* name : {"CMakeLists.txt", "package.json", "package-lock.json", "README.md"})
    if (fs::exists(root / name)) all.push_back(root / name);
  for (const fs::directory_entry& entry : fs::directory_iterator(root / ".ci")) all.push_back(entry.path());
  for (const fs::path& file : all)
    for (const std::string& line : lines(file)) {
      if (line.find("ht"
                    "tp") != std::string::npos)
        continue;
      INFO(name_of(file) << ": " << line);
      CHECK_FALSE(std::regex_search(line, path));
    }
}
