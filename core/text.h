// Functions on UTF-8 text, the only encoding of JSON and the database: validity, byte order marks,
// line ends, joining to one line, visible control characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rethink {

/// Returns the byte offset of the first invalid character, or npos. Overlong forms, surrogates and
/// characters beyond U+10FFFF are invalid.
size_t find_invalid_utf8(std::string_view text);

/// Returns whether the byte is a continuation byte of a UTF-8 character.
bool continues_letter(char byte);

/// The byte order mark, which some editors write before the text of a UTF-8 file.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Returns `text` without byte order marks at its beginning; files that two programs wrote have two
/// marks.
std::string_view without_byte_order_marks(std::string_view text);

/// Returns `text` without byte order marks at its beginning. If it has \r but no \n, as on old
/// Macs, \r becomes \n.
std::string without_text_marks(std::string text);

/// Returns the offset of the first \r\r\n if at least half of the lines end with it, as after two
/// conversions to \r\n; else npos.
size_t find_doubled_line_end(std::string_view text);

/// Returns the offset of a Ctrl-Z (DOS's end of file) at the end of `text` or before its last line
/// end; else npos.
size_t find_end_of_dos(std::string_view text);

/// Returns `text` with a space in place of each run of tabs, line ends and other characters without
/// width.
std::string one_line(std::string_view text);

/// Returns `text` with every control character of terminals written out ("\\x1b"), except line ends
/// and tabs. Files, stores and sweeps of other people may contain such characters. U+0080 to U+009F
/// and invalid bytes count too.
std::string visible_controls(std::string_view text);

}  // namespace rethink
