#include "plots/table/cells/measured_cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/add_once.h"
#include "core/error.h"
#include "plots/table/cells/trial_marks.h"
#include "plots/table/lines/unlike_arms.h"
#include "results/statistics/statistics.h"

namespace rethink {
namespace {

/// The mark of a trial whose last attempt ended with `outcome`.
MarkKind mark_of_failure(const std::optional<AttemptOutcome>& outcome) {
  if (outcome == AttemptOutcome::oom) return MarkKind::oom;
  if (outcome == AttemptOutcome::killed) return MarkKind::killed;
  if (outcome == AttemptOutcome::timeout) return MarkKind::timeout;
  return MarkKind::failed;
}

/// The mark of a trial without the number `value`.
MarkKind mark_of(const TrialRecord* record, const CellValue& value) {
  if (!record || !record->state) return MarkKind::missing;
  switch (*record->state) {
    case TrialState::waiting:
    case TrialState::ready:
      return MarkKind::missing;
    case TrialState::running:
      return MarkKind::running;
    case TrialState::failed:
      return mark_of_failure(record->outcome);
    case TrialState::cancelled:
      return MarkKind::cancelled;
    case TrialState::blocked:
      return MarkKind::blocked;
    case TrialState::diverged:
      return MarkKind::diverged;
    case TrialState::done:
      break;
  }
  if (value.kind == CellKind::imported) return MarkKind::not_imported;
  if (is_damaged(*record, value)) return MarkKind::damaged;
  if (record->not_finite.count(value.name.text())) return MarkKind::diverged;
  const auto limit = record->measurements.find(measured::kLimit);
  if (limit == record->measurements.end()) return MarkKind::no_value;
  return limit->second == measured::kTimeLimit ? MarkKind::time_limit : MarkKind::memory_limit;
}

std::optional<double> recorded_number(const TrialRecord* record, const CellValue& wanted) {
  if (!record || record->state != TrialState::done || is_damaged(*record, wanted))
    return std::nullopt;
  const bool measurement = wanted.kind == CellKind::measurement;
  const auto& values = measurement ? record->measurements : record->values;
  const auto found = values.find(measurement ? wanted.name.name : wanted.name.text());
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

/// The seeds of a trial without winners: before its choice, the seeds of all its candidates.
std::set<int64_t> seeds_of(const PlannedTrial& planned) {
  if (planned.trial.seed || planned.candidate_seeds.empty())
    return {planned.trial.seed.value_or(0)};
  return planned.candidate_seeds;
}

/// A trial of the cell, and the planned trial for which it counts: itself, or the trial of a select
/// stage that chose it.
struct ChosenTrial {
  std::string id, planned;
};

/// Trials by seed. A seed is missing if its trials have no id.
std::map<int64_t, std::vector<ChosenTrial>> trials_by_seed(const CellTrials& trials,
                                                           const TrialRecords& records) {
  std::map<int64_t, std::vector<ChosenTrial>> by_seed;
  for (const PlannedTrial* planned : trials) {
    const std::string& id = planned->trial.id;
    if (!planned->lacks.empty()) {
      for (const int64_t seed : seeds_of(*planned)) by_seed[seed];
      continue;
    }
    const TrialRecord* record = find_record(records, id);
    if (!record || record->winners.empty()) {
      for (const int64_t seed : seeds_of(*planned)) by_seed[seed].push_back({id, id});
      continue;
    }
    for (const std::string& winner : record->winners) {
      const TrialRecord* chosen = find_record(records, winner);
      by_seed[chosen ? chosen->seed.value_or(0) : 0].push_back({winner, id});
    }
  }
  return by_seed;
}

TrialNumber trial_number(const TrialRecord* record, int64_t seed, const CellValue& value) {
  TrialNumber number{.seed = seed, .begun = record ? record->begun : ""};
  if (const std::optional<double> recorded = recorded_number(record, value))
    number.number = value.scale * *recorded;
  else
    number.lack = mark_of(record, value);
  return number;
}

void add_number(const TrialNumber& number, PartOfSeed& part) {
  if (number.number)
    part.numbers.push_back(*number.number);
  else
    part.lacking.insert(number.lack);
}

/// Missing scores of predictions that nobody sent to a server do not count as missing.
void skip_unsubmitted(CellKind kind, PartOfSeed& part) {
  if (kind == CellKind::imported && !part.numbers.empty()) part.lacking.clear();
}

/// Seeds of trials without an id.
std::set<int64_t> seeds_without_data(const CellTrials& trials) {
  std::set<int64_t> seeds;
  for (const PlannedTrial* planned : trials) {
    if (!planned->lacks.empty()) seeds.merge(seeds_of(*planned));
  }
  return seeds;
}

/// Fills trials, numbers, planned_seeds, samples and lacking.
void take_numbers(const CellTrials& trials, const TrialRecords& records, const CellValue& value,
                  MeasuredCell& cell) {
  const std::set<int64_t> without_data = seeds_without_data(trials);
  std::map<std::string, size_t> places;  // in cell.trials, by id
  for (const auto& [seed, chosen] : trials_by_seed(trials, records)) {
    cell.planned_seeds.insert(seed);
    PartOfSeed all;
    if (without_data.contains(seed)) all.lacking.insert(MarkKind::needs_data);
    for (const ChosenTrial& one : chosen) {
      const auto [place, is_new] = places.try_emplace(one.id, cell.trials.size());
      if (is_new) {
        cell.trials.push_back(one.id);
        cell.numbers.push_back(trial_number(find_record(records, one.id), seed, value));
      }
      TrialNumber& number = cell.numbers[place->second];
      if (one.planned != one.id) add_once(number.chosen_by, one.planned);
      add_number(number, all);
    }
    skip_unsubmitted(cell.kind, all);
    if (const std::optional<double> mean = all.value())
      cell.samples.push_back({seed, *mean});
    else
      cell.lacking[seed] = std::move(all.lacking);
  }
}

/// Adds the marks that follow from each trial's record.
void mark_records(const TrialRecords& records, const CellValue& value, const TableSpec& spec,
                  MeasuredCell& cell) {
  Repetitions repetitions;
  for (size_t i = 0; i < cell.trials.size(); ++i) {
    const TrialRecord* record = find_record(records, cell.trials[i]);
    if (!record) continue;
    const bool has_number = cell.numbers[i].number.has_value();
    mark_partial_data(cell, *record, value);
    mark_other_data(cell, *record, spec);
    repetitions.add(*record, has_number);
    if (has_number) cell.environments.add(record->environment);
  }
  repetitions.mark(cell);
}

}  // namespace

std::optional<double> MeasuredCell::value_of(int64_t seed) const {
  const auto sample = std::ranges::find(samples, seed, &Sample::seed);
  return sample == samples.end() ? std::nullopt : std::optional(sample->value);
}

std::vector<int64_t> MeasuredCell::diverged() const {
  std::vector<int64_t> seeds;
  for (const auto& [seed, reasons] : lacking) {
    if (reasons.contains(MarkKind::diverged)) seeds.push_back(seed);
  }
  return seeds;
}

bool MeasuredCell::has(MarkKind mark) const {
  return std::any_of(marks.begin(), marks.end(), [&](const Mark& m) { return m.kind == mark; });
}

std::string MeasuredCell::text_without_number() const {
  return marks.empty() ? to_text(MarkKind::missing) : marks.front().name();
}

bool MeasuredCell::is_unplanned() const {
  return !value && has(MarkKind::not_planned);
}

bool MeasuredCell::waits() const {
  return !is_unplanned() && std::any_of(marks.begin(), marks.end(),
                                        [](const Mark& m) { return m.kind < MarkKind::no_value; });
}

bool MeasuredCell::incomplete() const {
  return waits() || (!is_unplanned() && (has(MarkKind::no_value) || has(MarkKind::not_imported) ||
                                         has(MarkKind::damaged)));
}

bool MeasuredCell::is_fixed() const {
  const auto differs = [&](const Sample& sample) { return sample.value != samples[0].value; };
  return (kind == CellKind::measurement || kind == CellKind::fact) && !samples.empty() &&
         std::ranges::none_of(samples, differs);
}

void summarize(MeasuredCell& cell, const std::string& spread) {
  std::vector<double> values;
  for (const Sample& sample : cell.samples) values.push_back(sample.value);
  if (values.empty()) return;
  cell.value = mean(values);
  if (values.size() < 2) return;
  if (spread == "sd") cell.spread = standard_deviation(values);
  if (spread == "sem") cell.spread = standard_error(values);
  if (spread == "ci95") cell.spread = confidence95(values);
}

MeasuredCell measure_cell(const CellTrials& trials, const TrialRecords& records,
                          const CellValue& value, const TableSpec& spec) {
  MeasuredCell cell;
  cell.kind = value.kind;
  for (const PlannedTrial* planned : trials) {
    cell.lacks.insert(planned->lacks.begin(), planned->lacks.end());
    // A server usually scores one model, not the models of all seeds.
    if (cell.kind != CellKind::imported)
      cell.own_seeds = std::max(cell.own_seeds, planned->own_seeds);
    const TrialRecord* record = find_record(records, planned->trial.id);
    if (!record || !record->state || !has_result(*record->state))
      cell.to_bring.insert(planned->to_bring.begin(), planned->to_bring.end());
    if (record && !record->winners.empty()) cell.selects.push_back(planned->trial.id);
  }
  take_numbers(trials, records, value, cell);
  mark_records(records, value, spec, cell);
  mark_lacking_data(cell);
  mark_lacking(cell);
  mark_damaged(cell, records, value);
  mark_diverged(cell);
  mark_mixed(cell);
  if (trials.empty()) cell.marks.push_back(not_planned());
  if (value.kind == CellKind::imported) mark_imported(cell, records, value.name);
  mark_faults(cell, records);
  mark_ties(cell, trials, records);
  mark_seeds(cell, spec.wanted_seeds);
  summarize(cell, spec.spread);
  if (value.kind == CellKind::measurement) mark_not_alone(cell, trials, value);
  if (value.kind == CellKind::metric) {
    mark_constant_answers(cell, records, value.name);
    mark_selection(cell, trials, value.name);
  }
  return cell;
}

MeasuredCell unplanned_cell(CellKind kind) {
  MeasuredCell cell;
  cell.kind = kind;
  cell.marks.push_back(not_planned());
  return cell;
}

std::optional<double> PartOfSeed::value() const {
  return lacking.empty() ? std::optional(mean_of_trials(numbers)) : std::nullopt;
}

std::map<int64_t, PartOfSeed> part_by_seed(const MeasuredCell& cell, const CellTrials& planned) {
  std::set<std::string> ids;
  for (const PlannedTrial* one : planned) {
    if (one->lacks.empty()) ids.insert(one->trial.id);
  }
  std::map<int64_t, PartOfSeed> parts;
  for (size_t i = 0; i < cell.trials.size(); ++i) {
    const TrialNumber& number = cell.numbers[i];
    const auto is_of_part = [&](const std::string& id) { return ids.contains(id); };
    auto times = std::ranges::count_if(number.chosen_by, is_of_part);
    if (is_of_part(cell.trials[i])) ++times;
    if (times == 0) continue;
    PartOfSeed& part = parts[number.seed];
    part.trials.push_back(cell.trials[i]);
    for (; times > 0; --times) add_number(number, part);
  }
  const std::set<int64_t> without_data = seeds_without_data(planned);
  for (auto& [seed, part] : parts) {
    if (without_data.contains(seed)) part.lacking.insert(MarkKind::needs_data);
    skip_unsubmitted(cell.kind, part);
  }
  return parts;
}

std::map<int64_t, std::vector<std::string>> whole_seeds(
    const MeasuredCell& cell, const std::function<bool(const std::string& trial)>& has_value) {
  std::map<int64_t, std::vector<std::string>> seeds;
  for (size_t i = 0; i < cell.trials.size(); ++i)
    seeds[cell.numbers[i].seed].push_back(cell.trials[i]);
  std::erase_if(seeds,
                [&](const auto& seed) { return !std::ranges::all_of(seed.second, has_value); });
  return seeds;
}

double mean_of_trials(const std::vector<double>& values) {
  RETHINK_ASSERT(!values.empty(), "the mean of no trials");
  double mean = 0;
  size_t count = 0;
  for (const double value : values) mean += (value - mean) / static_cast<double>(++count);
  return mean;
}

namespace {

/// Takes the heads of seeds with one trial. Over several trials a mean has no heads.
void take_heads(MeasuredCell& cell, const TrialRecords& records, const ValueName& places) {
  std::map<int64_t, size_t> trials;
  for (const std::string& id : cell.trials) {
    const TrialRecord* record = find_record(records, id);
    if (!record) continue;
    const int64_t seed = record->seed.value_or(0);
    const auto heads = record->heads.find(places.text());
    if (++trials[seed] > 1) cell.heads.erase(seed);
    if (heads != record->heads.end() && trials[seed] == 1) cell.heads[seed] = heads->second;
  }
}

void explain_unplanned(MeasuredCell& cell, const std::string& why) {
  for (Mark& mark : cell.marks) {
    if (mark.kind == MarkKind::not_planned) mark.text = why;
  }
}

/// For a row or column that is not run, the cell has only the paper's number. A derived cell stays empty.
MeasuredCell measured_cell_at(const GridLine& row, const GridLine& column, const TableColumn& shown,
                              const CellTrials& trials, const TrialRecords& records,
                              const TableSpec& spec) {
  const LineSpec& line = *column.spec;
  MeasuredCell cell;
  if (row.spec->published || line.published) {
    cell.kind = CellKind::published;
    cell.marks.push_back(
        {MarkKind::published, row.spec->published ? *row.spec->published : *line.published});
  } else if (line.of.empty()) {
    const CellValue value{shown.kind, line.value ? *line.value : *spec.metric, shown.scale};
    cell = measure_cell(trials, records, value, spec);
    if (line.unplanned) explain_unplanned(cell, *line.unplanned);
    if (value.kind == CellKind::places) take_heads(cell, records, value.name);
  }
  return cell;
}

/// Marks a cell whose trials, all done, lack a fact or an artifact's positions that trials of other rows have: their
/// models have no such part.
void mark_not_applicable(MeasuredTable& table) {
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const CellKind kind = table.columns[column].kind;
    if (kind != CellKind::fact && kind != CellKind::places) continue;
    const bool has_number = std::ranges::any_of(
        table.cells,
        [&](const std::vector<MeasuredCell>& row) { return row[column].value.has_value(); });
    for (std::vector<MeasuredCell>& row : table.cells) {
      MeasuredCell& cell = row[column];
      if (!has_number || cell.value || cell.waits() || !cell.has(MarkKind::no_value)) continue;
      std::erase_if(cell.marks, [](const Mark& mark) { return mark.kind == MarkKind::no_value; });
      cell.marks.push_back({MarkKind::not_applicable,
                            fmt::format("its trials leave no {}", table.columns[column].value)});
    }
  }
}

}  // namespace

MeasuredTable measured_table(TableLines lines, const TableSpec& spec, const Grid& grid,
                             const TrialRecords& records) {
  MeasuredTable table{std::move(lines), {}};
  for (size_t row = 0; row < grid.rows.size(); ++row) {
    std::vector<MeasuredCell>& cells = table.cells.emplace_back();
    for (size_t column = 0; column < grid.columns.size(); ++column)
      cells.push_back(measured_cell_at(grid.rows[row], grid.columns[column], table.columns[column],
                                       grid.trials[row][column], records, spec));
  }
  mark_not_applicable(table);
  mark_unlike_arms(table, spec, grid, records);
  return table;
}

}  // namespace rethink
