#include "app/driver/show/trials/candidates.h"

#include <fmt/format.h>

#include "app/driver/show/rows.h"
#include "core/json.h"
#include "core/trial_state.h"
#include "plots/table/lines/wanted_values.h"
#include "results/statistics/statistics.h"

namespace rethink {
namespace {

/// "dev/score" is dev/score@last where that exists, else the curve's last value, as in the job
/// `select`.
std::optional<double> value_of(const TrialRecord& record, const ValueName& by) {
  for (const ValueName& name : {ValueName{by.split, by.name + "@last"}, by}) {
    const auto value = record.values.find(name.text());
    if (value != record.values.end()) return value->second;
  }
  return std::nullopt;
}

std::string group_title(const Json& group) {
  std::string title;
  for (const Json& label : group.value("labels", Json::array())) {
    title += fmt::format("{}{}={}", title.empty() ? "" : " ", label.value("axis", ""),
                         label.value("value", ""));
  }
  return title;
}

/// The trials of a candidate; a select among them is replaced by the trials that it chose.
std::vector<std::string> group_trials(const Json& group, const TrialRecords& records) {
  std::vector<std::string> all;
  for (const std::string trial : group.at("trials")) {
    const TrialRecord* record = find_record(records, trial);
    const bool chose = record && !record->winners.empty();
    if (!chose) all.push_back(trial);
    if (chose) all.insert(all.end(), record->winners.begin(), record->winners.end());
  }
  return all;
}

std::vector<Json> row_of(const Json& group, const ValueName& by, const TrialRecords& records,
                         const std::vector<std::string>& winners) {
  std::vector<double> values;
  int64_t diverged = 0;
  const std::vector<std::string> trials = group_trials(group, records);
  for (const std::string& trial : trials) {
    const TrialRecord* record = find_record(records, trial);
    if (!record) continue;
    const bool done = record->state == TrialState::done;
    const std::optional<double> value = done ? value_of(*record, by) : std::nullopt;
    if (value) values.push_back(*value);
    if (record->state == TrialState::diverged || (done && !value && !record->not_finite.empty()))
      ++diverged;
  }
  const bool whole = !values.empty() && values.size() == trials.size();
  return {group_title(group), whole ? Json(mean(values)) : Json(), values.size(), diverged,
          trials == winners ? "yes" : ""};
}

}  // namespace

std::optional<Candidates> candidates_of(Store& store, const std::filesystem::path& folder,
                                        const TrialRow& trial) {
  if (!trial.config.contains("groups") || !trial.config.contains("by")) return std::nullopt;
  Candidates candidates{trial.config.at("by"),
                        {{"candidate", "mean", "n", to_text(TrialState::diverged), "chosen"}, {}}};
  const ValueName by = value_named(candidates.by);
  std::vector<std::string> trials = {trial.id};
  for (const Json& group : trial.config.at("groups")) {
    for (const std::string one : group.at("trials")) trials.push_back(one);
  }
  WantedValues wanted;
  wanted.metrics = {by, {by.split, by.name + "@last"}};
  const TrialRecords records = read_trial_records(store, folder, trials, wanted);
  const std::vector<std::string>& winners = records.at(trial.id).winners;
  for (const Json& group : trial.config.at("groups")) {
    candidates.rows.rows.push_back(row_of(group, by, records, winners));
  }
  return candidates;
}

std::string to_text(const Candidates& candidates) {
  return fmt::format("Candidates, by their mean {} over seeds\n{}", candidates.by,
                     format_rows(candidates.rows, "text"));
}

}  // namespace rethink
