// The job `select` (docs/sweeps.md): chooses among candidates by the mean over seeds of one dev
// metric. It needs no LibTorch and has no seed. `plan` writes `groups`; all other options are in
// the sweep file:
//
//   {"by": "dev/score", "direction": null, "over": ["optimizer.lr"],
//    "groups": [{"labels": [{"axis": "optimizer.lr", "value": "2e-5"}],
//                "trials": ["<id of seed 0>", "<id of seed 1>"]}]}
//
// needs.from lists the trials of all groups, group after group. `over` and `labels` are not hashed.
// A candidate's score is the value of `by` in its result.json ("metrics"). Without "@" this is
// `by`@last if it exists, else the curve's value at its greatest step. The first group wins a tie.
// A group with a diverged or non-finite trial cannot win; if every group has such a trial, the
// select itself ends as diverged. Without `direction` the candidates say which direction is better
// (result.json: {"directions": {"score": "min"}}). If a candidate is a select itself, the trials of
// its winner count.
//
// result.json gets "selected": {"group": 0, "labels": [...], "by": "dev/score", "score": 0.5,
//                               "tied": 1 (groups with this score, the winner among them),
//                               "seeds": [{"seed": 0, "trial": "<id>"}, ...]}
// and lists the winner's artifacts again, each with its "seed". A trial with seed s that needs a
// select gets the artifacts of seed s (experiments/attempt/inputs.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/json.h"
#include "core/store_files/result_file.h"
#include "core/store_files/trial_folder.h"
#include "experiments/attempt/event_log.h"
#include "experiments/attempt/job.h"
#include "experiments/attempt/trial_files.h"

namespace rethink {
namespace {

struct Label {
  std::string axis, value;
  void fields(Fields& field) {
    field("axis", axis, "an axis of the candidates' stage").required();
    field("value", value, "the value on this axis, as text").required();
  }
};

struct Group {
  std::vector<Label> labels;
  std::vector<std::string> trials;
  void fields(Fields& field) {
    field("labels", labels, "the point on the axes in `over`").not_hashed();
    field("trials", trials, "ids of the point's trials, one per seed").required();
  }
};

struct SelectOptions {
  std::vector<std::string> over;
  std::string by;
  std::optional<std::string> direction;
  std::vector<Group> groups;
  void fields(Fields& field) {
    field("over", over, "axes of the needed stage among whose points the job chooses").not_hashed();
    field("by", by, "metric of the choice, SPLIT/NAME, e.g. dev/score").required();
    field(
        "direction", direction,
        "max or min: whether the largest or the smallest mean wins; null = the metric's direction")
        .one_of({"max", "min"});
    field("groups", groups, "the candidates; written by plan");
  }
};

class Select : public Job {
 public:
  explicit Select(SelectOptions options) : options_(std::move(options)) {}

  JobOutcome run(JobContext& context) override {
    context.events.start(0);
    std::vector<std::optional<double>> scores;
    for (const Group& group : options_.groups) scores.push_back(score_of(group, context));
    const std::optional<size_t> winner = best_of(scores, context);
    if (!winner) {
      context.events.message("warning", "every candidate has diverged: there is nothing to select");
      return JobOutcome::diverged;
    }
    const Group& group = options_.groups[*winner];
    Json seeds = Json::array();
    for (const Json& result : results_of(group, context)) {
      seeds.push_back({{"seed", result.at("seed")}, {"trial", result.at("trial")}});
      republish(result, context);
    }
    Json labels = Json::array();
    for (const Label& label : group.labels) labels.push_back(write_options(label));
    context.result["selected"] = {{"group", *winner},
                                  {"labels", labels},
                                  {"by", options_.by},
                                  {"score", *scores[*winner]},
                                  {"tied", std::ranges::count(scores, scores[*winner])},
                                  {"seeds", seeds}};
    // The events repeat the choice of result.json, since a snapshot of the database has no result.json.
    context.events.write({{"event", "selected"},
                          {"labels", labels},
                          {"tied", context.result["selected"]["tied"]},
                          {"seeds", seeds}});
    context.events.metric("select", "score", 0, *scores[*winner]);
    return JobOutcome::done;
  }

