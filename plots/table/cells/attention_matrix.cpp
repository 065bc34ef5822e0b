#include "plots/table/cells/attention_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "core/format/safetensors.h"
#include "core/json.h"
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
      throw ConfigError("wrong-file",
                        fmt::format("{}: a heat map takes BOOL, U8, I64, F32 or F64, got {}", file,
                                    to_text(view.dtype)));
  }
  return values;
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
    throw ConfigError("wrong-file",
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

PlaceKindsRegistry& place_kinds() {
  static PlaceKindsRegistry registry("places", "plots/table/places");
  return registry;
}

const std::map<std::string, NumberOfHead>& known_place_kinds() {
  static const std::map<std::string, NumberOfHead> kinds = [] {
    std::map<std::string, NumberOfHead> all;
    for (const std::string& name : place_kinds().names())
      all.merge(std::map(place_kinds().make(name, Json::object())->numbers));
    return all;
  }();
  return kinds;
}

std::vector<double> of_places(const std::vector<Matrix>& heads, const std::string& kind) {
  std::vector<double> all;
  for (size_t head = 0; head < heads.size(); ++head) {
    if (const std::optional<double> value = known_place_kinds().at(kind)(heads, head))
      all.push_back(*value);
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
