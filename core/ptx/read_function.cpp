// Reads functions: their headers, and the statements of their bodies.
// It must not know single instructions.
#include <algorithm>
#include <utility>

#include "base/in_quotes.h"
#include "ptx/reading.h"

namespace fuseboard::ptx {
namespace {

constexpr uint64_t kMostBlock = 1 << 16;
constexpr uint32_t kMostAlignOfFrame = 4096;

/// ( .param ..., .param ... ) where a `(` is next.
bool read_parameters(Reading& reading, std::vector<uint32_t>& out) {
  if (!reading.lexer.accept("(")) return true;
  if (reading.lexer.accept(")")) return true;
  do {
    const std::optional<uint32_t> parameter = read_parameter(reading);
    if (!parameter) return false;
    out.push_back(*parameter);
  } while (reading.lexer.accept(","));
  return reading.require(")");
}

/// 1 to 3 numbers; what is not written is 1.
bool read_extents(Reading& reading, std::array<uint32_t, 3>& out) {
  out = {1, 1, 1};
  for (uint32_t& extent : out) {
    const std::optional<uint64_t> value = reading.require_number("a number of threads", kMostBlock);
    if (!value) return false;
    extent = static_cast<uint32_t>(*value);
    if (!reading.lexer.accept(",")) return true;
  }
  return reading.expected("no fourth number");
}

/// What stands between a header and its body (PTX ISA, Performance-Tuning and Cluster Dimension Directives).
bool read_tuning(Reading& reading, Function& function) {
  while (reading.lexer.peek().kind == TokenKind::directive) {
    const Token token = reading.lexer.take();
    std::array<uint32_t, 3> ignored{};
    if (token.is(".maxntid")) {
      if (!read_extents(reading, function.most_block)) return false;
    } else if (token.is(".reqntid")) {
      if (!read_extents(reading, function.required_block)) return false;
    } else if (token.is(".reqnctapercluster")) {
      if (!read_extents(reading, function.cluster)) return false;
    } else if (token.is(".minnctapersm") || token.is(".maxnctapersm") || token.is(".maxnreg") ||
               token.is(".maxclusterrank") || token.is(".local_maxnreg")) {
      if (!read_extents(reading, ignored)) return false;
    } else if (token.is(".pragma")) {
      if (reading.lexer.peek().kind != TokenKind::string) return reading.expected("a string");
      reading.lexer.take();
      reading.lexer.accept(";");
    } else if (token.is(".abi_preserve") || token.is(".abi_preserve_control")) {
      if (!reading.require_number("a number", kMostBlock)) return false;
    } else if (!token.is(".noreturn") && !token.is(".explicitcluster") && !token.is(".blocksareclusters")) {
      return reading.failed_at(
          Code::ptx_syntax, token.span(),
          in_quotes(token.text) + " is no directive that stands before a body",
          "known are .maxntid .reqntid .minnctapersm .maxnctapersm .maxnreg .pragma .noreturn "
          ".explicitcluster .reqnctapercluster .maxclusterrank");
    }
  }
  return true;
}

/// .loc file line column, function_name label + n, inlined_at file line column.
bool skip_location(Reading& reading) {
  reading.lexer.take();
  for (int i = 0; i < 3; ++i)
    if (!reading.require_count(~uint64_t{0})) return false;
  while (reading.lexer.accept(",")) {
    if (reading.lexer.accept("function_name")) {
      if (!reading.require_name("a label")) return false;
      if (reading.lexer.accept("+") && !reading.require_count(~uint64_t{0})) return false;
    } else if (reading.lexer.accept("inlined_at")) {
      for (int i = 0; i < 3; ++i)
        if (!reading.require_count(~uint64_t{0})) return false;
    } else {
      return reading.expected("function_name or inlined_at");
    }
  }
  return true;
}

/// The statements of one body, and where its variables lie.
class Body {
 public:
  Body(Reading& reading, Function& function) : reading_(reading), function_(function) {}

  /// Behind the `{`. Goes on after an error until the text ends.
  bool read() {
    open();
    while (!scopes_.empty()) {
      if (reading_.lexer.peek().kind == TokenKind::end) {
        reading_.expected("`}` at the end of the function");
        while (!scopes_.empty()) close();
        return false;
      }
      const uint32_t before = reading_.lexer.peek().offset;
      if (read_statement()) continue;
      if (reading_.problems.full()) {
        while (!scopes_.empty()) close();
        return false;
      }
      reading_.skip_statement();
      if (reading_.lexer.peek().offset == before && !reading_.lexer.peek().is("}")) reading_.lexer.take();
    }
    return true;
  }

  /// The frame: local variables, then the room of the calls' parameters.
  uint64_t frame_bytes(uint32_t first_variable) {
    const uint64_t base = aligned(local_, frame_align_);
    for (size_t i = first_variable; i < reading_.module.variables.size(); ++i)
      if (reading_.module.variables[i].in_frame) reading_.module.variables[i].offset += base;
    return aligned(base + most_parameters_, 8);
  }

