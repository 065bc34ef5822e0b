#include "plots/table/cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/config/check.h"
#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "results/statistics/statistics.h"

namespace rethink {
namespace {

struct KindName {
  MarkKind kind;
  const char* name;
};

constexpr KindName kMarkNames[] = {
    {MarkKind::needs_data, "needs data"},
    {MarkKind::missing, "missing"},
    {MarkKind::running, "running"},
    {MarkKind::failed, "failed"},
    {MarkKind::oom, "out of memory"},
    {MarkKind::killed, "killed"},
    {MarkKind::timeout, "timeout"},
    {MarkKind::cancelled, "cancelled"},
    {MarkKind::blocked, "blocked"},
    {MarkKind::no_value, "no value"},
    {MarkKind::not_imported, "not imported"},
    {MarkKind::damaged, "damaged file"},
    {MarkKind::diverged, "diverged"},
    {MarkKind::not_planned, "not planned"},
    {MarkKind::not_applicable, "not applicable"},
    {MarkKind::memory_limit, "memory limit"},
    {MarkKind::time_limit, "time limit"},
    {MarkKind::few_seeds, "too few seeds"},
    {MarkKind::partial_data, "partial data"},
    {MarkKind::other_data, "other data"},
    {MarkKind::empty_mask, "empty mask"},
    {MarkKind::constant, "always the same answer"},
    {MarkKind::unlike, "unlike arms"},
    {MarkKind::not_comparable, "not comparable"},
    {MarkKind::selected_on_it, "selected on the reported split"},
    {MarkKind::tied, "tied candidates"},
    {MarkKind::inexact, "inexact resume"},
    {MarkKind::mixed, "several builds or machines"},
    {MarkKind::kept, "earlier result"},
    {MarkKind::imported, "imported"},
    {MarkKind::published, "published"},
};

}  // namespace

const char* to_text(MarkKind kind) {
  for (const KindName& known : kMarkNames) {
    if (known.kind == kind) return known.name;
  }
  return "";
}

std::string footnote_text(const Mark& mark) {
  const std::string kind = to_text(mark.kind);
  return mark.text.find(kind) == std::string::npos ? kind + ": " + mark.text : mark.text;
}

namespace {

/// The same name may be that of a fact, which the trial recorded.
bool is_damaged(const TrialRecord& record, const CellValue& value) {
  return value.kind == CellKind::places && record.damaged.contains(value.name.text());
}

/// `outcome`: of the last attempt.
MarkKind mark_of_failure(const std::optional<AttemptOutcome>& outcome) {
  if (outcome == AttemptOutcome::oom) return MarkKind::oom;
  if (outcome == AttemptOutcome::killed) return MarkKind::killed;
  if (outcome == AttemptOutcome::timeout) return MarkKind::timeout;
  return MarkKind::failed;
}

/// What a trial without the number `value` is marked as.
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

/// Whose seeds a trial without winners stands for: until it has chosen, those of all that it chooses among.
std::set<int64_t> seeds_of(const PlannedTrial& planned) {
  if (planned.trial.seed || planned.candidate_seeds.empty())
    return {planned.trial.seed.value_or(0)};
  return planned.candidate_seeds;
}

/// A trial of the cell with its seed; the winners in place of a select stage's trial. A seed has none whose
/// trials have no id.
std::map<int64_t, std::vector<std::string>> trials_by_seed(const CellTrials& trials,
                                                           const TrialRecords& records) {
  std::map<int64_t, std::vector<std::string>> by_seed;
  for (const PlannedTrial* planned : trials) {
    if (!planned->lacks.empty()) {
      for (const int64_t seed : seeds_of(*planned)) by_seed[seed];
      continue;
    }
    const TrialRecord* record = find_record(records, planned->trial.id);
    if (!record || record->winners.empty()) {
      for (const int64_t seed : seeds_of(*planned)) by_seed[seed].push_back(planned->trial.id);
      continue;
    }
    for (const std::string& winner : record->winners) {
      const TrialRecord* chosen = find_record(records, winner);
      by_seed[chosen ? chosen->seed.value_or(0) : 0].push_back(winner);
    }
  }
  return by_seed;
}

std::string with_commas(double number) {
  std::string digits = fmt::format("{:.0f}", number);
  for (int64_t at = static_cast<int64_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), 1, ',');
  return digits;
}

/// "64 of 87,599 examples" where a trial used fewer of a split than were published, else "".
std::string partial_text(const TrialRecord& record, const std::string& split) {
  const auto used = record.measurements.find(measured::examples(split));
  const auto official = record.measurements.find(measured::official_examples(split));
  if (used == record.measurements.end() || official == record.measurements.end()) return "";
  if (used->second >= official->second) return "";
  return fmt::format("{} of {} examples", with_commas(used->second), with_commas(official->second));
}

void mark_partial_data(Cell& cell, const TrialRecord& record, const CellValue& value) {
  if (cell.has(MarkKind::partial_data)) return;
  std::vector<std::string> texts;
  if (const std::string text = partial_text(record, "train"); !text.empty())
    texts.push_back("trained on " + text);
  if (value.kind == CellKind::metric) {
    for (const ValueName& part : parts_of(value.name)) {
      const std::string text = part.split == "train" ? "" : partial_text(record, part.split);
      if (!text.empty()) texts.push_back(fmt::format("measured on {} of {}", text, part.split));
    }
  }
  if (!texts.empty()) cell.marks.push_back({MarkKind::partial_data, joined(texts)});
}

/// Only beside a paper's numbers: data of one's own is no fault elsewhere.
void mark_other_data(Cell& cell, const TrialRecord& record, const TableSpec& spec) {
  const bool beside_paper = !spec.paper.empty() || spec.paper_apart;
  if (!beside_paper || record.other_data.empty() || cell.has(MarkKind::other_data)) return;
  const bool one = record.other_data.size() == 1;
  cell.marks.push_back({MarkKind::other_data, fmt::format("{} {}", joined(record.other_data),
                                                          one ? "is not the published file"
                                                              : "are not the published files")});
}

/// The step with the best dev value, reported on dev; the lowest test value; the winner of a select
/// by dev.
void mark_selection(Cell& cell, const CellTrials& trials, const ValueName& value) {
  const bool step =
      (value.split == "dev" && value.name.ends_with("@best")) || value.name.ends_with("@min_test");
  const bool candidates =
      std::any_of(trials.begin(), trials.end(), [&](const PlannedTrial* planned) {
        const Json& config = planned->trial.config;
        const auto by = config.find("by");
        // Of one candidate nothing was selected.
        const auto groups = config.find(kCandidatesOption);
        if (groups != config.end() && groups->size() == 1) return false;
        return !planned->trial.seed && by != config.end() && by->is_string() &&
               std::ranges::any_of(parts_of(value), [&](const ValueName& part) {
                 return by->get<std::string>().starts_with(part.split + "/");
               });
      });
  if (!cell.value || !(step || candidates)) return;
  cell.marks.push_back({MarkKind::selected_on_it,
                        fmt::format("the {} selected on the reported split, {}",
                                    step ? "reported step was" : "candidate was", value.split)});
}

/// The spread over such trials has a part that is no seed's.
void mark_mixed(Cell& cell) {
  const std::vector<std::string> mixed = cell.environments.mixed();
  if (mixed.empty()) return;
  cell.marks.push_back(
      {MarkKind::mixed,
       fmt::format("its trials differ in {}; their rounding may, too", joined(mixed))});
}

/// A mask without any place leaves a model that does not mix its tokens: a number of another thing.
void mark_empty_masks(Cell& cell, const TrialRecords& records) {
  constexpr double kAll = 100;  // [%]
  const auto is_empty = [&](const std::string& id) {
    const TrialRecord* record = find_record(records, id);
    if (!record) return false;
    const auto sparsity = record->values.find(mask_sparsity().text());
    return sparsity != record->values.end() && sparsity->second >= kAll;
  };
  const auto empty = std::count_if(cell.trials.begin(), cell.trials.end(), is_empty);
  if (empty == 0) return;
  const std::string of =
      static_cast<size_t>(empty) == cell.trials.size()
          ? "the mask"
          : fmt::format("the mask of {} of {} trials", empty, cell.trials.size());
  cell.marks.push_back(
      {MarkKind::empty_mask, of + " has no place (sparsity 100 %): no token attends to any"});
}

/// The number of such a model is one of the split's labels, not of what it learned.
void mark_constant_answers(Cell& cell, const TrialRecords& records, const ValueName& value) {
  const auto is_constant = [&](const std::string& id) {
    const TrialRecord* record = find_record(records, id);
    return record && std::ranges::any_of(parts_of(value), [&](const ValueName& part) {
             const auto answers = record->measurements.find(measured::answers(part));
             return answers != record->measurements.end() && answers->second == 1;
           });
  };
  const auto constant = static_cast<size_t>(std::ranges::count_if(cell.trials, is_constant));
  if (constant == 0) return;
  std::string text = to_text(MarkKind::constant);
  if (constant < cell.trials.size())
    text += fmt::format(", in {} of {} trials", constant, cell.trials.size());
  cell.marks.push_back({MarkKind::constant, text});
}

/// Which candidates are equal says only their order in the sweep.
void mark_ties(Cell& cell, const CellTrials& trials, const TrialRecords& records) {
  for (const PlannedTrial* planned : trials) {
    const TrialRecord* record = find_record(records, planned->trial.id);
    if (!record || record->tied < 2) continue;
    const Json& config = planned->trial.config;
    cell.marks.push_back(
        {MarkKind::tied,
         fmt::format("{} of {} candidates are equal by {}; the first in the "
                     "sweep's order was taken",
                     record->tied, config.value(kCandidatesOption, Json::array()).size(),
                     config.value("by", ""))});
    return;
  }
}

/// By whom, when, and of how many of the cell's trials. A server scores the model that somebody
/// sent, seldom each seed's.
void mark_imported(Cell& cell, const TrialRecords& records, const ValueName& score) {
  std::set<std::string> sources;
  size_t scored = 0;
  for (const std::string& id : cell.trials) {
    const TrialRecord* record = find_record(records, id);
    if (!record || !record->values.count(score.text())) continue;
    ++scored;
    const auto source = record->sources.find(score.text());
    if (source != record->sources.end()) sources.insert(source->second);
  }
  if (scored == 0) return;
  std::string text = "score imported from outside";
  if (!sources.empty()) text = "scored by " + joined({sources.begin(), sources.end()}, "; ");
  if (scored < cell.trials.size())
    text += fmt::format("; {} of {} trials", scored, cell.trials.size());
  cell.marks.push_back({MarkKind::imported, text});
}

void mark_seeds(Cell& cell, int64_t wanted) {
  const size_t n = cell.samples.size();
  if ((n > 0 || cell.value) && n < static_cast<size_t>(wanted))
    cell.marks.push_back({MarkKind::few_seeds, fmt::format("{} of {} seeds wanted", n, wanted)});
}

/// How many seeds have no number, by each reason that one of their trials gives.
void mark_lacking(Cell& cell) {
  // A server scores few of the models that it could.
  if (cell.kind == CellKind::imported && !cell.samples.empty()) return;
  std::map<MarkKind, size_t> counts;
  for (const auto& [seed, reasons] : cell.lacking) {
    for (const MarkKind reason : reasons) ++counts[reason];
  }
  counts.erase(MarkKind::diverged);  // mark_diverged says more
  counts.erase(MarkKind::damaged);   // mark_damaged, too
  counts.erase(MarkKind::needs_data);
  for (const auto& [reason, count] : counts) {
    const std::string of =
        cell.planned() > 1 ? fmt::format("{} of {} seeds ", count, cell.planned()) : "";
    cell.marks.push_back({reason, of + to_text(reason)});
  }
}

/// Seeds of trials that have no id.
std::set<int64_t> seeds_without_data(const CellTrials& trials) {
  std::set<int64_t> seeds;
  for (const PlannedTrial* planned : trials) {
    if (!planned->lacks.empty()) seeds.merge(seeds_of(*planned));
  }
  return seeds;
}

void mark_lacking_data(Cell& cell) {
  if (!cell.lacks.empty())
    cell.marks.push_back(
        {MarkKind::needs_data, joined({cell.lacks.begin(), cell.lacks.end()}, "; ")});
}

/// Says how many seeds diverged, where some did.
void mark_diverged(Cell& cell) {
  if (cell.diverged.empty()) return;
  std::string text = to_text(MarkKind::diverged);
  if (cell.planned() > 1)
    text = fmt::format("{} of {} seeds {}", cell.diverged.size(), cell.planned(), text);
  if (!cell.samples.empty()) text += "; the number is of the others only";
  cell.marks.push_back({MarkKind::diverged, text});
}

/// Which file, and how it is made again.
void mark_damaged(Cell& cell, const TrialRecords& records, const CellValue& value) {
  std::set<std::string> problems;
  for (const std::string& id : cell.trials) {
    const TrialRecord* record = find_record(records, id);
    if (record && record->state == TrialState::done && is_damaged(*record, value))
      problems.insert(record->damaged.at(value.name.text()));
  }
  if (problems.empty()) return;
  std::string text = *problems.begin();
  if (problems.size() > 1)
    text += fmt::format("; and {} (db check --hashes)", counted(problems.size() - 1, "more file"));
  cell.marks.push_back({MarkKind::damaged, text});
}

Mark not_planned() {
  return {MarkKind::not_planned, "left out by the sweep, its profile or the options given"};
}

}  // namespace

