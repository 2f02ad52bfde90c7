// Assembles emitted kernels in batches with ptxas, where there is one.
// It must not know how kernels are made.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "emit/target.h"

namespace fuseboard_test {

/// The command, or "" where the machine has none.
inline std::string ptxas() {
  static const std::string found = [] {
    for (const char* each : {"/usr/local/cuda/bin/ptxas", "ptxas"}) {
      const std::string probe = std::string("command -v ") + each + " >/dev/null 2>&1";
      if (std::system(probe.c_str()) == 0) return std::string(each);
    }
    return std::string();
  }();
  return found;
}

/// Kernels of one target gathered into modules: one ptxas run assembles many.
class PtxasBatch {
 public:
  /// Takes a module with one entry of this name; the entry is renamed, so that names may repeat. Functions
  /// and tables before the entry are taken once.
  void add(const fuseboard::Target& target, const std::string& module, const std::string& entry) {
    ++kernels_;
    std::string& text = modules_[std::string(target.name)];
    const size_t body = module.find(".visible .entry ");
    const auto next_item = [&](size_t from) {
      size_t least = body;
      for (const char* marker : {"\n.func ", "\n.const ", "\n.global "}) {
        const size_t found = module.find(marker, from);
        if (found != std::string::npos) least = std::min(least, found + 1);
      }
      return least;
    };
    size_t at = next_item(0);
    if (text.empty()) {
      text = module.substr(0, at);
      if (text.find(".file") == std::string::npos) text += ".file 1 \"pasted\"\n";
    }
    while (at < body) {
      const size_t end = next_item(at);
      const std::string item = module.substr(at, end - at);
      if (text.find(item) == std::string::npos) text += item;
      at = end;
    }
    const size_t after = body + std::string(".visible .entry ").size() + entry.size();
    text += ".visible .entry k" + std::to_string(kernels_) + module.substr(after) + "\n";
  }

  size_t kernels() const { return kernels_; }

  /// What ptxas said about all of them: "" where it assembled them in silence, or is not there (then a line
  /// is printed). `quick`: optimised for sm_75 and sm_90 alone, the others are only assembled.
  std::string assemble(bool quick = false) const {
    if (ptxas().empty()) {
      std::printf("skipped: ptxas not found: %zu kernels not assembled\n", kernels_);
      return "";
    }
    std::string said;
    for (const auto& [target, text] : modules_) {
      const std::string base = "/tmp/fuseboard_" + std::to_string(getpid()) + "_" + target;
      std::ofstream(base + ".ptx") << text;
      const bool optimised = !quick || target == "sm_75" || target == "sm_90";
      const std::string command = ptxas() + (optimised ? "" : " -O0") + " -arch=" + target + " " + base +
                                  ".ptx -o " + base + ".cubin > " + base + ".log 2>&1";
      const int status = std::system(command.c_str());
      std::ifstream log(base + ".log");
      std::string lines((std::istreambuf_iterator<char>(log)), std::istreambuf_iterator<char>());
      if (status != 0 && lines.empty()) lines = "exit " + std::to_string(status);
      if (lines.empty()) {
        std::remove((base + ".ptx").c_str());
      } else {
        said += base + ".ptx: " + lines.substr(0, 2000);
      }
      std::remove((base + ".cubin").c_str());
      std::remove((base + ".log").c_str());
    }
    return said;
  }

 private:
  std::map<std::string, std::string> modules_;
  size_t kernels_ = 0;
};

}  // namespace fuseboard_test
