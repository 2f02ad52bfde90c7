// Appending lines and numbering registers.
// It must not know ops or kernels.
#include "emit/ptx_writer.h"

namespace fuseboard {

std::string_view register_prefix(RegisterClass register_class) {
  switch (register_class) {
    case RegisterClass::pred:
      return "%p";
    case RegisterClass::f32:
      return "%f";
    case RegisterClass::f64:
      return "%fd";
    case RegisterClass::b16:
      return "%rs";
    case RegisterClass::b32:
      return "%r";
    case RegisterClass::b64:
      return "%rd";
  }
  return "";
}

std::string_view register_type(RegisterClass register_class) {
  switch (register_class) {
    case RegisterClass::pred:
      return ".pred";
    case RegisterClass::f32:
      return ".f32";
    case RegisterClass::f64:
      return ".f64";
    case RegisterClass::b16:
      return ".b16";
    case RegisterClass::b32:
      return ".b32";
    case RegisterClass::b64:
      return ".b64";
  }
  return "";
}

std::string PtxWriter::fresh(RegisterClass register_class) {
  std::string name(register_prefix(register_class));
  return name += std::to_string(next_[static_cast<size_t>(register_class)]++);
}

uint32_t PtxWriter::register_end(RegisterClass register_class) const {
  return next_[static_cast<size_t>(register_class)];
}

void PtxWriter::line(std::string_view text) {
  text_ += text;
  text_ += '\n';
  lines_.push_back(op_);
}

void PtxWriter::instruction(std::string_view text) {
  text_ += "    ";
  if (!guard_.empty()) text_ += "@" + guard_ + " ";
  text_ += text;
  text_ += ";\n";
  lines_.push_back(op_);
}

void PtxWriter::instruction(std::string_view opcode, std::initializer_list<std::string_view> operands) {
  std::string text(opcode);
  std::string_view separator = " ";
  for (const std::string_view operand : operands) {
    text += separator;
    text += operand;
    separator = ", ";
  }
  instruction(text);
}

void PtxWriter::label(std::string_view name) {
  text_ += name;
  text_ += ":\n";
  lines_.push_back(op_);
}

std::string PtxWriter::fresh_label() { return "$L" + std::to_string(labels_++); }

std::string register_declarations(const PtxWriter& writer) {
  std::string text;
  for (size_t i = 0; i < kRegisterClasses; ++i) {
    const auto each = static_cast<RegisterClass>(i);
    if (writer.register_end(each) == 1) continue;
    for (const std::string_view part :
         {std::string_view("    .reg "), register_type(each), std::string_view(" "), register_prefix(each),
          std::string_view("<")}) {
      text += part;
    }
    text += std::to_string(writer.register_end(each));
    text += ">;\n";
  }
  return text;
}

}  // namespace fuseboard
