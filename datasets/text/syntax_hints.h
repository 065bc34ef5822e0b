// Syntax hints of a corpus from trees of its sentences (BET, section 3.2). While token t+1 is
// predicted, token t should attend to the nearest ancestor of t+1 that precedes t+1, and to itself
// if there is no such ancestor.
//
// Sentences are found by their characters, without white space and case, so that corpus and trees
// may split text into words in different ways. Each token of a word gets the word's ancestor. If
// the ancestor has several tokens, the hint is the last, whose state includes the others.
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

  /// Returns the hints of one sequence, one for each of its `tokens`, as positions in the sequence. Hint t is the
  /// position to attend to while t+1 is predicted; the last is kNothingToHint. A token without characters (the start
  /// symbol, white space) belongs to no sentence. A sentence ends where a word ends. A sentence that begins in the
  /// sequence and continues beyond its end counts. If fewer than 16 bytes of it are in the sequence, it counts only
  /// directly after the sentence that precedes it in the trees, since other sentences begin with the same text.
  std::vector<int32_t> of(std::span<const std::string> tokens);

 private:
  struct Sentence {
    std::string text;             // normal characters of all words
    std::vector<size_t> begins;   // beginning of each word in `text`, and the end of the last
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
  size_t next_ = 0;  // the sentence after the last one that was found
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
