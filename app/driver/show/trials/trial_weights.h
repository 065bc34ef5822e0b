// The weights of a trial, for commands that export them.
#pragma once

#include <map>
#include <string>

#include "app/driver/command.h"
#include "experiments/attempt/job.h"

namespace rethink {

/// File name of the weights of a language or translation model.
inline constexpr const char* kDecoderWeights = "weights.safetensors";

/// Returns the weights by the names of their files, each checked against the trial's result. Throws
/// ConfigError, with what to do, if the trial kept none, or is a select.
std::map<std::string, Artifact> weights_of_trial(const CommandContext& context,
                                                 const std::string& id);

/// Returns words for the worker: the folders of data sets and their caches.
std::vector<std::string> data_words(const CommandContext& context);

}  // namespace rethink
