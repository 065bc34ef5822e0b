#include "experiments/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/text.h"
#include "experiments/plan/expand/expand_sweep.h"
#include "experiments/plan/name_trials.h"
#include "experiments/plan/read/presets.h"
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

std::vector<std::pair<std::string, std::string>> options_of_choice(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> options;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.size();
    for (const char* option : {" --set ", " --only ", " --seeds "})
      end = std::min(end, text.find(option, begin));
    const size_t blank = std::min(text.find(' ', begin), end);
    const std::string value = blank < end ? text.substr(blank + 1, end - blank - 1) : "";
    options.emplace_back(text.substr(begin, blank - begin), value);
    begin = end + 1;
  }
  return options;
}

std::vector<const PlannedTrial*> Plan::of_stage(const std::string& stage) const {
  std::vector<const PlannedTrial*> found;
  for (const PlannedTrial& planned : trials) {
    if (planned.stage == stage) found.push_back(&planned);
  }
  return found;
}

size_t remove_trials_without_files(Plan& plan, std::set<std::string>& lacks) {
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

/// Places of SweepSpec::spread whose stages lack the option.
using LeftAlone = std::set<std::string>;

/// Adds the problems of the profiles that are not chosen. With --set the profiles are not checked,
/// since --set may provide what they lack.
void check_other_profiles(const WrittenSweep& written, PresetFiles& presets,
                          const PlanChoices& choices, const Schema& schema, Problems& problems) {
  if (!choices.settings.empty()) return;
  for (const std::string& profile : written.top.profiles) {
    if (profile == choices.profile) continue;
    PlanChoices other = choices;
    other.profile = profile;
    other.seeds.reset();
    other.machine.reset();
    Problems found;
    SweepSpec altered = overlay_sweep(written, other, schema, {}, found);
    expand_sweep(altered, presets, other, schema, Extent::sample, found);
    problems.take(found, fmt::format("profile '{}': ", profile));
  }
}

/// The planned stages to which a --set without a stage was applied, and the stages that lack the
/// option or axis.
struct StagesOfSetting {
  std::vector<std::string> with, without;
};

/// The stages that these choices plan. Other stages are not expanded, so their options are unknown.
std::set<std::string> planned_stages(SweepSpec& sweep, const PlanChoices& choices) {
  Problems known;  // the expansion reports them
  std::set<std::string> names;
  for (const StageSpec* stage : stages_in_order(sweep, choices.only_stage, known)) {
    if (!stage->left_out) names.insert(stage->name);
  }
  return names;
}

std::map<std::string, StagesOfSetting> stages_of_settings(const SweepSpec& sweep,
                                                          const std::set<std::string>& planned,
                                                          const LeftAlone& left_alone) {
  std::map<std::string, StagesOfSetting> takers;  // by setting
  for (const SpreadSetting& one : sweep.spread) {
    StagesOfSetting& of_setting = takers[one.setting];
    if (!planned.contains(one.stage)) continue;
    const bool lacks = one.passed_over || left_alone.contains(one.place);
    (lacks ? of_setting.without : of_setting.with).push_back(one.stage);
  }
  return takers;
}

/// `left_alone` with the stages that lack an option which others have. Returns nothing if each
/// setting has all its possible stages, or if `problems` has other causes. With several sweeps, a
/// sweep may have no such stage.
std::optional<LeftAlone> with_more_left_alone(const SweepSpec& sweep,
                                              const std::set<std::string>& planned,
                                              const LeftAlone& left_alone, bool of_several,
                                              const Problems& problems) {
  LeftAlone more = left_alone;
  for (const SpreadSetting& one : sweep.spread) {
    if (problems.has_unknown_key(one.place)) more.insert(one.place);
  }
  if (more.size() == left_alone.size()) return std::nullopt;
  const auto has_taker = [](const auto& takers) { return !takers.second.with.empty(); };
  if (!of_several && !std::ranges::all_of(stages_of_settings(sweep, planned, more), has_taker))
    return std::nullopt;
  return more;
}

std::vector<Note> notes_on_unused_settings(const std::map<std::string, StagesOfSetting>& takers) {
  std::vector<Note> notes;
  for (const auto& [setting, stages] : takers) {
    if (stages.with.empty() || stages.without.empty()) continue;
    notes.push_back(
        Note("partly-used-setting",
             fmt::format("set in: {}; left as they are, without this option or axis: {}",
                         joined(stages.with), joined(stages.without)),
             Position{"--set " + setting}));
  }
  return notes;
}

struct OverlaidSweep {
  SweepSpec sweep;
  ExpandedSweep expanded;
  std::map<std::string, StagesOfSetting> takers;  // by --set
};

/// The passes overlay and expand. Only the expansion shows which stages lack the option of a --set
/// without a stage: then both run again, and these stages are left alone.
OverlaidSweep overlay_and_expand(const WrittenSweep& written, PresetFiles& presets,
                                 const PlanChoices& choices, const Schema& schema,
                                 Problems& problems) {
  const Problems of_files = problems;
  LeftAlone left_alone;
  OverlaidSweep made;
  std::set<std::string> planned;
  while (true) {
    problems = of_files;
    made.sweep = overlay_sweep(written, choices, schema, left_alone, problems);
    made.expanded = expand_sweep(made.sweep, presets, choices, schema, Extent::whole, problems);
    planned = planned_stages(made.sweep, choices);
    const auto more =
        with_more_left_alone(made.sweep, planned, left_alone, choices.of_several, problems);
    if (!more) break;
    left_alone = *more;
  }
  made.takers = stages_of_settings(made.sweep, planned, left_alone);
  for (const auto& [setting, stages] : made.takers) {
    if (stages.with.empty()) made.sweep.of_others.push_back(setting);
    // Where `without` has stages, these reported the unknown option.
    if (stages.with.empty() && stages.without.empty() && !choices.of_several)
      problems.add({"--set " + setting}, "unused-setting",
                   fmt::format("no planned stage has this option; planned stages: {}; a stage that "
                               "--only or the profile leaves out may have it",
                               joined({planned.begin(), planned.end()})));
  }
  return made;
}

}  // namespace

/// Read, overlay, expand, name.
Plan make_plan(const std::filesystem::path& sweep_file, const PlanChoices& choices,
               const Schema& schema) {
  Problems problems;
  const WrittenSweep written = read_sweep(sweep_file, choices.paths, schema, problems);
  PresetFiles presets(choices.paths);
  auto [sweep, expanded, takers] = overlay_and_expand(written, presets, choices, schema, problems);
  NamedTrials named = name_trials(expanded, sweep, choices, schema, problems);
  check_other_profiles(written, presets, choices, schema, problems);
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
  plan.notes = notes_on_unused_settings(takers);
  plan.notes.insert(plan.notes.end(), expanded.notes.begin(), expanded.notes.end());
  plan.notes.insert(plan.notes.end(), named.notes.begin(), named.notes.end());
  return plan;
}

}  // namespace rethink
