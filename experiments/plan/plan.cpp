#include "experiments/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/text.h"
#include "experiments/plan/expand/expand_sweep.h"
#include "experiments/plan/name_trials.h"
#include "experiments/plan/read/sweep_file.h"
#include "experiments/plan/read/sweep_overlay.h"

namespace rethink {

size_t Plan::distinct() const {
  std::set<std::string> ids;
  for (const PlannedTrial& planned : trials) ids.insert(planned.trial.id);
  return ids.size();
}

std::string PlanChoices::text() const {
  std::string words;
  for (const std::string& setting : settings) words += " --set " + setting;
  if (only_stage) words += " --only " + *only_stage;
  if (seeds) {
    const std::set<int64_t> sorted(seeds->begin(), seeds->end());
    words += fmt::format(" --seeds {}", fmt::join(sorted, ","));
  }
  return words.empty() ? "" : words.substr(1);
}

std::vector<const PlannedTrial*> Plan::of_stage(const std::string& stage) const {
  std::vector<const PlannedTrial*> found;
  for (const PlannedTrial& planned : trials) {
    if (planned.stage == stage) found.push_back(&planned);
  }
  return found;
}

size_t take_out_lacking(Plan& plan, std::set<std::string>& lacks) {
  return std::erase_if(plan.trials, [&](const PlannedTrial& planned) {
    lacks.insert(planned.lacks.begin(), planned.lacks.end());
    return !planned.lacks.empty();
  });
}

std::string title_of(const std::string& stage, const std::map<std::string, std::string>& labels,
                     std::optional<int64_t> seed) {
  std::string title = stage;
  for (const auto& [label, value] : labels) title += fmt::format(" {}={}", label, one_line(value));
  return seed ? fmt::format("{} seed {}", title, *seed) : title;
}

std::string title_of(const PlannedTrial& planned) {
  return title_of(planned.stage, planned.labels, planned.trial.seed);
}

namespace {

/// The file as it stands, with its profile and what the command line sets.
SweepSpec spec_of(const std::filesystem::path& file, const PlanChoices& choices,
                  const Schema& schema, SweepTexts& texts, Problems& problems) {
  SweepSpec sweep = read_sweep(file, choices, schema, texts, problems);
  overlay_choices(sweep, choices, schema, problems);
  return sweep;
}

/// Adds what is wrong with the profiles that are not chosen. With --set the file is being tried
/// out, and what it gives may be what the other profiles lack.
void check_other_profiles(const SweepSpec& sweep, const PlanChoices& choices, const Schema& schema,
                          SweepTexts& texts, Problems& problems) {
  if (!choices.settings.empty()) return;
  for (const std::string& profile : sweep.profiles) {
    if (profile == choices.profile) continue;
    PlanChoices other = choices;
    other.profile = profile;
    other.seeds.reset();
    other.machine.reset();
    Problems found;
    SweepSpec altered = spec_of(sweep.file, other, schema, texts, found);
    expand_sweep(altered, other, schema, Extent::sample, found);
    problems.take(found, fmt::format("profile '{}': ", profile));
  }
}

}  // namespace

/// Read, overlay, expand, name.
Plan make_plan(const std::filesystem::path& sweep_file, const PlanChoices& choices,
               const Schema& schema) {
  Problems problems;
  SweepTexts texts;
  SweepSpec sweep = spec_of(sweep_file, choices, schema, texts, problems);
  ExpandedSweep expanded = expand_sweep(sweep, choices, schema, Extent::whole, problems);
  NamedTrials named = name_trials(expanded.stages, sweep, choices, schema, problems);
  check_other_profiles(sweep, choices, schema, texts, problems);
  problems.throw_if_any();
  Plan plan;
  plan.sweep = sweep.name;
  plan.profile = choices.profile;
  plan.profiles = sweep.profiles;
  PlanChoices own = choices;
  std::erase_if(own.settings, [&](const std::string& setting) {
    return std::ranges::count(sweep.of_others, setting) > 0;
  });
  plan.choice = own.text();
  plan.of_others = std::move(sweep.of_others);
  plan.file = sweep.file;
  plan.trials = std::move(named.trials);
  plan.code = std::move(named.code);
  plan.left_out = sweep.left_out();
  plan.axis_values = sweep.axis_values();
  plan.draw_axes = std::move(expanded.draw_axes);
  plan.notes = std::move(expanded.notes);
  plan.notes.insert(plan.notes.end(), named.notes.begin(), named.notes.end());
  return plan;
}

}  // namespace rethink
