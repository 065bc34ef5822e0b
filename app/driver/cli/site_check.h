// Tries a site for `rethink doctor --site`: one short job, and a conversation with it through files beside the store. It
// finds out whether the node sees the store, how late, whether locks hold between nodes and how the clocks differ.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/site/site.h"

namespace rethink {

/// One line of what `rethink doctor` answers. `bad`: something would not work.
struct Finding {
  std::string what, text;
  bool bad = false;
};

/// Submits `words` as one job of the site and talks to it. The last word is then the folder of the conversation, which is
/// made in `place`, on the store's disk, and removed. Waits in the queue as long as it takes, and says on standard error
/// what for. A signal cancels the job; `signals` is then above 0. Throws as Engine::submit.
std::vector<Finding> check_site(const Site& site, const std::filesystem::path& place,
                                std::vector<std::string> words, bool quiet,
                                const std::atomic<int>& signals);

/// The job's side. `findings`: of the node.
void answer_site_check(const std::filesystem::path& folder, const std::vector<Finding>& findings);

}  // namespace rethink
