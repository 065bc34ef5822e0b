// Data sets of running text: files read into one text per split, split into tokens as TextOptions
// say, cached.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/json.h"
#include "datasets/dataset.h"
#include "datasets/files/token_cache.h"
#include "datasets/text/dependency_trees.h"
#include "datasets/text/text_options.h"

namespace rethink {

struct SplitText {
  std::string name;
  std::string text;  // lines with their newlines
};

/// Where a data set's text comes from. `files` and `options` are its identity: `read` is a pure
/// function of them.
struct TextSource {
  std::string name;                          // of the data set, in the registry
  std::vector<std::filesystem::path> files;  // exist
  Json options;                              // the plug-in's own beside TextOptions; never a path
  std::function<std::vector<SplitText>()> read;  // the first split is the training split
};

/// Facts of every data set of running text: kind, metric, and its options that name files, `own`
/// beside those of TextOptions.
Json text_facts(const std::string& metric, const std::vector<std::string>& own = {});

/// The files below folders.data that a data set needs; an absolute name stands for itself.
/// Throws TrialError when no folder was named or a file is missing: says which, and what to do.
std::vector<std::filesystem::path> require_files(const std::string& dataset,
                                                 const DataFolders& folders,
                                                 const std::vector<std::string>& names);

/// Maps the cache, and builds it first when there is none.
std::shared_ptr<TokenDataset> open_text(const TextSource& source, const TextOptions& options,
                                        const DataFolders& folders);

/// What the cache holds for these texts; a pure function. `trees`, where there are some: of each
/// split NAME a split NAME.hints stands behind it (syntax_hints.h).
PreparedData prepare_text(const std::vector<SplitText>& splits, const TextOptions& options,
                          const std::vector<DependencyTree>& trees = {});

/// What a data set is read from: `files`, and those that its option `hints` names.
std::vector<std::filesystem::path> with_hints(const std::string& dataset,
                                              std::vector<std::filesystem::path> files,
                                              const std::vector<std::string>& hints,
                                              const DataFolders& folders);

/// What a cache's key says of hints beside the files' content: how many of the files are trees, and
/// after which rules they are found in text.
Json identity_of_hints(const std::vector<std::string>& hints);

/// The trees of all files that options.hints name.
std::vector<DependencyTree> read_hints(const std::string& dataset,
                                       const std::vector<std::string>& hints,
                                       const DataFolders& folders);

}  // namespace rethink
