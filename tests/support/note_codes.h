// The notes that a call makes, as places and codes. The words of the notes are compared only with
// tests/golden/messages.txt.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/config/note.h"

namespace rethink {

/// Returns the codes of `notes`.
inline std::vector<std::string> codes_of(const std::vector<Note>& notes) {
  std::vector<std::string> codes;
  for (const Note& note : notes) codes.emplace_back(note.code.text());
  return codes;
}

/// Returns "FILE:LINE:COLUMN CODE" of each note, the file without its folder. For a note that is not
/// about a line of a file, returns "NAME CODE".
inline std::vector<std::string> placed_codes_of(const std::vector<Note>& notes) {
  std::vector<std::string> codes;
  for (const Note& note : notes) {
    const auto& [file, line, column] = note.where;
    const std::string place =
        line == 0 ? file
                  : fmt::format("{}:{}:{}", std::filesystem::path(file).filename().string(), line,
                                column);
    codes.push_back(fmt::format("{} {}", place, note.code.text()));
  }
  return codes;
}

}  // namespace rethink
