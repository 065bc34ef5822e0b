// Which texts are numbers: one rule for the options of a sweep and for values that are compared.
#pragma once

#include <string_view>

namespace rethink {

/// One digit or more, and nothing else.
bool is_digits(std::string_view text);
/// Whether `digits` looks like an octal number: 010.
bool has_leading_zero(std::string_view digits);
/// -?digits[.digits][e[+-]digits], or with either side of the point left out. Not "+1", "0x10",
/// "1_000", ".nan" or "007".
bool is_decimal(std::string_view text);

}  // namespace rethink
