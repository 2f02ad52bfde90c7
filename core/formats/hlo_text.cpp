// The format "hlo": the text that XLA prints, for people and for its tests.
// It must not know plans.
#include "formats/hlo_text.h"

#include <string>
#include <utility>

#include "formats/hlo_parser.h"
#include "formats/hlo_to_graph.h"

namespace fuseboard {
namespace {

/// What inlining may add to a text's own ops; a graph of more is not planned.
constexpr uint64_t kInlinedOps = 1'000'000;
constexpr uint64_t kInlinedSteps = 4'000'000;
constexpr uint64_t kInlinedReads = 8'000'000;
constexpr uint64_t kInlinedBytes = 256'000'000;

/// What the first words say.
enum class Looks : uint8_t { unlike, module, computation, text_proto };

HloSpan word_at(const HloLexer& lexer, uint32_t at) { return {at, lexer.word_end(at) - at}; }

/// `hlo_module {` with fields inside, or fields of an HloModuleProto at the top.
bool is_text_proto(const HloLexer& lexer, uint32_t at) {
  const HloSpan word = word_at(lexer, at);
  const std::string_view text = lexer.view(word);
  uint32_t next = lexer.skip_space(at + word.length);
  const bool field = text == "name" || text == "entry_computation_name" || text == "entry_computation_id" ||
                     text == "computations" || text == "hlo_module" || text == "id" ||
                     text == "host_program_shape";
  if (!field) return false;
  if (lexer.at(next) == ':') return true;
  if (lexer.at(next) != '{') return false;
  const HloSpan inner = word_at(lexer, lexer.skip_space(next + 1));
  next = lexer.skip_space(inner.offset + inner.length);
  return inner.length > 0 && (lexer.at(next) == ':' || lexer.at(next) == '{');
}

/// `name = shape opcode(`, as far as the shape tells.
bool is_instruction(const HloLexer& lexer, uint32_t at) {
  HloSpan word = word_at(lexer, at);
  if (lexer.view(word) == "ROOT") at = lexer.skip_space(at + word.length);
  if (lexer.at(at) == '%') ++at;
  word = word_at(lexer, at);
  const uint32_t equals = lexer.skip_space(at + word.length);
  if (word.length == 0 || lexer.at(equals) != '=') return false;
  const uint32_t right = lexer.skip_space(equals + 1);
  if (lexer.at(right) == '(') return true;
  word = word_at(lexer, right);
  return word.length > 0 && (lexer.at(right + word.length) == '[' || lexer.at(right + word.length) == '(');
}

Looks look(const HloLexer& lexer) {
  uint32_t at = lexer.skip_space(lexer.begin());
  HloSpan word = word_at(lexer, at);
  if (lexer.view(word) == "HloModule") return Looks::module;
  if (is_text_proto(lexer, at)) return Looks::text_proto;
  if (is_instruction(lexer, at)) return Looks::computation;
  const bool entry = lexer.view(word) == "ENTRY";
  if (entry) at = lexer.skip_space(at + word.length);
  if (lexer.at(at) == '%') ++at;
  word = word_at(lexer, at);
  if (word.length == 0) return Looks::unlike;
  at = lexer.skip_space(at + word.length);
  if (lexer.at(at) == '(') {
    const uint32_t close = lexer.close_of(at);
    if (close == kHloNone) return Looks::unlike;
    at = lexer.skip_space(close + 1);
    if (lexer.at(at) == '-' && lexer.at(at + 1) == '>') return Looks::computation;
  }
  if (lexer.at(at) != '{') return Looks::unlike;
  return entry || is_instruction(lexer, lexer.skip_space(at + 1)) ? Looks::computation : Looks::unlike;
}

Result<ReadGraph> refuse(Code code, HloSpan span, std::string message, std::string hint) {
  Result<ReadGraph> result;
  result.diagnostics.push_back(
      {Severity::error, code, std::move(message), {span.offset, span.length, ""}, std::move(hint)});
  return result;
}

}  // namespace

bool recognise_hlo(std::string_view text) {
  if (text.size() > UINT32_MAX - 1) text = text.substr(0, UINT32_MAX - 1);
  HloProblems ignored;
  return look(HloLexer(text, ignored)) != Looks::unlike;
}

Result<ReadGraph> read_hlo(std::string_view text) {
  if (text.size() > UINT32_MAX - 1) {
    return refuse(Code::unsupported, {}, "The text is longer than 4 GiB", "Plan a smaller module.");
  }
  HloProblems problems;
  const HloLexer lexer(text, problems);
  const uint32_t start = lexer.skip_space(lexer.begin());
  if (is_text_proto(lexer, start)) {
    return refuse(Code::unsupported, word_at(lexer, start),
                  "This is an HloModuleProto written as text proto, not HLO text",
                  "Print the module with HloModule::ToString(), or dump it with --xla_dump_hlo_as_text.");
  }
  const HloModule module = parse_hlo(lexer, problems);
  HloGraph out;
  out.places.text = text;
  if (module.entry != kHloNone) {
    const uint64_t own = module.instructions.size();
    // A tuple type may hold as many arrays as there are characters.
    out.budget.steps = own + kInlinedSteps;
    out.budget.ops = text.size() / 2 + kInlinedOps;
    out.budget.reads = module.operands.size() + text.size() + kInlinedReads;
    out.budget.bytes = 4 * static_cast<uint64_t>(text.size()) + kInlinedBytes;
    build_hlo_graph(lexer, module, problems, out);
  } else if (!problems.failed()) {
    const bool named = module.name.length > 0;
    problems.error(Code::truncated, named ? module.name : HloSpan{start, 0}, {},
                   "The module has no computation",
                   "Paste the module whole: computations, and one marked ENTRY.");
  }
  if (lexer.next_module() != kHloNone) {
    const uint32_t at = lexer.skip_space(0) < lexer.end() ? lexer.next_module() : 0;
    problems.add(Severity::note, Code::unsupported, {at, 0}, {},
                 "The text holds several modules; the first one is planned",
                 "Paste one module to plan another.");
  }
  Result<ReadGraph> result;
  const bool failed = problems.failed();
  result.diagnostics = problems.take();
  std::vector<Diagnostic> found;
  if (!out.budget.exhausted) found = out.graph.validate(out.places);
  for (Diagnostic& each : found) {
    // These were complained about where the names stand.
    if (failed && (each.code == Code::dangling_input || each.code == Code::duplicate_name)) continue;
    const bool first_error = each.severity == Severity::error && !has_errors(result.diagnostics);
    if (result.diagnostics.size() >= HloProblems::kMost && !first_error) continue;
    result.diagnostics.push_back(std::move(each));
  }
  if (has_errors(result.diagnostics)) return result;
  result.value = ReadGraph{std::move(out.graph), std::move(out.places.ops)};
  return result;
}

}  // namespace fuseboard
