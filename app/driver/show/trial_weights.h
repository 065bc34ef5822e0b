// The weights of a trial, for commands that export them.
#pragma once

#include <map>
#include <string>

#include "app/driver/command.h"
#include "experiments/attempt/job.h"

namespace rethink {

/// How the weights of a language or translation model are called.
inline constexpr const char* kDecoderWeights = "weights.safetensors";

/// By the names of their files, each as the trial's result lists it. Throws ConfigError, with what to do, when the trial kept
/// none, or chooses among others.
std::map<std::string, Artifact> weights_of_trial(const CommandContext& context,
                                                 const std::string& id);

/// Words for the worker: where data sets and their caches are.
std::vector<std::string> data_words(const CommandContext& context);

}  // namespace rethink
