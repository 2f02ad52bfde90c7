// What stands behind the parentheses of one instruction, as the op table's attributes; and scalar literals.
// It must not know graphs: it sees one instruction.
#include "formats/hlo_attributes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

namespace fuseboard {
namespace {

using Ints = std::vector<int64_t>;

/// What a string says: `\"` for a quote, `\n`, `\x41` or `\101` for a character, as C writes them.
std::string unescaped(std::string_view text) {
  constexpr std::string_view kLetters = "abfnrtv";
  constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v";
  std::string out;
  size_t at = 0;
  while (at < text.size()) {
    const char c = text[at++];
    if (c != '\\' || at == text.size()) {
      out += c;
      continue;
    }
    const bool hex = text[at] == 'x';
    const char* first = text.data() + at + (hex ? 1 : 0);
    const size_t most = hex ? 2 : 3;
    const char* last = first + std::min(most, static_cast<size_t>(text.data() + text.size() - first));
    uint8_t code = 0;
    const auto [stop, fault] = std::from_chars(first, last, code, hex ? 16 : 8);
    if (fault == std::errc() && stop != first) {
      out += static_cast<char>(code);
      at = static_cast<size_t>(stop - text.data());
      continue;
    }
    const size_t letter = kLetters.find(text[at]);
    out += letter == std::string_view::npos ? text[at] : kMeanings[letter];
    ++at;
  }
  return out;
}

/// The attributes of one instruction, read on demand.
class Reader {
 public:
  Reader(const HloLexer& lexer, const HloModule& module, const HloInstruction& instruction,
         HloProblems& problems)
      : lexer_(lexer), module_(module), instruction_(instruction), problems_(problems) {}

  std::string_view opcode() const { return lexer_.view(instruction_.opcode); }
  std::string_view path() const { return lexer_.view(instruction_.name); }

  const HloAttribute* find(std::string_view key) const { return module_.attribute(instruction_, key); }

  const HloAttribute* need(std::string_view key, std::string_view example) {
    const HloAttribute* found = find(key);
    if (found == nullptr) {
      problems_.error(
          Code::bad_attribute, instruction_.opcode, path(),
          std::string(opcode()) + " " + std::string(path()) + " has no attribute " + std::string(key),
          "Write `, " + std::string(key) + "=" + std::string(example) + "` behind the operands.");
    }
    return found;
  }

  void complain(const HloAttribute& attribute, HloSpan at, std::string_view example) {
    problems_.error(
        Code::bad_attribute, at, path(),
        "The attribute " + std::string(attribute.key) + " of " + std::string(path()) + " cannot be read",
        "It is written `" + std::string(attribute.key) + "=" + std::string(example) + "`.");
  }

