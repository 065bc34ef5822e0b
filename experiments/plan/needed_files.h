// Files of trials that other trials read, and those of them that must be made again.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/plan/plan.h"

namespace rethink {

/// A select: it has no files of its own, its winner's count as its.
bool passes_files_on(const Trial& trial);

using TrialTest = std::function<bool(const std::string& id)>;

/// What the done selects among a trial's needs chose: a winner may run again, because its weights are gone, while
/// its select stays done. `is_select`: of a need. Cost: reads the result of each select.
std::set<std::string> winners_of_needs(const Trial& trial, const std::filesystem::path& store,
                                       const TrialTest& is_select);

/// Trials whose files another planned trial reads, itself or through a select, and the kinds of
/// these files ("weights"). `reads`: whether the trial with this id counts as a reader.
std::map<std::string, std::set<std::string>> files_needed(const std::vector<Plan>& plans,
                                                          const Schema& schema,
                                                          const TrialTest& reads);

/// Trials that leave weights and have `keep: weights`.
std::set<std::string> trials_to_keep(const std::vector<Plan>& plans, const Schema& schema);

/// Done trials whose files are gone, or have another size, though a trial that will run reads them
/// or they were to be kept; and whose files those read, in turn: for each, why it runs again. Of the
/// candidates of a done select only the winners are read. What a reader failed on before is compared
/// by SHA-256, too.
std::map<std::string, std::string> files_to_make_again(const std::vector<Plan>& plans,
                                                       const Schema& schema,
                                                       const std::filesystem::path& store,
                                                       const TrialTest& is_done,
                                                       const TrialTest& will_run);

}  // namespace rethink
