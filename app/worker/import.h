// Encoders of others become the starting points of sweeps: `rethink-worker import DIR --out DIR`.
#pragma once

#include <string>
#include <vector>

namespace rethink {

/// Checks the folder of a BERT or DistilBERT of transformers that `words` name and writes it as ours
/// are written, for `init: {file: DIR}`, with `--layers 2,4,6` or `--distilbert` a part of it
/// (models/huggingface/reduced_encoder.h); prints what it is. Throws ConfigError for a folder that is not whole or not
/// implemented, and when the new folder holds something already.
int run_import(const std::vector<std::string>& words);

}  // namespace rethink
