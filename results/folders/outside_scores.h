// Imported scores of a trial, such as those of GLUE's server for a test set, in the file
// scores.json of the trial's folder. ingest.h makes rows of them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"

namespace rethink {

inline const std::string kImportedSplit = "imported";

struct OutsideScore {
  std::string name;  // "test"
  double value = 0;  // as given
  std::string from;  // source: "gluebenchmark.com"
  std::string date;  // day of the score: "2026-11-20"
  std::string at{};  // time of the import, as from wall_time()

  /// Returns source and day: "gluebenchmark.com, 2026-11-20".
  std::string source() const { return from + ", " + date; }
  /// Returns whether both are equal, apart from the time of import.
  bool repeats(const OutsideScore& other) const;
  bool operator==(const OutsideScore&) const = default;
};

/// Conversion from and to the form in the file and in the event of its import.
Json to_json(const OutsideScore& score);

/// Returns whether the trial has a file of imported scores.
bool has_outside_scores(const std::filesystem::path& trial_folder);
/// Returns a trial's imported scores, the oldest import first. Of equal names the last is valid.
/// Returns an empty list without a file, and nullopt if the file is damaged. Throws MachineError if
/// it cannot be read.
std::optional<std::vector<OutsideScore>> read_outside_scores(
    const std::filesystem::path& trial_folder);
/// Returns the valid scores by name.
std::map<std::string, OutsideScore> newest_scores(const std::vector<OutsideScore>& scores);

/// Replaces the file. Durable. Throws MachineError.
void write_outside_scores(const std::filesystem::path& trial_folder,
                          const std::vector<OutsideScore>& scores);

}  // namespace rethink
