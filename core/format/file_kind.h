// What the beginning of a file says that the file is, where something else was expected: compressed,
// an archive, UTF-16, a web page, a PDF, Parquet, a server's answer, weights of other programs. The one place that
// knows first bytes; pointers of Git LFS and git-annex are refused wherever a file is read
// (core/system/git_pointer.h).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rethink {

/// `text` is running text, which may be empty and may be HTML; of the others a table may be empty.
enum class ExpectedFile { text, table, wikipedia_dump, vocabulary, json, yaml, safetensors };

/// "NAME: is compressed with gzip; expected text: gzip -dc < NAME > NEW", with what to do, where
/// `bytes`, the beginning of a file or all of it, are not what is expected; "" where nothing says so. Of
/// what came through a pipe: "standard input: ...; expected text: gzip -dc < FILE | rethink ...".
std::string other_kind_of_file(std::string_view bytes, const std::string& name,
                               ExpectedFile expected);

/// Whether a text begins as HTML does.
bool is_web_page(std::string_view text);

/// Throws this message as a ConfigError.
void refuse_other_kind(std::string_view bytes, const std::string& name, ExpectedFile expected);

/// read_file, but for files that are not what is expected, JSON that is not UTF-8, and all byte order
/// marks of JSON but one. Throws as both.
std::string read_expected(const std::filesystem::path& file, ExpectedFile expected);

}  // namespace rethink
