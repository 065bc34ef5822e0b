// Matrices in trials' artifacts, and numbers of each head's matrix, whose kinds have files in
// plots/table/places.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/config/registry.h"
#include "plots/table/table_spec.h"
#include "results/records/trial_records.h"

namespace rethink {

struct Matrix {
  size_t rows = 0, columns = 0;
  std::vector<double> cells;  // row-major

  /// Returns whether all cells are 0 or 1.
  bool is_binary() const;
  /// Returns the share of zeros. Requires: is_binary().
  double sparsity() const;
};

/// Returns the heads of a tensor [H,n,m] or [n,m] of any real or integer type of the format. Throws
/// ConfigError "PATH: ..." for another shape, and as SafetensorsFile.
std::vector<Matrix> read_matrices(const std::filesystem::path& file, const std::string& tensor);

/// Returns a number of one head's matrix. Returns nothing if the matrix is too small to have such positions, or if the
/// number compares heads and there is only one head. Requires: heads of one shape.
using NumberOfHead =
    std::function<std::optional<double>(const std::vector<Matrix>& heads, size_t head)>;

/// Kinds of positions that belong together, by the KIND of a column `places: ARTIFACT/KIND`.
struct PlaceKinds {
  std::map<std::string, NumberOfHead> numbers;
};

using PlaceKindsRegistry = Registry<PlaceKinds>;
PlaceKindsRegistry& place_kinds();

/// Returns the kinds of all files, each made once.
const std::map<std::string, NumberOfHead>& known_place_kinds();

/// Returns the numbers of the heads that have one, in order. Requires: a kind of known_place_kinds.
std::vector<double> of_places(const std::vector<Matrix>& heads, const std::string& kind);

/// Returns the columns of `spec` that request positions, each once.
std::vector<ValueName> wanted_places(const TableSpec& spec);

/// Adds the mean over heads and the number of each head to `record`, from the artifact's file.
/// Throws as read_matrices.
void add_places(TrialRecord& record, const ValueName& wanted, const std::filesystem::path& file);

}  // namespace rethink
