#include "core/yaml/written_values.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

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

bool is_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool has_leading_zero(std::string_view digits) {
  return digits.size() > 1 && digits[0] == '0';
}

bool is_decimal(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const size_t exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    std::string_view digits = text.substr(exponent + 1);
    if (digits.starts_with('+') || digits.starts_with('-')) digits.remove_prefix(1);
    if (!is_digits(digits)) return false;
    text = text.substr(0, exponent);
  }
  const size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  if (has_leading_zero(whole)) return false;
  if (point == std::string_view::npos) return is_digits(whole);
  const std::string_view fraction = text.substr(point + 1);
  return (whole.empty() || is_digits(whole)) && (fraction.empty() || is_digits(fraction)) &&
         !(whole.empty() && fraction.empty());
}

void ValueIndex::add(const std::string& text, size_t id) {
  const auto number = number_in(text);
  (number ? of_number_[*number] : of_word_[text]).push_back(id);
}

const std::vector<size_t>& ValueIndex::like(const std::string& text) const {
  static const std::vector<size_t> kNone;
  if (const auto number = number_in(text)) {
    const auto found = of_number_.find(*number);
    return found == of_number_.end() ? kNone : found->second;
  }
  const auto found = of_word_.find(text);
  return found == of_word_.end() ? kNone : found->second;
}

}  // namespace rethink
