// The artifacts of trials, and how a damaged one is made again. A file is compared with its
// recorded SHA-256 before a number, a picture or another file is made of it, because a damaged file
// may still be well-formed.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

struct ArtifactFile {
  std::filesystem::path path;
  std::string problem = {};  // why the file must not be read, with the remedy; empty: it is intact

  /// The path. Throws ConfigError with the problem.
  const std::filesystem::path& intact() const;
};

/// "PATH is damaged", "PATH is gone" or as store_file_problem; empty: its SHA-256 is `sha256`. Cost:
/// reads the file. Throws MachineError when it cannot be read.
std::string artifact_damage(const std::filesystem::path& file, const std::string& sha256);

/// The same of a file below a trial's folder in `store`, with the remedy: "PATH is damaged; to have it
/// again: rethink rm ID --store DIR, then run its sweep".
std::string artifact_problem(const std::filesystem::path& store, const std::filesystem::path& file,
                             const std::string& sha256);

/// `text` without the path of `folder` in front of paths: a table is read by people who have another
/// store.
std::string without_folder(std::string text, const std::filesystem::path& folder);

/// How a trial that is done is computed again, as neither `run` nor `retry` repeats it: "to have it
/// again: rethink rm ID --store DIR, then run its sweep", and what goes with its folder.
std::string made_again(const std::filesystem::path& store, const std::string& trial);

}  // namespace rethink