std::optional<double> Cell::value_of(int64_t seed) const {
  const auto sample = std::ranges::find(samples, seed, &Sample::seed);
  return sample == samples.end() ? std::nullopt : std::optional(sample->value);
}

bool Cell::is_significant() const {
  return std::ranges::any_of(tests, &CellTest::significant);
}

bool Cell::has(MarkKind mark) const {
  return std::any_of(marks.begin(), marks.end(), [&](const Mark& m) { return m.kind == mark; });
}

bool Cell::is_unplanned() const {
  return !value && has(MarkKind::not_planned);
}

bool Cell::waits() const {
  return !is_unplanned() && std::any_of(marks.begin(), marks.end(),
                                        [](const Mark& m) { return m.kind < MarkKind::no_value; });
}

bool Cell::incomplete() const {
  return waits() || (!is_unplanned() && (has(MarkKind::no_value) || has(MarkKind::not_imported) ||
                                         has(MarkKind::damaged)));
}

void summarize(Cell& cell, const std::string& spread) {
  std::vector<double> values;
  for (const Sample& sample : cell.samples) values.push_back(sample.value);
  if (values.empty()) return;
  cell.value = mean(values);
  if (values.size() < 2) return;
  if (spread == "sd") cell.spread = standard_deviation(values);
  if (spread == "sem") cell.spread = standard_error(values);
  if (spread == "ci95") cell.spread = confidence95(values);
}

