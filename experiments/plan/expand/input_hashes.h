// The SHA-256 of trials' inputs: data files below --data, and imported weights.
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
#include "experiments/plan/expand/hashing_time.h"
#include "experiments/plan/plan.h"

namespace rethink {

struct DatasetFacts;  // core/facts/dataset_facts.h
struct Need;          // experiments/plan/read/stage_spec.h

/// Returns the published SHA-256 of a data set's files, by their names, if known.
std::map<std::string, std::string> published_files(const DatasetFacts& dataset);

/// Folders and rules for the search of trials' files.
struct FilePlaces {
  std::filesystem::path data;  // --data; empty: none is named
  std::filesystem::path
      memory;  // of hashes, a folder that is safe to delete; empty: remember nothing
  /// Lookup of published SHA-256 for missing files. Null: all files must exist.
  RecordedFiles recorded = nullptr;
  bool may_lack = false;  // a file of which nothing is known is no problem
};

/// Commands that get missing files (PlannedTrial::lacks and to_bring).
struct MissingInputs {
  std::set<std::string> lacks, to_bring;
};

/// Hashes files once, and remembers them between runs by path, size, time and inode.
class InputHashes {
 public:
  InputHashes(FilePlaces places, const Schema& schema);

  /// Returns the position of an option ("data.dataset").
  using Place = std::function<Position(const std::string& option)>;

  /// The SHA-256 of every file that the data sets in `config` read: a data set's own by their names
  /// ("wikitext-2/wiki.train.tokens"), one that an option names by the option ("data.path"), for
  /// where it lies is no part of a trial. Files that are missing are a problem where the data set
  /// or the file is named, those of a data set one for all, and so is a missing data folder; where files
  /// may be lacking, `missing` gets what brings them.
  std::map<std::string, std::string> of_data(const Json& config, const OptionsSchema& options,
                                             const Place& place, MissingInputs& missing,
                                             Problems& problems);

  /// Names of files that of_data found, but not as they were published.
  const std::set<std::string>& unpublished() const { return unpublished_; }

  /// A folder of weights or one file, by content (sha256_of_weights). Missing ones, which may be lacking as
  /// data may (then the published SHA-256 counts, where there is one), Git pointers, unmerged adapters and
  /// tokenizers other than WordPiece are problems.
  std::string of_weights(const Need& need, MissingInputs& missing, Problems& problems);

  /// Time of hashing all files so far.
  HashingTime& time() { return time_; }

  /// SHA-256 of a file. Throws ConfigError for a pointer of Git LFS or git-annex.
  std::string hash_of(const std::filesystem::path& file);

 private:
  struct Found {
    std::map<std::string, std::string> hashes;
    MissingInputs missing;
  };

  struct Search {
    const Place& place;
    Found& found;
    Problems& problems;
  };

  struct MissingFiles {
    std::map<std::filesystem::path, std::vector<std::string>> own;  // of the data set, by folder
    std::vector<std::pair<std::string, std::string>>
        given;  // by an option, where none has a folder
  };

  Found of_dataset(const Json& chosen, const std::string& tag, const std::string& at,
                   const Search& search);
  void say_missing(const MissingFiles& missing, const PluginSchema& dataset, const std::string& at,
                   const Search& search);
  /// `at`: the option that `value` is of, "data".
  void collect(const Json& value, const Field& field, const std::string& at, const Search& search);
  /// Returns null if no hash is recorded for a file of this name, and "" if it had several
  /// contents. `name` is "data.path=PATH" for a file that an option names; the store may know it by
  /// its absolute path.
  const std::string* recorded_hash(const std::string& name);

  const FilePlaces places_;
  HashingTime time_;
  std::optional<std::map<std::string, std::string>> known_;  // what places_.recorded answered
  const Schema& schema_;
  std::set<std::string> unpublished_;
  std::set<std::filesystem::path> readable_;   // weights
  std::set<std::string> said_;                 // of data sets that are missing
  std::map<std::string, std::string> hashes_;  // by path
  std::map<std::string, Found> by_dataset_;    // by its place and text
};

/// $XDG_CACHE_HOME/rethink/hashes or ~/.cache/rethink/hashes; empty when neither is set.
std::filesystem::path hash_memory_folder();

}  // namespace rethink
