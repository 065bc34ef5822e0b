#include "app/driver/score/scored_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/add_once.h"
#include "core/json.h"
#include "experiments/plan/read/overlay.h"
#include "experiments/run/sweep_run.h"
#include "results/database/sql_expressions.h"
#include "results/folders/sweep_files.h"
#include "results/query/run_query.h"
#include "results/records/trial_records.h"

namespace rethink {
namespace {

/// Options of trials, read once each.
class OptionsReader {
 public:
  /// `stages` are the stages of a sweep's trials.
  OptionsReader(Store& store, std::map<std::string, std::string> stages)
      : store_(store), stages_(std::move(stages)) {}

  /// Returns the trial's own options ("optimizer.lr"), and the options of each ancestor with the
  /// prefix of its stage ("pretrain.optimizer.lr").
  TrialOptions of(const std::string& trial);

 private:
  const TrialOptions& own_of(const std::string& trial);
  std::vector<std::string> needs_of(const std::string& trial);

  Store& store_;
  std::map<std::string, std::string> stages_;
  std::map<std::string, TrialOptions> read_;
};

TrialOptions OptionsReader::of(const std::string& trial) {
  TrialOptions all = own_of(trial);
  std::vector<std::string> open = needs_of(trial);
  std::set<std::string> seen;
  while (!open.empty()) {
    const std::string parent = open.back();
    open.pop_back();
    if (!seen.insert(parent).second) continue;
    const auto stage = stages_.find(parent);
    if (stage != stages_.end()) {
      for (const auto& [key, value] : own_of(parent))
        all.try_emplace(stage->second + "." + key, value);
    }
    for (const std::string& need : needs_of(parent)) open.push_back(need);
  }
  return all;
}

const TrialOptions& OptionsReader::own_of(const std::string& trial) {
  const auto [found, is_new] = read_.try_emplace(trial);
  const std::optional<TrialRow> row = is_new ? store_.trial(trial) : std::nullopt;
  if (row) {
    each_leaf(row->config, [&](const std::string& key, const Json& value) {
      found->second.emplace(key, recorded_value(value));
    });
  }
  return found->second;
}

std::vector<std::string> OptionsReader::needs_of(const std::string& trial) {
  const QueryResult rows = run_query(
      store_, fmt::format("SELECT need FROM trial_need WHERE trial = {} ORDER BY slot, position",
                          sql_text(trial)));
  std::vector<std::string> needs;
  for (const std::vector<Json>& row : rows.rows) needs.push_back(row.at(0));
  return needs;
}

/// The sweep under its profile. Adds a problem if it was never run with this profile.
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
    problems.add(stage.profile.at, "unknown-profile",
                 fmt::format("profile: got '{}', with which the store has no run of {}; it has: {}",
                             stage.profile.text, stage.sweep.text, joined(profiles)));
  } else {
    problems.add(stage.sweep.at, "unknown-sweep",
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
    problems.add(stage.at, "unknown-stage",
                 fmt::format("stage: got '{}', which {} does not have{}; it has: {}", stage.text,
                             sweep.sweep, did_you_mean(stage.text, stages), joined(stages)));
  }
  return members;
}

std::map<std::string, std::string> stages_of(const Sweep& sweep) {
  std::map<std::string, std::string> stages;
  for (const SweepMember& member : sweep.members) stages.try_emplace(member.trial, member.stage);
  return stages;
}

std::string seed_text(const std::optional<int64_t>& seed) {
  return seed ? fmt::format("{}", *seed) : "none";
}

/// Values of one label or option, each once.
std::vector<std::string> distinct_values(const std::vector<ScoredTrial>& trials,
                                         const std::string& key) {
  std::vector<std::string> values;
  for (const ScoredTrial& trial : trials) {
    if (const std::optional<RecordedValue> value = trial.value_of(key))
      add_once(values, value->text);
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
  for (const ScoredTrial& trial : trials) add_once(seeds, seed_text(trial.seed));
  return seeds;
}

constexpr size_t kMostNames = 6;  // of options, in a message

std::vector<std::string> first_of(std::vector<std::string> names) {
  if (names.size() > kMostNames) names.resize(kMostNames);
  return names;
}

/// Options that differ between the trials. An option that differs equally in a trial and in its
/// ancestors is listed once.
std::vector<std::string> options_that_differ(const std::vector<ScoredTrial>& trials) {
  std::set<std::string> keys;
  for (const ScoredTrial& trial : trials) {
    for (const auto& [key, value] : trial.options) keys.insert(key);
  }
  std::erase_if(keys,
                [&](const std::string& key) { return distinct_values(trials, key).size() < 2; });
  std::vector<std::string> differ;
  for (const std::string& key : keys) {
    const size_t dot = key.find('.');
    const std::string own = dot == std::string::npos ? "" : key.substr(dot + 1);
    if (!keys.contains(own) || distinct_values(trials, own) != distinct_values(trials, key))
      differ.push_back(key);
  }
  return differ;
}

/// "they have: arm, task; or an option, such as optimizer.lr"
std::string known_names(const std::vector<ScoredTrial>& trials) {
  const std::vector<std::string> labels = keys_of(trials), differ = options_that_differ(trials);
  const std::string options =
      differ.empty() ? "" : fmt::format("; options that differ: {}", joined(first_of(differ)));
  return (labels.empty() ? "none" : joined(labels)) + options;
}

/// The probable meaning of a name that is neither a label nor an option.
std::string name_meant(const std::string& name, const std::vector<ScoredTrial>& trials) {
  std::vector<std::string> known = keys_of(trials);
  for (const ScoredTrial& trial : trials) {
    for (const auto& [key, value] : trial.options) add_once(known, key);
  }
  // Own options come before those of ancestors: "optimizer.lr" before "base.optimizer.lr".
  const auto depth = [](const std::string& key) { return std::ranges::count(key, '.'); };
  std::ranges::stable_sort(known, {}, depth);
  return did_you_mean(name, known);
}

/// Keeps the trials with one label or option. Adds a problem if there is none.
void keep_with(std::vector<ScoredTrial>& trials, const SpecPair& wanted, Problems& problems) {
  const auto& [key, value] = wanted;
  const std::vector<std::string> values = distinct_values(trials, key.text);
  if (values.empty()) {
    problems.add(key.at, "unknown-name",
                 fmt::format("no trial has the label or option '{}'{}; they have: {}", key.text,
                             name_meant(key.text, trials), known_names(trials)));
  }
  std::erase_if(trials, [&](const ScoredTrial& trial) {
    const std::optional<RecordedValue> its = trial.value_of(key.text);
    return !its || !same_value(*its, value.written());
  });
  if (trials.empty() && !values.empty()) {
    problems.add(value.at, "unknown-value",
                 fmt::format("no trial has {} '{}'{}{}; there is: {}", key.text, value.text,
                             value.quoted ? ", as text" : "", did_you_mean(value.text, values),
                             joined(values)));
  }
}

}  // namespace

std::string ScoredTrial::title() const {
  std::string text = labels.empty() ? fmt::format("trial {} ", id) : "";
  for (const auto& [key, value] : labels) text += fmt::format("{}={} ", key, value);
  return text + "seed " + seed_text(seed);
}

std::optional<RecordedValue> ScoredTrial::value_of(const std::string& key) const {
  const auto found = options.find(key);
  const auto option = found == options.end() ? std::nullopt : std::optional(found->second);
  const auto label = labels.find(key);
  return label == labels.end() ? option : typed_label(label->second, option);
}

std::vector<ScoredTrial> trials_on_record(Store& store, const std::filesystem::path& folder,
                                          const RunStage& stage, Problems& problems) {
  const std::optional<Sweep> sweep = find_sweep_on_record(folder, stage, problems);
  if (!sweep) return {};
  const std::vector<SweepMember> members = members_of(*sweep, stage.stage, problems);
  std::vector<std::string> ids;
  for (const SweepMember& member : members) ids.push_back(member.trial);
  TrialRecords records = read_trial_records(store, folder, ids, {});
  OptionsReader options(store, stages_of(*sweep));
  std::vector<ScoredTrial> trials;
  for (const SweepMember& member : members) {
    const std::vector<std::string> winners = records[member.trial].winners;
    for (const std::string& id : winners.empty() ? std::vector{member.trial} : winners)
      trials.push_back({id, records[id].seed, records[id].state, member.labels, options.of(id)});
  }
  return trials;
}

std::vector<ScoredTrial> trials_with(std::vector<ScoredTrial> trials, const SpecPairs& where,
                                     const std::optional<Word>& seed, Problems& problems) {
  for (const SpecPair& wanted : where) {
    if (!trials.empty()) keep_with(trials, wanted, problems);
  }
  // Points with other labels may be the same trial.
  std::set<std::string> seen;
  std::erase_if(trials, [&](const ScoredTrial& trial) { return !seen.insert(trial.id).second; });
  if (!seed || trials.empty()) return trials;
  const std::vector<std::string> seeds = seeds_of(trials);
  // A select without a choice has no seed yet, so it counts for every seed.
  std::erase_if(trials, [&](const ScoredTrial& trial) {
    return trial.seed && seed_text(trial.seed) != seed->text;
  });
  if (trials.empty()) {
    problems.add(
        seed->at, "unknown-seed",
        fmt::format("seed: got '{}', which no trial has; there is: {}", seed->text, joined(seeds)));
  }
  return trials;
}

std::string differences_of(const std::vector<ScoredTrial>& trials) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& key, const std::vector<std::string>& values) {
    if (values.size() > 1) parts.push_back(fmt::format("{} ({})", key, joined(values)));
  };
  for (const std::string& key : keys_of(trials)) add(key, distinct_values(trials, key));
  add("seed", seeds_of(trials));
  if (!parts.empty()) return joined(parts);
  for (const std::string& key : first_of(options_that_differ(trials)))
    add(key, distinct_values(trials, key));
  return joined(parts);
}

}  // namespace rethink
