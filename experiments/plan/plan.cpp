#include "experiments/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/config/configuration.h"
#include "core/config/option_names.h"
#include "core/config/schema.h"
#include "core/json.h"
#include "core/text.h"
#include "experiments/plan/expand/initial_weights.h"
#include "experiments/plan/expand/input_hashes.h"
#include "experiments/plan/expand/plan_notes.h"
#include "experiments/plan/expand/plugin_inputs.h"
#include "experiments/plan/expand/recorded_metrics.h"
#include "experiments/plan/expand/stage_axes.h"
#include "experiments/plan/expand/stage_points.h"
#include "experiments/plan/read/presets.h"
#include "experiments/plan/read/stage_resources.h"
#include "experiments/plan/read/sweep_file.h"

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

constexpr size_t kRepeatsShown = 3;

class Planner {
 public:
  enum class Extent { whole, sample };  // a sample has no trials: it only finds problems

  Planner(SweepSpec& sweep, const PlanChoices& choices, const Schema& schema, Problems& problems,
          Extent extent = Extent::whole)
      : sweep_(sweep),
        machine_(choices.machine),
        extent_(extent),
        schema_(schema),
        problems_(problems),
        presets_(choices.paths, schema),
        files_({.data = choices.data,
                .memory = hash_memory_folder(),
                .recorded = choices.recorded,
                .may_lack = choices.may_lack_files},
               schema) {
    plan_.sweep = sweep.name;
    plan_.profile = choices.profile;
    plan_.profiles = sweep.profiles;
    plan_.choice = choices.text();
    plan_.file = sweep.file;
    plan_.left_out = sweep.left_out();
    plan_.axis_values = sweep.axis_values();
    kept_ = stages_begun_with();
  }

  void add_stage(StageSpec& spec) {
    ExpandedStage stage;
    stage.spec = &spec;
    stage.altered = spec.altered;
    stage.sample = extent_ == Extent::sample;
    // Nothing else depends on how trials are run: a mistake there hides no other.
    StageResources resources = resources_of(sweep_.settings, spec.settings, problems_);
    if (machine_) check_resources(resources, sweep_.settings, spec.settings, *machine_, problems_);
    resources.keep_weights |= kept_.contains(spec.name);
    stage.resources = std::move(resources);
    stage.job = job_of(spec);
    if (!stage.job) return;
    choose_seeds(stage);
    find_draw_axes(stage);
    // Apart from the other stages' problems: through an alias this stage can have one of theirs,
    // which is kept once, and must still count as flawed.
    Problems own;
    const bool has_points = find_points(stage, own);
    problems_.take(own);
    if (!has_points) return;
    if (report_too_many_trials(stage)) return;
    const bool have_seeds = check_seeds(stage);
    check_draws(stages_, stage, problems_);
    if (extent_ == Extent::whole) {
      stage.has_trials = have_seeds && need_trials(stage) && make_trials(stage);
      add_notes(notes_on_draws(spec));
      add_notes({note_on_choice(stage)});
      add_notes(notes_on_weights(stages_, stage, schema_));
      add_notes(notes_on_examples(stage, schema_));
      add_notes(notes_on_memory(stage, schema_));
      add_notes(notes_on_leaks(stage, schema_));
    }
    stages_.push_back(std::move(stage));
  }

  Plan finish() {
    for (const std::string& file : files_.unpublished()) {
      plan_.notes.push_back(
          fmt::format("{}: note: {} here is not the file that was published; tables mark what is "
                      "trained on it beside the paper's numbers (`rethink data verify`)",
                      plan_.sweep, file));
    }
    return std::move(plan_);
  }

