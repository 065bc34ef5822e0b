#include "experiments/plan/expand/expand_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/add_once.h"
#include "core/config/option_names.h"
#include "core/facts/job_facts.h"
#include "experiments/plan/expand/initial_weights.h"
#include "experiments/plan/expand/plan_notes.h"
#include "experiments/plan/expand/plugin_inputs.h"
#include "experiments/plan/expand/recorded_metrics.h"
#include "experiments/plan/expand/stage_axes.h"
#include "experiments/plan/read/overlay.h"
#include "experiments/plan/read/presets.h"
#include "experiments/plan/read/stage_resources.h"

namespace rethink {
namespace {

class SweepExpander {
 public:
  SweepExpander(SweepSpec& sweep, PresetFiles& presets, const PlanChoices& choices,
                const Schema& schema, Extent extent, Problems& problems)
      : sweep_(sweep),
        machine_(choices.machine),
        chosen_seeds_(choices.seeds.has_value()),
        extent_(extent),
        schema_(schema),
        problems_(problems),
        presets_(presets, schema),
        paths_(choices, schema),
        kept_(stages_used_as_start()) {}

  void add_stage(StageSpec& spec) {
    ExpandedStage stage;
    stage.spec = &spec;
    for (Need& need : spec.needs) paths_.resolve(need);
    stage.altered = spec.altered;
    stage.sample = extent_ == Extent::sample;
    // Nothing else depends on the resources, so a mistake in them hides no other.
    StageResources resources = resources_of(sweep_.settings, spec.settings, problems_);
    stage.job = job_of(spec);
    const bool runs_program = stage.job && stage.job_facts().runs_program;
    if (machine_) {
      check_resources(resources, runs_program, sweep_.settings, spec.settings, *machine_,
                      problems_);
    }
    if (stage.job && !runs_program) refuse_gpus(spec);
    resources.keep_weights |= kept_.contains(spec.name);
    stage.resources = std::move(resources);
    if (!stage.job) return;
    choose_seeds(stage);
    find_draw_axes(stage);
    // Stages that share YAML by an alias have equal problems, and `problems_` keeps each problem once. A separate list
    // shows whether this stage has a problem.
    Problems own;
    const bool has_points = find_points(stage, own);
    problems_.take(own);
    if (!has_points) flawed_[spec.name] = stage.job;
    if (!has_points && extent_ == Extent::whole) {
      for (NamedData& named : data_named_in(spec, *stage.job, schema_, presets_, paths_)) {
        const Field& field = named.options.fields.front();
        // A missing data set is no problem if the job cannot use it.
        if (!own.has_problem_at(spec.place_of(field.name + "." + field.tag, named.labels)))
          data_.push_back(std::move(named));
      }
    }
    if (!has_points) return;
    if (report_too_many_trials(stage)) return;
    stage.has_seeds = check_seeds(stage);
    check_draws(stages_, stage, problems_);
    if (extent_ == Extent::whole) {
      add_notes(notes_on_draws(spec));
      if (!chosen_seeds_ && !stage.seeds.empty()) add_notes(notes_on_used_seeds(stage));
      add_notes(notes_on_choice(stage));
      add_notes(notes_on_weights(stages_, stage, schema_));
      add_notes(notes_on_examples(stage, schema_));
      add_notes(notes_on_memory(stage, schema_));
      add_notes(notes_on_leaks(stage, schema_));
      add_notes(notes_on_program_settings(stage));
    }
    stages_.push_back(std::move(stage));
  }

  ExpandedSweep finish() {
    if (extent_ == Extent::whole)
      notes_.insert(notes_.end(), paths_.notes().begin(), paths_.notes().end());
    return {std::move(stages_), std::move(draw_axes_), std::move(notes_), std::move(data_)};
  }

 private:
  /// Makes the points of the stage's axes. Returns false after a mistake. The other stages are still checked; for stages
  /// that need this stage, checks that need its trials are skipped.
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
      for (const Need& need : spec.needs) {
        const auto parent = flawed_.find(need.stage);
        if (parent != flawed_.end() && stage.input_kind(need.slot) == "weights")
          report_other_weights(*stage.job, need, need.stage, *parent->second, problems);
      }
      return false;
    }
    const std::vector<Parents> parents =
        join_parents(stages_, stage, repeated_axes(spec), problems);
    if (parents.empty() && !problems.empty()) return false;
    refuse_too_many_candidates(stage, parents, problems);
    expand_axes(stages_, stage, parents, schema_, presets_, paths_, problems);
    if (!problems.empty()) return false;
    check_chosen_metric(stages_, stage, schema_, problems);
    check_plugin_inputs(stages_, stage, schema_, problems);
    return problems.empty();
  }

  /// Refuses GPUs in a stage's own resources. Resources of the whole sweep are for its stages that
  /// run programs.
  void refuse_gpus(const StageSpec& spec) {
    const Yaml* gpus = at_path(spec.settings, "resources.gpus");
    if (!gpus || gpus->is_null()) return;
    problems_.add(gpus->where, "conflicting-values",
                  fmt::format("'resources.gpus': a trial of the job '{}' uses one GPU; write "
                              "device: cpu or cuda, or run a program of your own (job: command)",
                              spec.job));
  }

  /// Null after a problem.
  const PluginSchema* job_of(const StageSpec& spec) {
    if (spec.job.empty()) return nullptr;  // reported when the stage was read
    const PluginSchema* job = schema_.find("job", spec.job);
    const std::vector<std::string> known = schema_.names("job");
    if (!job) {
      problems_.add(spec.job_where, "unknown-name",
                    fmt::format("unknown job '{}'{}; known: {}", spec.job,
                                did_you_mean(spec.job, known), joined(known)));
    }
    return job;
  }

