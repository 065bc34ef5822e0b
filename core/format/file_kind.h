// Recognises a file of an unexpected kind by its first bytes: compressed, an archive, UTF-16, a web
// page, a PDF, Parquet, a server's answer, weights of other programs. Only this file knows first
// bytes; pointers of Git LFS and git-annex are refused wherever a file is read
// (core/files/named_file.h). Also finds the position of invalid text, and the command that repairs
// the file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/json_fwd.h"

namespace rethink {

/// `text` is running text, which may be empty and may be HTML. A table may be empty too.
enum class ExpectedFile { text, table, wikipedia_dump, vocabulary, json, yaml, safetensors };

/// Returns "NAME: is compressed with gzip; expected text: gzip -dc < NAME > NEW" if `bytes`, the
/// beginning of a file or all of it, are of an unexpected kind; "" otherwise. For piped input:
/// "standard input: ...; expected text: gzip -dc < FILE | rethink ...".
std::string other_kind_of_file(std::string_view bytes, const std::string& name,
                               ExpectedFile expected);

/// Returns whether a file is a program, by the ending of its name or by its first bytes.
bool is_program_file(const std::filesystem::path& file);

/// Whether a text begins as HTML does.
bool is_web_page(std::string_view text);

/// Throws this message as a ConfigError.
void refuse_other_kind(std::string_view bytes, const std::string& name, ExpectedFile expected);

/// Reads a file. Throws as read_file and parse_json, and for files of an unexpected kind, JSON that
/// is not UTF-8, and more than one byte order mark before JSON.
std::string read_expected(const std::filesystem::path& file, ExpectedFile expected);

/// Returns parse_json of the text that read_expected returns. Throws as both.
Json read_json(const std::filesystem::path& path);
/// Reads a file with a JSON object. Throws ConfigError for any other value.
Json read_json_object(const std::filesystem::path& path);

/// Returns "NAME:3:14", the position of the byte at offset `byte`. Lines and characters count from
/// 1. `first_line` is the line of the file at which `text` begins.
std::string place_in_text(const std::string& name, std::string_view text, size_t byte,
                          size_t first_line = 1);

/// Returns `command`, such as "gzip -dc < {} > NEW", with the file's name, quoted for a shell, in
/// place of {}. No command can read a pipe again, so for a pipe it returns "gzip -dc < FILE |
/// rethink ...".
std::string command_on_file(std::string command, const std::string& name);

/// Returns "(iconv -f LATIN1 -t UTF-8, or from what it is)" for a text that is not UTF-8. If the
/// invalid bytes include CP1252's quotes and dashes (0x80 to 0x9F), which Latin-1 lacks, the answer
/// names CP1252. The encoding is named because iconv cannot guess.
std::string how_to_convert_to_utf8(std::string_view text);

/// Returns "NAME:3:14: the byte 0xE9 is not UTF-8; ..." with what to do; "" if `text` is UTF-8.
std::string trouble_with_utf8(std::string_view text, const std::string& name,
                              size_t first_line = 1);

}  // namespace rethink
