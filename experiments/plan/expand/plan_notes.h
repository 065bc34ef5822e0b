// Notes on settings of a sweep that are valid but probably unintended.
#pragma once

#include <string>
#include <vector>

#include "experiments/plan/expand/stage_points.h"

namespace rethink {

/// A line where `stage` begins with weights and goes on with other attention than they were trained
/// with: the mask of an arm is then left out of its fine-tuning. Nothing where they were trained
/// with the usual one, nor where the new one reads an input of the stage, which says so itself.
/// Another line where it has fewer layers than they have.
std::vector<std::string> notes_on_weights(const std::vector<ExpandedStage>& stages,
                                          const ExpandedStage& stage, const Schema& schema);

/// A line where more examples are asked for than a data set has.
std::vector<std::string> notes_on_examples(const ExpandedStage& stage, const Schema& schema);

/// A line where attention is told to remember more or less than usual of earlier segments (its fact
/// "segment_memory" names the options), and the data set could be read as a stream but is not.
std::vector<std::string> notes_on_memory(const ExpandedStage& stage, const Schema& schema);

/// A line where a decoder's attention has an option by which it sees what is to be predicted (its
/// fact "looks_ahead": option, value, why).
std::vector<std::string> notes_on_leaks(const ExpandedStage& stage, const Schema& schema);

/// A line where `use` takes a stage of a sweep with other seeds: those of the sweep that uses it hold.
std::vector<std::string> notes_on_used_seeds(const ExpandedStage& stage);

/// A line where an axis or a --set gives a program a setting whose name is near one that its `config` fixes, and no other
/// number of it (beta1, beta2): the program takes any names.
std::vector<std::string> notes_on_program_settings(const ExpandedStage& stage);

/// A line where random draws repeat earlier ones.
std::vector<std::string> notes_on_draws(const StageSpec& spec);

}  // namespace rethink
