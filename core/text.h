// Whether text is UTF-8, which is all that JSON and the database take, and text on one line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rethink {

/// The byte offset of the first character that is not UTF-8, or npos. Overlong forms, surrogates
/// and what lies beyond U+10FFFF are not.
size_t find_invalid_utf8(std::string_view text);

/// `text` with a space for each run of tabs, line ends and other characters that have no width.
std::string one_line(std::string_view text);

/// `text` with every character that a terminal obeys written out ("\\x1b"), but for line ends and
/// tabs: files, stores and sweeps of others may hold some. U+0080 to U+009F are such characters too,
/// and so may a byte be that is not UTF-8.
std::string visible_controls(std::string_view text);

}  // namespace rethink
