// The body of a PTX entry as it grows: lines with the op that each belongs to, and registers by class.
// It must not know ops or kernels.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuseboard {

enum class RegisterClass : uint8_t { pred, b16, b32, b64, f32, f64 };
constexpr size_t kRegisterClasses = 6;

/// "%f", and ".f32" as in its declaration.
std::string_view register_prefix(RegisterClass register_class);
std::string_view register_type(RegisterClass register_class);

class PtxWriter {
 public:
  /// A register that nothing else has.
  std::string fresh(RegisterClass register_class);

  /// One past the highest number of a class's registers; they begin at 1.
  uint32_t register_end(RegisterClass register_class) const;

  /// All lines that follow belong to this op; -1: to none.
  void belong_to(int64_t op) { op_ = op; }

  /// All instructions that follow are executed where this predicate holds; "": always.
  void guard(std::string_view predicate) { guard_ = predicate; }

  void instruction(std::string_view text);  ///< indented, closed with ;
  void instruction(std::string_view opcode, std::initializer_list<std::string_view> operands);
  void label(std::string_view name);
  void line(std::string_view text);  ///< as it is

  std::string fresh_label();

  const std::string& text() const { return text_; }
  const std::vector<int64_t>& lines() const { return lines_; }

 private:
  std::string text_;
  std::vector<int64_t> lines_;
  std::string guard_;
  int64_t op_ = -1;
  uint32_t labels_ = 0;
  std::array<uint32_t, kRegisterClasses> next_{1, 1, 1, 1, 1, 1};
};

/// ".reg .f32 %f<9>;" and so on for every class that has registers.
std::string register_declarations(const PtxWriter& writer);

}  // namespace fuseboard
