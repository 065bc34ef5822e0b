// Notes on settings of a sweep that are valid but probably unintended.
#pragma once

#include <vector>

#include "core/config/note.h"
#include "experiments/plan/expand/stage_points.h"

namespace rethink {

/// Returns a note if `stage` continues from weights with another attention than in their training,
/// for example without the mask of an arm. No note if the weights were trained with the default
/// attention, or if the new attention reads an input of the stage. Returns another note if the
/// stage has fewer layers than the weights.
std::vector<Note> notes_on_weights(const std::vector<ExpandedStage>& stages,
                                   const ExpandedStage& stage, const Schema& schema);

/// Returns a note if more examples are requested than a data set has.
std::vector<Note> notes_on_examples(const ExpandedStage& stage, const Schema& schema);

/// Returns a note if an option changes how much attention remembers of earlier segments (its fact
/// "segment_memory" names the options), and the data set could be read as a stream but is not.
std::vector<Note> notes_on_memory(const ExpandedStage& stage, const Schema& schema);

/// Returns a note if a decoder's attention has an option by which it sees the predicted token (its
/// fact "looks_ahead": option, value, why).
std::vector<Note> notes_on_leaks(const ExpandedStage& stage, const Schema& schema);

/// Returns a note if `use` takes a stage of a sweep with other seeds. The seeds of the using sweep
/// count.
std::vector<Note> notes_on_used_seeds(const ExpandedStage& stage);

/// Returns a note if an axis or a --set gives a program a setting whose name is similar to a fixed
/// name in its `config`, unless both end in different numbers (beta1, beta2). Programs accept any
/// names.
std::vector<Note> notes_on_program_settings(const ExpandedStage& stage);

/// Returns a note if random draws repeat earlier draws.
std::vector<Note> notes_on_draws(const StageSpec& spec);

}  // namespace rethink
