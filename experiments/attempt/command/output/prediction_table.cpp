#include "experiments/attempt/command/output/prediction_table.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/format/safetensors.h"

namespace rethink {
namespace {

struct ItemColumns {
  const char* header;
  const char *first, *second;
  bool second_is_count = false;
};

constexpr ItemColumns kItemColumns[] = {{"split,predicted,expected", "predicted", "expected"},
                                        {"split,nll,tokens", "nll", "tokens", true},
                                        {"split,exact,f1", "exact", "f1"}};

struct ItemValues {
  std::vector<double> first, second;
};

std::string_view without_carriage_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

double number_in(std::string_view text, const std::string& where, bool is_count = false) {
  constexpr double kMostCount = 9e15;  // largest exact whole number of a double
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number =
      read.ec == std::errc() && read.ptr == text.data() + text.size() && std::isfinite(number);
  const bool is_whole = number >= 0 && number <= kMostCount && std::trunc(number) == number;
  if (!is_number || (is_count && !is_whole))
    throw ConfigError("invalid-table",
                      fmt::format("{}: got '{}', expected a {}", where, text.substr(0, 50),
                                  is_count ? "whole number from 0 on" : "finite number"));
  return number;
}

template <typename T>
TensorView view_of(const std::vector<T>& values, Dtype dtype) {
  return {dtype, {static_cast<int64_t>(values.size())}, std::as_bytes(std::span(values))};
}

}  // namespace

void write_predictions(const std::filesystem::path& table, const std::filesystem::path& target) {
  std::ifstream lines(table);
  std::string line;
  std::getline(lines, line);
  const ItemColumns* columns = nullptr;
  for (const ItemColumns& known : kItemColumns) {
    if (without_carriage_return(line) == known.header) columns = &known;
  }
  if (!columns)
    throw ConfigError(
        "invalid-table",
        fmt::format(
            "{}: the first line is '{}', expected split,predicted,expected or split,nll,tokens or "
            "split,exact,f1",
            table.filename().string(), line.substr(0, 50)));
  std::map<std::string, ItemValues> splits;
  for (size_t number = 2; std::getline(lines, line); ++number) {
    const std::string_view row = without_carriage_return(line);
    const std::string where = fmt::format("{}:{}", table.filename().string(), number);
    const size_t one = row.find(','), two = one == row.npos ? row.npos : row.find(',', one + 1);
    if (two == row.npos || one == 0)
      throw ConfigError("invalid-table",
                        fmt::format("{}: expected three values: {}", where, columns->header));
    ItemValues& values = splits[std::string(row.substr(0, one))];
    values.first.push_back(number_in(row.substr(one + 1, two - one - 1), where));
    values.second.push_back(number_in(row.substr(two + 1), where, columns->second_is_count));
  }
  std::map<std::string, std::vector<int64_t>> counts;
  TensorViews tensors;
  for (const auto& [split, values] : splits) {
    tensors[split + "/" + columns->first] = view_of(values.first, Dtype::f64);
    const std::string second = split + "/" + columns->second;
    tensors[second] = view_of(values.second, Dtype::f64);
    if (!columns->second_is_count) continue;
    counts[split].assign(values.second.begin(), values.second.end());
    tensors[second] = view_of(counts.at(split), Dtype::i64);
  }
  write_safetensors(target, tensors, {});
}

}  // namespace rethink
