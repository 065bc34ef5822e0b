// Tests a site for `rethink doctor --site` with one short job, which exchanges files beside the store. It checks
// whether the node sees the store, after what delay, whether locks work between nodes, and how the clocks differ.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/site/site.h"

namespace rethink {

/// One line of `rethink doctor`. `bad` means that something would not work.
struct Finding {
  std::string what, text;
  bool bad = false;
};

/// Submits `words` as one job of the site and exchanges files with it. Its last word is the folder for these files,
/// which is made in `place`, on the store's disk, and then removed. Waits in the queue as long as needed, with the
/// reason on standard error. A signal cancels the job; `signals` is then above 0. Throws as Engine::submit.
std::vector<Finding> check_site(const Site& site, const std::filesystem::path& place,
                                std::vector<std::string> words, bool quiet,
                                const std::atomic<int>& signals);

/// Answers in the job. `findings` are those of the node.
void answer_site_check(const std::filesystem::path& folder, const std::vector<Finding>& findings);

}  // namespace rethink
