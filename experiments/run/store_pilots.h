// The pilots that work on a store, or wait in a queue for it, as their engines say.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/site/site.h"

namespace rethink {

struct StorePilot {
  std::string site, job;
  JobStatus status{};
  std::string node{};  // where the pilot began; empty: it has not begun
};

/// "runs on n1", "waits (Priority)"
std::string to_text(const StorePilot& pilot);
/// "pilots of site a100: 123 runs on n1, 124 waits (Priority)", a line for each site; "" without pilots.
std::string to_text(const std::vector<StorePilot>& pilots);

class StorePilots {
 public:
  /// Those that have not ended. Cost: a question to the queue of each site, as often as its engine asks.
  std::vector<StorePilot> look(const std::filesystem::path& store);

 private:
  Engines engines_;
};

}  // namespace rethink
