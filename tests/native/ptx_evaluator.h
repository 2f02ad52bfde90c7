// Runs the PTX that the emitter writes, one thread after the other, over host memory: enough of the language
// for its own kernels and no more (core/ptx is the real one). It must not know ops or graphs.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fuseboard_test {

struct PtxInstruction {
  std::string guard;  // register, empty where none
  bool negated = false;
  std::vector<std::string> opcode;  // split at the dots
  std::vector<std::string> operands;
};

class PtxEvaluator {
 public:
  /// Reads one module with one entry.
  explicit PtxEvaluator(const std::string& text) {
    size_t at = 0;
    while (at < text.size()) {
      const size_t end = text.find('\n', at);
      read_line(text.substr(at, end - at));
      at = end == std::string::npos ? text.size() : end + 1;
    }
  }

  /// A pointer parameter; its bytes are read and written in place.
  void bind(const std::string& parameter, std::vector<uint8_t>* memory) {
    memories_.push_back(memory);
    parameters_[parameter] = uint64_t{memories_.size()} << 40;
    reads_.emplace_back(memory->size(), 0U);
  }
  void bind(const std::string& parameter, float value) {
    parameters_[parameter] = std::bit_cast<uint32_t>(value);
  }

  /// Every thread of the grid in turn; "" or what went wrong.
  std::string run(uint32_t blocks, uint32_t threads) {
    for (uint32_t block = 0; block < blocks && error_.empty(); ++block) {
      for (uint32_t thread = 0; thread < threads && error_.empty(); ++thread) {
        registers_.clear();
        registers_["%ctaid.x"] = block;
        registers_["%nctaid.x"] = blocks;
        registers_["%tid.x"] = thread;
        registers_["%ntid.x"] = threads;
        run_thread();
      }
    }
    return error_;
  }

  /// A register's value in the last thread.
  uint64_t last(const std::string& name) { return value(name); }

  /// How often each byte of the n-th pointer bound was read.
  const std::vector<uint32_t>& reads(size_t pointer) const { return reads_[pointer]; }

 private:
  static std::string trimmed(const std::string& text) {
    const size_t first = text.find_first_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t;") - first + 1);
  }

