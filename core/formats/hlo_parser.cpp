// Reads the grammar of HLO text: header, stack-frame tables, computations, instructions, operands,
// attributes. It must not know what an opcode or a shape means.
#include "formats/hlo_parser.h"

#include <algorithm>
#include <string>
#include <utility>

#include "formats/hlo_names.h"

namespace fuseboard {
namespace {

/// Attributes whose value may be a computation written in place, as XLA's full-body prints have them.
bool names_computation(std::string_view key) {
  return key == "to_apply" || key == "calls" || key == "condition" || key == "body" ||
         key == "true_computation" || key == "false_computation";
}

bool names_table(std::string_view word) {
  return word == "FileNames" || word == "FunctionNames" || word == "FileLocations" || word == "StackFrames";
}

class Parser {
 public:
  Parser(const HloLexer& lexer, HloProblems& problems) : lexer_(lexer), problems_(problems) {}

  HloModule run() {
    uint32_t at = lexer_.skip_space(lexer_.begin());
    while (at < lexer_.end()) at = lexer_.skip_space(top_level(at));
    while (!bodies_.empty()) {
      const Body body = bodies_.back();
      bodies_.pop_back();
      module_.attributes[body.attribute].computation = static_cast<uint32_t>(module_.computations.size());
      instructions(body.open, body.name);
    }
    if (module_.entry == kHloNone && last_ != kHloNone) module_.entry = last_;
    return std::move(module_);
  }

 private:
  struct Body {
    uint32_t open, attribute;
    HloSpan name;
  };
  struct Nested {
    uint32_t at, end, operand;
  };

  HloSpan word(uint32_t at) const { return {at, lexer_.word_end(at) - at}; }
  /// A word behind an optional %, without it.
  HloSpan name(uint32_t at) const { return word(lexer_.at(at) == '%' ? at + 1 : at); }
  static uint32_t past(HloSpan span) { return span.offset + span.length; }

  /// Says what was expected, and underlines the word or the character that stands there instead.
  void expected(std::string what, uint32_t at, std::string_view path, std::string hint) {
    if (at >= lexer_.end() && lexer_.truncated()) return;  // said already
    HloSpan span = word(at);
    if (span.length == 0 && at < lexer_.end()) span.length = 1;
    while (span.length < 4 && (lexer_.at(at) & 0x80) != 0 && (lexer_.at(at + span.length) & 0xc0) == 0x80)
      ++span.length;
    if (lexer_.at(at) == '$' || (lexer_.at(at) == '<' && lexer_.at(at + 1) == '<')) {
      hint = "This looks like a template's placeholder; fill it in.";
    }
    const std::string found =
        at >= lexer_.end() ? "the end" : "`" + std::string(lexer_.view(span).substr(0, 40)) + "`";
    problems_.error(Code::syntax, span, path, "Expected " + std::move(what) + ", not " + found,
                    std::move(hint));
  }

  uint32_t top_level(uint32_t at) {
    HloSpan span = word(at);
    const std::string_view text = lexer_.view(span);
    if (text == "HloModule") return header(past(span));
    if (names_table(text)) return table(past(span));
    const uint32_t next = lexer_.skip_space(past(span));
    const bool entry = text == "ENTRY" && lexer_.at(next) != '{' && lexer_.at(next) != '(';
    span = name(entry ? next : at);
    if (span.length == 0) {
      expected("a computation", at, {}, "A computation is `name { ... }` or `ENTRY name { ... }`.");
      return lexer_.line_end(at) + 1;
    }
    return computation(span, entry);
  }

  uint32_t header(uint32_t at) {
    at = lexer_.skip_space(at);
    module_.name.offset = at;
    while (at < lexer_.end() && lexer_.at(at) != ',' && static_cast<unsigned char>(lexer_.at(at)) > ' ') ++at;
    module_.name.length = at - module_.name.offset;
    uint32_t ignored = 0;
    const uint32_t end = attributes(at, "HloModule", ignored);
    module_.attributes.clear();
    return end;
  }

  /// `1 "file.py"` or `1 {file_name_id=1 ...}`, a line each.
  uint32_t table(uint32_t at) const {
    at = lexer_.skip_space(at);
    while (lexer_.at(at) >= '0' && lexer_.at(at) <= '9') at = lexer_.skip_space(lexer_.line_end(at));
    return at;
  }

