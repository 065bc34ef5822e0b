#include "plots/table/cells/trial_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/config/check.h"
#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "plots/table/cells/artifact_fault.h"

namespace rethink {
namespace {

std::string with_commas(double number) {
  std::string digits = fmt::format("{:.0f}", number);
  for (int64_t at = static_cast<int64_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), 1, ',');
  return digits;
}

/// "64 of 87,599 examples" if a trial used fewer of a split than were published, else "".
std::string partial_text(const TrialRecord& record, const std::string& split) {
  const auto used = record.measurements.find(measured::examples(split));
  const auto official = record.measurements.find(measured::official_examples(split));
  if (used == record.measurements.end() || official == record.measurements.end()) return "";
  if (used->second >= official->second) return "";
  return fmt::format("{} of {} examples", with_commas(used->second), with_commas(official->second));
}

}  // namespace

/// The name may also be a fact's name that the trial recorded.
bool is_damaged(const TrialRecord& record, const CellValue& value) {
  return value.kind == CellKind::places && record.damaged.contains(value.name.text());
}

void mark_partial_data(MeasuredCell& cell, const TrialRecord& record, const CellValue& value) {
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

/// Marks data that differ from the published data. Only tables with a paper's numbers get the mark.
void mark_other_data(MeasuredCell& cell, const TrialRecord& record, const TableSpec& spec) {
  const bool beside_paper = !spec.paper.empty() || spec.paper_apart;
  if (!beside_paper || record.other_data.empty() || cell.has(MarkKind::other_data)) return;
  const bool one = record.other_data.size() == 1;
  cell.marks.push_back({MarkKind::other_data, fmt::format("{} {}", joined(record.other_data),
                                                          one ? "is not the published file"
                                                              : "are not the published files")});
}

/// Times are longer beside other trials; measurements show a time by their unit ("step_ms",
/// "tokens_per_s"). The plan says whether other trials may have run beside; the record does not.
void mark_not_alone(MeasuredCell& cell, const CellTrials& trials, const CellValue& value) {
  const std::string name = value.name.text();
  if (!cell.value || !(name.ends_with("_ms") || name.ends_with("_s"))) return;
  const bool is_alone = std::ranges::all_of(
      trials, [](const PlannedTrial* planned) { return planned->resources->alone; });
  if (is_alone) return;
  cell.marks.push_back({MarkKind::not_alone,
                        "timed in trials that may run beside others; `resources: {alone: true}` "
                        "keeps a trial alone"});
}

/// Marks the best step on dev reported on dev, the lowest test value, and the winner of a select by
/// dev.
void mark_selection(MeasuredCell& cell, const CellTrials& trials, const ValueName& value) {
  const bool step =
      (value.split == "dev" && value.name.ends_with("@best")) || value.name.ends_with("@min_test");
  const bool candidates =
      std::any_of(trials.begin(), trials.end(), [&](const PlannedTrial* planned) {
        const Json& config = planned->trial.config;
        const auto by = config.find("by");
        // With one candidate nothing was selected.
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

/// The spread over such trials includes a part that does not come from seeds.
void mark_mixed(MeasuredCell& cell) {
  const std::vector<std::string> mixed = cell.environments.mixed();
  if (mixed.empty()) return;
  cell.marks.push_back(
      {MarkKind::mixed,
       fmt::format("its trials differ in {}; their rounding may, too", joined(mixed))});
}

void mark_faults(MeasuredCell& cell, const TrialRecords& records) {
  for (const std::shared_ptr<const ArtifactFault>& fault : known_faults()) {
    const auto has_it = [&](const std::string& id) {
      const TrialRecord* record = find_record(records, id);
      if (!record) return false;
      const auto fact = record->values.find(fault->fact.text());
      return fact != record->values.end() && fact->second >= fault->least;
    };
    const auto faulty = static_cast<size_t>(std::ranges::count_if(cell.trials, has_it));
    if (faulty == 0) continue;
    const std::string of = faulty == cell.trials.size()
                               ? ""
                               : fmt::format(" of {} of {} trials", faulty, cell.trials.size());
    cell.marks.push_back({MarkKind::faulty_artifact,
                          fmt::format("the {}{} {}", fault->artifact, of, fault->says), fault});
  }
}

/// If a model gives only one answer, its number depends on the split's labels and not on what it learned.
void mark_constant_answers(MeasuredCell& cell, const TrialRecords& records,
                           const ValueName& value) {
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

/// Between equal candidates, only their order in the sweep decides.
void mark_ties(MeasuredCell& cell, const CellTrials& trials, const TrialRecords& records) {
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

/// Says who scored, when, and how many of the cell's trials. A server scores the submitted model,
/// usually not the models of all seeds.
void mark_imported(MeasuredCell& cell, const TrialRecords& records, const ValueName& score) {
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

void mark_seeds(MeasuredCell& cell, int64_t wanted) {
  const size_t n = cell.samples.size();
  if ((n > 0 || cell.value) && n < static_cast<size_t>(wanted))
    cell.marks.push_back(
        {MarkKind::few_seeds, fmt::format("got {}, wanted {}", counted(n, "seed"), wanted)});
}

/// Marks how many seeds have no number, for each reason of their trials.
void mark_lacking(MeasuredCell& cell) {
  // A server scores only few models.
  if (cell.kind == CellKind::imported && !cell.samples.empty()) return;
  std::map<MarkKind, size_t> counts;
  for (const auto& [seed, reasons] : cell.lacking) {
    for (const MarkKind reason : reasons) ++counts[reason];
  }
  counts.erase(MarkKind::diverged);  // mark_diverged reports it in more detail
  counts.erase(MarkKind::damaged);   // and so does mark_damaged
  counts.erase(MarkKind::needs_data);
  for (const auto& [reason, count] : counts) {
    const std::string of =
        cell.planned() > 1 ? fmt::format("{} of {} seeds ", count, cell.planned()) : "";
    cell.marks.push_back({reason, of + to_text(reason)});
  }
}

void mark_lacking_data(MeasuredCell& cell) {
  if (!cell.lacks.empty())
    cell.marks.push_back(
        {MarkKind::needs_data, joined({cell.lacks.begin(), cell.lacks.end()}, "; ")});
}

/// Marks how many seeds diverged, if any.
void mark_diverged(MeasuredCell& cell) {
  const size_t diverged = cell.diverged().size();
  if (diverged == 0) return;
  std::string text = to_text(MarkKind::diverged);
  if (cell.planned() > 1) text = fmt::format("{} of {} seeds {}", diverged, cell.planned(), text);
  if (!cell.samples.empty()) text += "; the number is of the others only";
  cell.marks.push_back({MarkKind::diverged, text});
}

/// Marks the damaged file, and how to make it again.
void mark_damaged(MeasuredCell& cell, const TrialRecords& records, const CellValue& value) {
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

void Repetitions::add(const TrialRecord& record, bool has_number) {
  if (record.inexact) {
    ++resumed_;
    change_.add(*record.inexact);
  }
  if (record.resumed_without_proof) ++unproved_;
  if (!record.outside_code.empty()) {
    ++outside_;
    outside_files_.insert(record.outside_code);
  }
  if (has_number && record.repetition) ++kept_[*record.repetition];
}

void Repetitions::mark(MeasuredCell& cell) const {
  if (resumed_ > 0)
    cell.marks.push_back(
        {MarkKind::inexact, fmt::format("{} of {} trials resumed from a checkpoint "
                                        "made with {}",
                                        resumed_, cell.trials.size(), change_.text())});
  if (unproved_ > 0)
    cell.marks.push_back(
        {MarkKind::unproved, fmt::format("{} of {} trials resumed from a checkpoint; `rethink "
                                         "selftest --resume TRIAL` verifies their code",
                                         unproved_, cell.trials.size())});
  if (outside_ > 0)
    cell.marks.push_back(
        {MarkKind::outside_code,
         fmt::format("{} of {} trials loaded {}, whose changes make no other trial", outside_,
                     cell.trials.size(),
                     joined({outside_files_.begin(), outside_files_.end()}, "; "))});
  for (const auto& [state, count] : kept_) {
    cell.marks.push_back(
        {MarkKind::kept, fmt::format("{} of {} trials {}{} when repeated for their "
                                     "files; their earlier results are shown",
                                     count, cell.trials.size(),
                                     state == TrialState::failed ? "" : "were ", to_text(state))});
  }
}

Mark not_planned() {
  return {MarkKind::not_planned, "left out by the sweep, its profile or the options given"};
}

}  // namespace rethink
