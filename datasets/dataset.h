// The interfaces and the registry of data sets of every kind. Each data set is one file that
// registers itself.
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

/// Sequences of a split. The spans point into shared memory and live as long as the data set.
class TokenSequences {
 public:
  TokenSequences() = default;
  TokenSequences(std::span<const uint64_t> offsets, std::span<const int32_t> tokens)
      : offsets_(offsets), tokens_(tokens) {}
  size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  /// Returns the ids of sequence `index`, with start and end symbols if the protocol has them.
  std::span<const int32_t> operator[](size_t index) const {
    return tokens_.subspan(offsets_[index], offsets_[index + 1] - offsets_[index]);
  }
  size_t num_tokens() const { return tokens_.size(); }
  /// Returns the first `count` sequences, or all if there are fewer.
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
  /// Returns the names of the splits: "train", "dev", "test".
  virtual std::vector<std::string> splits() const = 0;
};

/// Kind "text": sequences of token ids per split, prepared once into a memory-mapped cache that all
/// workers share.
class TokenDataset : public Dataset {
 public:
  virtual const Vocabulary& vocabulary() const = 0;
  /// Returns the number of sequences that the split would have without a limit.
  virtual size_t whole_size(const std::string& split) const { return sequences(split).size(); }
  /// Throws TrialError when there is no such split.
  virtual TokenSequences sequences(const std::string& split) const = 0;
};

/// Folders of data sets' files and caches.
struct DataFolders {
  std::filesystem::path data;   // --data or RETHINK_DATA; may be empty for sets that need no file
  std::filesystem::path cache;  // for memory-mapped tokens; shared, safe to delete
};

/// The registry of data sets. Making a data set reads or builds its cache. Throws TrialError with
/// the names of missing files and the command `rethink data get NAME`.
using DatasetRegistry = Registry<Dataset, DatasetFacts, const DataFolders&>;
DatasetRegistry& datasets();

/// Returns the paths of a data set's files: below folders.data, or absolute names as they are.
/// Throws TrialError, which says what to do, if no folder was named or a file is missing.
std::vector<std::filesystem::path> require_files(const std::string& dataset,
                                                 const DataFolders& folders,
                                                 const std::vector<std::string>& names);

/// Returns an entry of the fact `sources`: the unpacked file at `url` becomes `file` below
/// folders.data.
DataSource plain_source(const std::string& url, const std::string& file, const std::string& sha256,
                        int64_t bytes);

/// Throws the TrialError that the job cannot read this kind of data set.
[[noreturn]] void refuse_kind(const std::string& name);

/// Returns the data set `name` as the kind that a job reads. Throws TrialError if it is of another
/// kind.
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

/// Throws TrialError, which ends with `advice`, if no split has this name.
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
