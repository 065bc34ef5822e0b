// The initial weights of a stage, imported or from another stage: their model, and whether they fit
// the stage's.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "experiments/plan/expand/stage_points.h"
#include "experiments/plan/read/sweep_file.h"

namespace rethink {

/// Throws ConfigError where a folder of weights, or that of one such file, says that its weights or
/// its tokenizer are of a kind that no job reads (refuse_adapter_weights, require_word_pieces).
void require_readable_weights(const std::filesystem::path& path);

/// The options of the model, as config.json in the need's folder has them (the member
/// rethink.model, models/huggingface/config.h); null, and a problem, where it has none. Weights
/// that are not there are no problem of this function (InputHashes::of_weights).
Json imported_model(const Need& need, Problems& problems);

/// The options below `field` that say which weights there are (Field::shapes) and differ between
/// two of its values so that one cannot load what the other left: "layers", "attention.kind". A
/// plug-in loads those of any with the same fact "weights"; what it has beyond them begins fresh.
std::vector<std::string> unlike_shapes(const Field& field, const Json& now, const Json& then,
                                       const Schema& schema);

/// The stage and point whose weights a point leaves: of a select its first candidate's, since all have
/// the same model.
PointId point_of_weights(const std::vector<ExpandedStage>& stages, PointId id);

/// Adds a problem at the need where `reader`, the job of a stage or a plug-in chosen in it, loads
/// weights of one kind of model, and the stage `parent` leaves those of another kind (fact
/// "weights_of", experiments/attempt/job.h). Returns whether it did. The weights of a select are
/// those of its candidates. A plug-in without the fact fits any.
bool report_other_weights(const std::vector<ExpandedStage>& stages, const PluginSchema& reader,
                          const Need& need, const ExpandedStage& parent, Problems& problems);
/// The same of a stage and its job, where nothing more is known of it. False where it leaves no weights.
bool report_other_weights(const PluginSchema& reader, const Need& need, const std::string& stage,
                          const PluginSchema& job, Problems& problems);

/// Adds a problem where `child` draws a mask by its own seed and starts from weights that saw another
/// draw of the same mask: of a stage with another seed alone, or a draw that a number gives. Requires:
/// the points of `child`.
void check_draws(const std::vector<ExpandedStage>& stages, const ExpandedStage& child,
                 Problems& problems);

}  // namespace rethink
