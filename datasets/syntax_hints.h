// Syntax hints of a corpus from trees of its sentences (BET, section 3.1): while token t+1 is
// predicted, what token t should look at is the nearest ancestor of t+1 that stands before it, and
// itself where there is none.
//
// Sentences are found again by their characters, white space and case apart, so that corpus and
// trees may be split into words in different ways. A word of several tokens gives its ancestor to
// each of them; of an ancestor of several tokens the last one is meant, which has seen the others.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "datasets/dataset.h"
#include "datasets/dependency_trees.h"

namespace rethink {

/// Of a position: no tree says what to look at; nothing is predicted there.
inline constexpr int32_t kNoHint = -1, kNothingToHint = -2;

/// Of all that is predicted, the share with a hint.
double hint_coverage(const TokenSequences& hints);

class SyntaxHints {
 public:
  explicit SyntaxHints(const std::vector<DependencyTree>& trees);

  /// Hints of one sequence, one for each of its `tokens`, as places among these: at t what to look
  /// at while t+1 is predicted, at the last kNothingToHint. A token without characters (the start
  /// symbol, white space) belongs to no sentence. Sentences that begin in the sequence and go on
  /// beyond its end count.
  std::vector<int32_t> of(std::span<const std::string> tokens);

  /// Of all tokens so far that have characters, those that some tree has.
  size_t found() const { return found_; }
  size_t all() const { return all_; }

 private:
  struct Sentence {
    std::string text;             // normal characters of all words
    std::vector<size_t> begins;   // of each word in `text`, and the end of the last
    std::vector<int32_t> before;  // left_ancestors
  };

  /// The sentence that `text` begins with, or begins; null when there is none. The one behind the
  /// last that was found is tried first. `follows`: another one was found right before.
  const Sentence* sentence_at(std::string_view text, bool follows);

  std::vector<Sentence> sentences_;
  std::unordered_map<std::string, std::vector<size_t>> by_first_;  // characters, kFirst or fewer
  size_t next_ = 0;
  size_t found_ = 0, all_ = 0;
};

}  // namespace rethink
