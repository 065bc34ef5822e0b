#include "plots/table/attention_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>

#include "core/error.h"
#include "core/format/safetensors.h"
#include "results/statistics/statistics.h"

namespace rethink {
namespace {

template <typename T>
void append_as(const TensorView& view, std::vector<double>& values) {
  const size_t count = view.bytes.size() / sizeof(T);
  for (size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, view.bytes.data() + i * sizeof(T), sizeof(T));
    values.push_back(static_cast<double>(value));
  }
}

std::vector<double> tensor_values(const TensorView& view, const std::string& file) {
  std::vector<double> values;
  switch (view.dtype) {
    case Dtype::boolean:
    case Dtype::u8:
      append_as<uint8_t>(view, values);
      break;
    case Dtype::f32:
      append_as<float>(view, values);
      break;
    case Dtype::f64:
      append_as<double>(view, values);
      break;
    case Dtype::i64:
      append_as<int64_t>(view, values);
      break;
    default:
      throw ConfigError(fmt::format("{}: a heat map takes BOOL, U8, I64, F32 or F64, got {}", file,
                                    to_text(view.dtype)));
  }
  return values;
}

enum Group { kDiagonal, kEnds, kNeighbours, kOthers };
constexpr size_t kGroups = 4;

Group group_of(size_t row, size_t column, const Matrix& matrix) {
  if (row == column) return kDiagonal;
  const bool ends =
      row == 0 || column == 0 || row + 1 == matrix.rows || column + 1 == matrix.columns;
  if (ends) return kEnds;
  return row + 1 == column || column + 1 == row ? kNeighbours : kOthers;
}

std::array<std::vector<double>, kGroups> cells_by_group(const Matrix& matrix) {
  std::array<std::vector<double>, kGroups> groups;
  for (size_t row = 0; row < matrix.rows; ++row) {
    for (size_t column = 0; column < matrix.columns; ++column)
      groups[group_of(row, column, matrix)].push_back(matrix.cells[row * matrix.columns + column]);
  }
  return groups;
}

std::optional<double> mean_if_any(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(mean(values));
}

template <Group group>
std::optional<double> group_mean(const Matrix& matrix) {
  return mean_if_any(cells_by_group(matrix)[group]);
}

std::optional<double> inner_diagonal(const Matrix& matrix) {
  const std::vector<double> diagonal = cells_by_group(matrix)[kDiagonal];
  if (diagonal.size() < 3) return std::nullopt;
  return mean_if_any({diagonal.begin() + 1, diagonal.end() - 1});
}

std::optional<double> others_sd(const Matrix& matrix) {
  return standard_deviation(cells_by_group(matrix)[kOthers]);
}

std::optional<double> range_of_means(const Matrix& matrix) {
  std::vector<double> means;
  for (const std::vector<double>& group : cells_by_group(matrix)) {
    if (!group.empty()) means.push_back(mean(group));
  }
  if (means.size() < kGroups) return std::nullopt;
  const auto [least, greatest] = std::minmax_element(means.begin(), means.end());
  return *greatest - *least;
}

std::optional<double> sparsity_of(const Matrix& matrix) {
  return 100 * matrix.sparsity();
}

using Heads = std::vector<Matrix>;

/// Mean over the other heads.
std::optional<double> apart_from_others(const Heads& heads, size_t head) {
  std::vector<double> shares;
  const std::vector<double>& own = heads[head].cells;
  for (size_t other = 0; other < heads.size(); ++other) {
    if (other == head) continue;
    size_t different = 0;
    for (size_t cell = 0; cell < own.size(); ++cell) {
      if (own[cell] != heads[other].cells[cell]) ++different;
    }
    shares.push_back(100 * static_cast<double>(different) / static_cast<double>(own.size()));
  }
  return mean_if_any(shares);
}

template <std::optional<double> (*of_matrix)(const Matrix&)>
std::optional<double> alone(const Heads& heads, size_t head) {
  return of_matrix(heads[head]);
}

using OfHead = std::optional<double> (*)(const Heads& heads, size_t head);

const std::map<std::string, OfHead>& kinds() {
  static const std::map<std::string, OfHead> kinds = {
      {"diagonal", alone<group_mean<kDiagonal>>},
      {"ends", alone<group_mean<kEnds>>},
      {"neighbours", alone<group_mean<kNeighbours>>},
      {"others", alone<group_mean<kOthers>>},
      {"inner_diagonal", alone<inner_diagonal>},
      {"others_sd", alone<others_sd>},
      {"range", alone<range_of_means>},
      {"sparsity", alone<sparsity_of>},
      {"apart", apart_from_others}};
  return kinds;
}

}  // namespace

bool Matrix::is_binary() const {
  return std::all_of(cells.begin(), cells.end(),
                     [](double cell) { return cell == 0 || cell == 1; });
}

double Matrix::sparsity() const {
  return static_cast<double>(std::count(cells.begin(), cells.end(), 0.0)) /
         static_cast<double>(cells.size());
}

std::vector<Matrix> read_matrices(const std::filesystem::path& file, const std::string& tensor) {
  const SafetensorsFile tensors(file);
  const TensorView& view = tensors.at(tensor);
  const std::vector<int64_t>& shape = view.shape;
  if ((shape.size() != 2 && shape.size() != 3) || view.bytes.empty()) {
    throw ConfigError(
        fmt::format("{}: a heat map takes [heads, rows, columns] or [rows, columns], "
                    "but {} is [{}]",
                    file.string(), tensor, fmt::join(shape, ", ")));
  }
  const std::vector<double> values = tensor_values(view, file.string());
  const auto rows = static_cast<size_t>(shape[shape.size() - 2]);
  const auto columns = static_cast<size_t>(shape.back());
  std::vector<Matrix> matrices;
  for (auto at = values.begin(); at != values.end(); at += static_cast<int64_t>(rows * columns)) {
    matrices.push_back({rows, columns, {at, at + static_cast<int64_t>(rows * columns)}});
  }
  return matrices;
}

const std::vector<std::string>& place_kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, of_head] : kinds()) all.push_back(name);
    return all;
  }();
  return names;
}

std::vector<double> of_places(const std::vector<Matrix>& heads, const std::string& kind) {
  std::vector<double> all;
  for (size_t head = 0; head < heads.size(); ++head) {
    if (const std::optional<double> value = kinds().at(kind)(heads, head)) all.push_back(*value);
  }
  return all;
}

std::vector<ValueName> wanted_places(const TableSpec& spec) {
  std::vector<ValueName> wanted;
  for (const LineSpec& column : spec.columns) {
    if (column.kind == CellKind::places && column.value &&
        std::find(wanted.begin(), wanted.end(), *column.value) == wanted.end())
      wanted.push_back(*column.value);
  }
  return wanted;
}

void add_places(TrialRecord& record, const ValueName& wanted, const std::filesystem::path& file) {
  std::vector<double> heads = of_places(read_matrices(file, wanted.split), wanted.name);
  if (heads.empty()) return;
  record.values[wanted.text()] = mean(heads);
  record.heads[wanted.text()] = std::move(heads);
}

}  // namespace rethink
