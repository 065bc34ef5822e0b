// Syntax hints of a corpus from trees of its sentences (BET, section 3.2): while token t+1 is
// predicted, what token t should look at is the nearest ancestor of t+1 that stands before it, and
// itself where there is none.
//
// Sentences are found again by their characters, white space and case apart, so that corpus and
// trees may be split into words in different ways. A word of several tokens gives its ancestor to
// each of them; of an ancestor of several tokens the last one is meant, which has seen the others.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/json_fwd.h"
#include "datasets/batching.h"
#include "datasets/dataset.h"
#include "datasets/text/dependency_trees.h"

namespace rethink {

/// Returns the share of predicted tokens with characters that are in a tree's sentence.
double hint_coverage(const TokenSequences& hints);

class SyntaxHints {
 public:
  explicit SyntaxHints(const std::vector<DependencyTree>& trees);

  /// Hints of one sequence, one for each of its `tokens`, as places among these: at t what to look
  /// at while t+1 is predicted, at the last kNothingToHint. A token without characters (the start
  /// symbol, white space) belongs to no sentence. Sentences end where no word goes on; those that
  /// begin in the sequence and go on beyond its end count; of fewer than 16 bytes before it only right
  /// behind the sentence that they follow in the trees, since others begin alike.
  std::vector<int32_t> of(std::span<const std::string> tokens);

 private:
  struct Sentence {
    std::string text;             // normal characters of all words
    std::vector<size_t> begins;   // of each word in `text`, and the end of the last
    std::vector<int32_t> before;  // left_ancestors
  };

  struct Text;

  /// Returns the sentence at byte `from` of the text, or that begins there; null if there is none.
  /// `follows` means that another sentence was found directly before.
  const Sentence* sentence_at(const Text& text, size_t from, bool follows);
  /// Returns whether the sentence behind the last found one is here, with the following text.
  bool goes_on(const Text& text, size_t from, bool follows) const;
  /// Returns the longest sentence here, since short sentences such as "Yes." are the beginning of
  /// others.
  std::optional<size_t> longest_at(const Text& text, size_t from, bool follows) const;
  bool fits(size_t number, const Text& text, size_t from, bool follows) const;

  std::vector<Sentence> sentences_;
  std::unordered_map<std::string, std::vector<size_t>> by_first_;  // characters, kFirst or fewer
  size_t next_ = 0;                                                // behind the last that was found
};

/// Files of a data set: `files`, and the files of its option `hints`.
std::vector<std::filesystem::path> with_hints(const std::string& dataset,
                                              std::vector<std::filesystem::path> files,
                                              const std::vector<std::string>& hints,
                                              const DataFolders& folders);

/// Part of a cache's key for hints, beside the files' content: the number of files of trees, and
/// the version of the rules that find them in text.
Json identity_of_hints(const std::vector<std::string>& hints);

/// The trees of all files that options.hints name.
std::vector<DependencyTree> read_hints(const std::string& dataset,
                                       const std::vector<std::string>& hints,
                                       const DataFolders& folders);

}  // namespace rethink
