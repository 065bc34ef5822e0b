// Matrices that trials left, and numbers of each head's matrix, whose kinds have files in
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

/// A number of one head's matrix; none where the matrix is too small to have such places, or where no other
/// head is beside it. Requires: heads of one shape.
using NumberOfHead =
    std::function<std::optional<double>(const std::vector<Matrix>& heads, size_t head)>;

/// Kinds of places that belong together, by the KIND of a column `places: ARTIFACT/KIND`.
struct PlaceKinds {
  std::map<std::string, NumberOfHead> numbers;
};

using PlaceKindsRegistry = Registry<PlaceKinds>;
PlaceKindsRegistry& place_kinds();

/// Those of all files, each made once.
const std::map<std::string, NumberOfHead>& known_place_kinds();

/// The numbers of the heads that have one, in their order. Requires: a kind of known_place_kinds.
std::vector<double> of_places(const std::vector<Matrix>& heads, const std::string& kind);

/// The columns of `spec` that ask for places, each once.
std::vector<ValueName> wanted_places(const TableSpec& spec);

/// Gives `record` the mean over heads and the numbers of each head, from the artifact's file.
/// Throws as read_matrices.
void add_places(TrialRecord& record, const ValueName& wanted, const std::filesystem::path& file);

}  // namespace rethink
