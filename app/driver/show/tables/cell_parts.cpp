#include "app/driver/show/tables/cell_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/json.h"

namespace rethink {
namespace {

constexpr size_t kShortId = 8;  // digits of a trial, as commands take them

/// "mask.ratio=0.1": the values of a trial on the axes that the table averages over.
std::string averaged_axes(const PlannedTrial& trial, const TableSpec& spec) {
  std::vector<std::string> words;
  for (const std::string& axis : spec.over) {
    const auto label = trial.labels.find(axis);
    if (label != trial.labels.end()) words.push_back(axis + "=" + label->second);
  }
  return joined(words);
}

struct PartTrials {
  std::string name, column;
  size_t behind = 0;  // column with the trials
  CellTrials trials;
};

/// The trials of each column behind the cell, split by averaged_axes, in the plan's order.
std::vector<PartTrials> split_parts(const TableView& view, size_t row, size_t column) {
  const Grid& grid = view.grid;
  std::vector<PartTrials> parts;
  const bool derived = is_derived(grid.columns[column].spec->kind);
  for (const size_t behind : derived ? view.numbers().columns[column].parts : std::vector{column}) {
    const GridLine& line = grid.columns[behind];
    const size_t first = parts.size();
    for (const PlannedTrial* trial : grid.trials[row][behind]) {
      const std::string place = averaged_axes(*trial, view.file.numbers),
                        label = derived ? line.label : "";
      const std::string name = label + (label.empty() || place.empty() ? "" : ", ") + place;
      auto part = std::find_if(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(),
                               [&](const PartTrials& one) { return one.name == name; });
      if (part == parts.end()) part = parts.insert(parts.end(), {name, label, behind, {}});
      part->trials.push_back(trial);
    }
    if (derived && parts.size() == first) parts.push_back({line.label, line.label, behind, {}});
  }
  return parts;
}

/// The first trial, and how many more there are.
std::string trial_text(const std::vector<std::string>& trials) {
  const std::string first = trials.front().substr(0, kShortId);
  return trials.size() > 1 ? fmt::format("{} +{}", first, trials.size() - 1) : first;
}

Json value_or_reasons(const PartOfSeed& part) {
  if (const std::optional<double> value = part.value()) return *value;
  std::vector<std::string> reasons;
  for (const MarkKind reason : part.lacking) reasons.push_back(to_text(reason));
  return joined(reasons);
}

}  // namespace

std::vector<CellPart> parts_of_cell(const TableView& view, size_t row, size_t column) {
  const std::vector<PartTrials> parts = split_parts(view, row, column);
  if (parts.size() < 2 && !is_derived(view.grid.columns[column].spec->kind)) return {};
  std::vector<CellPart> all;
  for (const PartTrials& part : parts)
    all.push_back({part.name, part.column,
                   part_by_seed(view.numbers().cells[row][part.behind], part.trials)});
  return all;
}

QueryResult rows_of(const std::vector<CellPart>& parts) {
  std::set<int64_t> seeds;
  for (const CellPart& part : parts) {
    for (const auto& [seed, of_seed] : part.seeds) seeds.insert(seed);
  }
  QueryResult rows{{"part"}, {}};
  for (const int64_t seed : seeds) {
    rows.columns.push_back(fmt::format("seed {}", seed));
    rows.columns.push_back("trial");
  }
  for (const CellPart& part : parts) {
    std::vector<Json>& row = rows.rows.emplace_back();
    row.push_back(part.name);
    for (const int64_t seed : seeds) {
      const auto of_seed = part.seeds.find(seed);
      const bool is_planned = of_seed != part.seeds.end();
      row.push_back(is_planned ? value_or_reasons(of_seed->second) : Json());
      row.push_back(is_planned ? trial_text(of_seed->second.trials) : "");
    }
  }
  return rows;
}

}  // namespace rethink
