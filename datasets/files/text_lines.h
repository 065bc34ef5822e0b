// Reads users' text files, whole or line by line, with byte order marks and line ends of other
// systems. core/format/file_kind.h recognises files that are not text. Datasets of bytes (enwik8)
// are not read here.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/file_kind.h"

namespace rethink {

/// Returns `bytes` as text, without byte order marks at the beginning. If the text has \r but no
/// \n, as on old Macs, \r becomes \n. Throws ConfigError, which begins with `name` and says what to
/// do: for a pointer of Git LFS or git-annex, for compressed data, UTF-16 or UTF-32, and for
/// another kind than `expected`; with line and column for invalid UTF-8 and for lines that end with
/// \r\r\n; and with the position for a zero byte and for a Ctrl-Z at the end.
std::string checked_text(std::string bytes, const std::string& name,
                         ExpectedFile expected = ExpectedFile::text);

/// Throws ConfigError with the position of a byte that is not UTF-8. `first_line` is the line of
/// the file at which `text` begins.
void require_utf8_text(std::string_view text, const std::string& name, size_t first_line = 1);

/// Throws ConfigError with the position of a byte order mark that begins a line.
void refuse_marks_between_lines(std::string_view text, const std::string& name);

/// Returns the text of a file. Throws MachineError if it cannot be read, and ConfigError as checked_text.
std::string read_utf8(const std::filesystem::path& file,
                      ExpectedFile expected = ExpectedFile::text);

/// Returns running text, with \n in place of \r\n or \r at line ends. Throws like read_utf8 and
/// refuse_marks_between_lines, and ConfigError for a file with only white space. Warns of U+FEFF
/// between two letters, and of a web page, whose tags are read as text.
std::string read_running_text(const std::filesystem::path& file);

/// Returns the lines of a text, without their line ends (\n or \r\n).
std::vector<std::string> lines_of(std::string_view text);

/// Returns the lines of a file. Throws like read_utf8.
std::vector<std::string> read_lines(const std::filesystem::path& file,
                                    ExpectedFile expected = ExpectedFile::text);

/// Does the same, and also throws like refuse_marks_between_lines. Parallel text is read by
/// read_lines, since text from the web has such lines.
std::vector<std::string> read_lines_without_marks(const std::filesystem::path& file);

/// Returns `text` without the spaces, tabs and line ends at its beginning and end.
std::string_view trimmed(std::string_view text);

}  // namespace rethink
