// Data sets of every kind, in one registry. One file per data set registers itself.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/config/registry.h"
#include "core/error.h"
#include "core/facts/dataset_facts.h"
#include "core/json_fwd.h"

namespace rethink {

class Vocabulary;

/// Sequences of one split. The spans point into shared memory and live as long as the data set.
class TokenSequences {
 public:
  TokenSequences() = default;
  TokenSequences(std::span<const uint64_t> offsets, std::span<const int32_t> tokens)
      : offsets_(offsets), tokens_(tokens) {}
  size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  /// Ids of sequence `index`, start and end symbols included where the protocol has them.
  std::span<const int32_t> operator[](size_t index) const {
    return tokens_.subspan(offsets_[index], offsets_[index + 1] - offsets_[index]);
  }
  size_t num_tokens() const { return tokens_.size(); }
  /// The first `count` sequences, or all where there are fewer.
  TokenSequences first(size_t count) const {
    if (count >= size()) return *this;
    return {offsets_.first(count + 1), tokens_.first(offsets_[count])};
  }

 private:
  std::span<const uint64_t> offsets_;
  std::span<const int32_t> tokens_;
};

class Dataset {
 public:
  virtual ~Dataset() = default;
  /// Names of the splits there are: "train", "dev", "test".
  virtual std::vector<std::string> splits() const = 0;
};

/// Kind "text": sequences of token ids per split, prepared once into a memory-mapped cache that all
/// workers share.
class TokenDataset : public Dataset {
 public:
  virtual const Vocabulary& vocabulary() const = 0;
  /// Sequences that the split would have without a limit on their number.
  virtual size_t whole_size(const std::string& split) const { return sequences(split).size(); }
  /// Throws TrialError when there is no such split.
  virtual TokenSequences sequences(const std::string& split) const = 0;
};

/// Where data sets find files and keep caches.
struct DataFolders {
  std::filesystem::path data;   // --data or RETHINK_DATA; may be empty for sets that need no file
  std::filesystem::path cache;  // for memory-mapped tokens; shared, safe to delete
};

/// Making one reads or builds its cache. Throws TrialError: files missing (says which, and `rethink
/// data get NAME`).
using DatasetRegistry = Registry<Dataset, DatasetFacts, const DataFolders&>;
DatasetRegistry& datasets();

/// The files below folders.data that a data set needs; an absolute name stands for itself.
/// Throws TrialError when no folder was named or a file is missing: says which, and what to do.
std::vector<std::filesystem::path> require_files(const std::string& dataset,
                                                 const DataFolders& folders,
                                                 const std::vector<std::string>& names);

/// An entry of the fact `sources`: what is at `url`, not packed, goes to `file` below folders.data.
DataSource plain_source(const std::string& url, const std::string& file, const std::string& sha256,
                        int64_t bytes);

/// Throws TrialError: `name` is of a kind that the job does not read.
[[noreturn]] void refuse_kind(const std::string& name);

/// The data set `name` as what a job can read. Throws TrialError when it is of another kind.
template <typename Kind>
std::shared_ptr<Kind> require_kind(std::shared_ptr<Dataset> dataset, const std::string& name) {
  auto found = std::dynamic_pointer_cast<Kind>(std::move(dataset));
  if (!found) refuse_kind(name);
  return found;
}

/// Lookup of a split by name, for data sets that keep their splits in a list.
template <typename Split>
std::vector<std::string> names_of(const std::vector<Split>& splits) {
  std::vector<std::string> names;
  for (const Split& split : splits) names.push_back(split.name);
  return names;
}

/// Throws TrialError, which ends with `advice`, when there is none of this name.
template <typename Split>
const Split& split_named(const std::string& name, const std::vector<Split>& splits,
                         const std::string& dataset, const std::string& advice = "") {
  for (const Split& split : splits) {
    if (split.name == name) return split;
  }
  throw TrialError("unknown-split", fmt::format("data set '{}' has no split '{}'; it has {}{}",
                                                dataset, name, joined(names_of(splits)), advice));
}

}  // namespace rethink
