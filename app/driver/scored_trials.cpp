#include "app/driver/scored_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "experiments/schedule/conditions.h"
#include "experiments/schedule/sweep_run.h"
#include "results/folders.h"
#include "results/trial_records.h"

namespace rethink {
namespace {

void add_once(std::vector<std::string>& all, const std::string& one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

/// The sweep under its profile; a problem where it was never run so.
std::optional<Sweep> find_sweep_on_record(const std::filesystem::path& folder,
                                          const RunStage& stage, Problems& problems) {
  std::vector<std::string> names, profiles;
  for (Sweep& sweep : read_sweeps(folder)) {
    const bool is_it = answers_to(sweep, stage.sweep.text);
    if (is_it && sweep.profile == stage.profile.text) return std::move(sweep);
    if (is_it) add_once(profiles, sweep.profile.empty() ? "none" : sweep.profile);
    add_once(names, sweep.sweep);
  }
  if (!profiles.empty()) {
    problems.add(stage.profile.at,
                 fmt::format("profile: got '{}', with which the store has no run of {}; it has: {}",
                             stage.profile.text, stage.sweep.text, joined(profiles)));
  } else {
    problems.add(stage.sweep.at,
                 fmt::format("sweep: got '{}', which was not run in this store{}; it has: {}",
                             stage.sweep.text, did_you_mean(stage.sweep.text, names),
                             names.empty() ? "none" : joined(names)));
  }
  return std::nullopt;
}

std::vector<SweepMember> members_of(const Sweep& sweep, const Word& stage, Problems& problems) {
  std::vector<SweepMember> members;
  std::vector<std::string> stages;
  for (const SweepMember& member : sweep.members) {
    add_once(stages, member.stage);
    if (member.stage == stage.text) members.push_back(member);
  }
  if (members.empty()) {
    problems.add(stage.at,
                 fmt::format("stage: got '{}', which {} does not have{}; it has: {}", stage.text,
                             sweep.sweep, did_you_mean(stage.text, stages), joined(stages)));
  }
  return members;
}

std::string text_of(const std::optional<int64_t>& seed) {
  return seed ? fmt::format("{}", *seed) : "none";
}

/// Values of one label, each once.
std::vector<std::string> values_of(const std::vector<ScoredTrial>& trials, const std::string& key) {
  std::vector<std::string> values;
  for (const ScoredTrial& trial : trials) {
    const auto label = trial.labels.find(key);
    if (label != trial.labels.end()) add_once(values, label->second);
  }
  return values;
}

std::vector<std::string> keys_of(const std::vector<ScoredTrial>& trials) {
  std::vector<std::string> keys;
  for (const ScoredTrial& trial : trials) {
    for (const auto& [key, value] : trial.labels) add_once(keys, key);
  }
  return keys;
}

std::vector<std::string> seeds_of(const std::vector<ScoredTrial>& trials) {
  std::vector<std::string> seeds;
  for (const ScoredTrial& trial : trials) add_once(seeds, text_of(trial.seed));
  return seeds;
}

/// Keeps the trials with one label; says so where there is none.
void keep_labelled(std::vector<ScoredTrial>& trials, const TextPair& wanted, Problems& problems) {
  const auto& [key, value] = wanted;
  const std::vector<std::string> values = values_of(trials, key.text);
  if (values.empty()) {
    const std::vector<std::string> keys = keys_of(trials);
    problems.add(key.at,
                 fmt::format("no trial has the label '{}'{}; they have: {}", key.text,
                             did_you_mean(key.text, keys), keys.empty() ? "none" : joined(keys)));
  }
  std::erase_if(trials, [&](const ScoredTrial& trial) {
    const auto label = trial.labels.find(key.text);
    return label == trial.labels.end() || !same_value(label->second, value.text);
  });
  if (trials.empty() && !values.empty()) {
    problems.add(value.at, fmt::format("no trial has {} '{}'{}; there is: {}", key.text, value.text,
                                       did_you_mean(value.text, values), joined(values)));
  }
}

}  // namespace

std::string ScoredTrial::title() const {
  std::string text = labels.empty() ? fmt::format("trial {} ", id) : "";
  for (const auto& [key, value] : labels) text += fmt::format("{}={} ", key, value);
  return text + "seed " + text_of(seed);
}

std::vector<ScoredTrial> trials_on_record(Store& store, const std::filesystem::path& folder,
                                          const RunStage& stage, Problems& problems) {
  const std::optional<Sweep> sweep = find_sweep_on_record(folder, stage, problems);
  if (!sweep) return {};
  const std::vector<SweepMember> members = members_of(*sweep, stage.stage, problems);
  std::vector<std::string> ids;
  for (const SweepMember& member : members) ids.push_back(member.trial);
  TrialRecords records = read_trial_records(store, folder, ids, {});
  std::vector<ScoredTrial> trials;
  for (const SweepMember& member : members) {
    const std::vector<std::string> winners = records[member.trial].winners;
    for (const std::string& id : winners.empty() ? std::vector{member.trial} : winners)
      trials.push_back({id, records[id].seed, records[id].state, member.labels});
  }
  return trials;
}

std::vector<ScoredTrial> trials_with(std::vector<ScoredTrial> trials, const TextPairs& where,
                                     const std::optional<Word>& seed, Problems& problems) {
  for (const TextPair& wanted : where) {
    if (!trials.empty()) keep_labelled(trials, wanted, problems);
  }
  // Points with other labels may be the same trial.
  std::set<std::string> seen;
  std::erase_if(trials, [&](const ScoredTrial& trial) { return !seen.insert(trial.id).second; });
  if (!seed || trials.empty()) return trials;
  const std::vector<std::string> seeds = seeds_of(trials);
  // A select that has yet to choose has no seed: it is of each.
  std::erase_if(trials, [&](const ScoredTrial& trial) {
    return trial.seed && text_of(trial.seed) != seed->text;
  });
  if (trials.empty()) {
    problems.add(seed->at, fmt::format("seed: got '{}', which no trial has; there is: {}",
                                       seed->text, joined(seeds)));
  }
  return trials;
}

std::string differences_of(const std::vector<ScoredTrial>& trials) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& key, const std::vector<std::string>& values) {
    if (values.size() > 1) parts.push_back(fmt::format("{} ({})", key, joined(values)));
  };
  for (const std::string& key : keys_of(trials)) add(key, values_of(trials, key));
  add("seed", seeds_of(trials));
  return parts.empty() ? "the options that they were run with" : joined(parts);
}

}  // namespace rethink
