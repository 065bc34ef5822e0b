#include "experiments/run/vanished_trials.h"

#include <fmt/format.h>

#include "core/counted.h"
#include "core/error.h"
#include "core/store_command.h"
#include "core/system/log.h"
#include "results/store/rebuild.h"

namespace rethink {

void keep_numbers_of_vanished(const std::filesystem::path& store,
                              const std::vector<std::string>& titles) {
  if (titles.empty()) return;
  constexpr size_t kShown = 5;
  const bool are_all_shown = titles.size() <= kShown;
  const std::vector<std::string> shown(titles.begin(),
                                       are_all_shown ? titles.end() : titles.begin() + kShown);
  const std::filesystem::path copy = keep_database(store);
  log_warning(fmt::format(
      "the folders of {} that the database calls done are gone ({}{}): they run again. If their "
      "disk is not mounted, stop this run, mount it and run `{}`. The database with their numbers "
      "was copied to {}, which --store reads and `{}` removes",
      counted(titles.size(), "trial"), joined(shown), are_all_shown ? "" : ", ...",
      store_command("db rebuild", store), copy.string(), store_command("gc", store)));
}

}  // namespace rethink
