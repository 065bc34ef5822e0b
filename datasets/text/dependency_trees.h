// Sentences with their dependency trees, in the columns of CoNLL-U (Universal Dependencies, version
// 2) and CoNLL-X, whose first, second and seventh column are the same: a word's number, the word, and
// the number of the word that it depends on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

struct DependencyTree {
  static constexpr int32_t kNone = -1;

  std::vector<std::string> words;
  std::vector<int32_t> heads;  // places in `words`; kNone: of nothing
  int line = 0;                // of its first word
};

/// The trees of a file. Of a token that stands for several words ("12-13 zum") these are taken where
/// they spell it, else it is one word, which depends on what the least deep of them depends on;
/// words that the text has not ("8.1") are left out. Throws ConfigError with the place of up to 20
/// flaws: too few columns, numbers out of order, a head that is not a word, a circle; and when it is
/// not a file, or has no word.
std::vector<DependencyTree> read_dependency_trees(const std::filesystem::path& file);

/// Returns the nearest preceding ancestor of each word; kNone if it has none.
std::vector<int32_t> left_ancestors(const DependencyTree& tree);

}  // namespace rethink