Cell measure_cell(const CellTrials& trials, const TrialRecords& records, const CellValue& value,
                  const TableSpec& spec) {
  Cell cell;
  cell.kind = value.kind;
  for (const PlannedTrial* planned : trials) {
    cell.lacks.insert(planned->lacks.begin(), planned->lacks.end());
    const TrialRecord* record = find_record(records, planned->trial.id);
    if (record && !record->winners.empty()) cell.selects.push_back(planned->trial.id);
    const auto groups = planned->trial.config.find(kCandidatesOption);
    cell.candidates.insert(groups == planned->trial.config.end() ? 1 : groups->size());
  }
  size_t resumed = 0;  // trials, with another environment than their checkpoint's
  EnvironmentChange change;
  std::map<std::string, size_t>
      kept;  // trials with an earlier result, by what became of the repetition
  std::set<std::string> listed;
  const std::set<int64_t> without_data = seeds_without_data(trials);
  for (const auto& [seed, ids] : trials_by_seed(trials, records)) {
    cell.planned_seeds.insert(seed);
    std::vector<double> numbers;
    std::set<MarkKind> reasons;  // why a trial has none
    if (without_data.contains(seed)) reasons.insert(MarkKind::needs_data);
    for (const std::string& id : ids) {
      const TrialRecord* record = find_record(records, id);
      if (listed.insert(id).second) {
        cell.trials.push_back(id);
        cell.trial_seeds.push_back(seed);
        cell.trial_begun.push_back(record ? record->begun : "");
      }
      const std::optional<double> number = recorded_number(record, value);
      if (number) numbers.push_back(value.scale * *number);
      if (!number) reasons.insert(mark_of(record, value));
      if (!record) continue;
      mark_partial_data(cell, *record, value);
      mark_other_data(cell, *record, spec);
      if (record->inexact) {
        ++resumed;
        change.add(*record->inexact);
      }
      if (number) cell.environments.add(record->environment);
      if (number && !record->repetition.empty()) ++kept[record->repetition];
    }
    // Predictions that nobody sent to a server do not count as missing.
    if (value.kind == CellKind::imported && !numbers.empty()) reasons.clear();
    if (reasons.empty()) {
      cell.samples.push_back({seed, mean_of_trials(numbers)});
      continue;
    }
    if (reasons.contains(MarkKind::diverged)) cell.diverged.push_back(seed);
    cell.lacking[seed] = std::move(reasons);
  }
  mark_lacking_data(cell);
  mark_lacking(cell);
  mark_damaged(cell, records, value);
  mark_diverged(cell);
  if (resumed > 0)
    cell.marks.push_back(
        {MarkKind::inexact, fmt::format("{} of {} trials resumed from a checkpoint "
                                        "made with {}",
                                        resumed, cell.trials.size(), change.text())});
  for (const auto& [repetition, count] : kept) {
    cell.marks.push_back({MarkKind::kept, fmt::format("{} of {} trials {} when repeated for their "
                                                      "files; their earlier results are shown",
                                                      count, cell.trials.size(), repetition)});
  }
  mark_mixed(cell);
  if (trials.empty()) cell.marks.push_back(not_planned());
  if (value.kind == CellKind::imported) mark_imported(cell, records, value.name);
  mark_empty_masks(cell, records);
  mark_ties(cell, trials, records);
  mark_seeds(cell, spec.wanted_seeds);
  summarize(cell, spec.spread);
  if (value.kind == CellKind::metric) {
    mark_constant_answers(cell, records, value.name);
    mark_selection(cell, trials, value.name);
  }
  return cell;
}