 private:
  /// Nothing if every group has a diverged trial.
  std::optional<size_t> best_of(const std::vector<std::optional<double>>& scores,
                                const JobContext& context) const {
    if (std::ranges::none_of(scores, [](const auto& score) { return score.has_value(); }))
      return std::nullopt;
    const bool greatest_wins = direction_of(context) == "max";
    std::optional<size_t> best;
    for (size_t i = 0; i < scores.size(); ++i) {
      if (!scores[i]) continue;
      const bool better =
          !best || (greatest_wins ? *scores[i] > *scores[*best] : *scores[i] < *scores[*best]);
      if (better) best = i;
    }
    return best;
  }

  /// "max" or "min", for `by` without its split and @.
  std::string direction_of(const JobContext& context) const {
    if (options_.direction) return *options_.direction;
    const size_t begin = options_.by.find('/') + 1, end = options_.by.find('@');
    const std::string name =
        options_.by.substr(begin, end == std::string::npos ? end : end - begin);
    for (const Json& result : context.parents.at("from")) {
      const Json directions = result.value("directions", Json::object());
      if (directions.contains(name)) return directions.at(name);
    }
    throw TrialError(
        "missing-direction",
        fmt::format(
            "the candidates do not say whether a larger '{}' is better: give direction: max or min",
            options_.by));
  }

  /// The mean over seeds; nothing if a trial diverged.
  std::optional<double> score_of(const Group& group, const JobContext& context) const {
    double sum = 0;
    const std::vector<Json> results = results_of(group, context);
    for (const Json& result : results) {
      const Json value = metric_of(result);
      if (outcome_of_result(result) != AttemptOutcome::done || !value.is_number())
        return std::nullopt;
      sum += value.get<double>();
    }
    return sum / static_cast<double>(results.size());
  }

  /// Null if a diverged trial ended before the metric was measured.
  Json metric_of(const Json& result) const {
    const Json& metrics = result.at("metrics");
    const bool exact = options_.by.find('@') != std::string::npos;
    if (!exact && metrics.contains(options_.by + "@last")) return metrics.at(options_.by + "@last");
    if (metrics.contains(options_.by)) return metrics.at(options_.by);
    if (outcome_of_result(result) != AttemptOutcome::done) return nullptr;
    std::vector<std::string> known;
    for (const auto& [name, value] : metrics.items()) known.push_back(name);
    throw TrialError("unknown-metric",
                     fmt::format("candidate {} has no metric '{}'{}; it has: {}",
                                 result.at("trial").get<std::string>(), options_.by,
                                 did_you_mean(options_.by, known), joined(known)));
  }

  std::vector<Json> results_of(const Group& group, const JobContext& context) const {
    std::vector<Json> results;
    for (const std::string& id : group.trials) {
      const size_t before = results.size();
      for (const Json& result : context.parents.at("from")) {
        if (result.at("trial") == id || result.value("via", "") == id) results.push_back(result);
      }
      RETHINK_ASSERT(results.size() > before, "candidate " + id + " is not among the needs");
    }
    RETHINK_ASSERT(!results.empty(), "a group without trials");
    return results;
  }

  static void republish(const Json& result, JobContext& context) {
    const std::filesystem::path store = context.artifacts.parent_path().parent_path().parent_path();
    const TrialFolder folder(store, result.at("trial"));
    for (Artifact& artifact : artifacts_of(result, folder)) {
      if (!result.at("seed").is_null()) artifact.seed = result.at("seed").get<int64_t>();
      context.published.push_back(std::move(artifact));
    }
  }

  SelectOptions options_;
};

RETHINK_REGISTERED = jobs().add<SelectOptions>(
    {.name = "select",
     .summary = "chooses among the trials of a stage by the mean over seeds of a dev metric",
     .facts = {.inputs = {{"from", "trials"}},
               .outputs = {"inputs"},
               .seeded = false,
               .chooses_by = "by",
               .device = "cpu"}},
    [](const SelectOptions& options) { return std::make_shared<Select>(options); });

}  // namespace
}  // namespace rethink
