// The SHA-256 of what trials read: data files below --data, and imported weights.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/config/problems.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "experiments/plan/plan.h"

namespace rethink {

/// The SHA-256 of a data set's files as they were published, by their names; without those of which
/// it is not known.
std::map<std::string, std::string> published_files(const PluginSchema& dataset);

/// Hashes files once, and remembers them between runs by path, size, time and inode.
class TrialFiles {
 public:
  /// `data` is --data, empty when there is none. `memory` is a folder that is safe to delete; empty
  /// = remember nothing. `recorded` is asked about files that are missing; null = all must be here.
  TrialFiles(std::filesystem::path data, std::filesystem::path memory, RecordedFiles recorded,
             const Schema& schema);

  /// Where an option ("data.dataset") is given.
  using Place = std::function<Position(const std::string& option)>;

  /// The SHA-256 of every file that the data sets in `config` read: a data set's own by their names
  /// ("wikitext-2/wiki.train.tokens"), one that an option names by the option ("data.path"), for
  /// where it lies is no part of a trial. Files that are missing are a problem where the data set
  /// or the file is named, those of a data set one for all, and so is a missing data folder.
  std::map<std::string, std::string> of_data(const Json& config, const OptionsSchema& options,
                                             const Place& place, Problems& problems);

  /// Names of files that of_data found, but not as they were published.
  const std::set<std::string>& unpublished() const { return unpublished_; }

  /// A folder of weights or one file, by content (sha256_of_weights). Missing ones, Git
  /// pointers, unmerged adapters and tokenizers other than WordPiece are problems.
  std::string of_weights(const std::filesystem::path& path, const Position& where,
                         Problems& problems);

 private:
  struct Search {
    const Place& place;
    std::map<std::string, std::string>& found;
    Problems& problems;
  };

  struct MissingFiles {
    std::map<std::filesystem::path, std::vector<std::string>> own;  // of the data set, by folder
    std::vector<std::pair<std::string, std::string>>
        given;  // by an option, where none has a folder
  };

  std::map<std::string, std::string> of_dataset(const Json& chosen, const std::string& tag,
                                                const std::string& at, const Search& search);
  void say_missing(const MissingFiles& missing, const PluginSchema& dataset, const std::string& at,
                   const Search& search);
  /// `at`: the option that `value` is of, "data".
  void collect(const Json& value, const Field& field, const std::string& at, const Search& search);
  /// Throws ConfigError for a pointer of Git LFS or git-annex.
  std::string hash_of(const std::filesystem::path& file);
  /// Null when nothing is recorded of a file of this name, empty when it had several contents.
  const std::string* recorded_hash(const std::string& name);

  std::filesystem::path data_, memory_;
  RecordedFiles recorded_;
  std::optional<std::map<std::string, std::string>> known_;  // what recorded_ answered
  const Schema& schema_;
  std::set<std::string> unpublished_;
  std::set<std::filesystem::path> readable_;   // weights
  std::set<std::string> said_;                 // of data sets that are missing
  std::map<std::string, std::string> hashes_;  // by path
  std::map<std::string, std::map<std::string, std::string>> by_dataset_;  // by its place and text
};

/// $XDG_CACHE_HOME/rethink/hashes or ~/.cache/rethink/hashes; empty when neither is set.
std::filesystem::path hash_memory_folder();

}  // namespace rethink
