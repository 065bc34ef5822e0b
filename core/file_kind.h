// What the beginning of a file says that the file is, where something else was expected: compressed,
// UTF-16, a web page, weights of other programs. The one place that knows first bytes; pointers of
// Git LFS are refused wherever a file is read (core/git_lfs.h).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rethink {

/// `text` is running text, which may be empty and may be HTML; the others may not.
enum class ExpectedFile { text, vocabulary, json, yaml, safetensors };

/// "NAME: is compressed with gzip; expected text: gzip -dc < NAME > NEW", with what to do, where
/// `bytes`, the beginning of a file or all of it, are not what is expected; "" where nothing says so.
std::string other_kind_of_file(std::string_view bytes, const std::string& name,
                               ExpectedFile expected);

/// Throws this message as a ConfigError.
void refuse_other_kind(std::string_view bytes, const std::string& name, ExpectedFile expected);

/// read_file, but for files that are not what is expected. Throws as both.
std::string read_expected(const std::filesystem::path& file, ExpectedFile expected);

}  // namespace rethink
