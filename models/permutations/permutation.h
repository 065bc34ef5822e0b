// The five permutations by which triplet attention takes a second key from another position (the A3
// slides, "Permutation Grouping", Figure 9). Slides and released code number the permutations
// differently, and the code shifts in the other direction (docs/fidelity.md). So the permutations
// have names here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rethink {

/// Returns the names "next" (P1), "next_two" (P2), "random" (P3), "reverse" (P4), "swap" (P5 of the
/// slides).
const std::vector<std::string>& permutation_names();

struct PermutationRule {
  bool backward = false;  // next and next_two take the previous word, or the word before it
  int64_t seed = 0;       // seed of "random", which also depends on the layer
  int64_t layer = 1;
};

/// Returns i64 [n]: position t takes the token from position result[t].
///
///   next      t + 1; the last position takes the first token
///   next_two  t + 2, modulo n
///   random    a uniformly random permutation
///   reverse   n - 1 - t
///   swap      1, 0, 3, 2, ...: neighbours are swapped; for odd n the last token stays
///
/// Requires: a name of permutation_names, n >= 0.
std::vector<int64_t> permutation(const std::string& name, int64_t n, const PermutationRule& rule);

/// Returns the sort keys of "random": the permutation of n tokens is the stable order of the first
/// n keys.
std::vector<int64_t> random_keys(int64_t n, const PermutationRule& rule);

}  // namespace rethink