 private:
  /// The points of the stage's axes; false where something is wrong. What is wrong with one stage
  /// does not keep the others from being looked at, and of those that need it what can be said
  /// without its trials.
  bool find_points(ExpandedStage& stage, Problems& problems) {
    const StageSpec& spec = *stage.spec;
    const bool is_open = spec.flawed || std::ranges::any_of(spec.needs, [&](const Need& need) {
                           return !need.stage.empty() && index_of(stages_, need.stage) == kNoStage;
                         });
    if (!spec.flawed) resolve_needs(stages_, stage, problems);
    report_long_over(spec, problems);
    if (is_open || !problems.empty()) {
      report_without_parents(sweep_, spec, *stage.job, schema_, problems);
      check_own_options(spec, *stage.job, schema_, presets_, problems);
      return false;
    }
    const std::vector<Parents> parents = join_parents(stages_, stage, over_of(spec), problems);
    if (parents.empty() && !problems.empty()) return false;
    refuse_too_many_candidates(stage, parents, problems);
    expand_axes(stages_, stage, parents, schema_, presets_, problems);
    if (!problems.empty()) return false;
    check_chosen_metric(stages_, stage, schema_, problems);
    check_plugin_inputs(stages_, stage, schema_, problems);
    return problems.empty();
  }

  /// Null after a problem.
  const PluginSchema* job_of(const StageSpec& spec) {
    if (spec.job.empty()) return nullptr;  // said when it was read
    const PluginSchema* job = schema_.find("job", spec.job);
    const std::vector<std::string> known = schema_.names("job");
    if (!job) {
      problems_.add(spec.job_where, fmt::format("unknown job '{}'{}; known: {}", spec.job,
                                                did_you_mean(spec.job, known), joined(known)));
    }
    return job;
  }

  /// Whether every stage that `stage` needs has its trials.
  bool need_trials(const ExpandedStage& stage) const {
    return std::all_of(stage.need_stages.begin(), stage.need_stages.end(), [&](size_t parent) {
      return parent == kNoStage || stages_[parent].has_trials;
    });
  }

  void choose_seeds(ExpandedStage& stage) {
    const bool is_seeded = stage.job->facts.value("seeded", true);
    if (is_seeded) stage.seeds = stage.spec->seeds.value_or(sweep_.seeds);
    if (!is_seeded && stage.spec->seeds) {
      problems_.add(
          stage.spec->seeds_where,
          fmt::format("job '{}' has no seed of its own; remove 'seeds'", stage.job->name));
    }
    for (size_t i = 0; i < stage.seeds.size(); ++i) stage.seed_places.emplace(stage.seeds[i], i);
  }

  void find_draw_axes(const ExpandedStage& stage) {
    for (const std::string& axis : stage.spec->axis_names()) {
      const auto options = options_called(axis, stage.job->options.fields, schema_);
      if (options.empty() || !std::ranges::all_of(options, &Field::may_follow_seed)) continue;
      plan_.draw_axes.insert(axis);
      plan_.draw_axes.insert(stage.spec->name + "." + axis);
    }
  }

  static void report_long_over(const StageSpec& spec, Problems& problems) {
    const size_t axes = over_of(spec).size();
    if (axes <= kMostAxes) return;
    problems.refuse(spec.place_of("over"),
                    fmt::format("'over' names {} axes, expected at most {}", axes, kMostAxes));
  }

  bool report_too_many_trials(const ExpandedStage& stage) {
    const size_t seeds = std::max<size_t>(1, stage.seeds.size());
    const size_t before = plan_.trials.size(), own = stage.points.size() * seeds;
    if (before + own <= kMostTrials) return report_too_many_labels(stage, seeds);
    problems_.add(
        stage.spec->where,
        fmt::format("stage '{}' makes {} trials ({} points x {} seeds){}, expected at "
                    "most {} in a sweep",
                    stage.spec->name, own, stage.points.size(), seeds,
                    before ? fmt::format(" beside {} of other stages", before) : "", kMostTrials));
    return true;
  }

  bool report_too_many_labels(const ExpandedStage& stage, size_t seeds) {
    for (const StagePoint& point : stage.points)
      labels_ += seeds * (point.own.size() + point.inherited.size());
    if (labels_ <= kMostLabels) return false;
    problems_.add(stage.spec->where,
                  fmt::format("the trials up to stage '{}' have {} labels, one for each axis of "
                              "their own and of the stages behind them, expected at most {}",
                              stage.spec->name, labels_, kMostLabels));
    return true;
  }

