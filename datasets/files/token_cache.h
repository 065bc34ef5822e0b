// The cache of a data set's token ids: one file that all workers map into memory. It is built once,
// appears only when complete, and is checked when it is opened. Its name is a hash of everything
// that determines the tokens. A deleted cache is built again.
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

/// Suffix of splits that contain the hints (syntax_hints.h) of the split named before the suffix,
/// in place of tokens. They are not among a data set's splits().
inline constexpr std::string_view kHintsEnding = ".hints";

/// The sequences of a split while it is built.
struct PreparedSplit {
  std::string name;
  std::vector<uint64_t> offsets = {0};  // of sequence i in tokens: [offsets[i], offsets[i+1])
  std::vector<int32_t> tokens;
  size_t left_out = 0;  // sequences beyond a limit on their number

  /// Makes one sequence of all tokens after the last end.
  void end_sequence() { offsets.push_back(tokens.size()); }
};

struct PreparedData {
  Vocabulary vocabulary;
  std::vector<PreparedSplit> splits;
};

/// Returns the data set in FOLDER/KEY.tokens. If the file is missing or damaged (reported on
/// standard error), `build` makes it. Of several processes one builds, and the others wait. Throws
/// MachineError if the folder cannot be written, and everything that `build` throws.
std::shared_ptr<TokenDataset> open_token_cache(const std::filesystem::path& folder,
                                               const std::string& key,
                                               const std::function<PreparedData()>& build);

/// Returns the cache's name: the hash of `identity`, of the data set's name and revision, of the
/// SHA-256 of its files, and of dataset_build(). Throws MachineError if a file cannot be read.
std::string token_cache_key(Json identity, const std::string& dataset,
                            const std::vector<std::filesystem::path>& files,
                            const DataFolders& folders);

/// Returns the hash of the code that reads data sets and makes tokens, of its compiler, flags and
/// linked libraries. Builds with equal hashes write equal caches. The build generates the
/// definition (cmake/numeric_build.cmake lists what counts).
const char* dataset_build();

}  // namespace rethink
