#include "core/config/value_equality.h"

#include <charconv>
#include <cstdint>

#include "core/config/decimal.h"

namespace rethink {
namespace {

bool same_number(const std::string& a, const std::string& b) {
  const std::optional<long double> number = number_in(a);
  return number && number == number_in(b);
}

}  // namespace

std::optional<long double> number_in(const std::string& text) {
  if (!is_decimal(text)) return std::nullopt;
  const char* end = text.data() + text.size();
  int64_t whole = 0;
  if (const auto read = std::from_chars(text.data(), end, whole);
      read.ec == std::errc() && read.ptr == end)
    return whole;
  double value = 0;
  if (std::from_chars(text.data(), end, value).ec != std::errc()) return std::nullopt;
  return value;
}

RecordedValue typed_label(const std::string& text, const std::optional<RecordedValue>& option) {
  if (!option) return {text, ValueType::label};
  const bool is_same =
      option->type == ValueType::number ? same_number(text, option->text) : text == option->text;
  return {text, is_same ? option->type : ValueType::label};
}

bool same_value(const RecordedValue& recorded, const WrittenValue& written) {
  switch (recorded.type) {
    case ValueType::number:
      return !written.quoted && same_number(recorded.text, written.text);
    case ValueType::boolean:
    case ValueType::null:
      return !written.quoted && recorded.text == written.text;
    case ValueType::text:
    case ValueType::compound:
      return recorded.text == written.text;
    case ValueType::label:
      return recorded.text == written.text ||
             (!written.quoted && same_number(recorded.text, written.text));
  }
  return false;
}

std::partial_ordering order_of(const RecordedValue& recorded, const WrittenValue& written) {
  const bool may_be_number =
      recorded.type == ValueType::number || recorded.type == ValueType::label;
  const bool may_be_text = recorded.type == ValueType::text || recorded.type == ValueType::label;
  const std::optional<long double> number = may_be_number ? number_in(recorded.text) : std::nullopt;
  const std::optional<long double> bound = written.quoted ? std::nullopt : number_in(written.text);
  if (number && bound) return *number <=> *bound;
  const bool is_text = may_be_text && (!number || written.quoted);
  if (!is_text || bound) return std::partial_ordering::unordered;
  return recorded.text <=> written.text;
}

WrittenValue written_value(const std::string& word) {
  const bool is_quoted = word.size() > 1 && word.front() == word.back() &&
                         (word.front() == '\'' || word.front() == '"');
  return is_quoted ? WrittenValue{word.substr(1, word.size() - 2), true} : WrittenValue{word};
}

}  // namespace rethink
