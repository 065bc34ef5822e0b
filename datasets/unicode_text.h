// Functions on Unicode that text data need, implemented with ICU.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rethink {

/// Returns `text` in full Unicode lower case, independent of the locale.
std::string lower_case(std::string_view text);

/// Returns the code points of a UTF-8 text, each as a UTF-8 string. An invalid byte is a string of
/// its own.
std::vector<std::string_view> characters_of(std::string_view text);

/// Returns the number of elements of characters_of().
size_t count_characters(std::string_view text);

/// Returns the positions of all code points of a UTF-8 text, and of its end [bytes].
std::vector<size_t> code_point_begins(std::string_view text);

/// Returns the words between white space, as Python's str.split (sacreBLEU's tokenizer "none").
std::vector<std::string> words_between_spaces(std::string_view line);

/// Convert to code points and back. A byte that is not UTF-8 becomes U+FFFD.
std::u32string to_code_points(std::string_view text);
std::string to_utf8(std::u32string_view code_points);

/// Replaces each `from`, which must not be empty, by `to`.
void replace_all(std::string& text, std::string_view from, std::string_view to);

/// Whether `c` is one of `characters`.
inline bool contains(std::u32string_view characters, char32_t c) {
  return characters.find(c) != std::u32string_view::npos;
}

/// Properties of a code point, as Python's str and re have them.
bool is_space(char32_t c);
bool is_digit(char32_t c);
bool is_numeric(char32_t c);  // a digit or another number: superscripts, fractions, Roman numerals
bool is_letter(char32_t c);
bool is_word_character(char32_t c);  // letter, digit or underscore
bool is_lower(char32_t c);
bool is_upper(char32_t c);

}  // namespace rethink