  uint32_t computation(HloSpan span, bool entry) {
    const std::string_view path = lexer_.view(span);
    uint32_t at = lexer_.skip_space(past(span));
    if (lexer_.at(at) == '(') {  // `(x: f32[2]) -> f32[2]` repeats what the instructions say
      const uint32_t close = lexer_.close_of(at);
      if (close == kHloNone) return lexer_.line_end(at) + 1;
      at = lexer_.skip_space(close + 1);
      if (lexer_.at(at) == '-' && lexer_.at(at + 1) == '>') {
        const HloSpan shape = shape_at(lexer_.skip_space(at + 2), path);
        if (shape.length == 0) return lexer_.line_end(at) + 1;
        at = lexer_.skip_space(past(shape));
      }
    }
    if (lexer_.at(at) != '{') {
      if (lexer_.at(at) == '=') {
        if (!std::exchange(loose_, true)) {
          problems_.error(Code::syntax, span, path,
                          "Instruction " + std::string(path) + " stands in no computation",
                          "Put the instructions into `ENTRY main { ... }`.");
        }
      } else {
        expected("{ after the computation's name " + std::string(path), at, path,
                 "A computation is `name { ... }` or `ENTRY name { ... }`.");
      }
      return lexer_.line_end(at) + 1;
    }
    const uint32_t close = lexer_.close_of(at);
    if (close == kHloNone) return lexer_.line_end(at) + 1;
    const auto index = static_cast<uint32_t>(module_.computations.size());
    if (!module_.by_name.emplace(path, index).second) {
      problems_.error(Code::duplicate_name, span, path, "Two computations are named " + std::string(path),
                      "Rename one of them.");
    }
    if (entry && module_.entry != kHloNone) {
      problems_.error(Code::syntax, span, path,
                      "A module has one ENTRY; " + std::string(path) + " is a second one",
                      "Write the second module behind a line `// -----`.");
    }
    if (entry && module_.entry == kHloNone) module_.entry = index;
    last_ = index;
    instructions(at, span);
    uint32_t ignored = 0;
    return attributes(std::min(close + 1, lexer_.end()), path, ignored);  // `}, execution_thread="host"`
  }

  /// The body whose brace opens at `open`, as one more computation.
  void instructions(uint32_t open, HloSpan span) {
    const uint32_t close = lexer_.close_of(open);
    HloComputation computation;
    computation.name = span;
    computation.first = static_cast<uint32_t>(module_.instructions.size());
    uint32_t marked = kHloNone;
    uint32_t at = lexer_.skip_space(open + 1);
    uint32_t last = kHloNone;
    while (at < close) {
      HloSpan first = word(at);
      bool is_root = false;
      const uint32_t next = lexer_.skip_space(past(first));
      if (lexer_.view(first) == "ROOT" && lexer_.at(next) != '=') {
        is_root = true;
        at = next;
      }
      last = static_cast<uint32_t>(module_.instructions.size()) - computation.first;
      if (is_root && marked != kHloNone) {
        problems_.error(Code::syntax, first, lexer_.view(span),
                        "A computation has one ROOT; " + std::string(lexer_.view(span)) + " has a second one",
                        "Remove one of the two words ROOT.");
      }
      if (is_root && marked == kHloNone) marked = last;
      const uint32_t end = instruction(at);
      at = lexer_.skip_space(end != kHloNone ? end : next_line(at, close));
    }
    size_t read = 0;
    while (read < nested_.size()) {  // reading one may find others in it
      const Nested nested = nested_[read++];
      module_.operands[nested.operand].instruction =
          static_cast<uint32_t>(module_.instructions.size()) - computation.first;
      HloInstruction instruction;
      instruction.whole = {nested.at, nested.end - nested.at};
      right_side(nested.at, instruction, false);
      // What is nested in it is counted on its own.
      instruction.text_length = instruction.shape.length + instruction.opcode.length;
      module_.instructions.push_back(instruction);
      computation.forward = true;
    }
    nested_.clear();
    computation.count = static_cast<uint32_t>(module_.instructions.size()) - computation.first;
    computation.root = marked != kHloNone ? marked : last;
    resolve_hlo_names(lexer_, computation, module_);
    module_.computations.push_back(computation);
  }

  /// Past a line that could not be read and those that continue it: up to a line that begins with `name =`.
  uint32_t next_line(uint32_t at, uint32_t close) const {
    while (at < close) {
      at = lexer_.skip_space(lexer_.line_end(at));
      HloSpan first = name(at);
      if (lexer_.view(first) == "ROOT") first = name(lexer_.skip_space(past(first)));
      const uint32_t equals = lexer_.skip_space(past(first));
      if (first.length > 0 && equals > past(first) && lexer_.at(equals) == '=') break;
    }
    return at;
  }

