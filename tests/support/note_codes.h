// Which notes something makes, by places and codes: tests compare these, and leave the words to
// tests/golden/messages.txt.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/config/note.h"

namespace rethink {

/// The codes of `notes`.
inline std::vector<std::string> codes_of(const std::vector<Note>& notes) {
  std::vector<std::string> codes;
  for (const Note& note : notes) codes.emplace_back(note.code.text());
  return codes;
}

/// "FILE:LINE:COLUMN CODE" of each note, the file without its folder; "NAME CODE" of a note about
/// something else than a line of a file.
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
