// What the first attempt of a trial set for all that resume it (attempts.md 4): anything else would
// give other bits.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "experiments/schedule/plan.h"
#include "results/store.h"

namespace rethink {

struct BegunWith {
  int threads = 1;
  bool deterministic = true;
};

/// Of unfinished trials that have a checkpoint to go on from, by id; only where this machine has
/// that many threads.
std::map<std::string, BegunWith> begun_with(Store& index, const std::filesystem::path& store);

/// What a trial goes on with and no longer asks for: "threads 1, not 2"; "" when there is nothing.
std::string kept_of(const BegunWith& begun, const StageResources& wanted);

}  // namespace rethink
