// Turns the files of a trial's folder into rows: events of attempts, imported scores.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/folders/outside_scores.h"
#include "results/store/store.h"

namespace rethink {

/// Reads new events of the trial's attempts: rows and offset in one transaction. Returns false if
/// the trial is damaged and must run again: its numbers depend on events behind a bad line, or on
/// missing events (trial_events_are_whole). Any other bad line only ends the reading of its
/// attempt's file. Requires: Store::Access::write.
bool ingest_events(Store& store, const std::filesystem::path& trial_folder);

/// Returns whether the trial's rows are those of these scores. A command that was killed after
/// write_outside_scores leaves other rows.
bool has_rows_of_scores(Store& store, const std::string& trial,
                        const std::vector<OutsideScore>& scores);

/// Rewrites the trial's rows of imported scores: a metric for each score, and an event of attempt 0
/// for every import. A damaged file gives no rows, and a warning. Requires: the trial has its row.
void put_outside_scores(Store& store, const std::filesystem::path& trial_folder);

}  // namespace rethink
