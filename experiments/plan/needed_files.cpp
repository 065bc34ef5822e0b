#include "experiments/plan/needed_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/config/schema.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "core/store_files/attempt_end.h"
#include "core/store_files/result_file.h"
#include "core/store_files/trial_folder.h"
#include "experiments/attempt/attempt_request.h"
#include "experiments/attempt/job.h"
#include "experiments/attempt/trial_files.h"

namespace rethink {
namespace {

constexpr const char* kTrials = "trials";

bool leaves_weights(const Trial& trial, const Schema& schema) {
  const PluginSchema* job = schema.find("job", trial.job);
  return job && std::ranges::count(job->facts.as<JobFacts>().outputs, kWeights) > 0;
}

/// Whether the trial's program decides which files there are, and all of them stay.
bool decides_itself(const Trial& trial, const Schema& schema) {
  const PluginSchema* job = schema.find("job", trial.job);
  return job && job->facts.as<JobFacts>().runs_program;
}

/// "trials": only results are read; "weights", "mask", ...: a file. "" if the job has no such slot.
std::string kind_of_input(const Trial& trial, const std::string& slot, const Schema& schema) {
  const PluginSchema* job = schema.find("job", trial.job);
  return job ? job->facts.as<JobFacts>().input_kind(slot) : "";
}

enum class KeptFiles { intact, lost, not_kept };  // not_kept: the trial kept no file of some kind

/// Whether a done trial still has a file of each kind, with its recorded size and, if `hashed` is
/// given, with the same bytes. `hashed` remembers sound files, since hashing one takes seconds.
KeptFiles files_kept(const TrialFolder& folder, const std::set<std::string>& kinds,
                     std::set<std::filesystem::path>* hashed) {
  const auto result = sound_result(folder.result());
  if (!result) return kinds.empty() ? KeptFiles::intact : KeptFiles::lost;
  std::set<std::string> there;
  for (const Artifact& artifact : artifacts_of(*result, folder)) {
    if (!kinds.count(artifact.kind)) continue;
    std::error_code missing;
    const uint64_t bytes = std::filesystem::file_size(artifact.path, missing);
    if (missing || bytes != artifact.bytes) return KeptFiles::lost;
    if (hashed && !hashed->count(artifact.path)) {
      if (sha256_file(artifact.path) != artifact.sha256) return KeptFiles::lost;
      hashed->insert(artifact.path);
    }
    there.insert(artifact.kind);
  }
  return std::ranges::includes(there, kinds) ? KeptFiles::intact : KeptFiles::not_kept;
}

/// Whether the last attempt failed; a damaged input may be the reason.
bool has_failed(const TrialFolder& folder) {
  const std::vector<int64_t> attempts = folder.attempts();
  const auto end =
      attempts.empty() ? std::nullopt : read_attempt_end(folder.attempt(attempts.back()));
  return end && end->outcome == AttemptOutcome::failed;
}

/// The trials whose files `reader` gets through its need of trial `id`.
using Providers =
    std::function<std::vector<std::string>(const std::string& id, const Trial& reader)>;

/// files_needed, for needs that may stand for other trials than the named one.
std::map<std::string, std::set<std::string>> files_needed_from(const std::vector<Plan>& plans,
                                                               const Schema& schema,
                                                               const TrialTest& reads,
                                                               const Providers& providers) {
  std::map<std::string, std::set<std::string>> needed;
  // Children are after their parents, so a pass from the end sees every select before its
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
        for (const std::string& id : ids) {
          for (const std::string& provider : providers(id, planned->trial))
            needed[provider].insert(kinds.begin(), kinds.end());
        }
      }
    }
  }
  return needed;
}

/// The choices of selects. Each result is read once, and only if a reader needs it.
class Choices {
 public:
  /// `reads_choice`: the trials whose results are read.
  Choices(std::filesystem::path store, TrialTest reads_choice)
      : store_(std::move(store)), reads_choice_(std::move(reads_choice)) {}

  /// The winners that `reader` gets from a select with a result, else the trial itself.
  std::vector<std::string> providers(const std::string& id, const Trial& reader) {
    if (!reads_choice_(id)) return {id};
    const auto [known, is_new] = results_.try_emplace(id);
    if (is_new) known->second = sound_result(TrialFolder(store_, id).result());
    const std::optional<Json>& result = known->second;
    if (!result || !result->contains("selected")) return {id};
    return winners(*result, reader.seed);
  }

