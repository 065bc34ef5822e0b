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
  std::vector<int32_t> heads;  // positions in `words`; kNone: the root
  int line = 0;                // of its first word
};

/// Returns the trees of a file. A token that covers several words ("12-13 zum") is replaced by
/// these words if their letters spell it. Otherwise it is one word with the head of its least deep
/// word. Words that are not in the text ("8.1") are left out. Throws ConfigError with the positions
/// of up to 20 flaws: too few columns, numbers out of order, a head that is not a word, a cycle.
/// Also throws if the file cannot be read or has no word.
std::vector<DependencyTree> read_dependency_trees(const std::filesystem::path& file);

/// Returns the nearest preceding ancestor of each word; kNone if it has none.
std::vector<int32_t> left_ancestors(const DependencyTree& tree);

}  // namespace rethink