  /// Before each of the stage's own points gets a copy of them. Those that `when` or `exclude` drop
  /// count too.
  void refuse_too_many_candidates(const ExpandedStage& stage, const std::vector<Parents>& parents,
                                  Problems& problems) {
    const auto slot = stage.gathers();
    if (!slot || stage.need_stages[*slot] == kNoStage) return;
    const size_t trials = std::max<size_t>(1, stages_[stage.need_stages[*slot]].seeds.size());
    double all = 0;
    for (const Parents& entry : parents) {
      for (const Labels& labels : entry.candidates)
        all += static_cast<double>(trials + labels.size());
    }
    for (const Axis& axis : stage.spec->axes) all *= static_cast<double>(axis.points.size());
    candidates_ += all * static_cast<double>(std::max<size_t>(1, stage.seeds.size()));
    if (candidates_ <= static_cast<double>(kMostCandidates)) return;
    problems.refuse(
        stage.spec->where,
        fmt::format("the selects up to stage '{}' choose among {:.15g} trials and labels of 'over' "
                    "in all, expected at most {}; narrow what they need by 'where'",
                    stage.spec->name, candidates_, kMostCandidates));
  }

  static std::vector<std::string> over_of(const StageSpec& spec) {
    std::vector<std::string> over;
    const Yaml* given = spec.overrides.find("over");
    if (!given) given = spec.options.find("over");
    if (!given) return over;
    for (const Yaml& axis : given->items) over.push_back(axis.scalar);
    return over;
  }

  /// False after a problem, with some of the trials missing.
  bool make_trials(ExpandedStage& stage) {
    std::map<std::string, const StagePoint*> seen;
    size_t repeats = 0;
    const size_t before = problems_.added();
    plan_.trials.reserve(plan_.trials.size() +
                         stage.points.size() * std::max<size_t>(1, stage.seeds.size()));
    for (StagePoint& point : stage.points) {
      PlannedTrial planned;
      planned.stage = stage.spec->name;
      planned.resources = stage.resources;
      planned.labels = all_labels(point);
      planned.trial = trial_of(stage, point, planned.lacks);
      const std::set<std::string> own_lacks = planned.lacks;
      for (const SeedOption& option : point.own_draws) planned.own_draws.insert(option.name);
      if (problems_.added() > before) continue;  // the others' files may be missing too
      if (chooses(stage)) {
        const std::vector<int64_t>& behind = stage_behind_selects(stages_, stage).seeds;
        planned.candidate_seeds = {behind.begin(), behind.end()};
      }
      std::vector<std::optional<int64_t>> seeds(stage.seeds.begin(), stage.seeds.end());
      if (seeds.empty()) seeds.emplace_back();
      std::string config = config_identity(planned.trial, schema_);
      for (const std::optional<int64_t>& seed : seeds) {
        if (seed && !point.own_draws.empty()) {
          planned.trial.config = with_seed(planned.trial.config, point.own_draws, *seed);
          config = config_identity(planned.trial, schema_);
        }
        planned.trial.seed = seed;
        planned.trial.needs.clear();
        planned.lacks = own_lacks;
        for (const auto& [slot, trials] : parents_of(stage, point, seed)) {
          std::vector<std::string>& ids = planned.trial.needs[slot];
          for (const size_t trial : trials) {
            const PlannedTrial& parent = plan_.trials[trial];
            ids.push_back(parent.trial.id);
            planned.lacks.insert(parent.lacks.begin(), parent.lacks.end());
          }
        }
        planned.trial.id = planned.lacks.empty() ? trial_id(planned.trial, config) : "";
        const auto [first, is_new] = seen.emplace(planned.trial.id, &point);
        const bool repeats_one = !is_new && planned.lacks.empty();
        if (repeats_one && ++repeats <= kRepeatsShown) report_repeat(stage, *first->second, point);
        point.trials.push_back(plan_.trials.size());
        plan_.trials.push_back(planned);
      }
    }
    return problems_.added() == before;
  }

  /// Adds to `lacks` as PlannedTrial has it.
  Trial trial_of(const ExpandedStage& stage, const StagePoint& point,
                 std::set<std::string>& lacks) {
    Trial trial;
    trial.job = stage.job->name;
    trial.config = point.config;
    if (stage.gathers()) add_groups(stage, point, trial.config);
    trial.revisions = revisions_used(trial.config, stage.job->options, schema_);
    if (stage.job->revision > 1) trial.revisions["job/" + stage.job->name] = stage.job->revision;
    const auto place = [&](const std::string& option) {
      return stage.spec->place_of(option, point.own);
    };
    trial.data = files_.of_data(trial.config, stage.job->options, place, lacks, problems_);
    for (const Need& need : stage.spec->needs) {
      if (stage.input_kind(need.slot) == "trials") trial.may_diverge.insert(need.slot);
      if (!need.stage.empty()) continue;
      trial.imported[need.slot] = files_.of_weights(need.imported, need.where, lacks, problems_);
      trial.imported_paths[need.slot] =
          std::filesystem::absolute(need.imported).lexically_normal().string();
    }
    return trial;
  }

