// One pass over a label, undoing escapes; places are those of the text as written.
// It must not know what a field means.
#include "formats/cuda_graph_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace fuseboard {
namespace {

bool is_blank(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

std::string_view stripped(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

class FieldCutter {
 public:
  FieldCutter(std::string_view label, bool is_record) : label_(label), is_record_(is_record) {}

  std::vector<CudaGraphField> run() {
    for (size_t at = 0; at < label_.size();) {
      const bool is_escaped = label_[at] == '\\' && at + 1 < label_.size();
      const char byte = label_[at + (is_escaped ? 1 : 0)];
      const size_t end = at + (is_escaped ? 2 : 1);
      if (is_escaped ? byte == 'n' || byte == 'l' || byte == 'r' : byte == '\n' || cuts(byte))
        close();
      else if (!is_escaped || byte != '\n')  // a line that a backslash continues
        add(byte, at, end);
      at = end;
    }
    close();
    return std::move(fields_);
  }

 private:
  bool cuts(char byte) const {
    return is_record_ && !in_configuration_ && (byte == '|' || byte == '{' || byte == '}');
  }

  void add(char byte, size_t begin, size_t end) {
    if (is_blank(byte) && text_.empty()) return;
    if (text_.empty()) begin_ = begin;
    text_ += byte;
    if (!is_blank(byte)) end_ = end;
    if (text_.ends_with("<<<")) in_configuration_ = true;
    if (text_.ends_with(">>>")) in_configuration_ = false;
  }

  void close() {
    in_configuration_ = false;
    text_.resize(stripped(text_).size());
    if (!text_.empty())
      fields_.push_back({text_, static_cast<uint32_t>(begin_), static_cast<uint32_t>(end_ - begin_)});
    text_.clear();
  }

  std::string_view label_;
  bool is_record_;
  bool in_configuration_ = false;
  std::vector<CudaGraphField> fields_;
  std::string text_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

/// "16" or "{16,10,4}" off the front of `rest`, and the comma behind it.
std::optional<std::array<uint32_t, 3>> take_sizes(std::string_view& rest) {
  rest = stripped(rest);
  const bool is_list = rest.starts_with('{') || rest.starts_with('(');
  const size_t end = is_list ? rest.find_first_of("})") : std::min(rest.find(','), rest.size());
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view inside = rest.substr(is_list ? 1 : 0, end - (is_list ? 1 : 0));
  rest = stripped(rest.substr(end + (is_list ? 1 : 0)));
  if (!rest.starts_with(',')) return std::nullopt;
  rest.remove_prefix(1);
  std::array<uint32_t, 3> sizes{1, 1, 1};
  for (uint32_t& size : sizes) {
    const size_t comma = std::min(inside.find(','), inside.size());
    const CudaGraphNumber number = read_number(stripped(inside.substr(0, comma)));
    if (!number.value || *number.value == 0 || *number.value > UINT32_MAX) return std::nullopt;
    size = static_cast<uint32_t>(*number.value);
    if (comma == inside.size()) return sizes;
    inside.remove_prefix(comma + 1);
  }
  return std::nullopt;
}

}  // namespace

std::vector<CudaGraphField> cuda_graph_fields(std::string_view label, std::string_view shape) {
  const bool is_record =
      shape == "record" || shape == "Mrecord" || (shape.empty() && stripped(label).starts_with('{'));
  return FieldCutter(label, is_record).run();
}

CudaGraphNumber read_number(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return {};
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return {true, error == std::errc() ? std::optional(value) : std::nullopt};
}

std::optional<KernelConfig> read_launch_configuration(std::string_view text) {
  if (!text.starts_with("<<<") || !text.ends_with(">>>") || text.size() < 6) return std::nullopt;
  std::string_view rest = text.substr(3, text.size() - 6);
  const auto grid = take_sizes(rest);
  const auto block = grid ? take_sizes(rest) : std::nullopt;
  const CudaGraphNumber shared = read_number(stripped(rest));
  if (!block || !shared.value || *shared.value > UINT32_MAX) return std::nullopt;
  return KernelConfig{*grid, *block, static_cast<uint32_t>(*shared.value)};
}

}  // namespace fuseboard
