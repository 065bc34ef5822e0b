// Figures of what triplet attention's permutations do to a sequence, as models/permutations has them
// (docs/tables.md).
#pragma once

#include <string>
#include <vector>

#include "models/permutations/permutation.h"
#include "plots/table/spec.h"

namespace rethink {

struct FigureSpec;
struct Figure;

/// One item of `panels`.
struct PermutationPanelSpec {
  std::string label, permutation;
  PermutationRule rule;
};

struct PermutationsSpec {
  std::vector<std::string> words;  // the sequence
  std::vector<PermutationPanelSpec> panels;
};

struct PermutationPanel {
  std::string label;
  std::vector<std::string> words;  // in their order
  std::vector<int64_t> from;       // place t takes the word from[t]
};

/// The keys of a figure of kind permutations, into `spec`; adds problems.
void read_permutations(SpecReader& reader, FigureSpec& spec, Problems& problems);

void add_permutations(Figure& figure, const FigureSpec& spec);

}  // namespace rethink