  /// Whether its trials choose among those of another stage.
  static bool chooses(const ExpandedStage& stage) {
    return stage.gathers() && stage.job->options.find(kCandidatesOption);
  }

  /// The candidates, for a job that has the option for them (format:
  /// experiments/attempt/jobs/select.cpp).
  void add_groups(const ExpandedStage& stage, const StagePoint& point, Json& config) const {
    if (!chooses(stage)) return;
    const size_t slot = *stage.gathers();
    const std::vector<size_t>& sources = point.sources[slot];
    Json groups = Json::array();
    for (size_t i = 0; i < sources.size(); ++i) {
      Json labels = Json::array(), trials = Json::array();
      for (const auto& [axis, value] : point.candidates[i])
        labels.push_back({{"axis", axis}, {"value", value}});
      for (const size_t trial : stages_[stage.need_stages[slot]].points[sources[i]].trials) {
        trials.push_back(plan_.trials[trial].trial.id);
      }
      groups.push_back({{"labels", labels}, {"trials", trials}});
    }
    config[kCandidatesOption] = std::move(groups);
  }

  /// Places in plan_.trials of what a trial needs, by slot.
  std::map<std::string, std::vector<size_t>> parents_of(const ExpandedStage& stage,
                                                        const StagePoint& point,
                                                        const std::optional<int64_t>& seed) const {
    std::map<std::string, std::vector<size_t>> parents;
    const auto gathers = stage.gathers();
    for (size_t i = 0; i < stage.spec->needs.size(); ++i) {
      if (stage.need_stages[i] == kNoStage) continue;
      const ExpandedStage& parent = stages_[stage.need_stages[i]];
      std::vector<size_t>& places = parents[stage.spec->needs[i].slot];
      for (const size_t source : point.sources[i]) {
        const std::vector<size_t>& trials = parent.points[source].trials;
        if (gathers == i) {
          places.insert(places.end(), trials.begin(), trials.end());
        } else {
          places.push_back(trials[of_seed(parent, seed)]);
        }
      }
    }
    return parents;
  }

  /// Which of the parent's trials of one point a child of `seed` takes. Requires: check_seeds.
  static size_t of_seed(const ExpandedStage& parent, const std::optional<int64_t>& seed) {
    if (parent.seeds.size() <= 1) return 0;
    const auto found = seed ? parent.seed_places.find(*seed) : parent.seed_places.end();
    RETHINK_ASSERT(found != parent.seed_places.end(), parent.spec->name);
    return found->second;
  }

  /// False after a problem: a seed of `stage` that what it needs does not have.
  bool check_seeds(const ExpandedStage& stage) {
    const size_t before = problems_.added();
    const auto gathers = stage.gathers();
    for (size_t i = 0; i < stage.spec->needs.size(); ++i) {
      if (stage.need_stages[i] == kNoStage || gathers == i) continue;
      const ExpandedStage& parent = stage_behind_selects(stages_, stages_[stage.need_stages[i]]);
      if (parent.seeds.size() <= 1) continue;
      if (stage.seeds.empty()) report_seed(stage, stage.spec->needs[i], parent, "no seed");
      for (const int64_t seed : stage.seeds) {
        if (!parent.seed_places.contains(seed))
          report_seed(stage, stage.spec->needs[i], parent, fmt::format("seed {}", seed));
      }
    }
    return problems_.added() == before;
  }

  void report_seed(const ExpandedStage& stage, const Need& need, const ExpandedStage& parent,
                   const std::string& seed) {
    const std::string& name = parent.spec->name;
    const std::string through =
        need.stage == name ? "" : fmt::format(", among which '{}' chooses,", need.stage);
    constexpr size_t kSeedsShown = 20;
    const std::vector<int64_t>& all = parent.seeds;
    const auto end = all.begin() + static_cast<ptrdiff_t>(std::min(all.size(), kSeedsShown));
    problems_.add(need.where,
                  fmt::format("stage '{}' has {}, but stage '{}'{} has seeds {}{}: give "
                              "it the same seeds, or only one",
                              stage.spec->name, seed, name, through,
                              fmt::join(all.begin(), end, ", "), end == all.end() ? "" : ", ..."));
  }

