#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <tuple>

#include "core/counted.h"
#include "results/upkeep/check_store.h"

namespace rethink {

std::map<std::string, std::set<std::string>> lost_sweeps(Store& store,
                                                         const std::vector<SweepFile>& files) {
  std::set<std::tuple<std::string, std::string, std::string>> listed;  // sweep, profile, trial
  for (const SweepFile& file : files) {
    for (const SweepMember& member : file.members)
      listed.emplace(file.sweep, file.profile, member.trial);
  }
  std::map<std::string, std::set<std::string>> lost;
  SQLite::Statement rows(store.database(),
                         "SELECT DISTINCT sweep, profile, trial FROM sweep_trial");
  while (rows.executeStep()) {
    const std::string sweep = rows.getColumn(0), profile = rows.getColumn(1),
                      trial = rows.getColumn(2);
    if (!listed.contains({sweep, profile, trial}))
      lost[profile.empty() ? sweep : sweep + " --profile " + profile].insert(trial);
  }
  return lost;
}

std::string lost_sweep_text(const std::string& sweep, size_t trials,
                            const std::filesystem::path& store) {
  return fmt::format("sweep {}: {} of it {} in no file of {}", sweep, counted(trials, "trial"),
                     trials == 1 ? "is" : "are", (store / "sweeps").string());
}

}  // namespace rethink
