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

/// Curves of the training and bars of the final score for each combination of the stage's axes; bars of each metric apart.
/// `sweep`: how the specs name the sweep. Throws ConfigError where the job has no score, or where a figure would have
/// more series than a spec may have.
std::vector<FigureText> figure_specs_of_sweep(const Plan& plan, const std::string& sweep,
                                              const std::string& stage, const Schema& schema);

}  // namespace rethink
