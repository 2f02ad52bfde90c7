// Reads the statements of a module: version, target, variables, functions, debug directives.
// It must not know what stands in a body.
#include <limits>
#include <utility>
#include <vector>

#include "base/in_quotes.h"
#include "ptx/read.h"
#include "ptx/reading.h"

namespace fuseboard::ptx {
namespace {

bool read_version(Reading& reading) {
  const Token token = reading.lexer.peek();
  if (token.kind != TokenKind::number) return reading.expected("a version such as 8.6");
  reading.lexer.take();
  const size_t dot = token.text.find('.');
  const bool has_form = dot != std::string_view::npos && dot >= 1 && dot <= 2 && dot + 2 == token.text.size();
  uint32_t version = 0;
  for (const char c : token.text) {
    if (c != '.' && (c < '0' || c > '9')) version = 1000;
    if (c != '.' && version < 1000) version = version * 10 + static_cast<uint32_t>(c - '0');
  }
  if (!has_form || version >= 1000)
    return reading.failed_at(Code::ptx_syntax, token.span(), "a version has the form 8.6");
  reading.module.version = version;
  return true;
}

/// .target sm_90a, debug, ...
bool read_target(Reading& reading) {
  const std::optional<Token> name = reading.require_name("a target such as sm_90");
  if (!name) return false;
  if (!name->text.starts_with("sm_"))
    return reading.failed_at(Code::ptx_syntax, name->span(), "a target has the form sm_90",
                             "write .target sm_90");
  reading.module.target = name->text;
  while (reading.lexer.accept(","))
    if (!reading.require_name("an option of the target")) return false;
  return true;
}

bool read_address_size(Reading& reading) {
  const Token token = reading.lexer.peek();
  const std::optional<uint64_t> bits = reading.require_count(64);
  if (!bits) return false;
  if (*bits != 32 && *bits != 64)
    return reading.failed_at(Code::ptx_syntax, token.span(), "an address has 32 or 64 bits");
  reading.module.address_bits = static_cast<uint32_t>(*bits);
  return true;
}

/// .file 1 "name", time, size
bool skip_file(Reading& reading) {
  if (!reading.require_count(std::numeric_limits<uint32_t>::max())) return false;
  if (reading.lexer.peek().kind != TokenKind::string) return reading.expected("a file's name in quotes");
  reading.lexer.take();
  while (reading.lexer.accept(","))
    if (!reading.require_count(~uint64_t{0})) return false;
  return true;
}

/// .section .debug_info { ... }: nothing that a run needs.
bool skip_section(Reading& reading) {
  while (!reading.lexer.peek().is("{")) {
    if (reading.lexer.peek().kind == TokenKind::end) return reading.expected("`{`");
    reading.lexer.take();
  }
  reading.lexer.take();
  return reading.lexer.skip_block() || reading.expected("`}` at the end of the section");
}

bool read_alias(Reading& reading) {
  const std::optional<Token> name = reading.require_name("a function's other name");
  if (!name || !reading.require(",")) return false;
  const std::optional<Token> meant = reading.require_name("a function");
  if (!meant) return false;
  const std::optional<Symbol> symbol = reading.scopes.find(meant->text);
  if (!symbol || symbol->kind != Symbol::Kind::function) {
    return reading.failed_at(Code::ptx_unknown_name, meant->span(),
                             "no function is named " + in_quotes(meant->text) + " before this place");
  }
  const std::optional<Symbol> known = reading.scopes.find(name->text);
  if (!known) {
    reading.scopes.declare(name->text, *symbol);
  } else if (known->kind == Symbol::Kind::function && reading.module.functions[known->index].is_declaration) {
    reading.aliases.emplace_back(known->index, symbol->index);
  } else {
    return reading.failed_at(Code::ptx_duplicate_name, name->span(),
                             in_quotes(name->text) + " is declared twice");
  }
  return reading.require(";");
}

/// Whoever names a header that an alias stands for means the alias's function.
void resolve_aliases(Reading& reading) {
  if (reading.aliases.empty()) return;
  std::vector<uint32_t> meant(reading.module.functions.size());
  for (uint32_t i = 0; i < meant.size(); ++i) meant[i] = i;
  for (const auto& [name, function] : reading.aliases) meant[name] = function;
  for (Function& each : reading.module.functions) {
    for (std::vector<Operand>* list : {&each.operands, &each.elements})
      for (Operand& operand : *list)
        if (operand.kind == OperandKind::function) operand.index = meant[operand.index];
  }
  for (Variable& each : reading.module.variables)
    for (Variable::Pointer& pointer : each.pointers)
      if (pointer.is_function) pointer.variable = meant[pointer.variable];
}

bool skip_string(Reading& reading) {
  if (reading.lexer.peek().kind != TokenKind::string) return reading.expected("a string");
  reading.lexer.take();
  reading.lexer.accept(";");
  return true;
}

/// .visible .extern .weak .common before what they are said of.
bool read_linkage(Reading& reading) {
  bool is_extern = false;
  while (true) {
    const Token token = reading.lexer.peek();
    if (!token.is(".visible") && !token.is(".extern") && !token.is(".weak") && !token.is(".common")) break;
    is_extern = is_extern || token.is(".extern");
    reading.lexer.take();
  }
  const Token token = reading.lexer.peek();
  if (reading.lexer.accept(".entry")) return read_function(reading, true);
  if (reading.lexer.accept(".func")) return read_function(reading, false);
  const bool is_data = token.is(".global") || token.is(".const") || token.is(".shared");
  if (!is_data) return reading.expected(".entry, .func, .global, .const or .shared");
  reading.lexer.take();
  return read_variable(reading, word_from_text(token.text.substr(1)).space, is_extern, false);
}

bool read_statement(Reading& reading) {
  const Token token = reading.lexer.peek();
  if (token.kind != TokenKind::directive) return reading.expected("a directive such as .visible .entry");
  if (reading.lexer.accept(".version")) return read_version(reading);
  if (reading.module.version == 0) {
    return reading.failed_at(Code::ptx_syntax, token.span(), "a module begins with its .version",
                             "write .version 8.1 and .target sm_75 first");
  }
  if (reading.lexer.accept(".target")) return read_target(reading);
  if (reading.lexer.accept(".address_size")) return read_address_size(reading);
  if (reading.lexer.accept(".file")) return skip_file(reading);
  if (reading.lexer.accept(".section")) return skip_section(reading);
  if (reading.lexer.accept(".pragma")) return skip_string(reading);
  if (reading.lexer.accept(".alias")) return read_alias(reading);
  return read_linkage(reading);
}

/// To where a module's next statement may begin: a function's body is passed as a whole.
void recover(Reading& reading) {
  while (reading.lexer.peek().kind != TokenKind::end) {
    const Token token = reading.lexer.take();
    if (token.is(";")) return;
    if (token.is("{")) {
      reading.lexer.skip_block();
      return;
    }
    const Token& next = reading.lexer.peek();
    if (next.is(".visible") || next.is(".entry") || next.is(".func")) return;
  }
}

}  // namespace

Result<Module> read_module(std::string_view text) {
  Result<Module> result;
  if (text.size() >= std::numeric_limits<uint32_t>::max() - 16) {
    result.diagnostics.push_back(
        {Severity::error, Code::ptx_limit, "the text has 4 GiB or more", {}, "split the module"});
    return result;
  }
  Reading reading(text);
  while (reading.lexer.peek().kind != TokenKind::end && !reading.problems.full())
    if (!read_statement(reading)) recover(reading);
  if (reading.problems.empty() && reading.module.version == 0)
    reading.problems.add(Code::ptx_syntax, {0, 0}, "the text holds no PTX module: it has no .version");
  if (reading.problems.empty()) resolve_aliases(reading);
  if (reading.problems.empty()) lay_out(reading);
  if (reading.problems.empty()) result.value = std::move(reading.module);
  result.diagnostics = reading.problems.take();
  return result;
}

}  // namespace fuseboard::ptx
