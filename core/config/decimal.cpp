#include "core/config/decimal.h"

#include <algorithm>

namespace rethink {

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

}  // namespace rethink
