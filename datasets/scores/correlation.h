// How well numbers were predicted up to scale (Pearson) and up to order (Spearman), as SciPy's
// pearsonr and spearmanr count it.
#pragma once

#include <span>
#include <vector>

namespace rethink {

/// -1 to 1; nan when either side is constant, holds a nan, or there are less than two pairs.
double pearson_correlation(std::span<const double> predicted, std::span<const double> truth);

/// Pearson's of the ranks; equal values share the mean of theirs. Likewise nan.
double spearman_correlation(std::span<const double> predicted, std::span<const double> truth);

/// Whether all values are equal, so that no correlation with them is defined; a nan equals none.
/// Requires: at least one.
bool is_constant(std::span<const double> values);

/// Ranks from 1; equal values share the mean of theirs.
std::vector<double> average_ranks(std::span<const double> values);

}  // namespace rethink
