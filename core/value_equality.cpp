#include "core/value_equality.h"

#include <strings.h>

#include <charconv>
#include <cstdint>

#include "core/decimal.h"

namespace rethink {
namespace {

/// Wide enough for every 64-bit integer and every double, so that none is taken for its neighbour.
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

int compare_texts(const std::string& a, const std::string& b, Letters letters) {
  return letters == Letters::any_case ? strcasecmp(a.c_str(), b.c_str()) : a.compare(b);
}

bool same_text(const std::string& a, const std::string& b, Letters letters) {
  return a.size() == b.size() && compare_texts(a, b, letters) == 0;
}

bool same_number(const std::string& a, const std::string& b) {
  const std::optional<long double> number = number_in(a);
  return number && number == number_in(b);
}

}  // namespace

RecordedValue typed_label(const std::string& text, const std::optional<RecordedValue>& option) {
  if (!option) return {text, ValueType::label};
  const bool is_same =
      option->type == ValueType::number ? same_number(text, option->text) : text == option->text;
  return {text, is_same ? option->type : ValueType::label};
}

bool same_value(const RecordedValue& recorded, const WrittenValue& written, Letters letters) {
  switch (recorded.type) {
    case ValueType::number:
      return !written.quoted && same_number(recorded.text, written.text);
    case ValueType::boolean:
    case ValueType::null:
      return !written.quoted && same_text(recorded.text, written.text, letters);
    case ValueType::text:
    case ValueType::compound:
      return same_text(recorded.text, written.text, letters);
    case ValueType::label:
      return same_text(recorded.text, written.text, letters) ||
             (!written.quoted && same_number(recorded.text, written.text));
  }
  return false;
}

std::partial_ordering order_of(const RecordedValue& recorded, const WrittenValue& written,
                               Letters letters) {
  const bool may_be_number =
      recorded.type == ValueType::number || recorded.type == ValueType::label;
  const bool may_be_text = recorded.type == ValueType::text || recorded.type == ValueType::label;
  const std::optional<long double> number = may_be_number ? number_in(recorded.text) : std::nullopt;
  const std::optional<long double> bound = written.quoted ? std::nullopt : number_in(written.text);
  if (number && bound) return *number <=> *bound;
  const bool is_text = may_be_text && (!number || written.quoted);
  if (!is_text || bound) return std::partial_ordering::unordered;
  return compare_texts(recorded.text, written.text, letters) <=> 0;
}

WrittenValue written_value(const std::string& word) {
  const bool is_quoted = word.size() > 1 && word.front() == word.back() &&
                         (word.front() == '\'' || word.front() == '"');
  return is_quoted ? WrittenValue{word.substr(1, word.size() - 2), true} : WrittenValue{word};
}

}  // namespace rethink
