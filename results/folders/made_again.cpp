#include "results/folders/made_again.h"

#include <fmt/format.h>

#include "core/store_command.h"
#include "results/folders/outside_scores.h"
#include "results/folders/stored_trial.h"

namespace rethink {

std::string made_again(const std::filesystem::path& store, const std::string& trial) {
  const bool has_scores = has_outside_scores(trial_folder(store, trial));
  return fmt::format("to have it again: {}, then run its sweep{}",
                     store_command("rm " + trial, store),
                     has_scores ? ", then import its scores again, which rm removes" : "");
}

}  // namespace rethink
