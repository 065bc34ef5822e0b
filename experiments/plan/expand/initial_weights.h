// The initial weights of a stage, imported or from another stage: their model, and whether they fit
// the stage.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "experiments/plan/expand/stage_points.h"
#include "experiments/plan/read/sweep_file.h"

namespace rethink {

/// Throws ConfigError if a folder of weights, or a file's folder, has weights or a tokenizer that
/// no job reads (refuse_adapter_weights, require_word_pieces).
void require_readable_weights(const std::filesystem::path& path);

/// Returns the model's options in config.json of the need's folder (the member rethink.model,
/// models/huggingface/config.h); null, with a problem, if it has none. Missing weights are not a
/// problem of this function (InputHashes::of_weights).
Json imported_model(const Need& need, Problems& problems);

/// Returns the options below `field` that determine weights (Field::shapes) and differ between two
/// of its values so that one value cannot load the weights of the other: "layers",
/// "attention.kind". A plug-in loads the weights of any plug-in with the same fact "weights"; its
/// additional weights start fresh.
std::vector<std::string> unlike_shapes(const Field& field, const Json& now, const Json& then,
                                       const Schema& schema);

/// Returns the stage and point whose weights a point provides. For a select this is its first
/// candidate, since all candidates have the same model.
PointId point_of_weights(const std::vector<ExpandedStage>& stages, PointId id);

/// Adds a problem at the need if `reader`, the job of a stage or a plug-in in it, loads weights of
/// one kind of model, and the stage `parent` provides another kind (fact "weights_of",
/// experiments/attempt/job.h). Returns whether it did. The weights of a select are those of its
/// candidates. A plug-in without the fact accepts any kind.
bool report_other_weights(const std::vector<ExpandedStage>& stages, const PluginSchema& reader,
                          const Need& need, const ExpandedStage& parent, Problems& problems);
/// Does the same for a stage of which only the job is known. Returns false if the job provides no
/// weights.
bool report_other_weights(const PluginSchema& reader, const Need& need, const std::string& stage,
                          const PluginSchema& job, Problems& problems);

/// Adds a problem if `child` draws a mask by its own seed, and starts from weights that were
/// trained with another draw of the same mask: in a stage whose seed differs, or with a draw by a
/// fixed number. Requires: the points of `child`.
void check_draws(const std::vector<ExpandedStage>& stages, const ExpandedStage& child,
                 Problems& problems);

}  // namespace rethink
