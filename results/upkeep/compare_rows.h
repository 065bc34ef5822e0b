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
  /// What is wrong with a trial's rows: "1 row of metric that the folders do not have".
  std::map<std::string, std::string> trials;
  std::vector<std::string> others;  // the same of rows that are no trial's
  /// Trials whose folders say more than was read of them, or that are at work: the next run of
  /// their sweep makes their rows.
  std::set<std::string> behind;
  std::set<std::string> damaged;  // trials whose files are: they have no rows to compare with
};

/// Makes the rows anew from the folders, in a temporary database, and compares every table of the
/// store's, `live`, with them; not the states that every run makes again: waiting, ready, blocked,
/// cancelled. Throws MachineError.
RowDifferences compare_rows(Store& live, const std::filesystem::path& folder);

}  // namespace rethink
