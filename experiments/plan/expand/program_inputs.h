// The inputs of a trial that runs a user's program: code and data, by content; and whether the
// names in the words of `run` exist.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/config/note.h"
#include "core/config/problems.h"
#include "core/json.h"
#include "experiments/plan/expand/code_snapshot.h"
#include "experiments/plan/expand/hashing_time.h"
#include "experiments/plan/read/stage_spec.h"

namespace rethink {

class ProgramInputs {
 public:
  /// `hash_of` returns the SHA-256 of a file; `time` counts the time of all other hashing. `data` is the folder of data
  /// sets; empty: none. `runs_here` says whether the programs will run on this machine, which then must have them.
  ProgramInputs(FileHash hash_of, HashingTime& time, std::filesystem::path data, bool runs_here)
      : hash_of_(std::move(hash_of)), time_(time), data_(std::move(data)), runs_here_(runs_here) {}

  using Place = std::function<Position(const std::string& option)>;

  /// Returns the SHA-256 of "code" and "data.NAME", and sets in `config` the snapshot that the
  /// trial runs. Missing or forbidden files are problems.
  std::map<std::string, std::string> add(const StageSpec& stage, Json& config, const Place& place,
                                         Problems& problems);

  /// Returns the snapshots of all trials, without duplicates.
  std::vector<CodeSnapshot> code() const;
  /// Returns notes on settings that are valid but probably unintended.
  const std::vector<Note>& notes() const { return notes_; }

 private:
  FileHash remembered_if_large() const;
  const CodeSnapshot* snapshot(const std::filesystem::path& folder,
                               const std::vector<std::string>& patterns, const Position& where,
                               Problems& problems);
  void check_words(const StageSpec& stage, const Json& config, const Place& place,
                   Problems& problems) const;
  /// Adds a problem if the program is missing on this machine and in its copy of the code.
  void check_program(const Json& config, const CodeSnapshot& code, const Position& where,
                     Problems& problems);
  /// Adds a note if a Python program imports the helper module and will not find it.
  void note_missing_helper(const Json& config, const CodeSnapshot& code, const Position& where);
  void note_unset_variables(const Json& config, const Position& where);
  static void check_revision(const std::string& name, const std::string& revision,
                             const Place& place, Problems& problems);
  static void check_names(const Json& config, const Place& place, Problems& problems);
  static void check_patterns(const Json& config, const Place& place, Problems& problems);

  const FileHash hash_of_;
  HashingTime& time_;
  const std::filesystem::path data_;
  const bool runs_here_;
  std::map<std::string, CodeSnapshot> snapshots_;  // by folder and patterns
  std::map<std::string, std::string> trees_;       // SHA-256 by folder
  std::set<std::string> hidden_variables_;         // variables that programs receive by `pass`
  std::set<std::string> looked_at_;                // checked words of `run`, with their code
  std::vector<Note> notes_;
};

/// Replaces `code: {version: N}` in the options of a program by `code_version: N`, which means the
/// same.
void take_code_version(Yaml& given);

/// Sets the score of a program's trial if its sweep names several metrics and no score: the first
/// metric in `given`, the options as written. JSON does not keep their order.
void choose_score(const Yaml& given, Json& config);

}  // namespace rethink
