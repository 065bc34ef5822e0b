#include "experiments/plan/name_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/config/configuration.h"
#include "core/json.h"
#include "experiments/plan/expand/input_hashes.h"
#include "experiments/plan/expand/program_inputs.h"

namespace rethink {
namespace {

constexpr size_t kRepeatsShown = 3;

class TrialNamer {
 public:
  TrialNamer(std::vector<ExpandedStage>& stages, const PlanChoices& choices, const Schema& schema,
             Problems& problems)
      : stages_(stages),
        schema_(schema),
        problems_(problems),
        input_hashes_({.data = choices.data,
                       .memory = hash_memory_folder(),
                       .recorded = choices.recorded,
                       .may_lack = choices.may_lack_files},
                      schema),
        program_inputs_(
            [this](const std::filesystem::path& file) { return input_hashes_.hash_of(file); },
            input_hashes_.time(), choices.data, choices.machine.has_value()),
        may_lack_(choices.may_lack_files) {}

  void add_stage(ExpandedStage& stage) {
    stage.has_trials = stage.has_seeds && need_trials(stage) && make_trials(stage);
  }

  /// Adds a problem for missing files of a stage that has no trials because of another problem.
  void check_data(const NamedData& named) {
    MissingInputs missing;
    const auto place = [&](const std::string& option) {
      return named.stage->place_of(option, named.labels);
    };
    input_hashes_.of_data(named.config, named.options, place, missing, problems_);
  }

  NamedTrials finish(const std::string& sweep) {
    NamedTrials named{std::move(trials_), {}, program_inputs_.code()};
    for (const std::string& file : input_hashes_.unpublished()) {
      named.notes.push_back(
          Note("unpublished-data",
               fmt::format("{} here differs from the published file; tables mark its results "
                           "beside the paper's numbers (`rethink data verify`)",
                           file),
               Position{sweep}));
    }
    if (const std::string text = hashing_text(input_hashes_.time()); !text.empty())
      named.notes.push_back(Note("slow-hashing", text, Position{sweep}));
    named.notes.insert(named.notes.end(), program_inputs_.notes().begin(),
                       program_inputs_.notes().end());
    return named;
  }

 private:
  /// Whether every stage that `stage` needs has its trials.
  bool need_trials(const ExpandedStage& stage) const {
    return std::all_of(stage.need_stages.begin(), stage.need_stages.end(), [&](size_t parent) {
      return parent == kNoStage || stages_[parent].has_trials;
    });
  }

  /// Returns false after a problem; some of the trials are then missing.
  bool make_trials(ExpandedStage& stage) {
    std::map<std::string, const StagePoint*> seen;
    size_t repeats = 0;
    const size_t before = problems_.added();
    trials_.reserve(trials_.size() + stage.points.size() * std::max<size_t>(1, stage.seeds.size()));
    for (StagePoint& point : stage.points) {
      PlannedTrial planned;
      planned.stage = stage.spec->name;
      planned.resources = stage.resources;
      if (!stage.seeds.empty()) planned.own_seeds = stage.spec->own_seeds;
      planned.labels = all_labels(point);
      MissingInputs missing;
      planned.trial = trial_of(stage, point, missing);
      planned.to_bring = std::move(missing.to_bring);
      for (const SeedOption& option : point.own_draws) planned.own_draws.insert(option.name);
      if (problems_.added() > before) continue;  // files of other points may be missing too
      if (chooses(stage)) {
        const ExpandedStage& behind = stage_behind_selects(stages_, stage);
        planned.candidate_seeds = {behind.seeds.begin(), behind.seeds.end()};
        if (!behind.seeds.empty()) planned.own_seeds = behind.spec->own_seeds;
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
        planned.lacks = missing.lacks;
        for (const auto& [slot, trials] : parents_of(stage, point, seed)) {
          std::vector<std::string>& ids = planned.trial.needs[slot];
          for (const size_t trial : trials) {
            const PlannedTrial& parent = trials_[trial];
            ids.push_back(parent.trial.id);
            planned.lacks.insert(parent.lacks.begin(), parent.lacks.end());
          }
        }
        // Without an id it cannot be done, so its files of known content are needed too.
        if (!planned.lacks.empty())
          planned.lacks.insert(planned.to_bring.begin(), planned.to_bring.end());
        planned.trial.id = planned.lacks.empty() ? trial_id(planned.trial, config) : "";
        const auto [first, is_new] = seen.emplace(planned.trial.id, &point);
        const bool repeats_one = !is_new && planned.lacks.empty();
        if (repeats_one && ++repeats <= kRepeatsShown) report_repeat(stage, *first->second, point);
        point.trials.push_back(trials_.size());
        trials_.push_back(planned);
      }
    }
    return problems_.added() == before;
  }

