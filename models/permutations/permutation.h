// The five ways in which triplet attention shares a second key between positions (the A3 slides,
// "Permutation Grouping", Figure 9). Slides and released code number them differently, and the code
// shifts the other way (docs/fidelity.md): here they have names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rethink {

/// "next" (P1), "next_two" (P2), "random" (P3), "reverse" (P4), "swap" (P5 of the slides).
const std::vector<std::string>& permutation_names();

struct PermutationRule {
  bool backward = false;  // shifts come from the other side: the previous word, or the one before
  int64_t seed = 0;       // of "random", which differs with the layer too
  int64_t layer = 1;
};

/// i64 [n]: place t takes what stood at result[t].
///
///   next      t + 1, the last takes the first          next_two  t + 2 likewise
///   random    any, each permutation as likely          reverse   n - 1 - t
///   swap      1, 0, 3, 2, ...: neighbours change places, the last of an odd n stays
///
/// Requires: a name of permutation_names, n >= 0.
std::vector<int64_t> permutation(const std::string& name, int64_t n, const PermutationRule& rule);

/// What "random" sorts by: of n tokens it is the order of the first n keys, of equal ones the
/// earlier first.
std::vector<int64_t> random_keys(int64_t n, const PermutationRule& rule);

}  // namespace rethink
