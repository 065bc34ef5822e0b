// Data sets of running text: files are read into one text per split, split into tokens by
// TextOptions, and cached.
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
#include "datasets/text/text_tokens.h"

namespace rethink {

struct SplitText {
  std::string name;
  std::string text;  // lines with their newlines
};

/// Returns splits of a text that has none. Philox assigns each line to dev, test or train by (seed,
/// number of the line): evenly over the text, equal on every machine, and unchanged when lines are
/// added at the end. The order of lines stays.
std::vector<SplitText> hold_out_lines(std::string_view text, double dev, double test,
                                      uint64_t seed);

/// Returns contiguous parts of a text in order: train, then dev, then test. A piece is never cut.
std::vector<SplitText> hold_out_tail(const std::vector<std::string>& pieces, double dev,
                                     double test);

/// Source of a data set's text. `files` and `options` are its identity: `read` is a pure function
/// of them.
struct TextSource {
  std::string name;                          // of the data set, in the registry
  std::vector<std::filesystem::path> files;  // exist
  Json options;                              // the plug-in's own beside TextOptions; never a path
  std::function<std::vector<SplitText>()> read;  // the first split is the training split
};

/// Returns the facts of every data set of running text: kind, metric, and the options that name
/// files, `own` beside those of TextOptions.
DatasetFacts text_facts(const std::string& metric, const std::vector<std::string>& own = {});

/// Returns the mapped cache, and builds it first if it is missing.
std::shared_ptr<TokenDataset> open_text(const TextSource& source, const TextOptions& options,
                                        const DataFolders& folders);

/// Returns the contents of the cache for these texts. It is a pure function. With `trees`, a split
/// NAME.hints follows each split NAME (datasets/text/syntax_hints.h).
PreparedData prepare_text(const std::vector<SplitText>& splits, const TextOptions& options,
                          const std::vector<DependencyTree>& trees = {});

}  // namespace rethink
