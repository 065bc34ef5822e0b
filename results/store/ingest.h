// From the files of a trial's folder to its rows: events of attempts, imported scores.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/folders/outside_scores.h"
#include "results/store/store.h"

namespace rethink {

/// Store::ingest.
bool ingest_events(Store& store, const std::filesystem::path& trial_folder);

/// Whether the trial's rows are those of these scores, and not as a command that was killed behind
/// write_outside_scores left them.
bool has_rows_of_scores(Store& store, const std::string& trial,
                        const std::vector<OutsideScore>& scores);

/// Makes the trial's rows of them again: a metric each, and an event of attempt 0 for every import.
/// A damaged file gives none, and a warning. Requires: the trial has its row.
void put_outside_scores(Store& store, const std::filesystem::path& trial_folder);

}  // namespace rethink
