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

/// `bytes` as text: without the byte order marks at their beginning, and with \n for \r where no \n
/// is, as old Macs ended lines. Throws ConfigError, `name` first, where they are a pointer of Git LFS
/// or git-annex, compressed, UTF-16 or UTF-32, or of another kind than `expected`, with what to do;
/// with line and column where a byte is not UTF-8 and where lines end with \r\r\n; and with the place
/// of a byte that is 0 and of a Ctrl-Z at the end.
std::string checked_text(std::string bytes, const std::string& name,
                         ExpectedFile expected = ExpectedFile::text);

/// Throws ConfigError with the place of a byte that is not UTF-8; `first_line`: of `text` in the file.
void require_utf8_text(std::string_view text, const std::string& name, size_t first_line = 1);

/// Throws ConfigError with the place of a byte order mark that begins a line.
void refuse_marks_between_lines(std::string_view text, const std::string& name);

/// The text of a file. Throws MachineError when it cannot be read, and ConfigError as checked_text.
std::string read_utf8(const std::filesystem::path& file,
                      ExpectedFile expected = ExpectedFile::text);

/// Running text: that of a file whose lines all end with \n, where they end with \r\n or \r. Throws
/// like read_utf8 and refuse_marks_between_lines, and ConfigError when nothing but white space is in
/// it; warns of U+FEFF between two letters, and of a web page, whose tags are read as text.
std::string read_running_text(const std::filesystem::path& file);

/// The lines of a text, without what ends them (\n or \r\n).
std::vector<std::string> lines_of(std::string_view text);

/// The lines of a file. Throws like read_utf8.
std::vector<std::string> read_lines(const std::filesystem::path& file,
                                    ExpectedFile expected = ExpectedFile::text);

/// The same, but throws like refuse_marks_between_lines, too. Parallel text is read without it: text
/// from the web has such lines.
std::vector<std::string> read_lines_without_marks(const std::filesystem::path& file);

/// Without the spaces, tabs and line ends at its beginning and end.
std::string_view trimmed(std::string_view text);

}  // namespace rethink
