// Small changes of a kernel's PTX, one at a time: what a mistake in emission would look like.
// It must not know what a kernel computes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuseboard_test {

struct Mutant {
  uint32_t line = 0;   ///< from 1
  std::string rule;    ///< "add is sub", "operands exchanged"
  std::string before;  ///< the line as it was
  std::string after;
};

/// A line of PTX as words: guard, opcode with its modifiers, operands as written.
struct PtxLine {
  std::string indent, guard, opcode;
  std::vector<std::string> operands;
  std::string comment;

  static bool read(const std::string& line, PtxLine& out) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || line[begin] == '/' || line[begin] == '.' || line[begin] == '$')
      return false;
    if (line[begin] == '{' || line[begin] == '}' || line[begin] == ')') return false;
    const size_t end = line.find(';');
    if (end == std::string::npos) return false;
    out = {};
    out.indent = line.substr(0, begin);
    out.comment = line.substr(end + 1);
    std::string rest = line.substr(begin, end - begin);
    const size_t colon = rest.find(": ");
    if (colon != std::string::npos && rest[0] != '@') return false;
    if (rest[0] == '@') {
      const size_t space = rest.find(' ');
      out.guard = rest.substr(0, space + 1);
      rest = rest.substr(space + 1);
    }
    const size_t space = rest.find(' ');
    out.opcode = rest.substr(0, space);
    if (space == std::string::npos) return true;
    int depth = 0;
    std::string operand;
    for (const char c : rest.substr(space + 1)) {
      depth += c == '{' || c == '(' || c == '[' ? 1 : c == '}' || c == ')' || c == ']' ? -1 : 0;
      if (c == ',' && depth == 0) {
        out.operands.push_back(operand);
        operand.clear();
      } else if (c != ' ' || !operand.empty()) {
        operand += c;
      }
    }
    out.operands.push_back(operand);
    return true;
  }

  std::string text() const {
    std::string out = indent + guard + opcode;
    for (size_t i = 0; i < operands.size(); ++i) out += (i == 0 ? " " : ", ") + operands[i];
    return out + ";" + comment;
  }
};

class MutantMaker {
 public:
  /// Of every instruction from `first_line` on.
  static std::vector<Mutant> all_of(const std::string& text) {
    MutantMaker maker;
    uint32_t number = 1;
    for (size_t at = 0; at < text.size(); ++number) {
      const size_t end = std::min(text.find('\n', at), text.size());
      maker.mutate(number, text.substr(at, end - at));
      at = end + 1;
    }
    return std::move(maker.out_);
  }

  /// The text with a mutant's line instead of its own.
  static std::string applied(const std::string& text, const Mutant& mutant) {
    size_t at = 0;
    for (uint32_t line = 1; line < mutant.line; ++line) at = text.find('\n', at) + 1;
    return text.substr(0, at) + mutant.after + text.substr(text.find('\n', at));
  }

 private:
  static bool starts(const std::string& text, std::string_view with) { return text.rfind(with, 0) == 0; }

  void add(const std::string& rule, const PtxLine& changed) {
    std::string after = changed.text();
    if (after != before_) out_.push_back({line_, rule, before_, std::move(after)});
  }

  void mutate(uint32_t number, const std::string& line) {
    PtxLine read;
    if (!PtxLine::read(line, read)) return;
    line_ = number;
    before_ = line;
    exchange_opcodes(read);
    exchange_operands(read);
    change_numbers(read);
    change_guards(read);
    change_rounding(read);
    drop(read);
  }

  void exchange_opcodes(const PtxLine& read) {
    static const std::vector<std::pair<std::string, std::string>> kSwaps = {{"add.", "sub."},
                                                                            {"sub.", "add."},
                                                                            {"mul.lo.", "add."},
                                                                            {"min.", "max."},
                                                                            {"max.", "min."},
                                                                            {"and.", "or."},
                                                                            {"or.", "and."},
                                                                            {"xor.", "or."},
                                                                            {"shl.b", "shr.u"},
                                                                            {"shr.u", "shl.b"},
                                                                            {"shr.s", "shr.u"},
                                                                            {"div.", "mul."},
                                                                            {"rem.", "div."},
                                                                            {"neg.", "mov."},
                                                                            {"abs.", "mov."},
                                                                            {"not.", "mov."},
                                                                            {"sqrt.rn.", "rcp.rn."},
                                                                            {"sin.", "cos."},
                                                                            {"cos.", "sin."},
                                                                            {"ex2.", "lg2."},
                                                                            {"popc.", "clz."},
                                                                            {"clz.", "popc."},
                                                                            {"ld.global.nc.", "ld.global."}};
    for (const auto& [from, to] : kSwaps) {
      if (!starts(read.opcode, from) || read.opcode == "mov.pred") continue;
      PtxLine changed = read;
      changed.opcode = to + read.opcode.substr(from.size());
      if (from == "neg." || from == "abs." || from == "not.") {
        const size_t dot = read.opcode.rfind('.');
        changed.opcode = "mov" + read.opcode.substr(dot);
      }
      if (to == "mul." && starts(changed.opcode, "mul.full")) changed.opcode = "mul.f32";
      if (starts(changed.opcode, "mul.") &&
          (read.opcode.find(".s") != std::string::npos || read.opcode.find(".u") != std::string::npos))
        changed.opcode = "mul.lo" + read.opcode.substr(read.opcode.rfind('.'));
      add(from + " is " + to, changed);
    }
    static const std::vector<std::pair<std::string, std::string>> kParts = {
        {".lt.", ".le."},       {".le.", ".lt."},    {".gt.", ".ge."},    {".ge.", ".gt."},
        {".eq.", ".ne."},       {".ne.", ".eq."},    {".neu.", ".equ."},  {".num.", ".nan."},
        {".nan.", ".num."},     {".and.f", ".or.f"}, {".or.f", ".and.f"}, {".rmi.", ".rpi."},
        {".rpi.", ".rmi."},     {".rni.", ".rzi."},  {".rzi.", ".rni."},  {".NaN.", "."},
        {".wide.s", ".wide.u"}, {".hi.u", ".lo.u"},  {"cvt.s", "cvt.u"},  {".s8", ".u8"},
        {".u8", ".s8"},         {".s16", ".u16"},    {".u16", ".s16"},    {"bfe.u", "bfe.s"},
        {"bfe.s", "bfe.u"}};
    for (const auto& [from, to] : kParts) {
      const size_t at = read.opcode.find(from);
      if (at == std::string::npos) continue;
      PtxLine changed = read;
      changed.opcode.replace(at, from.size(), to);
      add(from + " is " + to, changed);
    }
    if (starts(read.opcode, "fma.") && read.operands.size() == 4) {
      PtxLine changed = read;
      changed.operands[3] = read.operands[1];
      add("addend is a factor", changed);
    }
  }