 private:
  struct Scope {
    size_t label_uses;
    uint64_t parameters;
  };

  void open() {
    reading_.scopes.push();
    scopes_.push_back({reading_.label_uses.size(), parameters_});
  }

  /// Resolves the labels that this scope declares; other uses are the outer scope's.
  void close() {
    std::vector<LabelUse>& uses = reading_.label_uses;
    const auto first = uses.begin() + static_cast<std::ptrdiff_t>(scopes_.back().label_uses);
    uses.erase(std::remove_if(first, uses.end(), [&](const LabelUse& use) { return resolve(use); }),
               uses.end());
    parameters_ = scopes_.back().parameters;
    scopes_.pop_back();
    reading_.scopes.pop();
  }

  bool resolve(const LabelUse& use) {
    const std::optional<Symbol> symbol = reading_.scopes.find(use.name);
    if (!symbol || symbol->kind != Symbol::Kind::label || symbol->depth != reading_.scopes.depth())
      return false;
    (use.in_elements ? function_.elements : function_.operands)[use.index].index = symbol->index;
    return true;
  }

  bool read_statement() {
    const Token token = reading_.lexer.peek();
    if (reading_.lexer.accept("}")) {
      close();
      return true;
    }
    if (reading_.lexer.accept("{")) {
      if (scopes_.size() >= kMostDepth) {
        return reading_.failed_at(Code::ptx_limit, token.span(),
                                  "more than " + std::to_string(kMostDepth) + " braces are open");
      }
      open();
      return true;
    }
    if (token.kind == TokenKind::directive) return read_directive(token);
    if (token.kind == TokenKind::word && reading_.lexer.followed_by(':')) return read_label();
    if (token.kind == TokenKind::word || token.is("@")) return read_instruction(reading_, function_);
    if (token.is(";")) {
      reading_.lexer.take();
      return true;
    }
    return reading_.expected("a statement");
  }

  bool read_label() {
    const Token name = reading_.lexer.take();
    reading_.lexer.take();
    const Token& next = reading_.lexer.peek();
    if (next.is(".branchtargets") || next.is(".callprototype") || next.is(".calltargets"))
      return read_named_list(reading_, function_, name);
    const auto index = static_cast<uint32_t>(function_.instructions.size());
    if (reading_.scopes.declare(name.text, {Symbol::Kind::label, index, 1, 0})) return true;
    return reading_.failed_at(Code::ptx_duplicate_name, name.span(),
                              in_quotes(name.text) + " is declared twice in this scope");
  }

  bool read_directive(const Token& token) {
    if (token.is(".loc")) return skip_location(reading_);
    if (token.is(".pragma")) {
      reading_.lexer.take();
      if (reading_.lexer.peek().kind != TokenKind::string) return reading_.expected("a string");
      reading_.lexer.take();
      return reading_.require(";");
    }
    if (token.is(".reg")) {
      reading_.lexer.take();
      return read_register_declaration(reading_, function_);
    }
    const std::optional<StateSpace> space = space_of(token.text);
    if (!space) {
      return reading_.failed_at(Code::ptx_syntax, token.span(),
                                in_quotes(token.text) + " is no directive that stands in a body",
                                "known are .reg .param .local .shared .global .const .loc .pragma");
    }
    reading_.lexer.take();
    const size_t first = reading_.module.variables.size();
    if (!read_variable(reading_, *space, false, true)) return false;
    for (size_t i = first; i < reading_.module.variables.size(); ++i) place(reading_.module.variables[i]);
    if (local_ > kMostLocalBytes || most_parameters_ > kMostLocalBytes)
      return reading_.failed_at(Code::ptx_limit, token.span(),
                                "a thread has at most 524288 bytes of local memory");
    return true;
  }

  static std::optional<StateSpace> space_of(std::string_view text) {
    const Word word = word_from_text(text.substr(1));
    return word.is_space && word.kind == Word::Kind::unknown ? std::optional(word.space) : std::nullopt;
  }

  void place(Variable& variable) {
    if (variable.in_frame) {
      frame_align_ = std::max(frame_align_, std::min(variable.align, kMostAlignOfFrame));
      variable.offset = aligned(parameters_, variable.align);
      parameters_ = variable.offset + variable.bytes;
      most_parameters_ = std::max(most_parameters_, parameters_);
    } else if (variable.space == StateSpace::local) {
      variable.offset = aligned(local_, variable.align);
      local_ = variable.offset + variable.bytes;
    }
  }