  static std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    size_t at = 0;
    while (at <= text.size()) {
      const size_t end = std::min(text.find(separator, at), text.size());
      parts.push_back(trimmed(text.substr(at, end - at)));
      at = end + 1;
    }
    return parts;
  }

  void read_line(const std::string& raw) {
    std::string line = trimmed(raw);
    if (line.empty() || line[0] == '.' || line[0] == '/' || line[0] == '{' || line[0] == '}' ||
        line[0] == ')')
      return;
    if (line.back() == ':') {
      labels_[line.substr(0, line.size() - 1)] = code_.size();
      return;
    }
    PtxInstruction instruction;
    if (line[0] == '@') {
      const size_t space = line.find(' ');
      instruction.negated = line[1] == '!';
      instruction.guard = line.substr(instruction.negated ? 2 : 1, space - (instruction.negated ? 2 : 1));
      line = trimmed(line.substr(space));
    }
    const size_t space = std::min(line.find(' '), line.size());
    instruction.opcode = split(line.substr(0, space), '.');
    if (space < line.size()) instruction.operands = split(line.substr(space), ',');
    code_.push_back(std::move(instruction));
  }

  uint64_t value(const std::string& operand) {
    if (operand[0] == '%') {
      const auto found = registers_.find(operand);
      if (found == registers_.end()) error_ = "never written: " + operand;
      return found == registers_.end() ? 0 : found->second;
    }
    if (operand.starts_with("0f") || operand.starts_with("0x"))
      return std::stoull(operand.substr(2), nullptr, 16);
    return operand[0] == '-' ? static_cast<uint64_t>(std::stoll(operand)) : std::stoull(operand);
  }
  float number(const std::string& operand) {
    return std::bit_cast<float>(static_cast<uint32_t>(value(operand)));
  }

  static float flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x; }

  static bool compare(const std::string& how, double a, double b) {
    const bool unordered = a != a || b != b;
    if (how == "nan") return unordered;
    if (how == "neu") return unordered || a != b;
    if (how == "eq") return a == b;
    if (how == "ne") return !unordered && a != b;
    if (how == "lt") return a < b;
    if (how == "le") return a <= b;
    if (how == "gt") return a > b;
    return a >= b;
  }

  uint8_t* memory(const std::string& operand, size_t bytes, bool reads) {
    const uint64_t address = value(operand.substr(1, operand.size() - 2));
    const uint64_t which = address >> 40;
    const uint64_t offset = address & ((uint64_t{1} << 40) - 1);
    if (which == 0 || which > memories_.size() || offset + bytes > memories_[which - 1]->size() ||
        offset % bytes != 0) {
      error_ = "out of bounds: " + operand;
      return nullptr;
    }
    for (size_t i = 0; reads && i < bytes; ++i) ++reads_[which - 1][offset + i];
    return memories_[which - 1]->data() + offset;
  }

  void run_thread() {
    size_t steps = 0;
    for (size_t at = 0; at < code_.size() && error_.empty();) {
      if (++steps > 1000000) error_ = "does not end";
      const PtxInstruction& i = code_[at++];
      if (!i.guard.empty() && (value(i.guard) != 0) == i.negated) continue;
      if (i.opcode[0] == "ret") return;
      if (i.opcode[0] == "bra") {
        if (!labels_.contains(i.operands[0])) error_ = "no label " + i.operands[0];
        at = labels_[i.operands[0]];
        continue;
      }
      execute(i);
    }
  }

  void execute(const PtxInstruction& i) {
    const std::string& name = i.opcode[0];
    const std::string type = i.opcode.back();
    if (name == "ld" || name == "st") {
      access(i, name == "ld", type);
    } else if (name == "cvta" || (name == "mov" && type != "f32")) {
      set(i, value(i.operands[1]));
    } else if (name == "setp") {
      set_predicate(i, type);
    } else if (name == "selp") {
      set(i, value(i.operands[value(i.operands[3]) != 0 ? 1 : 2]));
    } else if (type == "f32") {
      const float result = floating(i, name);
      set(i, std::bit_cast<uint32_t>(result));
    } else {
      integer(i, name, type);
    }
  }

  void access(const PtxInstruction& i, bool loads, const std::string& type) {
    if (i.opcode[1] == "param") {
      const std::string parameter = i.operands[1].substr(1, i.operands[1].size() - 2);
      if (!parameters_.contains(parameter)) error_ = "no parameter " + parameter;
      return set(i, parameters_[parameter]);
    }
    const size_t bytes = type == "u8" ? 1 : 4;
    uint8_t* place = memory(i.operands[loads ? 1 : 0], bytes, loads);
    if (place == nullptr) return;
    uint32_t word = 0;
    if (loads) {
      std::memcpy(&word, place, bytes);
      set(i, word);
    } else {
      word = static_cast<uint32_t>(value(i.operands[1]));
      std::memcpy(place, &word, bytes);
    }
  }

  void set_predicate(const PtxInstruction& i, const std::string& type) {
    bool holds = false;
    if (type == "f32") {
      holds = compare(i.opcode[1], number(i.operands[1]), number(i.operands[2]));
    } else if (type == "s32") {
      holds = compare(i.opcode[1], static_cast<int32_t>(value(i.operands[1])),
                      static_cast<int32_t>(value(i.operands[2])));
    } else {
      const uint64_t a = value(i.operands[1]);
      const uint64_t b = value(i.operands[2]);
      holds = i.opcode[1] == "lt" ? a < b : i.opcode[1] == "ge" ? a >= b : a == b;
    }
    if (i.opcode.size() == 4) {
      const bool other = value(i.operands[3]) != 0;
      holds = i.opcode[2] == "and" ? holds && other : holds || other;
    }
    set(i, holds ? 1 : 0);
  }

  float floating(const PtxInstruction& i, const std::string& name) {
    if (name == "cvt" && i.opcode.back() == "f32" && i.opcode[2] == "f32" && i.opcode.size() == 4) {
      const float a = number(i.operands[1]);
      const std::string& how = i.opcode[1];
      return how == "rni"   ? std::nearbyint(a)
             : how == "rzi" ? std::trunc(a)
             : how == "rmi" ? std::floor(a)
                            : std::ceil(a);
    }
    const bool ftz = std::find(i.opcode.begin(), i.opcode.end(), "ftz") != i.opcode.end();
    float x[3] = {0, 0, 0};
    for (size_t k = 1; k < i.operands.size() && k < 4; ++k) {
      x[k - 1] = ftz ? flushed(number(i.operands[k])) : number(i.operands[k]);
    }
    const float out = arithmetic(i, name, x[0], x[1], x[2]);
    return ftz ? flushed(out) : out;
  }

  float arithmetic(const PtxInstruction& i, const std::string& name, float a, float b, float c) {
    if (name == "mov") return a;
    if (name == "add") return a + b;
    if (name == "sub") return a - b;
    if (name == "mul") return a * b;
    if (name == "div") return i.opcode[1] == "rz" ? divided_to_zero(a, b) : a / b;
    if (name == "fma") return std::fma(a, b, c);
    if (name == "neg") return -a;
    if (name == "abs") return std::fabs(a);
    if (name == "copysign") return std::copysign(b, a);
    if (name == "ex2") return std::exp2(a);
    if (name == "lg2") return std::log2(a);
    if (name == "rcp") return 1 / a;
    if (name == "sqrt") return std::sqrt(a);
    if (name == "rsqrt") return static_cast<float>(1 / std::sqrt(static_cast<double>(a)));
    if (name == "tanh") return std::tanh(a);
    if (name == "sin") return std::sin(a);
    if (name == "cos") return std::cos(a);
    if (name == "min" || name == "max") {
      if (i.opcode[1] == "NaN" && (a != a || b != b)) return std::numeric_limits<float>::quiet_NaN();
      return name == "min" ? std::fmin(a, b) : std::fmax(a, b);
    }
    error_ = "unknown " + name;
    return 0;
  }

  static float divided_to_zero(float a, float b) {
    const double exact = static_cast<double>(a) / static_cast<double>(b);
    if (std::isinf(exact) || exact != exact) return static_cast<float>(exact);
    const float nearest = static_cast<float>(exact);
    return std::fabs(static_cast<double>(nearest)) > std::fabs(exact) ? std::nextafter(nearest, 0.0F)
                                                                      : nearest;
  }

  void integer(const PtxInstruction& i, const std::string& name, const std::string& type) {
    const uint64_t a = value(i.operands[1]);
    const uint64_t b = i.operands.size() > 2 ? value(i.operands[2]) : 0;
    const uint64_t c = i.operands.size() > 3 ? value(i.operands[3]) : 0;
    const bool wide = type.ends_with("64");
    const uint64_t mask = wide ? ~uint64_t{0} : 0xffffffffU;
    uint64_t out = 0;
    if (name == "add") {
      out = a + b;
    } else if (name == "sub") {
      out = a - b;
    } else if (name == "mul" && i.opcode[1] == "wide") {
      return set(i, (a & mask) * (b & mask));
    } else if (name == "mul" && i.opcode[1] == "hi") {
      __extension__ typedef unsigned __int128 Wide;
      out = static_cast<uint64_t>((Wide{a & mask} * Wide{b & mask}) >> (wide ? 64 : 32));
    } else if (name == "mul") {
      out = a * b;
    } else if (name == "mad") {
      out = a * b + c;
    } else if (name == "div") {
      out = (a & mask) / (b & mask);
    } else if (name == "shr") {
      out = (a & mask) >> b;
    } else if (name == "shl") {
      out = a << b;
    } else if (name == "and") {
      out = a & b;
    } else if (name == "or") {
      out = a | b;
    } else if (name == "xor") {
      out = a ^ b;
    } else if (name == "not") {
      out = type == "pred" ? (a == 0 ? 1 : 0) : ~a;
    } else if (name == "min" || name == "max") {
      const bool less = static_cast<int32_t>(a) < static_cast<int32_t>(b);
      out = less == (name == "min") ? a : b;
    } else if (name == "cvt" && i.opcode[1] == "rn") {
      out = std::bit_cast<uint32_t>(static_cast<float>(a));
    } else if (name == "cvt") {
      out = a & mask;
    } else {
      error_ = "unknown " + name;
    }
    set(i, out & mask);
  }

  void set(const PtxInstruction& i, uint64_t bits) { registers_[i.operands[0]] = bits; }

  std::vector<PtxInstruction> code_;
  std::map<std::string, size_t> labels_;
  std::map<std::string, uint64_t> registers_;
  std::map<std::string, uint64_t> parameters_;
  std::vector<std::vector<uint8_t>*> memories_;
  std::vector<std::vector<uint32_t>> reads_;
  std::string error_;
};

}  // namespace fuseboard_test
