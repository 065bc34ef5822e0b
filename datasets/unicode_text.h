// The little Unicode that text data needs; ICU stands behind it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rethink {

/// Full Unicode lower case, independent of the locale.
std::string lower_case(std::string_view text);

/// Code points of a UTF-8 text, each as its own UTF-8 string; a byte that is not UTF-8 stands
/// alone.
std::vector<std::string_view> characters_of(std::string_view text);

/// How many characters_of there are.
size_t count_characters(std::string_view text);

/// Where each code point of a UTF-8 text begins, and where the text ends [bytes].
std::vector<size_t> code_point_begins(std::string_view text);

/// What stands between white space, as Python's str.split has it (sacreBLEU's tokenizer "none").
std::vector<std::string> words_between_spaces(std::string_view line);

/// Code points, and back; a byte that is not UTF-8 becomes U+FFFD.
std::u32string to_code_points(std::string_view text);
std::string to_utf8(std::u32string_view code_points);

/// Replaces each `from`, which is not empty, by `to`.
void replace_all(std::string& text, std::string_view from, std::string_view to);

/// Whether `c` is one of `characters`.
inline bool contains(std::u32string_view characters, char32_t c) {
  return characters.find(c) != std::u32string_view::npos;
}

/// Properties of a code point, as Python's str and re have them.
bool is_space(char32_t c);
bool is_digit(char32_t c);
bool is_numeric(char32_t c);  // a digit, or what counts otherwise: superscripts, fractions, Roman
bool is_letter(char32_t c);
bool is_word_character(char32_t c);  // letter, digit or underscore
bool is_lower(char32_t c);
bool is_upper(char32_t c);

}  // namespace rethink