  Reading& reading_;
  Function& function_;
  std::vector<Scope> scopes_;
  uint64_t local_ = 0;
  uint64_t parameters_ = 0;  ///< of the calls whose scopes are open
  uint64_t most_parameters_ = 0;
  uint32_t frame_align_ = 16;
};

void place_parameters(Module& module, Function& function) {
  uint64_t end = 0;
  for (const std::vector<uint32_t>& list : {function.parameters, function.returns}) {
    for (const uint32_t each : list) {
      Variable& variable = module.variables[each];
      variable.offset = aligned(end, variable.align);
      end = variable.offset + variable.bytes;
    }
  }
  function.parameter_bytes = end;
}

/// The function's place in the module: a new one, or that of its declaration.
std::optional<uint32_t> place_of(Reading& reading, const Token& name) {
  Module& module = reading.module;
  const std::optional<Symbol> symbol = reading.scopes.find(name.text);
  if (symbol && symbol->kind == Symbol::Kind::function) return symbol->index;
  const auto index = static_cast<uint32_t>(module.functions.size());
  if (symbol) {
    reading.failed_at(Code::ptx_duplicate_name, name.span(), in_quotes(name.text) + " is declared twice");
    return std::nullopt;
  }
  reading.scopes.declare_outermost(name.text, {Symbol::Kind::function, index, 1, 0});
  module.functions.emplace_back();
  module.functions.back().name = name.text;
  module.functions.back().is_declaration = true;
  return index;
}

/// Everything before the `{` or `;`. The parameters' scope is open.
bool read_header(Reading& reading, Function& header, Token& name) {
  if (reading.lexer.peek().is(".attribute")) {
    reading.lexer.take();
    while (!reading.lexer.accept(")") && reading.lexer.peek().kind != TokenKind::end) reading.lexer.take();
  }
  if (!header.is_entry && !read_parameters(reading, header.returns)) return false;
  const std::optional<Token> taken = reading.require_name("the function's name");
  if (!taken) return false;
  name = *taken;
  header.name = name.text;
  header.line = name.line;
  return read_parameters(reading, header.parameters) && read_tuning(reading, header);
}

bool same_parameters(const Module& module, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](uint32_t x, uint32_t y) {
    return module.variables[x].bytes == module.variables[y].bytes;
  });
}

/// Joins a header with what was said of the function before; false where the two disagree.
bool join(Reading& reading, Function& known, Function& header, const Token& name) {
  if (known.line != 0) {
    if (known.is_entry != header.is_entry ||
        !same_parameters(reading.module, known.parameters, header.parameters) ||
        !same_parameters(reading.module, known.returns, header.returns)) {
      return reading.failed_at(
          Code::ptx_duplicate_name, name.span(),
          in_quotes(name.text) + " has other parameters than where it was declared before");
    }
    if (!known.is_declaration && reading.lexer.peek().is("{"))
      return reading.failed_at(Code::ptx_duplicate_name, name.span(),
                               in_quotes(name.text) + " has two bodies");
    if (!known.is_declaration) return true;
  }
  header.is_declaration = true;
  known = std::move(header);
  return true;
}

/// Behind the `{`.
bool read_body(Reading& reading, Function& function, uint32_t first_variable) {
  function.is_declaration = false;
  Body body(reading, function);
  const bool is_sound = body.read();
  function.local_bytes = body.frame_bytes(first_variable);
  for (const LabelUse& use : reading.label_uses) {
    reading.problems.add(Code::ptx_unknown_name, {use.offset, static_cast<uint32_t>(use.name.size())},
                         "no label is named " + in_quotes(use.name) + " in this function");
  }
  return is_sound;
}

/// In the scope of the parameters.
bool read_whole(Reading& reading, bool is_entry) {
  const auto first_variable = static_cast<uint32_t>(reading.module.variables.size());
  reading.open_function = static_cast<uint32_t>(reading.module.functions.size());
  Function header;
  header.is_entry = is_entry;
  Token name;
  if (!read_header(reading, header, name)) return false;
  place_parameters(reading.module, header);
  if (header.parameter_bytes > kMostParameterBytes) {
    return reading.failed_at(Code::ptx_limit, name.span(),
                             "the parameters have " + std::to_string(header.parameter_bytes) +
                                 " bytes, and at most 32764 are passed");
  }
  const std::optional<uint32_t> index = place_of(reading, name);
  if (!index) return false;
  for (size_t i = first_variable; i < reading.module.variables.size(); ++i)
    reading.module.variables[i].function = *index;
  reading.open_function = *index;
  if (!join(reading, reading.module.functions[*index], header, name)) return false;
  if (reading.lexer.accept(";")) return true;
  if (!reading.require("{")) return false;
  return read_body(reading, reading.module.functions[*index], first_variable);
}

}  // namespace

bool read_function(Reading& reading, bool is_entry) {
  reading.scopes.push();
  const bool is_sound = read_whole(reading, is_entry);
  reading.scopes.pop();
  reading.label_uses.clear();
  reading.open_function = kNone;
  return is_sound;
}

}  // namespace fuseboard::ptx
