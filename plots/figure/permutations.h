// A figure of kind permutations: its keys, what it shows, how gnuplot draws it (docs/tables.md).
#pragma once

#include <string>
#include <vector>

#include "models/permutations/permutation.h"
#include "plots/spec_reader.h"

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

// In gnuplot's words: a block of the data file and a plot for each permutation. Used by gnuplot.cpp
// only.

/// A line for each word: the word, where it stood, where it goes.
std::string permutations_data(const Figure& figure);
/// Of the SVG [pixels].
double permutations_height(const Figure& figure);
/// The plots of all panels, with title and caption.
std::string permutations_plots(const Figure& figure);

}  // namespace rethink
