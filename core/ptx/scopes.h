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

/// Every operation is O(1) on average. The names must outlive it.
class Scopes {
 public:
  void push();
  void pop();
  uint32_t depth() const { return static_cast<uint32_t>(starts_.size()); }
  /// False where the innermost scope already has that name.
  bool declare(std::string_view name, Symbol symbol);
  /// In the outermost scope, while inner ones are open that do not have the name either.
  bool declare_outermost(std::string_view name, Symbol symbol);
  /// Gives a name, in the outermost scope, whatever meaning it had before.
  void rename(std::string_view name, Symbol symbol) { names_[name] = symbol; }
  /// prefix0, prefix1, ... up to `count`: registers from `first` on.
  bool declare_range(std::string_view prefix, uint32_t first, uint32_t count);
  /// The innermost meaning.
  std::optional<Symbol> find(std::string_view name) const;

 private:
  struct Undo {
    std::string_view name;
    bool is_range = false;
    std::optional<Symbol> before;
  };
  using Names = std::unordered_map<std::string_view, Symbol>;
  bool declare_in(Names& names, std::string_view name, Symbol symbol, bool is_range);

  Names names_;
  Names ranges_;
  std::vector<Undo> undo_;
  std::vector<size_t> starts_;  ///< of each open scope in undo_
};

}  // namespace fuseboard::ptx
