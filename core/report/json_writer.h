// Writes JSON straight into a string, in the order of the calls.
// It must not know what is written. (A DOM of a plan of 50,000 ops costs more than the plan; nlohmann still
// does the hard parts: escaping and the shortest doubles.)
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fuseboard {

class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(bool truth) { return raw(truth ? "true" : "false"); }
  JsonWriter& value(double number);  ///< NaN and infinities as "nan", "inf", "-inf"
  template <std::integral T>
  JsonWriter& value(T number) {
    return raw(std::to_string(number));
  }
  template <class T>
  JsonWriter& value(std::span<const T> list) {
    begin_array();
    for (const T& each : list) value(each);
    return end_array();
  }
  JsonWriter& null() { return raw("null"); }

  template <class T>
  JsonWriter& field(std::string_view name, const T& content) {
    key(name);
    return value(content);
  }

  /// A new line before the next element: long lists stay readable, and a diff shows one op a line.
  JsonWriter& new_line();
  JsonWriter& raw(std::string_view json);

  std::string take() { return std::move(out_); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();

  std::string out_;
  bool first_ = true;
  bool after_key_ = false;
  bool break_line_ = false;
};

}  // namespace fuseboard