  /// Rows of integers: `{0,1}` is one row a number, `{[0:4:2], [1:3]}` or `0_0x1_2` as many as stand there,
  /// separated within by `inner` and between by `outer`. Nothing after a complaint.
  std::optional<std::vector<Ints>> rows(const HloAttribute& attribute, char outer, char inner, size_t most,
                                        std::string_view example) {
    const HloSpan value = attribute.value;
    const uint32_t end = value.offset + value.length;
    std::vector<Ints> out;
    bool fresh = true;
    uint32_t at = lexer_.skip_space(value.offset);
    while (at < end) {
      const char c = lexer_.at(at);
      if (c == outer) fresh = true;
      if (c == outer || c == '{' || c == '[' || c == ']' || c == '}' || (c == inner && !fresh)) {
        at = lexer_.skip_space(at + 1);
        continue;
      }
      uint32_t stop = at + (c == '-' ? 1 : 0);
      while (lexer_.at(stop) >= '0' && lexer_.at(stop) <= '9') ++stop;
      int64_t number = 0;
      const std::string_view digits = lexer_.view({at, stop - at});
      const auto [last, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
      if (fault != std::errc() || last != digits.data() + digits.size() ||
          (!fresh && out.back().size() == most)) {
        complain(attribute, {at, std::max(stop - at, 1U)}, example);
        return std::nullopt;
      }
      if (fresh) out.emplace_back();
      out.back().push_back(number);
      fresh = false;
      at = lexer_.skip_space(stop);
    }
    return out;
  }

  /// `key={0,2}` as attribute `name` of `op`.
  void ints(std::string_view key, std::string_view name, FusionOp& op, bool required) {
    const HloAttribute* found = required ? need(key, "{0,1}") : find(key);
    if (found == nullptr) return;
    const auto read = rows(*found, ',', '\0', 1, "{0,1}");
    if (!read) return;
    Ints values;
    for (const Ints& row : *read) values.push_back(row[0]);
    op.attributes.push_back({std::string(name), std::move(values)});
  }

  std::optional<int64_t> integer(std::string_view key) {
    const HloAttribute* found = need(key, "0");
    if (found == nullptr) return std::nullopt;
    const std::string_view digits = lexer_.view(found->value);
    int64_t number = 0;
    const auto [last, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (fault == std::errc() && last == digits.data() + digits.size()) return number;
    complain(*found, found->value, "0");
    return std::nullopt;
  }

  void integer(std::string_view key, std::string_view name, FusionOp& op) {
    if (const std::optional<int64_t> value = integer(key))
      op.attributes.push_back({std::string(name), *value});
  }

  /// concatenate's `dimensions={1}` is one number.
  void one_of(std::string_view key, std::string_view name, FusionOp& op) {
    const HloAttribute* found = need(key, "{1}");
    if (found == nullptr) return;
    const auto read = rows(*found, ',', '\0', 1, "{1}");
    if (!read) return;
    if (read->size() != 1) return complain(*found, found->value, "{1}");
    op.attributes.push_back({std::string(name), read->front()[0]});
  }

  /// `slice={[0:4], [1:9:2]}`.
  void slice(FusionOp& op) {
    const HloAttribute* found = need("slice", "{[0:4], [1:9:2]}");
    if (found == nullptr) return;
    const auto read = rows(*found, ',', ':', 3, "{[0:4], [1:9:2]}");
    if (!read) return;
    Ints starts, limits, strides;
    for (const Ints& row : *read) {
      if (row.size() < 2) return complain(*found, found->value, "{[0:4], [1:9:2]}");
      starts.push_back(row[0]);
      limits.push_back(row[1]);
      strides.push_back(row.size() > 2 ? row[2] : 1);
    }
    add("starts", std::move(starts), "limits", std::move(limits), "strides", std::move(strides), op);
  }

  /// `padding=0_0x1_2_1`: low, high and what goes between elements.
  void padding(FusionOp& op) {
    if (op.output_shape.empty() && find("padding") == nullptr) return;
    const HloAttribute* found = need("padding", "0_0x1_2");
    if (found == nullptr) return;
    const auto read = rows(*found, 'x', '_', 3, "0_0x1_2");
    if (!read) return;
    Ints low, high, interior;
    for (const Ints& row : *read) {
      if (row.size() < 2) return complain(*found, found->value, "0_0x1_2");
      low.push_back(row[0]);
      high.push_back(row[1]);
      interior.push_back(row.size() > 2 ? row[2] : 0);
    }
    add("low", std::move(low), "high", std::move(high), "interior", std::move(interior), op);
  }

  void target(FusionOp& op) {
    const HloAttribute* found = find("custom_call_target");
    if (found == nullptr) return;
    std::string_view text = lexer_.view(found->value);
    if (text.size() > 1 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    op.attributes.push_back({"target", unescaped(text)});
  }

 private:
  static void add(const char* a, Ints x, const char* b, Ints y, const char* c, Ints z, FusionOp& op) {
    op.attributes.push_back({a, std::move(x)});
    op.attributes.push_back({b, std::move(y)});
    op.attributes.push_back({c, std::move(z)});
  }

  const HloLexer& lexer_;
  const HloModule& module_;
  const HloInstruction& instruction_;
  HloProblems& problems_;
};

}  // namespace

void read_attributes(const HloLexer& lexer, const HloModule& module, const HloInstruction& instruction,
                     FusionOp& op, HloProblems& problems) {
  if (op.kind == OpKind::foreign) return;
  Reader reader(lexer, module, instruction, problems);
  const std::string_view opcode = reader.opcode();
  if (opcode == "broadcast") {
    // Without dimensions the operand is a scalar: no dimension of it lands anywhere.
    reader.ints("dimensions", "axes", op, false);
    if (op.attribute("axes") == nullptr) op.attributes.push_back({"axes", Ints{}});
  }
  if (opcode == "reduce" || opcode == "reverse") reader.ints("dimensions", "axes", op, true);
  if (opcode == "transpose") reader.ints("dimensions", "perm", op, true);
  if (opcode == "concatenate") reader.one_of("dimensions", "axis", op);
  if (opcode == "iota") reader.integer("iota_dimension", "axis", op);
  if (opcode == "slice") reader.slice(op);
  if (opcode == "pad") reader.padding(op);
  if (opcode == "custom-call") reader.target(op);
  if (opcode == "reduce-precision") {
    reader.integer("exponent_bits", "exponent_bits", op);
    reader.integer("mantissa_bits", "mantissa_bits", op);
  }
}

std::optional<int64_t> read_int(const HloLexer& lexer, const HloModule& module,
                                const HloInstruction& instruction, std::string_view key,
                                HloProblems& problems) {
  return Reader(lexer, module, instruction, problems).integer(key);
}

std::vector<int64_t> read_ints(const HloLexer& lexer, const HloModule& module,
                               const HloInstruction& instruction, std::string_view key,
                               HloProblems& problems) {
  FusionOp holder;
  Reader(lexer, module, instruction, problems).ints(key, key, holder, false);
  return holder.attributes.empty() ? Ints{} : std::get<Ints>(holder.attributes[0].value);
}

std::optional<uint32_t> read_parameter_number(const HloLexer& lexer, const HloInstruction& instruction,
                                              HloProblems& problems) {
  const uint32_t at = lexer.skip_space(instruction.argument.offset);
  const HloSpan span{at, lexer.word_end(at) - at};
  const std::string_view digits = lexer.view(span);
  uint32_t number = 0;
  const auto [stop, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (fault == std::errc() && stop == digits.data() + digits.size()) return number;
  const std::string_view name = lexer.view(instruction.name);
  problems.error(Code::syntax, {at, std::max(span.length, at < lexer.end() ? 1U : 0U)}, name,
                 "Expected the number of the parameter " + std::string(name.substr(0, 80)),
                 "Write `parameter(0)`.");
  return std::nullopt;
}

std::optional<AttributeValue> read_scalar(const HloLexer& lexer, const HloInstruction& instruction,
                                          DType dtype, std::string_view foreign_dtype,
                                          HloProblems& problems) {
  const uint32_t at = lexer.skip_space(instruction.argument.offset);
  const uint32_t close = instruction.argument.offset + instruction.argument.length;
  uint32_t end = at;
  while (end<close&& static_cast<unsigned char>(lexer.at(end))> ' ' && lexer.at(end) != '/') ++end;
  const std::string_view text = lexer.view({at, end - at});
  if (foreign_dtype.starts_with("c") || text.starts_with("{")) return std::nullopt;
  const bool narrow_int = foreign_dtype.starts_with("s") || foreign_dtype.starts_with("u");
  const std::string_view name = lexer.view(instruction.name);
  const auto complain = [&](std::string_view why) -> std::optional<AttributeValue> {
    problems.error(Code::bad_attribute, {at, std::max(end - at, at < close ? 1U : 0U)}, name,
                   "The literal of " + std::string(name) + " " + std::string(why),
                   "Write for example `constant(1)`.");
    return std::nullopt;
  };
  if (lexer.skip_space(end) < close || text.empty()) return complain("is not one scalar");
  if (dtype == DType::boolean) {
    if (text == "true" || text == "1") return AttributeValue(true);
    if (text == "false" || text == "0") return AttributeValue(false);
    return complain("is neither true nor false");
  }
  const DTypeClass group = dtype_class(dtype);
  const char* first = text.data();
  const char* last = text.data() + text.size();
  if (group == DTypeClass::Signed || group == DTypeClass::Unsigned || narrow_int) {
    const uint32_t bits = narrow_int ? static_cast<uint32_t>(foreign_dtype[1] - '0') : 8 * dtype_bytes(dtype);
    if (group == DTypeClass::Signed || foreign_dtype.starts_with("s")) {
      int64_t value = 0;
      const auto [stop, fault] = std::from_chars(first, last, value);
      if (fault == std::errc::invalid_argument || (fault == std::errc() && stop != last))
        return complain("is no integer");
      const int64_t top = bits == 64 ? INT64_MAX : (int64_t{1} << (bits - 1)) - 1;
      if (fault != std::errc() || value > top || value < -top - 1) return complain("does not fit its type");
      return AttributeValue(value);
    }
    uint64_t value = 0;
    const auto [stop, fault] = std::from_chars(first, last, value);
    if (fault == std::errc::invalid_argument || (fault == std::errc() && stop != last)) {
      return complain("is no unsigned integer");
    }
    if (fault != std::errc() || (bits < 64 && value >> bits != 0)) return complain("does not fit its type");
    return AttributeValue(value);
  }
  if (text.starts_with("nan(") || text.starts_with("-nan")) return AttributeValue(std::nan(""));
  const std::string copy(text);
  char* stop = nullptr;
  const double value = std::strtod(copy.c_str(), &stop);
  if (stop != copy.c_str() + copy.size()) return complain("is no number");
  return AttributeValue(value);
}

}  // namespace fuseboard
