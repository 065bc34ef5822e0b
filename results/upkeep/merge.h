// Adds the trials of another store (`rethink db merge`).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

struct MergeReport {
  size_t added = 0, known = 0, unfinished = 0, sweeps = 0;
  std::vector<std::string> different;  // done in both stores with different metrics
  std::vector<std::string> damaged;  // in the other store, not copied: "trial ...: FILE is damaged"
  std::vector<std::string> replaced;  // imported scores: "trial ...: test is now ..., was ..."
  size_t looks_added = 0;             // looks at claims
  std::vector<std::string> looks;     // looks at claims that differ, one sentence each
};

/// Copies every done trial of `from` that is not done in `into` and whose files match its records,
/// with its memberships in sweeps. Durable: a trial's folder appears whole. Follows no link in
/// either store. Throws ConfigError if `from` is not a store.
MergeReport merge_store(const std::filesystem::path& from, const std::filesystem::path& into);

}  // namespace rethink
