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
  double value = 0;  // as it was given
  std::string from;  // who gave it: "gluebenchmark.com"
  std::string date;  // when: "2026-11-20"
  std::string at{};  // when it was imported, as wall_time() writes it

  /// Who and when: "gluebenchmark.com, 2026-11-20".
  std::string source() const { return from + ", " + date; }
  /// Whether both say the same, whenever that was imported.
  bool repeats(const OutsideScore& other) const;
  bool operator==(const OutsideScore&) const = default;
};

/// As the file and the event of its import have it.
Json to_json(const OutsideScore& score);

/// Whether the trial has a file of them.
bool has_outside_scores(const std::filesystem::path& trial_folder);
/// Those of a trial, the oldest import first: of one name the last holds. None where there is no
/// file; nothing when it is damaged. Throws MachineError when it cannot be read.
std::optional<std::vector<OutsideScore>> read_outside_scores(
    const std::filesystem::path& trial_folder);
/// By name, those that hold.
std::map<std::string, OutsideScore> newest_scores(const std::vector<OutsideScore>& scores);

/// Replaces the file. Durable. Throws MachineError.
void write_outside_scores(const std::filesystem::path& trial_folder,
                          const std::vector<OutsideScore>& scores);

}  // namespace rethink