  /// `name = shape opcode(operands), key=value, ...`; past it, or kHloNone after a complaint. What could not
  /// be read still stands under its name, so that its readers are not complained about.
  uint32_t instruction(uint32_t at) {
    HloInstruction instruction;
    instruction.name = name(at);
    uint32_t end = kHloNone;
    body_bytes_ = 0;
    if (instruction.name.length == 0) {
      expected("an instruction", at, {}, "An instruction is `name = shape opcode(operands)`.");
    } else {
      const uint32_t equals = lexer_.skip_space(past(instruction.name));
      const std::string_view path = lexer_.view(instruction.name);
      if (lexer_.at(equals) == '=') {
        end = right_side(equals + 1, instruction, true);
      } else {
        expected("= after " + std::string(path), equals, path,
                 "An instruction is `name = shape opcode(operands)`.");
      }
      instruction.whole = {at, std::max(past(instruction.whole), past(instruction.name)) - at};
      instruction.text_length = end == kHloNone ? instruction.whole.length : end - at - body_bytes_;
    }
    module_.instructions.push_back(instruction);
    return end;
  }

  /// `f32[2,3]{1,0}`, `(f32[], token[])`, `b(f32[2])`; empty where none stands, or after a complaint.
  HloSpan shape_at(uint32_t at, std::string_view path) {
    uint32_t end = at;
    const HloSpan first = word(at);
    const uint32_t open = past(first);
    if (lexer_.at(open) == '(' && (first.length == 0 || lexer_.view(first) == "b")) {
      end = lexer_.close_of(open);
    } else if (first.length > 0 && lexer_.at(lexer_.skip_space(open)) == '[') {
      end = lexer_.close_of(lexer_.skip_space(open));
      const uint32_t brace = end == kHloNone ? end : lexer_.skip_space(end + 1);
      if (lexer_.at(brace) == '{') {
        // A layout, unless it is the brace of the computation: `-> f32[] {`.
        const char inner = lexer_.at(lexer_.skip_space(brace + 1));
        const bool beside = brace == end + 1 && (inner == '}' || inner == 'D');
        if (beside || (inner >= '0' && inner <= '9') || inner == ':') end = lexer_.close_of(brace);
      }
    } else {
      expected("a shape", at, path, "A shape is `f32[2,3]`, `f32[]` or `(f32[2], s32[])`.");
      return {at, 0};
    }
    if (end == kHloNone) return {at, 0};
    return {at, std::min(end + 1, lexer_.end()) - at};
  }

  uint32_t right_side(uint32_t at, HloInstruction& instruction, bool with_attributes) {
    const std::string_view path = lexer_.view(instruction.name);
    at = lexer_.skip_space(at);
    const HloSpan first = word(at);
    if (first.length == 0 || lexer_.at(past(first)) != '(' || lexer_.view(first) == "b") {
      instruction.shape = shape_at(at, path);
      if (instruction.shape.length == 0) return kHloNone;
      at = lexer_.skip_space(past(instruction.shape));
    }
    instruction.opcode = word(at);
    if (instruction.opcode.length == 0) {
      expected("an opcode", at, path, "An instruction is `name = shape opcode(operands)`.");
      return kHloNone;
    }
    const uint32_t open = lexer_.skip_space(past(instruction.opcode));
    if (lexer_.at(open) != '(') {
      expected("( after the opcode " + std::string(lexer_.view(instruction.opcode)), open, path,
               "An instruction is `name = shape opcode(operands)`.");
      return kHloNone;
    }
    const uint32_t close = lexer_.close_of(open);
    if (close == kHloNone) return kHloNone;
    instruction.argument = {open + 1, close - open - 1};
    const uint32_t end = std::min(close + 1, lexer_.end());
    const uint32_t start = instruction.name.length > 0 ? instruction.name.offset : at;
    if (instruction.whole.length == 0) instruction.whole = {start, end - start};
    const std::string_view opcode = lexer_.view(instruction.opcode);
    if (opcode != "parameter" && opcode != "constant" && !operands(open + 1, close, instruction))
      return kHloNone;
    if (!with_attributes) return end;
    instruction.first_attribute = static_cast<uint32_t>(module_.attributes.size());
    return attributes(end, path, instruction.attribute_count, instruction.name);
  }

