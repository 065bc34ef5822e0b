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

/// Trials that leave weights and have `keep: weights`.
std::set<std::string> trials_to_keep(const std::vector<Plan>& plans, const Schema& schema);

/// Returns done trials whose files are missing or have another size, although a trial that will run
/// reads them or they should be kept, and the trials whose files these read, each with the reason
/// why it runs again. Of the candidates of a done select only winners count. Files on which a
/// reader failed before are compared by SHA-256, too.
std::map<std::string, std::string> files_to_make_again(const std::vector<Plan>& plans,
                                                       const Schema& schema,
                                                       const std::filesystem::path& store,
                                                       const TrialTest& is_done,
                                                       const TrialTest& will_run);

}  // namespace rethink
