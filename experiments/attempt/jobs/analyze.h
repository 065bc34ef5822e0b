// The interface of analyses, which the job `analyze` runs: one file per analysis in
// experiments/attempt/analyses. Its registry is LibTorch-free; an analysis of a model's weights is
// in experiments/train/analyses.
#pragma once

#include "core/facts/analysis_facts.h"
#include "experiments/attempt/job.h"

namespace rethink {

class Analysis {
 public:
  virtual ~Analysis() = default;
  /// Writes metrics, measurements and artifacts through the context. Must check context.stop
  /// regularly. An analysis has no checkpoints, so an interrupted analysis starts again.
  virtual JobOutcome run(JobContext& context) = 0;
};

using AnalysisRegistry = Registry<Analysis, AnalysisFacts>;
AnalysisRegistry& analyses();

}  // namespace rethink
