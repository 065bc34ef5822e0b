// Turns the files of a trial's folder into rows: events of attempts, imported scores.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/folders/outside_scores.h"
#include "results/store/store.h"

namespace rethink {

/// Reads what is new in the trial's attempts: rows and offset in one transaction.
/// Returns false when the trial is damaged and must run again: its numbers rest on events behind
/// a bad line, or that are missing (trial_events_are_whole). Other bad lines end the reading of their attempt's file,
/// nothing else. Requires: Store::Access::write.
bool ingest_events(Store& store, const std::filesystem::path& trial_folder);

/// Whether the trial's rows are those of these scores, and not as a command that was killed behind
/// write_outside_scores left them.
bool has_rows_of_scores(Store& store, const std::string& trial,
                        const std::vector<OutsideScore>& scores);

/// Makes the trial's rows of them again: a metric each, and an event of attempt 0 for every import.
/// A damaged file gives none, and a warning. Requires: the trial has its row.
void put_outside_scores(Store& store, const std::filesystem::path& trial_folder);

}  // namespace rethink
