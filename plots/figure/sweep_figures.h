// Makes specs for the figures of a sweep that has no specs.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"
#include "experiments/plan/plan.h"

namespace rethink {

struct FigureText {
  std::string name;  // "SWEEP/STAGE_curves", "SWEEP/STAGE_scores"
  std::string text;  // a figure's spec (docs/tables.md)
};

/// Returns curves of the training and bars of the final score for each combination of the stage's
/// axes; separate bars for each metric. `sweep` is the sweep's name in the specs. Throws
/// ConfigError if the job has no score, or if a figure would have more series than a spec may have.
std::vector<FigureText> figure_specs_of_sweep(const Plan& plan, const std::string& sweep,
                                              const std::string& stage, const Schema& schema);

}  // namespace rethink