Cell unplanned_cell(CellKind kind) {
  Cell cell;
  cell.kind = kind;
  cell.marks.push_back(not_planned());
  return cell;
}

Cell combine_cells(const std::vector<const Cell*>& parts, CellKind kind, const std::string& spread,
                   int64_t wanted_seeds) {
  Cell cell;
  cell.kind = kind;
  std::map<int64_t, std::vector<double>> by_seed;
  std::set<std::string> trials;
  std::set<MarkKind> kinds = {MarkKind::diverged, MarkKind::mixed};  // counted anew below
  std::set<std::string> texts;  // of marks that each say another thing
  std::set<int64_t> diverged;
  for (const Cell* part : parts) {
    cell.planned_seeds.insert(part->planned_seeds.begin(), part->planned_seeds.end());
    trials.insert(part->trials.begin(), part->trials.end());
    cell.lacks.insert(part->lacks.begin(), part->lacks.end());
    diverged.insert(part->diverged.begin(), part->diverged.end());
    cell.environments.add(part->environments);
    for (const Sample& sample : part->samples) by_seed[sample.seed].push_back(sample.value);
    for (const Mark& mark : part->marks) {
      const bool is_own = mark.kind == MarkKind::unlike || mark.kind == MarkKind::damaged;
      if (mark.kind == MarkKind::needs_data) continue;  // of all parts below
      const bool is_new = is_own ? texts.insert(mark.text).second : kinds.insert(mark.kind).second;
      if (is_new) cell.marks.push_back(mark);
    }
  }
  mark_lacking_data(cell);
  cell.trials.assign(trials.begin(), trials.end());
  cell.diverged.assign(diverged.begin(), diverged.end());
  const bool whole = std::all_of(parts.begin(), parts.end(),
                                 [](const Cell* part) { return part->value.has_value(); });
  for (const auto& [seed, values] : by_seed) {
    if (!whole || values.size() != parts.size()) continue;
    cell.samples.push_back({seed, kind == CellKind::ratio ? values[0] / values[1] : mean(values)});
  }
  mark_diverged(cell);
  mark_mixed(cell);
  summarize(cell, spread);
  if (whole && cell.samples.empty() &&
      diverged.empty()) {  // no seed in common: a number, but no spread
    std::vector<double> values;
    for (const Cell* part : parts) values.push_back(*part->value);
    cell.value = kind == CellKind::ratio ? values[0] / values[1] : mean(values);
  }
  if (cell.value) {  // of the seeds that all parts have, which may be fewer than each has
    std::erase_if(cell.marks, [](const Mark& mark) { return mark.kind == MarkKind::few_seeds; });
    mark_seeds(cell, wanted_seeds);
  }
  return cell;
}

std::map<int64_t, std::vector<std::string>> whole_seeds(
    const Cell& cell, const std::function<bool(const std::string& trial)>& has_value) {
  std::map<int64_t, std::vector<std::string>> seeds;
  for (size_t i = 0; i < cell.trials.size(); ++i)
    seeds[cell.trial_seeds[i]].push_back(cell.trials[i]);
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

}  // namespace rethink
