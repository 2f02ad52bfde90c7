// Compiles the cells of instructions.def, and holds the words of an instruction against them.
// It must not know operands, nor modules.
#include "ptx/forms.h"

#include <algorithm>
#include <initializer_list>
#include <unordered_map>

#include "base/words.h"

namespace fuseboard::ptx {
namespace {

constexpr size_t kHint = 200;

std::string_view space_text(uint32_t space) {
  constexpr std::string_view kTexts[] = {"generic", "global", "shared", "local", "param", "const"};
  return kTexts[space];
}

uint64_t bit(Type type) { return uint64_t{1} << static_cast<uint32_t>(type); }

uint32_t bit(StateSpace space) { return uint32_t{1} << static_cast<uint32_t>(space); }

void read_words_of_form(std::string_view cell, Form& form) {
  while (!cell.empty()) {
    std::string_view token = take_until(cell, ' ');
    if (token.empty()) continue;
    const bool required = !token.ends_with('?');
    if (!required) token.remove_suffix(1);
    Modifiers modifiers;
    uint64_t types = 0;
    uint32_t spaces = 0, vectors = 0;
    while (!token.empty()) {
      const Word word = word_from_text(take_until(token, ','));
      if (word.kind == Word::Kind::modifier) modifiers.add(static_cast<Modifier>(word.value));
      if (word.kind == Word::Kind::type) types |= bit(static_cast<Type>(word.value));
      if (word.kind == Word::Kind::vector) vectors |= uint32_t{1} << word.value;
      if (word.kind == Word::Kind::unknown && word.is_space) spaces |= bit(word.space);
    }
    if (!modifiers.empty()) {
      form.groups.push_back({modifiers, required});
      form.allowed = form.allowed.either(modifiers);
    }
    if (types != 0) form.types.push_back(types);
    if (spaces != 0) form.spaces.push_back({spaces, required});
    if (vectors != 0) {
      form.vectors = vectors;
      form.vector_required = required;
    }
  }
}

SlotKind slot_kind(std::string_view text) {
  if (text == "#") return SlotKind::immediate;
  if (text == "{}") return SlotKind::registers;
  if (text.starts_with('[')) return SlotKind::address;
  if (text == "label") return SlotKind::label;
  if (text == "targets") return SlotKind::targets;
  if (text == "call") return SlotKind::call;
  if (text.size() == 2 && text[0] == 'r') return SlotKind::wider;
  if (text.size() == 2 && text[0] == 'v') return SlotKind::vector;
  if (text.size() == 2 && text[0] == 'm') return SlotKind::moved;
  if (text.size() == 2 && text[0] == 'a') return SlotKind::address_of;
  return SlotKind::value;
}

OperandSlot read_slot(std::string_view text) {
  OperandSlot slot;
  slot.is_optional = text.ends_with('?');
  if (slot.is_optional) text.remove_suffix(1);
  slot.is_second = text.starts_with('|') || text.starts_with('/') || text == "~";
  slot.is_never_written = text == "~";
  slot.must_be_written = text.starts_with('/');
  slot.is_destination = slot.is_second || text.starts_with('=');
  if (slot.is_destination) text.remove_prefix(1);
  slot.may_be_sink = slot.is_second || text.starts_with('_');
  if (text.starts_with('_')) text.remove_prefix(1);
  slot.kind = slot_kind(text);
  slot.is_wide = text.size() == 2 && text[0] == 'w';
  if (const std::optional<Type> type = type_from_text(text)) slot.fixed = *type;
  if (slot.kind == SlotKind::address) text.remove_suffix(1);
  if (!text.empty() && text.back() >= '0' && text.back() <= '9')
    slot.index = static_cast<uint8_t>(text.back() - '0');
  return slot;
}

Form read_form(std::string_view cell) {
  Form form;
  const size_t colon = cell.starts_with(':') ? 0 : cell.find(" :") + 1;  // L2::evict_last has colons too
  read_words_of_form(cell.substr(0, colon), form);
  cell.remove_prefix(colon + 1);
  while (!cell.empty()) {
    const std::string_view text = take_until(cell, ' ');
    if (!text.empty()) form.slots.push_back(read_slot(text));
  }
  return form;
}

struct Row {
  std::vector<Form> forms;
  Modifiers allowed;
  uint64_t types = 0;
  uint32_t spaces = 0;
  uint32_t vectors = 0;
};

Row read_row(std::initializer_list<std::string_view> cells) {
  Row row;
  for (const std::string_view cell : cells) {
    const Form& form = row.forms.emplace_back(read_form(cell));
    row.allowed = row.allowed.either(form.allowed);
    for (const uint64_t types : form.types) row.types |= types;
    for (const Form::Space& space : form.spaces) row.spaces |= space.any_of;
    row.vectors |= form.vectors;
  }
  return row;
}

const std::vector<Row>& table() {
  static const std::vector<Row> rows = {
#define INSTRUCTION(identifier, text, instruction_class, section, ...) read_row({__VA_ARGS__}),
#include "ptx/instructions.def"
  };
  return rows;
}

const Row& row_of(Opcode opcode) { return table()[static_cast<size_t>(opcode)]; }

/// What is wrong with some words for some form, and how far they went along with it.
struct Mismatch {
  size_t agreed = 0;   ///< words and kinds that fit, more is nearer
  std::string reason;  ///< empty: the form takes the words
};

template <class Has>
std::string listed(size_t count, const Has& has) {
  std::string all;
  for (size_t i = 0; i < count; ++i) {
    const std::string_view text = has(i);
    if (text.empty()) continue;
    if (all.size() > kHint) return all.append(" ...");
    if (!all.empty()) all += ' ';
    all.append(".").append(text);
  }
  return all;
}

std::string modifiers_text(const Modifiers& modifiers) {
  return listed(kModifiers, [&](size_t i) {
    const Modifier each = static_cast<Modifier>(i);
    return modifiers.has(each) ? modifier_text(each) : std::string_view();
  });
}

std::string types_text(uint64_t types) {
  return listed(64, [&](size_t i) {
    return (types >> i & 1) != 0 ? type_text(static_cast<Type>(i)) : std::string_view();
  });
}

std::string spaces_text(uint32_t spaces) {
  return listed(32, [&](size_t i) {
    return (spaces >> i & 1) != 0 ? space_text(static_cast<uint32_t>(i)) : std::string_view();
  });
}

std::string one_of(const std::string& words) {
  return words.find(' ') == std::string::npos ? words : "one of " + words;
}

/// The spaces of `words` go with those of the form, in order, where optional ones may be absent.
bool spaces_match(const Form& form, const Words& words) {
  size_t next = 0;
  for (const Form::Space& each : form.spaces) {
    if (next < words.space_count && (each.any_of & bit(words.spaces[next])) != 0)
      ++next;
    else if (each.required)
      return false;
  }
  return next == words.space_count;
}

bool modifiers_match(const Form& form, const Modifiers& modifiers) {
  if (!modifiers.without(form.allowed).empty()) return false;
  return std::all_of(form.groups.begin(), form.groups.end(), [&](const Form::Group& group) {
    const uint32_t count = modifiers.both(group.any_of).count();
    return count == 1 || (count == 0 && !group.required);
  });
}

bool types_match(const Form& form, const Words& words) {
  if (words.type_count != form.types.size()) return false;
  for (size_t i = 0; i < form.types.size(); ++i)
    if ((form.types[i] & bit(words.types[i])) == 0) return false;
  return true;
}

bool vector_matches(const Form& form, const Words& words) {
  if (words.vector == 1) return !form.vector_required;
  return (form.vectors >> words.vector & 1) != 0;
}

/// The first difference, types first: they say most about which form was meant.
Mismatch difference(const Form& form, const Words& words) {
  Mismatch out;
  for (size_t i = 0; i < form.types.size(); ++i) {
    if (i >= words.type_count) {
      out.reason = "needs a type here: " + one_of(types_text(form.types[i]));
      return out;
    }
    if ((form.types[i] & bit(words.types[i])) == 0) {
      out.reason = "does not take ." + std::string(type_text(words.types[i])) + " here, but " +
                   one_of(types_text(form.types[i]));
      return out;
    }
    out.agreed += 4;
  }
  if (words.type_count > form.types.size()) {
    out.reason = form.types.empty() ? "takes no type" : "takes fewer types";
    return out;
  }
  out.agreed += 4;
  out.agreed += words.modifiers.both(form.allowed).count();
  for (const Form::Group& group : form.groups) {
    const Modifiers written = words.modifiers.both(group.any_of);
    if (written.count() > 1) out.reason = "takes only one of " + modifiers_text(written);
    if (written.empty() && group.required) out.reason = "needs " + one_of(modifiers_text(group.any_of));
    if (!out.reason.empty()) return out;
  }
  const Modifiers foreign = words.modifiers.without(form.allowed);
  if (!foreign.empty()) {
    out.reason = "does not take " + modifiers_text(foreign) + " in this form";
    return out;
  }
  out.agreed += 2;
  if (!vector_matches(form, words)) {
    out.reason = words.vector == 1 ? "needs .v2, .v4 or .v8" : "takes no vector of this width";
    return out;
  }
  if (!spaces_match(form, words)) {
    out.reason = form.spaces.empty()
                     ? "takes no state space"
                     : "takes as its state space " + one_of(spaces_text(form.spaces[0].any_of));
  }
  return out;
}

}  // namespace

Word word_from_text(std::string_view text) {
  static const std::unordered_map<std::string_view, Word> words = [] {
    std::unordered_map<std::string_view, Word> all;
    for (size_t i = 0; i < kModifiers; ++i) {
      const Modifier each = static_cast<Modifier>(i);
      all[modifier_text(each)] = {Word::Kind::modifier, static_cast<uint8_t>(i), false, {}};
    }
    for (uint8_t i = 1; i < kTypes; ++i)
      all[type_text(static_cast<Type>(i))] = {Word::Kind::type, i, false, {}};
    all["v2"] = {Word::Kind::vector, 2, false, {}};
    all["v4"] = {Word::Kind::vector, 4, false, {}};
    all["v8"] = {Word::Kind::vector, 8, false, {}};
    const auto space = [&](std::string_view name, StateSpace value) {
      all[name].is_space = true;
      all[name].space = value;
    };
    space("global", StateSpace::global);
    space("shared", StateSpace::shared);
    space("shared::cta", StateSpace::shared);
    space("shared::cluster", StateSpace::shared);
    space("local", StateSpace::local);
    space("param", StateSpace::param);
    space("param::entry", StateSpace::param);
    space("param::func", StateSpace::param);
    space("const", StateSpace::constant);
    return all;
  }();
  const auto found = words.find(text);
  return found == words.end() ? Word() : found->second;
}

std::span<const Form> forms(Opcode opcode) { return row_of(opcode).forms; }

std::optional<Opcode> opcode_from_text(std::string_view text, size_t& length) {
  static const std::unordered_map<std::string_view, Opcode> opcodes = [] {
    std::unordered_map<std::string_view, Opcode> all;
    for (size_t i = 0; i < table().size(); ++i)
      all.emplace(mnemonic(static_cast<Opcode>(i)), static_cast<Opcode>(i));
    return all;
  }();
  constexpr int kMostDots = 3;  // cp.async.mbarrier.arrive
  std::optional<Opcode> longest;
  size_t end = 0;
  for (int dots = 0; dots <= kMostDots && end != std::string_view::npos; ++dots) {
    end = text.find('.', dots == 0 ? 0 : end + 1);
    const std::string_view candidate = text.substr(0, end);
    const auto found = opcodes.find(candidate);
    if (found == opcodes.end()) continue;
    longest = found->second;
    length = candidate.size();
  }
  return longest;
}

uint32_t matching_forms(Opcode opcode, const Words& words) {
  uint32_t found = 0;
  const std::vector<Form>& all = row_of(opcode).forms;
  for (size_t i = 0; i < all.size(); ++i) {
    if (types_match(all[i], words) && modifiers_match(all[i], words.modifiers) &&
        vector_matches(all[i], words) && spaces_match(all[i], words))
      found |= uint32_t{1} << i;
  }
  return found;
}

bool takes_word(Opcode opcode, const Word& word) {
  const Row& row = row_of(opcode);
  if (word.kind == Word::Kind::modifier && row.allowed.has(static_cast<Modifier>(word.value))) return true;
  if (word.is_space && (row.spaces & bit(word.space)) != 0) return word.kind == Word::Kind::unknown;
  if (word.kind == Word::Kind::type) return (row.types & bit(static_cast<Type>(word.value))) != 0;
  return word.kind == Word::Kind::vector && (row.vectors >> word.value & 1) != 0;
}

std::string explain_words(Opcode opcode, const Words& words) {
  Mismatch nearest;
  for (const Form& form : row_of(opcode).forms) {
    Mismatch each = difference(form, words);
    if (nearest.reason.empty() || each.agreed > nearest.agreed) nearest = std::move(each);
  }
  return nearest.reason;
}

std::string words_of(Opcode opcode) {
  const Row& row = row_of(opcode);
  std::string all = modifiers_text(row.allowed);
  for (const std::string& more : {spaces_text(row.spaces), types_text(row.types)}) {
    if (more.empty()) continue;
    if (!all.empty()) all += ' ';
    all += more;
  }
  return all;
}

}  // namespace fuseboard::ptx
