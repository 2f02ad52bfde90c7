// JSON as one flat array of tokens with their places: what a reader needs to point at the exact token.
// It must not know what the JSON means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fuseboard {

/// nlohmann's SAX parser checks the text and gives no positions; this keeps the offset and length of every
/// token beside it. An object's nodes are its keys and values in turn. No recursion: depth costs memory
/// alone.
class JsonTape {
 public:
  enum class Type : uint8_t { null, boolean, number, string, array, object };
  struct Node {
    uint32_t offset;
    uint32_t length;
    uint32_t end;  ///< index of the first node behind this one and all it holds
    Type type;
  };

  /// Syntax faults carry the place at which the text stops being JSON. The text must outlive the tape.
  /// O(text).
  static Result<JsonTape> parse(std::string_view text);

  const Node& operator[](uint32_t node) const { return nodes_[node]; }
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  std::string_view text() const { return text_; }

  /// The token as it stands in the text.
  std::string_view raw(uint32_t node) const { return text_.substr(nodes_[node].offset, nodes_[node].length); }
  /// The value of a string token, escapes undone.
  std::string string(uint32_t node) const;
  /// The value for `key` in an object (the last one, should it repeat), or nothing.
  std::optional<uint32_t> find(uint32_t object, std::string_view key) const;
  Place place(uint32_t node, std::string path) const;

  bool is(uint32_t node, Type type) const { return nodes_[node].type == type; }
  std::optional<bool> as_bool(uint32_t node) const;
  std::optional<uint64_t> as_u64(
      uint32_t node) const;  ///< a whole number written without fraction or exponent
  std::optional<int64_t> as_i64(uint32_t node) const;
  std::optional<double> as_double(uint32_t node) const;

 private:
  friend class JsonTapeWriter;
  std::string_view text_;
  std::vector<Node> nodes_;
};

}  // namespace fuseboard