  bool operands(uint32_t at, uint32_t close, HloInstruction& instruction) {
    const std::string_view path = lexer_.view(instruction.name);
    instruction.first_operand = static_cast<uint32_t>(module_.operands.size());
    at = lexer_.skip_space(at);
    while (at < close) {
      const uint32_t start = at;
      HloSpan first = word(at);
      bool typed = false;
      const char after = lexer_.at(lexer_.skip_space(past(first)));
      if (lexer_.at(at) == '(' || (first.length > 0 && after == '[') ||
          (lexer_.view(first) == "b" && lexer_.at(past(first)) == '(')) {
        const HloSpan shape = shape_at(at, path);
        if (shape.length == 0) return false;
        typed = true;
        at = lexer_.skip_space(past(shape));
        first = word(at);
      }
      HloOperand operand;
      operand.name = name(at);
      if (operand.name.length == 0) {
        expected(typed ? "the operand's name after its shape" : "an operand", at, path,
                 "Operands are names: `add(x, y)` or `add(f32[2] %x, f32[2] %y)`.");
        return false;
      }
      at = past(operand.name);
      if (lexer_.at(at) == '(' && first.length > 0) {  // an instruction without a name of its own
        const uint32_t end = lexer_.close_of(at);
        if (end == kHloNone) return false;
        at = std::min(end + 1, lexer_.end());
        operand.name = {start, at - start};
        nested_.push_back({start, at, static_cast<uint32_t>(module_.operands.size())});
      }
      operand.path.offset = at;
      while (lexer_.at(at) == '#') at = lexer_.word_end(at + 1);
      operand.path.length = at - operand.path.offset;
      module_.operands.push_back(operand);
      ++instruction.operand_count;
      at = lexer_.skip_space(at);
      if (at >= close) break;
      if (lexer_.at(at) != ',') {
        expected(", or ) after an operand", at, path, "Operands are separated by commas.");
        return false;
      }
      at = lexer_.skip_space(at + 1);
    }
    return true;
  }

  /// `, key=value` as often as it stands there; past them. The last value ends its instruction.
  uint32_t attributes(uint32_t at, std::string_view path, uint32_t& count, HloSpan owner = {}) {
    while (true) {
      const uint32_t comma = lexer_.skip_space(at);
      if (lexer_.at(comma) != ',') return at;
      const uint32_t start = lexer_.skip_space(comma + 1);
      const HloSpan key = word(start);
      const uint32_t equals = lexer_.skip_space(past(key));
      if (key.length == 0 || lexer_.at(equals) != '=') {
        expected("an attribute `key=value` after the comma", key.length == 0 ? start : equals, path,
                 "Remove the comma, or write the attribute.");
        return lexer_.line_end(start);
      }
      const uint32_t begin = lexer_.skip_space(equals + 1);
      const uint32_t end = lexer_.value_end(begin, lexer_.view(key) == "literal");
      if (end == begin) {
        expected("a value for the attribute " + std::string(lexer_.view(key)), begin, path, {});
        return lexer_.line_end(start);
      }
      const std::string_view text = lexer_.view(key);
      if (text != "metadata") {
        if (lexer_.at(begin) == '{' && names_computation(text) && is_body(begin)) {
          body_bytes_ += end - begin;
          bodies_.push_back({begin, static_cast<uint32_t>(module_.attributes.size()), owner});
        }
        module_.attributes.push_back({text, {begin, end - begin}, kHloNone});
        ++count;
      }
      at = end;
    }
  }

  /// Whether the brace opens on instructions, not on a list of names.
  bool is_body(uint32_t open) const {
    if (lexer_.close_of(open) == kHloNone) return false;  // complained about already
    HloSpan first = name(lexer_.skip_space(open + 1));
    if (lexer_.view(first) == "ROOT") first = name(lexer_.skip_space(past(first)));
    return first.length > 0 && lexer_.at(lexer_.skip_space(past(first))) == '=';
  }

  const HloLexer& lexer_;
  HloProblems& problems_;
  HloModule module_;
  std::vector<Body> bodies_;
  std::vector<Nested> nested_;
  uint32_t last_ = kHloNone;
  uint32_t body_bytes_ = 0;  ///< of the instruction at hand: text of computations written in place
  bool loose_ = false;
};

}  // namespace

HloModule parse_hlo(const HloLexer& lexer, HloProblems& problems) { return Parser(lexer, problems).run(); }

}  // namespace fuseboard
