// Files of trials that other trials read, and files that must be made again.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/plan/plan.h"

namespace rethink {

/// Returns whether the trial is a select, which has no own files but passes on its winner's files.
bool forwards_files(const Trial& trial);

using TrialTest = std::function<bool(const std::string& id)>;

/// Returns the choices of the done selects among a trial's needs. A winner may run again, because
/// its weights are missing, while its select stays done. `is_select` is a property of a need. Cost:
/// reads the result of each select.
std::set<std::string> winners_of_needs(const Trial& trial, const std::filesystem::path& store,
                                       const TrialTest& is_select);

/// Returns trials whose files another planned trial reads, directly or through a select, with the
/// kinds of these files ("weights"). `reads` says whether the trial with this id counts as a
/// reader.
std::map<std::string, std::set<std::string>> files_needed(const std::vector<Plan>& plans,
                                                          const Schema& schema,
                                                          const TrialTest& reads);

/// Returns the trials that leave weights and have `keep: weights`.
std::set<std::string> trials_to_keep(const std::vector<Plan>& plans, const Schema& schema);

/// Returns done trials whose files must be made again, each with the reason. These are trials with
/// a missing file, or a file of another size, that should be kept or that a trial to run reads; and
/// the trials whose files such trials read. Of the candidates of a done select only winners count.
/// Files on which a reader failed before are also compared by SHA-256.
std::map<std::string, std::string> files_to_make_again(const std::vector<Plan>& plans,
                                                       const Schema& schema,
                                                       const std::filesystem::path& store,
                                                       const TrialTest& is_done,
                                                       const TrialTest& will_run);

}  // namespace rethink
