// HLO types: an array's dtype and dimensions, or a tuple of types.
// It must not know instructions.
#include "formats/hlo_shape.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace fuseboard {
namespace {

bool read_dtype(std::string_view word, HloArray& array) {
  if (word == "token" || word == "opaque") {
    array.dtype = DType::foreign;
    array.dtype_bytes = 1;
    array.foreign_dtype = word;
    array.shape = {0};
    return true;
  }
  if (const std::optional<DType> dtype = dtype_from_text(word)) {
    array.dtype = *dtype;
    array.dtype_bytes = dtype_bytes(*dtype);
    return true;
  }
  array.dtype = DType::foreign;
  array.dtype_bytes = foreign_dtype_bytes(word);
  array.foreign_dtype = word;
  return array.dtype_bytes > 0;
}

/// The dimension at `at`; past it, or kHloNone after a complaint.
uint32_t read_dimension(const HloLexer& lexer, uint32_t at, std::string_view path, Shape& shape,
                        HloProblems& problems) {
  const uint32_t start = at;
  if (lexer.at(at) == '<' && lexer.at(at + 1) == '=') at = lexer.skip_space(at + 2);
  if (lexer.at(at) == '?') {
    problems.error(Code::unsupported, {start, at + 1 - start}, path,
                   std::string(path) + " has an unbounded dimension; bytes need sizes",
                   "Write a size, or a bound such as `<=128`.");
    return kHloNone;
  }
  const uint32_t end = lexer.word_end(at);
  uint64_t size = 0;
  const std::string_view digits = lexer.view({at, end - at});
  const auto [stop, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (fault == std::errc::result_out_of_range) {
    problems.error(Code::overflow, {at, end - at}, path,
                   "A dimension of " + std::string(path) + " leaves 64 bits", "Use a smaller size.");
    return kHloNone;
  }
  if (fault != std::errc() || stop != digits.data() + digits.size()) {
    problems.error(Code::syntax, {at, std::max(end - at, 1U)}, path,
                   "Expected a dimension, not `" +
                       std::string(lexer.view({at, std::max(end - at, 1U)}).substr(0, 40)) + "`",
                   "Dimensions are sizes: `f32[2,3]`, or bounds: `f32[<=8]`.");
    return kHloNone;
  }
  shape.push_back(size);
  return end;
}

/// `{1,0:T(8,128)}`, whose brace opens at `at`. A list that does not order all dimensions says nothing.
HloLayout read_layout(const HloLexer& lexer, uint32_t at, const Shape& shape) {
  std::vector<uint32_t> counted(shape.size(), kHloNone);  // numbers of the dimensions that take part
  uint32_t next = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1) counted[i] = next++;
  }
  std::vector<bool> seen(shape.size(), false);
  HloLayout layout;
  size_t listed = 0;
  at = lexer.skip_space(at + 1);
  while (lexer.at(at) >= '0' && lexer.at(at) <= '9') {
    const uint32_t end = lexer.word_end(at);
    const std::string_view digits = lexer.view({at, end - at});
    uint32_t dimension = 0;
    const auto [stop, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), dimension);
    if (fault != std::errc() || stop != digits.data() + digits.size() || dimension >= shape.size()) return {};
    if (seen[dimension]) return {};
    seen[dimension] = true;
    ++listed;
    if (counted[dimension] != kHloNone) layout.push_back(counted[dimension]);
    at = lexer.skip_space(end);
    if (lexer.at(at) != ',') break;
    at = lexer.skip_space(at + 1);
  }
  const bool row_major = std::is_sorted(layout.rbegin(), layout.rend());
  return row_major || listed != shape.size() ? HloLayout() : layout;
}

/// The array type at `at`; past it and its layout, or kHloNone after a complaint.
uint32_t array_at(const HloLexer& lexer, uint32_t at, std::string_view path, HloArray& array,
                  HloProblems& problems) {
  const uint32_t end = lexer.word_end(at);
  const std::string_view word = lexer.view({at, end - at});
  const uint32_t open = lexer.skip_space(end);
  if (lexer.at(open) != '[') {
    problems.error(Code::syntax, {at, std::max(end - at, 1U)}, path, "Expected a shape such as `f32[2,3]`",
                   "A scalar is written with brackets too: `f32[]`.");
    return kHloNone;
  }
  if (!read_dtype(word, array)) {
    problems.error(Code::unknown_dtype, {at, end - at}, path,
                   "`" + std::string(word.substr(0, 40)) + "` is no element type",
                   "Types are pred, s8 to s64, u8 to u64, f16, bf16, f32, f64, f8..., c64, c128.");
    return kHloNone;
  }
  const uint32_t close = lexer.close_of(open);
  if (close == kHloNone) return kHloNone;
  at = lexer.skip_space(open + 1);
  while (at < close) {
    at = read_dimension(lexer, at, path, array.shape, problems);
    if (at == kHloNone) return kHloNone;
    at = lexer.skip_space(at);
    if (at >= close) break;
    if (lexer.at(at) != ',') {
      problems.error(Code::syntax, {at, 1}, path, "Expected , or ] after a dimension", "Write `f32[2,3]`.");
      return kHloNone;
    }
    at = lexer.skip_space(at + 1);
  }
  const uint32_t brace = lexer.skip_space(close + 1);
  if (lexer.at(brace) != '{') return close + 1;
  const uint32_t past = lexer.close_of(brace);
  if (past == kHloNone) return kHloNone;
  array.layout = read_layout(lexer, brace, array.shape);
  return past + 1;
}

