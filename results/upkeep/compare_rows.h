// Compares all rows of a database with the trials' folders, for `rethink db check --hashes`.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

struct RowDifferences {
  /// Problems of a trial's rows: "1 row of metric that the folders do not have".
  std::map<std::string, std::string> trials;
  std::vector<std::string> others;  // problems of rows that belong to no trial
  /// Trials with unread events, and running trials; the next run of their sweep makes their rows.
  std::set<std::string> behind;
  std::set<std::string> damaged;  // trials with damaged files: there are no rows to compare with
};

/// Makes the rows again from the folders, in a temporary database, and compares every table of the
/// store's database, `live`, with them. States that every run computes again (waiting, ready,
/// blocked) are left out. Throws MachineError.
RowDifferences compare_rows(Store& live, const std::filesystem::path& folder);

}  // namespace rethink
