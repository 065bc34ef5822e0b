// Token ids of a data set in one file that all workers map into memory: built once, published
// whole, checked when it is opened. The file's name is a hash of everything that the tokens follow
// from. Deleting it costs only the time to build it again.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_fwd.h"
#include "datasets/dataset.h"
#include "datasets/vocabulary.h"

namespace rethink {

/// What the names of splits end in that hold hints (syntax_hints.h) in place of tokens: those of the
/// split whose name stands before. They are not among a data set's splits().
inline constexpr std::string_view kHintsEnding = ".hints";

/// The sequences of one split while they are made.
struct PreparedSplit {
  std::string name;
  std::vector<uint64_t> offsets = {0};  // of sequence i in tokens: [offsets[i], offsets[i+1])
  std::vector<int32_t> tokens;
  size_t left_out = 0;  // sequences beyond a limit on their number

  /// Everything after the last end becomes one sequence.
  void end_sequence() { offsets.push_back(tokens.size()); }
};

struct PreparedData {
  Vocabulary vocabulary;
  std::vector<PreparedSplit> splits;
};

/// The data set that FOLDER/KEY.tokens holds. When there is none, or it is damaged (said on
/// standard error), `build` makes it; of several processes that ask at the same time one builds and
/// the others wait for it. Throws MachineError when the folder cannot be written, and whatever
/// `build` throws.
std::shared_ptr<TokenDataset> open_token_cache(const std::filesystem::path& folder,
                                               const std::string& key,
                                               const std::function<PreparedData()>& build);

/// The name under which a data set's tokens are kept: the hash of `identity`, completed with the data
/// set's name and revision, the SHA-256 of its files and dataset_build(). Throws MachineError when a
/// file cannot be read.
std::string token_cache_key(Json identity, const std::string& dataset,
                            const std::vector<std::filesystem::path>& files,
                            const DataFolders& folders);

/// Hash of the code that reads data sets and makes tokens, of its compiler, flags and linked
/// libraries: caches of two builds with the same hash hold the same. Defined by a source that the
/// build generates (cmake/numeric_build.cmake lists what counts).
const char* dataset_build();

}  // namespace rethink