  void choose_seeds(ExpandedStage& stage) {
    const bool is_seeded = stage.job_facts().seeded;
    if (is_seeded) stage.seeds = stage.spec->seeds.value_or(sweep_.seeds);
    if (!is_seeded && stage.spec->seeds) {
      problems_.add(
          stage.spec->seeds_where, "misplaced-key",
          fmt::format("job '{}' has no seed of its own; remove 'seeds'", stage.job->name));
    }
    for (size_t i = 0; i < stage.seeds.size(); ++i) stage.seed_places.emplace(stage.seeds[i], i);
  }

  void find_draw_axes(const ExpandedStage& stage) {
    for (const std::string& axis : stage.spec->axis_names()) {
      const auto options = options_called(axis, stage.job->options.fields, schema_);
      if (options.empty() || !std::ranges::all_of(options, &Field::may_follow_seed)) continue;
      draw_axes_.insert(axis);
      draw_axes_.insert(stage.spec->name + "." + axis);
    }
  }

  static void report_long_over(const StageSpec& spec, Problems& problems) {
    const size_t axes = repeated_axes(spec).size();
    if (axes <= kMostAxes) return;
    problems.refuse(spec.place_of("over"), "too-many",
                    fmt::format("'over' names {} axes, expected at most {}", axes, kMostAxes));
  }

  bool report_too_many_trials(const ExpandedStage& stage) {
    const size_t seeds = std::max<size_t>(1, stage.seeds.size());
    const size_t before = trials_, own = stage.points.size() * seeds;
    if (before + own <= kMostTrials) {
      trials_ += own;
      return report_too_many_labels(stage, seeds);
    }
    problems_.add(
        stage.spec->where, "too-many",
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
    problems_.add(stage.spec->where, "too-many",
                  fmt::format("the trials up to stage '{}' have {} labels, one for each axis of "
                              "their own and of the stages that they need, expected at most {}",
                              stage.spec->name, labels_, kMostLabels));
    return true;
  }

  /// Checked before each of the stage's own points gets a copy of the candidates. Points that
  /// `when` or `exclude` drop count too.
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
        stage.spec->where, "too-many",
        fmt::format("the selects up to stage '{}' choose among {:.15g} trials and labels of 'over' "
                    "in all, expected at most {}; narrow what they need by 'where'",
                    stage.spec->name, candidates_, kMostCandidates));
  }

  static std::vector<std::string> repeated_axes(const StageSpec& spec) {
    std::vector<std::string> over;
    const Yaml* given = spec.overrides.find("over");
    if (!given) given = spec.options.find("over");
    if (!given) return over;
    for (const Yaml& axis : given->items) over.push_back(axis.scalar);
    return over;
  }

  /// Returns false after a problem: a needed stage lacks a seed of `stage`.
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
    problems_.add(need.where, "seeds-differ",
                  fmt::format("stage '{}' has {}, but stage '{}'{} has seeds {}{}: give "
                              "it the same seeds, or only one",
                              stage.spec->name, seed, name, through,
                              fmt::join(all.begin(), end, ", "), end == all.end() ? "" : ", ..."));
  }

  /// Adds each note once, since stages may share a line of the file by an alias.
  void add_notes(const std::vector<Note>& notes) {
    for (const Note& note : notes) add_once(notes_, note);
  }

  /// Weights from which a later stage begins must outlive their trial, and so must a select's
  /// candidates. This also holds for stages that `--only` leaves out, since they may run later.
  std::set<std::string> stages_used_as_start() const {
    std::set<std::string> keep;
    for (size_t before = keep.size() + 1; before != keep.size();) {
      before = keep.size();
      for (const StageSpec& spec : sweep_.stages) {
        const PluginSchema* job = schema_.find("job", spec.job);
        for (const Need& need : spec.needs) {
          const std::string kind = job ? job->facts.as<JobFacts>().input_kind(need.slot) : "";
          const bool is_passed_on = kind == "trials" && keep.count(spec.name);
          if (kind == "weights" || is_passed_on) keep.insert(need.stage);
        }
      }
    }
    return keep;
  }

  SweepSpec& sweep_;
  const std::optional<Machine>& machine_;
  const bool
      chosen_seeds_;  // --seeds was given, so the user knows that the file's seeds are replaced
  const Extent extent_;
  const Schema& schema_;
  Problems& problems_;
  Presets presets_;
  WrittenPaths paths_;
  std::vector<ExpandedStage> stages_;
  std::map<std::string, const PluginSchema*>
      flawed_;                      // jobs of the stages that are missing in stages_
  size_t trials_ = 0, labels_ = 0;  // of these stages
  double candidates_ = 0;
  const std::set<std::string> kept_;  // stages whose weights are kept
  std::set<std::string> draw_axes_;
  std::vector<Note> notes_;
  std::vector<NamedData> data_;
};

}  // namespace

ExpandedSweep expand_sweep(SweepSpec& sweep, PresetFiles& presets, const PlanChoices& choices,
                           const Schema& schema, Extent extent, Problems& problems) {
  SweepExpander expander(sweep, presets, choices, schema, extent, problems);
  for (StageSpec* stage : stages_in_order(sweep, choices.only_stage, problems))
    expander.add_stage(*stage);
  return expander.finish();
}

}  // namespace rethink
