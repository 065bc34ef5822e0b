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
  std::filesystem::path data;    // --data; empty: not given
  std::filesystem::path memory;  // a cache of hashes that is safe to delete; empty: no cache
  /// Lookup of published SHA-256 for missing files. Null: all files must exist.
  RecordedFiles recorded = nullptr;
  bool may_lack = false;  // a missing file of unknown content is not a problem
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

  /// Returns the SHA-256 of every file that the data sets in `config` read. A data set's own files
  /// have their names ("wikitext-2/wiki.train.tokens"). A file that an option names has the
  /// option's name ("data.path"), since its path is not part of a trial. Missing files are problems
  /// at the option that names the data set (one for all its files) or the file, and so is a missing
  /// data folder. If files may be missing, `missing` instead gets the commands that bring them.
  std::map<std::string, std::string> of_data(const Json& config, const OptionsSchema& options,
                                             const Place& place, MissingInputs& missing,
                                             Problems& problems);

  /// Returns the names of files that of_data found but that differ from the published files.
  const std::set<std::string>& unpublished() const { return unpublished_; }

  /// Returns the SHA-256 of a folder of weights or of one file (sha256_of_weights). Missing weights, Git pointers,
  /// unmerged adapters and tokenizers other than WordPiece are problems. Missing weights are treated like missing data:
  /// if files may be missing, the published SHA-256 counts, if there is one.
  std::string of_weights(const Need& need, MissingInputs& missing, Problems& problems);

  /// Time of hashing all files so far.
  HashingTime& time() { return time_; }

  /// Returns the SHA-256 of a file. Throws ConfigError for a pointer of Git LFS or git-annex.
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
  void report_missing_files(const MissingFiles& missing, const PluginSchema& dataset,
                            const std::string& at, const Search& search);
  /// `at` is the option whose value is `value`, such as "data".
  void collect(const Json& value, const Field& field, const std::string& at, const Search& search);
  /// Returns null if no hash is recorded for a file of this name, and "" if it had several
  /// contents. `name` is "data.path=PATH" for a file that an option names; the store may know it by
  /// its absolute path.
  const std::string* recorded_hash(const std::string& name);

  const FilePlaces places_;
  HashingTime time_;
  std::optional<std::map<std::string, std::string>> known_;  // result of places_.recorded
  const Schema& schema_;
  std::set<std::string> unpublished_;
  std::set<std::filesystem::path> readable_;   // weights
  std::set<std::string> said_;                 // missing data sets that were reported
  std::map<std::string, std::string> hashes_;  // by path
  std::map<std::string, Found> by_dataset_;    // by position and text
};

/// Returns $XDG_CACHE_HOME/rethink/hashes or ~/.cache/rethink/hashes; empty if neither variable is set.
std::filesystem::path hash_memory_folder();

}  // namespace rethink
