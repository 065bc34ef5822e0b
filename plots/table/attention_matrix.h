// Matrices that trials left, and what the places of an attention matrix hold (SparseBERT, sections
// 3.1.2, 4.2).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "plots/table/table_spec.h"
#include "results/query/trial_records.h"

namespace rethink {

struct Matrix {
  size_t rows = 0, columns = 0;
  std::vector<double> cells;  // row-major

  /// Only 0 and 1: a mask.
  bool is_binary() const;
  /// The share of zeros. Requires: is_binary().
  double sparsity() const;
};

/// The heads of a tensor: any real or integer type of the format, [H,n,m] or [n,m]. Throws
/// ConfigError "PATH: ..." when it has another shape, and as SafetensorsFile.
std::vector<Matrix> read_matrices(const std::filesystem::path& file, const std::string& tensor);

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
