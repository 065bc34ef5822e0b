// The settings of a trial's first attempt that later attempts keep: threads, deterministic kernels
// and device. Other values would give other bits.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

struct FirstAttemptSettings {
  int threads = 1;
  bool deterministic = true;
  std::string device = "cpu";  // or "cuda"
};

/// Of those of `trials` that have a checkpoint to go on from, or a result that they must come to
/// again, by id; only where this machine has that many threads. Whether it has the device, the caller knows.
std::map<std::string, FirstAttemptSettings> first_attempt_settings(
    Store& index, const std::filesystem::path& store, const std::set<std::string>& trials);

/// What a trial goes on with and no longer asks for: "threads 1, not 2"; "" when there is nothing.
std::string kept_of(const FirstAttemptSettings& begun, const FirstAttemptSettings& wanted);

/// Says once which trials do not go on as `resources` and --device say now: "TITLE (kept_of)" of each.
void note_kept(std::vector<std::string> notes);

}  // namespace rethink
