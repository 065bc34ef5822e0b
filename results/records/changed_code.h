// Search for done trials whose plug-ins have other code in this build than when the trials ran.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/config/note.h"
#include "core/config/schema.h"
#include "core/store_files/accepted_code.h"
#include "results/store/store.h"

namespace rethink {

struct ChangedCode {
  CodeChange change;
  size_t trials = 0;  // done with the earlier code
  std::vector<std::string>
      commits{};       // commits of the programs that ran them, sorted, without unknown commits
  std::string source;  // of the plug-in, from the root of the checkout
};

/// Returns the changes for the done trials among `trials`, by plug-in. Changes that `rethink
/// accept` recorded are left out. A trial whose attempt recorded no code, or whose plug-in `schema`
/// lacks, does not count. Cost: one query.
std::vector<ChangedCode> changed_code(Store& store, const std::vector<std::string>& trials,
                                      const Schema& schema);
/// Returns the changes for all done trials.
std::vector<ChangedCode> changed_code(Store& store, const Schema& schema);

enum class ChangedTrials { of_plan, of_store };

/// Returns what changed, and what a user may do about it; `which` are the trials that `changed` counts.
Note note_on(const ChangedCode& changed, const std::filesystem::path& store, ChangedTrials which);

}  // namespace rethink
