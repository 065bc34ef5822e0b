// Text in UTF-8, which is all that JSON and the database take: validity, byte order marks and line
// ends, one line, visible control characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rethink {

/// The byte offset of the first character that is not UTF-8, or npos. Overlong forms, surrogates
/// and what lies beyond U+10FFFF are not.
size_t find_invalid_utf8(std::string_view text);

/// Whether the byte is one of a character of UTF-8, but not its first.
bool continues_letter(char byte);

/// What some editors write before the text of a UTF-8 file.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// `text` without the byte order mark at its beginning; files that two programs have written have two.
std::string_view without_byte_order_marks(std::string_view text);

/// `text` without the byte order marks at its beginning, and with \n for \r where it has no \n, as old
/// Macs ended lines.
std::string without_text_marks(std::string text);

/// The offset of the first \r\r\n, where at least half of the lines end so: line ends that were
/// converted to \r\n twice. Else npos.
size_t find_doubled_line_end(std::string_view text);

/// The offset of a Ctrl-Z at the end of `text`, maybe before a line end, with which DOS ended files;
/// else npos.
size_t find_end_of_dos(std::string_view text);

/// `text` with a space for each run of tabs, line ends and other characters that have no width.
std::string one_line(std::string_view text);

/// `text` with every character that a terminal obeys written out ("\\x1b"), but for line ends and
/// tabs: files, stores and sweeps of others may hold some. U+0080 to U+009F are such characters too,
/// and so may a byte be that is not UTF-8.
std::string visible_controls(std::string_view text);

}  // namespace rethink
