// The artifacts of trials, and how to restore a damaged artifact. A file is compared with its
// recorded SHA-256 before a number, a picture or another file is made from it, since a damaged file
// may still be well-formed.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

struct ArtifactFile {
  std::filesystem::path path;
  std::string problem = {};  // why the file must not be read, with the remedy; empty: it is intact

  /// Returns the path. Throws ConfigError with the problem.
  const std::filesystem::path& intact() const;
};

/// Returns "PATH is damaged", "PATH is missing" or the text of store_file_problem; empty if the file's
/// SHA-256 is `sha256`. Cost: reads the file. Throws MachineError if it cannot be read.
std::string artifact_damage(const std::filesystem::path& file, const std::string& sha256);

/// Returns the same for a file below a trial's folder in `store`, with the remedy: "PATH is
/// damaged; to restore it: rethink rm ID --store DIR, then run its sweep".
std::string artifact_problem(const std::filesystem::path& store, const std::filesystem::path& file,
                             const std::string& sha256);

/// Returns `text` with paths relative to `folder`, since readers of a table may have another store.
std::string without_folder(std::string text, const std::filesystem::path& folder);

/// Returns how to compute a done trial again, which neither `run` nor `retry` does: "to have it
/// again: rethink rm ID --store DIR, then run its sweep", and what is removed with its folder.
std::string how_to_restore(const std::filesystem::path& store, const std::string& trial);

}  // namespace rethink