  /// Each once: stages may share a line of the file by an alias.
  void add_notes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) {
      const bool is_new = std::ranges::find(plan_.notes, note) == plan_.notes.end();
      if (is_new && !note.empty()) plan_.notes.push_back(note);
    }
  }

  static Labels all_labels(const StagePoint& point) {
    Labels all = point.own;
    all.insert(point.inherited.begin(), point.inherited.end());
    return all;
  }

  void report_repeat(const ExpandedStage& stage, const StagePoint& first,
                     const StagePoint& second) {
    const Labels here = all_labels(first), there = all_labels(second);
    std::set<std::string> differing;
    for (const Labels* labels : {&here, &there}) {
      for (const auto& [axis, label] : *labels) differing.insert(axis);
    }
    std::vector<std::string> axes, one, other;
    Position place = stage.spec->where;
    for (const std::string& axis : differing) {
      const auto text = [&](const Labels& labels) {
        return labels.count(axis) ? axis + " = " + labels.at(axis) : "no " + axis;
      };
      if (text(here) == text(there)) continue;
      if (axes.empty()) place = stage.spec->place_of(axis, second.own);
      axes.push_back("'" + axis + "'");
      one.push_back(text(here));
      other.push_back(text(there));
    }
    problems_.add(place,
                  fmt::format("stage '{}': {} and {} are the same trial, so {} changes nothing "
                              "there; drop one of them "
                              "(exclude, when), or set what differs",
                              stage.spec->name, joined(one), joined(other), joined(axes)));
  }

  /// Weights that a later stage begins with must outlive their trial; a select's candidates too.
  /// Of every stage that another one of the sweep begins with, also where `--only` leaves that out:
  /// it will be run some day.
  std::set<std::string> stages_begun_with() const {
    std::set<std::string> keep;
    for (size_t before = keep.size() + 1; before != keep.size();) {
      before = keep.size();
      for (const StageSpec& spec : sweep_.stages) {
        const PluginSchema* job = schema_.find("job", spec.job);
        const Json inputs = job ? job->facts.value("inputs", Json::object()) : Json::object();
        for (const Need& need : spec.needs) {
          const std::string kind = inputs.value(need.slot, "");
          const bool is_passed_on = kind == "trials" && keep.count(spec.name);
          if (kind == "weights" || is_passed_on) keep.insert(need.stage);
        }
      }
    }
    return keep;
  }

  SweepSpec& sweep_;
  const std::optional<Machine>& machine_;
  const Extent extent_;
  const Schema& schema_;
  Problems& problems_;
  Presets presets_;
  TrialFiles files_;
  std::vector<ExpandedStage> stages_;
  size_t labels_ = 0;  // of the trials of these
  double candidates_ = 0;
  std::set<std::string> kept_;  // stages whose weights stay
  Plan plan_;
};

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
    SweepSpec altered = read_sweep(sweep.file, other, schema, texts, found);
    Planner planner(altered, other, schema, found, Planner::Extent::sample);
    for (StageSpec* stage : stages_in_order(altered, other.only_stage, found))
      planner.add_stage(*stage);
    problems.take(found, fmt::format("profile '{}': ", profile));
  }
}

}  // namespace

Plan make_plan(const std::filesystem::path& sweep_file, const PlanChoices& choices,
               const Schema& schema) {
  Problems problems;
  SweepTexts texts;
  SweepSpec sweep = read_sweep(sweep_file, choices, schema, texts, problems);
  Planner planner(sweep, choices, schema, problems);
  // What is wrong with one stage does not keep the others from being looked at, but their children
  // can only follow.
  for (StageSpec* stage : stages_in_order(sweep, choices.only_stage, problems))
    planner.add_stage(*stage);
  check_other_profiles(sweep, choices, schema, texts, problems);
  problems.throw_if_any();
  return planner.finish();
}

}  // namespace rethink
