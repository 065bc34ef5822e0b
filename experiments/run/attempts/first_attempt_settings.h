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

/// Returns the settings, by id, of those of `trials` that will resume from a checkpoint or must reach an old result
/// again. Leaves out trials with more threads than this machine has. The caller checks the device.
std::map<std::string, FirstAttemptSettings> first_attempt_settings(
    Store& index, const std::filesystem::path& store, const std::set<std::string>& trials);

/// Returns settings with which a trial continues although it no longer requests them: "threads 1,
/// not 2"; "" if there are none.
std::string kept_settings(const FirstAttemptSettings& begun, const FirstAttemptSettings& wanted);

/// Reports once which trials do not use the present `resources` and --device: "TITLE (kept_settings)" for
/// each.
void note_kept(std::vector<std::string> notes);

}  // namespace rethink
