// The drawing of a figure of kind permutations: a sequence, and the token at each position
// afterwards.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plots/figure/figure.h"

namespace rethink {

struct PermutationPanel {
  std::string label;
  std::vector<std::string> words;  // in order
  std::vector<int64_t> from;       // position t takes the word from[t]
};

/// The gnuplot code: a block of the data file and a plot for each permutation.
class PermutationsDrawing : public Drawing {
 public:
  std::vector<PermutationPanel> panels;

  bool empty() const override { return panels.empty(); }
  /// Returns a line for each word: the word, its old and its new position.
  std::string data() const override;
  double height(const Figure& figure) const override;
  std::string plots(const Figure& figure) const override;
};

}  // namespace rethink
