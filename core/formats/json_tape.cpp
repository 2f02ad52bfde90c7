// nlohmann's SAX events, each tied to the token it came from.
// It must not know what the JSON means.
#include "formats/json_tape.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace fuseboard {

/// Follows the events with a cursor of its own: skips what separates tokens, then passes the token by its
/// first byte. The parser has checked the text up to here, so the scan cannot go wrong (and does not depend
/// on how far it looks ahead).
class JsonTapeWriter : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JsonTapeWriter(std::string_view text) {
    tape_.text_ = text;
    if (text.starts_with("\xef\xbb\xbf")) cursor_ = 3;
  }

  bool null() override { return token(JsonTape::Type::null, 4); }
  bool boolean(bool value) override { return token(JsonTape::Type::boolean, value ? 4 : 5); }
  bool number_integer(number_integer_t) override { return number(); }
  bool number_unsigned(number_unsigned_t) override { return number(); }
  bool number_float(number_float_t, const string_t&) override { return number(); }
  bool string(string_t&) override { return quoted(); }
  bool key(string_t&) override { return quoted(); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(JsonTape::Type::object); }
  bool start_array(std::size_t) override { return open(JsonTape::Type::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& fault) override {
    fault_at_ = position == 0 ? 0 : position - 1;
    fault_ = fault.what();
    // A token that is not expected is at fault from its beginning, a broken one where it breaks.
    if (fault_.find(" - unexpected ") == std::string::npos) return false;
    const size_t last = fault_at_;
    skip_separators();
    fault_at_ = std::min(cursor_, last);
    fault_length_ = last - fault_at_ + 1;
    return false;
  }

  Result<JsonTape> take() {
    if (fault_.empty()) return {std::move(tape_), {}};
    const std::string_view text = tape_.text_;
    Place place;
    place.offset = static_cast<uint32_t>(std::min(fault_at_, text.size()));
    place.length = static_cast<uint32_t>(std::min(fault_length_, text.size() - place.offset));
    // nlohmann's "[id] parse error at line l, column c: what" says the place again: keep the what.
    size_t what = fault_.find("column");
    what = what == std::string::npos ? std::string::npos : fault_.find(": ", what);
    if (what == std::string::npos) what = fault_.find("] ");  // a number past a double has no line
    std::string message = what == std::string::npos ? fault_ : fault_.substr(what + 2);
    constexpr size_t kLongest = 200;
    if (message.size() > kLongest) message = message.substr(0, kLongest) + "...";
    return {std::nullopt,
            {{Severity::error, Code::syntax, "this is not JSON: " + message, place,
              "correct the text at this place"}}};
  }

 private:
  void skip_separators() {
    const std::string_view text = tape_.text_;
    while (cursor_ < text.size() && (text[cursor_] == ' ' || text[cursor_] == '\t' || text[cursor_] == '\n' ||
                                     text[cursor_] == '\r' || text[cursor_] == ',' || text[cursor_] == ':')) {
      ++cursor_;
    }
  }

  bool token(JsonTape::Type type, size_t length) {
    skip_separators();
    return add(type, length);
  }

  bool add(JsonTape::Type type, size_t length) {
    tape_.nodes_.push_back(
        {static_cast<uint32_t>(cursor_), static_cast<uint32_t>(length), tape_.size() + 1, type});
    cursor_ += length;
    return true;
  }

  bool number() {
    skip_separators();
    const std::string_view rest = tape_.text_.substr(cursor_);
    return add(JsonTape::Type::number, std::min(rest.find_first_not_of("+-.0123456789eE"), rest.size()));
  }

  bool quoted() {
    skip_separators();
    const std::string_view text = tape_.text_;
    size_t end = cursor_ + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return add(JsonTape::Type::string, std::min(end + 1, text.size()) - cursor_);
  }

  bool open(JsonTape::Type type) {
    open_.push_back(tape_.size());
    return token(type, 1);
  }

  bool close() {
    skip_separators();
    ++cursor_;
    JsonTape::Node& node = tape_.nodes_[open_.back()];
    open_.pop_back();
    node.end = tape_.size();
    node.length = static_cast<uint32_t>(cursor_) - node.offset;
    return true;
  }

  JsonTape tape_;
  size_t cursor_ = 0;
  std::vector<uint32_t> open_;
  size_t fault_at_ = 0;
  size_t fault_length_ = 1;
  std::string fault_;
};

Result<JsonTape> JsonTape::parse(std::string_view text) {
  if (text.size() >= UINT32_MAX) {
    return {std::nullopt,
            {{Severity::error, Code::unsupported, "the text is 4 GiB or more", {}, "paste less"}}};
  }
  JsonTapeWriter writer(text);
  (void)nlohmann::json::sax_parse(text.begin(), text.end(), &writer);
  return writer.take();
}

std::string JsonTape::string(uint32_t node) const {
  const std::string_view token = raw(node);
  if (token.find('\\') == std::string_view::npos) return std::string(token.substr(1, token.size() - 2));
  const nlohmann::json value = nlohmann::json::parse(token.begin(), token.end(), nullptr, false);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<uint32_t> JsonTape::find(uint32_t object, std::string_view key) const {
  std::optional<uint32_t> found;
  if (!is(object, Type::object)) return found;
  for (uint32_t at = object + 1; at < nodes_[object].end; at = nodes_[at + 1].end) {
    const std::string_view token = raw(at);
    const bool plain = token.find('\\') == std::string_view::npos;
    if (plain ? token.substr(1, token.size() - 2) == key : string(at) == key) found = at + 1;
  }
  return found;
}

Place JsonTape::place(uint32_t node, std::string path) const {
  return {nodes_[node].offset, nodes_[node].length, std::move(path)};
}

std::optional<bool> JsonTape::as_bool(uint32_t node) const {
  if (!is(node, Type::boolean)) return std::nullopt;
  return raw(node) == "true";
}

namespace {

template <class T>
std::optional<T> whole(std::string_view token) {
  T value{};
  const auto [end, fault] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (fault != std::errc() || end != token.data() + token.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<uint64_t> JsonTape::as_u64(uint32_t node) const {
  return is(node, Type::number) ? whole<uint64_t>(raw(node)) : std::nullopt;
}

std::optional<int64_t> JsonTape::as_i64(uint32_t node) const {
  return is(node, Type::number) ? whole<int64_t>(raw(node)) : std::nullopt;
}

std::optional<double> JsonTape::as_double(uint32_t node) const {
  if (!is(node, Type::number)) return std::nullopt;
  return std::strtod(std::string(raw(node)).c_str(), nullptr);  // libc++ 14 has no from_chars for double
}

}  // namespace fuseboard