/// Where the type inside `b(...)` begins; `at` itself where no buffer is written.
uint32_t inside_buffer(const HloLexer& lexer, uint32_t at, uint32_t end) {
  if (lexer.at(at) != 'b' || lexer.at(at + 1) != '(') return at;
  const uint32_t inner = lexer.skip_space(at + 2);
  return inner < end ? inner : at;
}

}  // namespace

bool is_same_order(const Shape& a, const HloLayout& a_layout, const Shape& b, const HloLayout& b_layout) {
  if (a_layout.empty() && b_layout.empty()) return true;
  if (a_layout != b_layout) return false;
  size_t i = 0, k = 0;
  while (true) {
    while (i < a.size() && a[i] == 1) ++i;
    while (k < b.size() && b[k] == 1) ++k;
    if (i == a.size() || k == b.size()) return i == a.size() && k == b.size();
    if (a[i++] != b[k++]) return false;
  }
}

std::optional<HloArray> read_array(const HloLexer& lexer, HloSpan span, std::string_view path,
                                   HloProblems& problems) {
  HloArray array;
  const uint32_t at = inside_buffer(lexer, span.offset, span.offset + span.length);
  if (array_at(lexer, at, path, array, problems) == kHloNone) return std::nullopt;
  return array;
}

std::optional<uint32_t> read_type(const HloLexer& lexer, HloSpan span, std::string_view path, HloTypes& types,
                                  HloProblems& problems) {
  const uint32_t end = span.offset + span.length;
  std::vector<uint32_t> done;    // roots of finished types whose tuple is not closed yet
  std::vector<uint32_t> starts;  // where the open tuples begin in `done`
  uint32_t leaves = 0;
  uint32_t at = inside_buffer(lexer, span.offset, end);
  while (at < end) {
    const char c = lexer.at(at);
    if (c == '(') {
      starts.push_back(static_cast<uint32_t>(done.size()));
      at = lexer.skip_space(at + 1);
      continue;
    }
    if (c == ')' && !starts.empty()) {
      HloTypeNode node;
      node.is_tuple = true;
      node.first_child = static_cast<uint32_t>(types.children.size());
      node.child_count = static_cast<uint32_t>(done.size()) - starts.back();
      types.children.insert(types.children.end(), done.begin() + starts.back(), done.end());
      done.resize(starts.back());
      starts.pop_back();
      done.push_back(static_cast<uint32_t>(types.nodes.size()));
      types.nodes.push_back(node);
      ++at;
      if (lexer.at(at) == '{') {  // a tuple's layout
        const uint32_t close = lexer.close_of(at);
        if (close == kHloNone) return std::nullopt;
        at = close + 1;
      }
    } else {
      HloArray array;
      const uint32_t inner = inside_buffer(lexer, at, end);
      const uint32_t past = array_at(lexer, inner, path, array, problems);
      if (past == kHloNone) return std::nullopt;
      HloTypeNode node;
      node.leaf = leaves++;
      node.array = static_cast<uint32_t>(types.arrays.size());
      types.arrays.push_back(std::move(array));
      done.push_back(static_cast<uint32_t>(types.nodes.size()));
      types.nodes.push_back(node);
      at = inner == at ? past : lexer.skip_space(past) + 1;
    }
    if (starts.empty()) break;
    at = lexer.skip_space(at);
    if (lexer.at(at) == ',') {
      at = lexer.skip_space(at + 1);
    } else if (lexer.at(at) != ')') {
      problems.error(Code::syntax, {at, at < lexer.end() ? 1U : 0U}, path,
                     "Expected , or ) in a tuple's shape", "A tuple's shape is `(f32[2], s32[])`.");
      return std::nullopt;
    }
  }
  if (done.size() != 1 || !starts.empty()) return std::nullopt;
  if (types.nodes[done[0]].is_tuple) types.nodes[done[0]].leaf = kHloNone;
  return done[0];
}

}  // namespace fuseboard
