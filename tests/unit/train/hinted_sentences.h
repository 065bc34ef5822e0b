// Sentences of different lengths whose trees differ, for tests of the hints in a batch.
#pragma once

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "datasets/vocabulary.h"

namespace rethink {

/// Returns the position that <start> and each word look at while the next token is predicted. Positions
/// count from <start>; -1: no tree has a hint, as for the end.
inline const std::map<std::string, std::vector<int64_t>>& hinted_sentences() {
  static const std::map<std::string, std::vector<int64_t>> all = {{"a b", {0, 1, -1}},
                                                                  {"c d e", {0, 1, 1, -1}},
                                                                  {"f g h i", {0, 1, 2, 2, -1}},
                                                                  {"k l", {-1, -1, -1}}};
  return all;
}

/// Returns CoNLL-U. Heads: a of b; c of d and e; g of f and i, i of h. "k l" has no tree.
inline std::string trees_of_hinted_sentences() {
  const auto word = [](const char* number, const char* form, const char* head) {
    return std::string(number) + "\t" + form + "\t_\t_\t_\t_\t" + head + "\t_\t_\t_\n";
  };
  return word("1", "a", "0") + word("2", "b", "1") + "\n" + word("1", "c", "0") +
         word("2", "d", "1") + word("3", "e", "1") + "\n" + word("1", "f", "2") +
         word("2", "g", "0") + word("3", "h", "4") + word("4", "i", "2");
}

/// Expects that each row of `hints` has its own sentence's hints, followed by -2. Returns the sentences.
///
/// hints  i64 [B,T]
/// ids    i64 [B,T]  <start> and the words
inline std::vector<std::string> expect_own_hints(
    const at::Tensor& hints, const at::Tensor& ids,
    const std::function<std::string(int32_t id)>& word_of) {
  std::vector<std::string> sentences;
  EXPECT_EQ(hints.sizes(), ids.sizes());
  for (int64_t row = 0; row < ids.size(0); ++row) {
    std::string& sentence = sentences.emplace_back();
    std::vector<int64_t> found;
    for (int64_t t = 0; t < ids.size(1); ++t) {
      found.push_back(hints[row][t].item<int64_t>());
      const auto id = static_cast<int32_t>(ids[row][t].item<int64_t>());
      if (id < Vocabulary::kSpecials) continue;
      sentence += (sentence.empty() ? "" : " ") + word_of(id);
    }
    std::vector<int64_t> expected = hinted_sentences().at(sentence);
    while (expected.size() < found.size()) expected.push_back(-2);
    EXPECT_THAT(found, testing::ElementsAreArray(expected)) << sentence;
  }
  return sentences;
}

}  // namespace rethink