 private:
  const std::filesystem::path store_;
  const TrialTest reads_choice_;
  std::map<std::string, std::optional<Json>> results_;
};

}  // namespace

bool forwards_files(const Trial& trial) {
  return !trial.may_diverge.empty();
}

std::set<std::string> winners_of_needs(const Trial& trial, const std::filesystem::path& store,
                                       const TrialTest& is_select) {
  Choices choices(store, is_select);
  std::set<std::string> all;
  for (const auto& [slot, ids] : trial.needs) {
    for (const std::string& id : ids) {
      for (const std::string& provider : choices.providers(id, trial)) {
        if (provider != id) all.insert(provider);
      }
    }
  }
  return all;
}

std::map<std::string, std::set<std::string>> files_needed(const std::vector<Plan>& plans,
                                                          const Schema& schema,
                                                          const TrialTest& reads) {
  return files_needed_from(plans, schema, reads, [](const std::string& id, const Trial&) {
    return std::vector<std::string>{id};
  });
}

std::set<std::string> trials_to_keep(const std::vector<Plan>& plans, const Schema& schema) {
  std::set<std::string> kept;
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) {
      if (planned.resources->keep_asked && leaves_weights(planned.trial, schema))
        kept.insert(planned.trial.id);
    }
  }
  return kept;
}

std::map<std::string, std::string> files_to_make_again(const std::vector<Plan>& plans,
                                                       const Schema& schema,
                                                       const std::filesystem::path& store,
                                                       const TrialTest& is_done,
                                                       const TrialTest& will_run) {
  std::map<std::string, const Trial*> trials;
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) trials[planned.trial.id] = &planned.trial;
  }
  std::map<std::string, std::string> again;
  for (const std::string& id : trials_to_keep(plans, schema)) {
    const KeptFiles weights =
        is_done(id) ? files_kept(TrialFolder(store, id), {kWeights}, nullptr) : KeptFiles::intact;
    const bool has_none = weights == KeptFiles::not_kept && decides_itself(*trials.at(id), schema);
    if (weights != KeptFiles::intact && !has_none)
      again[id] = "done, but its weights, which 'keep' asks for, are missing or were not kept";
  }
  Choices choices(store, [&](const std::string& id) {
    const auto found = trials.find(id);
    return found != trials.end() && is_done(id) && forwards_files(*found->second);
  });
  const Providers providers = [&](const std::string& id, const Trial& reader) {
    return choices.providers(id, reader);
  };
  for (const auto& [id, trial] : trials) {
    if (trial->needs.empty() || !will_run(id) || !has_failed(TrialFolder(store, id))) continue;
    const auto is_select = [&](const std::string& need) {
      return trials.count(need) > 0 && forwards_files(*trials.at(need));
    };
    std::set<std::string> needs = winners_of_needs(*trial, store, is_select);
    for (const auto& [slot, ids] : trial->needs) needs.insert(ids.begin(), ids.end());
    for (const std::string& need : needs) {
      if (!is_done(need) || again.count(need)) continue;
      const auto result = proved_result(TrialFolder(store, need).result());
      if (result && !result->is_sound())
        again[need] = "done, but its result.json is damaged (" + result->damage + ")";
    }
  }
  std::set<std::filesystem::path> hashed;
  // A trial that is repeated may itself need files of others.
  for (size_t before = again.size() + 1; before != again.size();) {
    before = again.size();
    const auto reads = [&](const std::string& id) { return will_run(id) || again.count(id) > 0; };
    // Hashing every file of every parent would take minutes, so only inputs of failed readers are
    // hashed.
    const auto reads_in_doubt = [&](const std::string& id) {
      return reads(id) && has_failed(TrialFolder(store, id));
    };
    const auto doubted = files_needed_from(plans, schema, reads_in_doubt, providers);
    for (const auto& [id, kinds] : files_needed_from(plans, schema, reads, providers)) {
      const auto found = trials.find(id);
      if (found == trials.end() || !is_done(id) || again.count(id)) continue;
      if (forwards_files(*found->second)) continue;
      const KeptFiles kept =
          files_kept(TrialFolder(store, id), kinds, doubted.count(id) ? &hashed : nullptr);
      if (kept != KeptFiles::intact)
        again[id] =
            fmt::format("done, but files that another trial reads {}",
                        kept == KeptFiles::lost ? "are missing or damaged" : "were not kept");
    }
  }
  return again;
}

}  // namespace rethink
