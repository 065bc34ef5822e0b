// Where imported weights lie, and which model they are of.
#pragma once

#include "core/error.h"
#include "core/json.h"
#include "experiments/plan/read/sweep_file.h"

namespace rethink {

/// Weights that are neither beside the sweep nor here lie in the folder of data sets, or nowhere.
void look_among_data(Need& need, const std::filesystem::path& data);

/// Throws ConfigError where a folder of weights, or that of one such file, says that its weights or
/// its tokenizer are of a kind that no job reads (refuse_adapter_weights, require_word_pieces).
void require_readable_weights(const std::filesystem::path& path);

/// The options of the model, as config.json in the need's folder has them (the member
/// rethink.model, models/huggingface/config.h); null, and a problem, where it has none. Weights
/// that are not there are no problem of this function (TrialFiles::of_weights).
Json imported_model(const Need& need, Problems& problems);

}  // namespace rethink
