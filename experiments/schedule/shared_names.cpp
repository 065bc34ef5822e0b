#include <fmt/format.h>

#include "experiments/schedule/sweep_run.h"
#include "results/folders.h"

namespace rethink {

std::vector<std::string> shared_names(const std::vector<Plan>& plans,
                                      const std::filesystem::path& store) {
  std::vector<SweepFile> files = read_sweep_files(store);
  for (const Plan& plan : plans)
    files.push_back({plan.sweep, plan.profile, "", plan.file.string(), {}, {}});
  std::set<std::string> notes;
  for (const Plan& plan : plans) {
    for (const SweepFile& other : files) {
      if (other.sweep != plan.sweep || comes_from(other, plan.file)) continue;
      if (!std::filesystem::exists(other.source)) continue;  // moved, or of another machine
      notes.insert(fmt::format(
          "note: sweep '{}' is the name in {} and in {}: `status`, `query` and `rm` take "
          "them for one sweep; give one of them another name",
          plan.sweep, plan.file.string(), other.source));
    }
  }
  return {notes.begin(), notes.end()};
}

}  // namespace rethink
