// Reads PTX that others wrote: the modules of shared/truth and of tests/data; and what our own emitter
// writes. It must not know what any of them holds.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "playground.h"
#include "ptx_checks.h"

using namespace ptx_checks;
namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Every index in a module points to something.
void check_sound(const Module& module) {
  size_t unsound = 0;
  const auto check = [&](const Function& function, const Operand& each) {
    const bool is_variable =
        each.kind == OperandKind::variable || (each.kind == OperandKind::address && each.is_variable);
    const bool is_register = each.kind == OperandKind::reg ||
                             (each.kind == OperandKind::address && !each.is_variable && each.index != kNone);
    if (is_variable) unsound += each.index >= module.variables.size();
    if (is_register) unsound += each.index >= function.registers.size();
    if (each.kind == OperandKind::label) unsound += each.index > function.instructions.size();
    if (each.kind == OperandKind::function) unsound += each.index >= module.functions.size();
    if (each.kind == OperandKind::vector)
      unsound += size_t{each.index} + each.count > function.elements.size();
  };
  for (const Function& function : module.functions) {
    for (const Operand& each : function.operands) check(function, each);
    for (const Operand& each : function.elements) check(function, each);
    for (const Instruction& each : function.instructions)
      unsound += size_t{each.first_operand} + each.operand_count > function.operands.size();
  }
  CHECK(unsound == 0);
}

/// Reads every .ptx file under a folder; how many there are.
size_t read_all(const fs::path& folder) {
  size_t count = 0;
  std::error_code missing;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder, missing)) {
    if (file.path().extension() != ".ptx") continue;
    const std::string text = content(file.path());
    INFO(file.path().filename());
    const Result<Module> read = read_module(text);
    INFO(told(text, read.diagnostics));
    REQUIRE(read);
    CHECK(!read.value->functions.empty());
    check_sound(*read.value);
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("PTX: every module that Triton made reads") {
  const fs::path truth = fs::path(FUSEBOARD_SHARED_DIR) / "truth";
  if (!fs::exists(truth)) {
    std::puts("skipped: shared/truth is not here; 80 PTX modules were not read");
    return;
  }
  CHECK(read_all(truth / "triton_ptx") == 55);
  CHECK(read_all(truth / "functions") >= 25);
}

TEST_CASE("PTX: every module of tests/data reads") {
  read_all(fs::path(FUSEBOARD_SOURCE_DIR) / "tests/data");
}

TEST_CASE("PTX: every kernel that is emitted for the examples reads, and has the entry that was promised") {
  size_t kernels = 0;
  for (const fs::directory_entry& file :
       fs::directory_iterator(fs::path(FUSEBOARD_SOURCE_DIR) / "web/examples")) {
    if (!file.is_regular_file()) continue;
    const std::string text = content(file.path());
    for (const char* target : {"sm_75", "sm_100"}) {
      for (const char* math : {"fast", "precise"}) {
        PlaygroundOptions options;
        options.target = target;
        options.math = math;
        const Playground board = Playground::open(text, options);
        for (uint32_t i = 0; board.ok() && i < board.kernel_count(); ++i) {
          const std::string ptx = board.kernel_ptx(i);
          if (ptx.empty()) continue;
          INFO(file.path().filename() << " kernel " << i);
          const Module module = module_of(ptx);
          CHECK(module.functions.back().is_entry);
          CHECK(board.kernel_json(i).find("\"" + module.functions.back().name + "\"") != std::string::npos);
          check_sound(module);
          ++kernels;
        }
      }
    }
  }
  CHECK(kernels > 20);
}
