// The metrics that a trial will record, by the facts of its job (core/facts/job_facts.h), so that a
// stage that chooses by a metric is checked before anything runs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/config/note.h"
#include "core/direction.h"
#include "core/json_fwd.h"
#include "experiments/plan/expand/stage_points.h"

namespace rethink {

/// Returns "which stage 'train' (job lm) will not have; did you mean ...; it will have: ...".
/// Returns "" if a trial with this configuration will have `metric` ("dev/score",
/// "dev/score@best"), or if the job does not say which metrics it will have. A curve without final
/// values has no "train/loss@last".
std::string why_not_recorded(const std::string& stage, const PluginSchema& job, const Json& config,
                             const std::string& metric, const Schema& schema);

/// The metric that is a trial's score, by its own name.
struct ReportedScore {
  std::string metric;  // on the reported split, at the kept step: "test/perplexity@best"
  Direction direction = Direction::unknown;
  std::optional<double> least, most;  // bounds of its values, if any
};

/// Returns the score of a trial with this configuration: on test if it is measured, else on dev, at
/// the best step if the best is kept. Returns nothing if the job has no score.
std::optional<ReportedScore> reported_score(const PluginSchema& job, const Json& config,
                                            const Schema& schema);

/// A cache of reported_score for many trials, most of which share what reported_score reads.
class ReportedScores {
 public:
  explicit ReportedScores(const Schema& schema) : schema_(schema) {}
  /// The reported_score of a trial of this job. Requires: the schema has the job.
  const std::optional<ReportedScore>& of(const std::string& job, const Json& config);

 private:
  const Schema& schema_;
  std::map<std::string, std::optional<ReportedScore>> known_;
};

/// Returns "perplexity" for "test/perplexity@best".
std::string name_of_metric(const std::string& metric);

/// Returns a note if `stage` chooses on the split that is reported at the end.
std::vector<Note> notes_on_choice(const ExpandedStage& stage);

/// Adds a problem if `stage` chooses among trials by a metric that one of them will not have.
void check_chosen_metric(const std::vector<ExpandedStage>& stages, const ExpandedStage& stage,
                         const Schema& schema, Problems& problems);

}  // namespace rethink