  Trial trial_of(const ExpandedStage& stage, const StagePoint& point, MissingInputs& missing) {
    Trial trial;
    trial.job = stage.job->name;
    trial.config = point.config;
    if (stage.gathers()) add_groups(stage, point, trial.config);
    trial.revisions = revisions_of(trial, schema_);
    const auto place = [&](const std::string& option) {
      return stage.spec->place_of(option, point.own);
    };
    trial.data = input_hashes_.of_data(trial.config, stage.job->options, place, missing, problems_);
    if (stage.job_facts().runs_program)
      trial.data.merge(program_inputs_.add(*stage.spec, trial.config, place, problems_));
    for (const Need& need : stage.spec->needs) {
      if (stage.input_kind(need.slot) == "trials") trial.may_diverge.insert(need.slot);
      if (!need.stage.empty()) continue;
      wait_for(need, stage.spec->name, missing.lacks);
      trial.imported[need.slot] = input_hashes_.of_weights(need, missing, problems_);
      trial.imported_paths[need.slot] =
          std::filesystem::absolute(need.imported).lexically_normal().string();
    }
    return trial;
  }

  /// Reports a stage that may not run yet according to its sweep.
  void wait_for(const Need& need, const std::string& stage, std::set<std::string>& lacks) {
    if (need.waits_for.empty()) return;
    if (may_lack_) {
      lacks.insert(need.waits_for);
    } else if (said_.insert(stage).second) {
      problems_.add(need.where, "waits",
                    fmt::format("stage '{}' may not run yet: it waits for {}; when the sweep has "
                                "it, remove `waits_for`",
                                stage, need.waits_for));
    }
  }

  /// Whether the stage's trials choose among the trials of another stage.
  static bool chooses(const ExpandedStage& stage) {
    return stage.gathers() && stage.job->options.find(kCandidatesOption);
  }

  /// Adds the candidates for a job that has the option for them (format:
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
        trials.push_back(trials_[trial].trial.id);
      }
      groups.push_back({{"labels", labels}, {"trials", trials}});
    }
    config[kCandidatesOption] = std::move(groups);
  }

  /// Indices in trials_ of the needed trials, by slot.
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

  /// Returns which of the parent's trials of one point a child with `seed` needs. Requires:
  /// check_seeds.
  static size_t of_seed(const ExpandedStage& parent, const std::optional<int64_t>& seed) {
    if (parent.seeds.size() <= 1) return 0;
    const auto found = seed ? parent.seed_places.find(*seed) : parent.seed_places.end();
    RETHINK_ASSERT(found != parent.seed_places.end(), parent.spec->name);
    return found->second;
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
    problems_.add(place, "duplicate-trials",
                  fmt::format("stage '{}': {} and {} are the same trial, so {} changes nothing "
                              "there; drop one of them "
                              "(exclude, when), or set what differs",
                              stage.spec->name, joined(one), joined(other), joined(axes)));
  }

  std::vector<ExpandedStage>& stages_;
  const Schema& schema_;
  Problems& problems_;
  InputHashes input_hashes_;
  ProgramInputs program_inputs_;
  const bool may_lack_;
  std::set<std::string> said_;  // stages that may not run yet
  std::vector<PlannedTrial> trials_;
};

}  // namespace

NamedTrials name_trials(ExpandedSweep& expanded, const SweepSpec& sweep, const PlanChoices& choices,
                        const Schema& schema, Problems& problems) {
  TrialNamer namer(expanded.stages, choices, schema, problems);
  for (ExpandedStage& stage : expanded.stages) namer.add_stage(stage);
  for (const NamedData& named : expanded.data) namer.check_data(named);
  return namer.finish(sweep.name);
}

}  // namespace rethink
