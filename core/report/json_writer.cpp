// Separators, escapes and numbers.
// It must not know what is written.
#include "report/json_writer.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace fuseboard {

void JsonWriter::separate() {
  if (!after_key_ && !first_) out_ += ',';
  if (break_line_) out_ += '\n';
  break_line_ = false;
  after_key_ = false;
  first_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  if (break_line_) out_ += '\n';
  break_line_ = false;
  out_ += bracket;
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::new_line() {
  break_line_ = true;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  out_ += json;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  value(name);
  out_ += ':';
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c >= 0x20 && c != '"' && c != '\\' && static_cast<unsigned char>(c) < 0x7f;
  });
  if (plain) {
    ((out_ += '"') += text) += '"';
  } else {
    out_ += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (std::isnan(number)) return value("nan");
  if (std::isinf(number)) return value(number < 0 ? "-inf" : "inf");
  return raw(nlohmann::json(number).dump());
}

}  // namespace fuseboard
