// The names of a PTX text and what they stand for, in nested scopes that hide one another.
// It must not know how names are written down, nor what is done with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fuseboard::ptx {

struct Symbol {
  enum class Kind : uint8_t {
    reg,
    vector_reg,  ///< .reg .v4: `count` registers from `index` on
    variable,
    function,
    label,
    targets,    ///< .branchtargets: `count` elements from `index` on
    prototype,  ///< .callprototype, .calltargets
  };
  Kind kind = Kind::label;
  uint32_t index = 0;
  uint32_t count = 1;
  uint32_t depth = 0;  ///< of its scope; set by declare
};

/// Every operation is O(1) on average, but for find, which is O(depth). The names must outlive it.
class Scopes {
 public:
  void push();
  void pop();
  uint32_t depth() const { return static_cast<uint32_t>(starts_.size()); }
  /// False where the innermost scope already has that name.
  bool declare(std::string_view name, Symbol symbol);
  /// In the outermost scope, while inner ones are open that do not have the name either.
  bool declare_outermost(std::string_view name, Symbol symbol);
  /// prefix0, prefix1, ... up to `count`: registers from `first` on.
  bool declare_range(std::string_view prefix, uint32_t first, uint32_t count);
  /// The innermost meaning.
  std::optional<Symbol> find(std::string_view name) const;

 private:
  /// What a name means, the innermost scope last.
  using Names = std::unordered_map<std::string_view, std::vector<Symbol>>;
  struct Declared {
    std::string_view name;
    bool is_range = false;
  };
  bool declare_in(bool is_range, std::string_view name, Symbol symbol);

  Names names_;
  Names ranges_;
  std::vector<Declared> declared_;  ///< in the order of the text
  std::vector<size_t> starts_;      ///< of each open scope in declared_
};

}  // namespace fuseboard::ptx