  /// Of a commutative instruction an exchange of its operands is no change.
  static bool commutes(const std::string& opcode) {
    for (const char* each : {"add.", "mul.", "min.", "max.", "and.", "or.", "xor.", "fma.", "mad.", "setp.eq",
                             "setp.ne", "setp.nan", "setp.num", "setp.neu", "setp.equ"}) {
      if (starts(opcode, each)) return true;
    }
    return false;
  }

  void exchange_operands(const PtxLine& read) {
    const size_t count = read.operands.size();
    if (count >= 3 && !commutes(read.opcode)) {
      PtxLine changed = read;
      std::swap(changed.operands[1], changed.operands[2]);
      add("operands exchanged", changed);
    }
    if (count >= 3 && !starts(read.opcode, "selp")) {
      PtxLine changed = read;
      changed.operands[2] = read.operands[1];
      add("second operand is the first", changed);
    }
    if (count >= 1 && read.operands[0].rfind('{', 0) == 0) reverse(read, 0);
    if (count >= 2 && read.operands[1].rfind('{', 0) == 0) reverse(read, 1);
  }

  /// {a, b, c, d} as {b, a, c, d}.
  void reverse(const PtxLine& read, size_t operand) {
    const std::string& list = read.operands[operand];
    const size_t first = list.find(',');
    if (first == std::string::npos) return;
    const size_t second = std::min(list.find(',', first + 1), list.size() - 1);
    const std::string a = list.substr(1, first - 1);
    const std::string b = list.substr(first + 2, second - first - 2);
    PtxLine changed = read;
    changed.operands[operand] = "{" + b + ", " + a + list.substr(second);
    add("vector elements exchanged", changed);
  }

  void change_numbers(const PtxLine& read) {
    for (size_t i = 1; i < read.operands.size(); ++i) {
      const std::string& operand = read.operands[i];
      PtxLine changed = read;
      if (!operand.empty() && operand.find_first_not_of("-0123456789") == std::string::npos) {
        changed.operands[i] = std::to_string(std::stoll(operand) + 1);
        add("number + 1", changed);
      } else if (starts(operand, "0f") || starts(operand, "0d")) {
        // a bit of the fraction an eighth below the leading one
        const size_t at = operand[1] == 'f' ? 4 : 5;
        const char digit = operand[at];
        changed.operands[i][at] = digit == '2' ? '6'
                                  : digit == 'A'
                                      ? 'E'
                                      : "4567012389ABCDEF"[std::string_view("0123456789ABCDEF").find(digit)];
        if (changed.operands[i] == operand) changed.operands[i][at] = digit == '8' ? 'C' : '8';
        add("constant changed", changed);
      }
    }
    for (size_t i = 0; i < read.operands.size(); ++i) {
      const std::string& operand = read.operands[i];
      if (operand.empty() || operand[0] != '[' || read.opcode.find(".param") != std::string::npos) continue;
      for (const char* more : {"4", "16"}) {
        PtxLine changed = read;
        changed.operands[i].insert(operand.size() - 1, std::string("+") + more);
        if (operand.find('+') != std::string::npos) continue;
        add(std::string("address + ") + more, changed);
      }
      const size_t plus = operand.find('+');
      if (plus != std::string::npos) {
        PtxLine changed = read;
        changed.operands[i] = operand.substr(0, plus) + "]";
        add("address without its offset", changed);
      }
    }
  }

  void change_guards(const PtxLine& read) {
    if (read.guard.empty()) return;
    PtxLine changed = read;
    changed.guard = read.guard[1] == '!' ? "@" + read.guard.substr(2) : "@!" + read.guard.substr(1);
    add("guard negated", changed);
    changed.guard.clear();
    add("guard dropped", changed);
  }

  void change_rounding(const PtxLine& read) {
    const size_t at = read.opcode.find(".rn.");
    if (at == std::string::npos) return;
    for (const char* mode : {".rz.", ".rp."}) {
      PtxLine changed = read;
      changed.opcode.replace(at, 4, mode);
      add(std::string(".rn. is ") + mode, changed);
    }
  }

  void drop(const PtxLine& read) {
    if (read.opcode == "ret") return;
    PtxLine changed = read;
    changed.guard.clear();
    changed.opcode = "//";
    out_.push_back({line_, "dropped", before_, changed.indent + "// dropped"});
  }

  uint32_t line_ = 0;
  std::string before_;
  std::vector<Mutant> out_;
};

}  // namespace fuseboard_test
