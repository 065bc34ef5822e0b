#include "experiments/schedule/needed_files.h"

#include <algorithm>

#include "experiments/attempt/trial_folder.h"

namespace rethink {
namespace {

constexpr const char* kTrials = "trials";

/// A select: it has no files of its own, its winner's count as its.
bool passes_files_on(const Trial& trial, const Schema& schema) {
  return !slots_that_may_diverge(trial, schema).empty();
}

/// Whether a done trial still has a file of each kind.
bool has_files(const TrialFolder& folder, const std::set<std::string>& kinds) {
  std::set<std::string> there;
  if (const auto result = read_result(folder)) {
    for (const Artifact& artifact : artifacts_of(*result, folder)) {
      if (std::filesystem::exists(artifact.path)) there.insert(artifact.kind);
    }
  }
  return std::includes(there.begin(), there.end(), kinds.begin(), kinds.end());
}

}  // namespace

std::string kind_of_input(const Trial& trial, const std::string& slot, const Schema& schema) {
  const PluginSchema* job = schema.find("job", trial.job);
  return job ? job->facts.value("inputs", Json::object()).value(slot, "") : "";
}

std::set<std::string> slots_that_may_diverge(const Trial& trial, const Schema& schema) {
  std::set<std::string> slots;
  for (const auto& [slot, ids] : trial.needs) {
    if (kind_of_input(trial, slot, schema) == kTrials) slots.insert(slot);
  }
  return slots;
}

std::map<std::string, std::set<std::string>> files_needed(const std::vector<Plan>& plans,
                                                          const Schema& schema,
                                                          const TrialTest& reads) {
  std::map<std::string, std::set<std::string>> needed;
  // Children stand after their parents, so one pass from the end sees every select before its
  // candidates.
  for (const Plan& plan : plans) {
    for (auto planned = plan.trials.rbegin(); planned != plan.trials.rend(); ++planned) {
      for (const auto& [slot, ids] : planned->trial.needs) {
        const std::string kind = kind_of_input(planned->trial, slot, schema);
        std::set<std::string> kinds;
        if (kind == kTrials) {
          if (const auto found = needed.find(planned->trial.id); found != needed.end())
            kinds = found->second;
        } else if (reads(planned->trial.id)) {
          kinds = {kind};
        }
        if (kinds.empty()) continue;
        for (const std::string& id : ids) needed[id].insert(kinds.begin(), kinds.end());
      }
    }
  }
  return needed;
}

std::set<std::string> files_to_make_again(const std::vector<Plan>& plans, const Schema& schema,
                                          const std::filesystem::path& store,
                                          const TrialTest& is_done, const TrialTest& will_run) {
  std::map<std::string, const Trial*> trials;
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) trials[planned.trial.id] = &planned.trial;
  }
  std::set<std::string> again;
  // What is made again may need the files of others in turn.
  for (size_t before = 1; before != again.size();) {
    before = again.size();
    const auto reads = [&](const std::string& id) { return will_run(id) || again.count(id) > 0; };
    for (const auto& [id, kinds] : files_needed(plans, schema, reads)) {
      if (!is_done(id) || passes_files_on(*trials.at(id), schema)) continue;
      if (!has_files(TrialFolder(store, id), kinds)) again.insert(id);
    }
  }
  return again;
}

}  // namespace rethink
