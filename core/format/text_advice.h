// Where in a text something is wrong, and the command that puts it right.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rethink {

/// "NAME:3:14", the place of the byte at offset `byte`, lines and characters counted from 1;
/// `first_line`: of `text` in the file.
std::string place_in_text(const std::string& name, std::string_view text, size_t byte,
                          size_t first_line = 1);

/// `command`, such as "gzip -dc < {} > NEW", with the file's name as a word for a shell in the place of
/// {}. No command can read a pipe again: there "gzip -dc < FILE | rethink ...".
std::string command_on_file(std::string command, const std::string& name);

/// "(iconv -f LATIN1 -t UTF-8, or from what it is)", for a text that is not UTF-8: CP1252 instead
/// where the bytes that are not UTF-8 include its quotes and dashes (0x80 to 0x9F), which Latin-1
/// lacks. iconv cannot guess.
std::string how_to_convert_to_utf8(std::string_view text);

/// "NAME:3:14: the byte 0xE9 is not UTF-8; ..." with what to do; "" where `text` is UTF-8.
std::string trouble_with_utf8(std::string_view text, const std::string& name,
                              size_t first_line = 1);

}  // namespace rethink
