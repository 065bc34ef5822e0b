#include "plots/table/cells/derived_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "plots/table/cells/trial_marks.h"
#include "results/statistics/statistics.h"

namespace rethink {

namespace {

/// A token's attention sums to 1. So (1 - current) / history, the attention to all earlier tokens
/// over the mean attention to a pair, is the ratio of pairs to tokens, however tokens attend. Even
/// attention has the same ratio.
double ratio_if_even(double current, double current_if_even, double history) {
  return current_if_even * (1 - current) / (history * (1 - current_if_even));
}

double combined(const std::vector<double>& values, CellKind kind) {
  if (kind == CellKind::ratio) return values[0] / values[1];
  if (kind == CellKind::ratio_if_even) return ratio_if_even(values[0], values[1], values[2]);
  return mean(values);
}

/// The decimal position of a number's first digit: 1 for 0.012, 0 for 0.5 to 5, and less for
/// greater numbers.
int64_t place_of_first_digit(double value) {
  return -static_cast<int64_t>(std::floor(std::log10(std::abs(value)))) - 1;
}

/// Two decimals, or the number that shows two digits of the greatest value and, within two more,
/// one digit of the least.
int64_t decimals_needed(const std::vector<double>& values) {
  constexpr int64_t kMoreForTheLeast = 2;
  if (values.empty()) return kLeastDecimals;
  const auto by_size = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const auto [least, greatest] = std::ranges::minmax(values, by_size);
  const int64_t of_greatest = std::max(kLeastDecimals, place_of_first_digit(greatest) + 2);
  return std::max(of_greatest,
                  std::min(place_of_first_digit(least) + 1, of_greatest + kMoreForTheLeast));
}

/// For columns without chosen decimals.
void choose_decimals(const TableSpec& spec, const Grid& grid, DerivedTable& table) {
  if (spec.decimals) return;
  for (size_t column = 0; column < grid.columns.size(); ++column) {
    if (grid.columns[column].spec->decimals) continue;
    std::vector<double> values;
    for (const std::vector<MeasuredCell>& row : table.cells) {
      const std::optional<double>& value = row[column].value;
      if (value && *value != 0 && std::isfinite(*value)) values.push_back(*value);
    }
    table.columns[column].decimals = decimals_needed(values);
  }
}

}  // namespace

DerivedTable derived_table(MeasuredTable measured, const TableSpec& spec, const Grid& grid) {
  DerivedTable table{std::move(static_cast<TableLines&>(measured)), std::move(measured.cells)};
  for (size_t row = 0; row < grid.rows.size(); ++row) {
    for (size_t column = 0; column < grid.columns.size(); ++column) {
      const LineSpec& line = *grid.columns[column].spec;
      if (line.of.empty() || grid.rows[row].spec->published) continue;
      if (!line.where.empty() && grid.trials[row][column].empty()) {
        table.cells[row][column] = unplanned_cell(*line.kind);
        continue;
      }
      std::vector<const MeasuredCell*> parts;
      for (const size_t part : table.columns[column].parts)
        parts.push_back(&table.cells[row][part]);
      table.cells[row][column] = combine_cells(parts, *line.kind, spec.spread, spec.wanted_seeds);
    }
  }
  choose_decimals(spec, grid, table);
  return table;
}

MeasuredCell combine_cells(const std::vector<const MeasuredCell*>& parts, CellKind kind,
                           const std::string& spread, int64_t wanted_seeds) {
  MeasuredCell cell;
  cell.kind = kind;
  std::map<int64_t, std::vector<double>> by_seed;
  std::set<std::string> trials;
  std::set<MarkKind> kinds = {MarkKind::diverged, MarkKind::mixed};  // counted again below
  std::set<std::string> texts;  // texts of marks, without repetition
  for (const MeasuredCell* part : parts) {
    cell.planned_seeds.insert(part->planned_seeds.begin(), part->planned_seeds.end());
    cell.own_seeds = std::max(cell.own_seeds, part->own_seeds);
    trials.insert(part->trials.begin(), part->trials.end());
    cell.lacks.insert(part->lacks.begin(), part->lacks.end());
    cell.to_bring.insert(part->to_bring.begin(), part->to_bring.end());
    for (const auto& [seed, reasons] : part->lacking)
      cell.lacking[seed].insert(reasons.begin(), reasons.end());
    cell.environments.add(part->environments);
    for (const Sample& sample : part->samples) by_seed[sample.seed].push_back(sample.value);
    for (const Mark& mark : part->marks) {
      const bool is_own = mark.kind == MarkKind::unlike || mark.kind == MarkKind::damaged;
      if (mark.kind == MarkKind::needs_data) continue;  // reported below for all parts
      const bool is_new = is_own ? texts.insert(mark.text).second : kinds.insert(mark.kind).second;
      if (is_new) cell.marks.push_back(mark);
    }
  }
  mark_lacking_data(cell);
  cell.trials.assign(trials.begin(), trials.end());
  const bool whole = std::all_of(parts.begin(), parts.end(),
                                 [](const MeasuredCell* part) { return part->value.has_value(); });
  for (const auto& [seed, values] : by_seed) {
    if (!whole || values.size() != parts.size()) continue;
    cell.samples.push_back({seed, combined(values, kind)});
  }
  mark_diverged(cell);
  mark_mixed(cell);
  summarize(cell, spread);
  if (whole && cell.samples.empty() &&
      cell.diverged().empty()) {  // no seed in common: a number without a spread
    std::vector<double> values;
    for (const MeasuredCell* part : parts) values.push_back(*part->value);
    cell.value = combined(values, kind);
  }
  if (cell.value) {  // for the seeds that all parts have, which may be fewer than each part has
    std::erase_if(cell.marks, [](const Mark& mark) { return mark.kind == MarkKind::few_seeds; });
    mark_seeds(cell, wanted_seeds);
  }
  return cell;
}

}  // namespace rethink
