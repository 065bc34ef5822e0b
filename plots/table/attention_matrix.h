// What the places of attention matrices hold, by kind and head: SparseBERT's reading of P (section
// 3.1.2, Figure 2) and of the masks of DAM (section 4.2), from the tensors that trials left.
#pragma once

#include <string>
#include <vector>

#include "plots/figure/heatmap.h"
#include "plots/table/spec.h"

namespace rethink {

/// What a column `places: ARTIFACT/KIND` can ask for: means over
///   diagonal    the places of a query's own token
///   ends        first and last row and column, where [CLS] and a full text's [SEP] stand
///   neighbours  one beside the diagonal
///   others      what is left; each kind is less those before it
/// and
///   inner_diagonal  the diagonal less its first and last place, which DAM's masks must have
///   others_sd       the standard deviation of the others
///   range           of the first four means, the greatest less the least
///   sparsity        the share of zeros of all places [%]
///   apart           the share of all places that differ from another head's, mean over these heads [%]
const std::vector<std::string>& place_kinds();

/// One number for each head, in their order; none where a matrix is too small to have such places, or has
/// no other head beside it. Requires: a kind of place_kinds, and heads of one shape.
std::vector<double> of_places(const std::vector<Matrix>& heads, const std::string& kind);

/// The columns of `spec` that ask for places, each once.
std::vector<ValueName> wanted_places(const TableSpec& spec);

/// Gives `record` the mean over heads and the numbers of each head, from the artifact's file.
/// Throws as read_matrices.
void add_places(TrialRecord& record, const ValueName& wanted, const std::filesystem::path& file);

}  // namespace rethink
