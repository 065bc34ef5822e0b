#include "app/driver/show/cell_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/driver/show/rendering.h"
#include "core/config/schema.h"
#include "core/json.h"
#include "plots/table/cell.h"
#include "plots/table/records.h"

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
  const GridLine* line = nullptr;
  CellTrials trials;
};

/// The trials of each column behind the cell, split by averaged_axes, in the plan's order.
std::vector<PartTrials> split_parts(const TableSpec& spec, const Grid& grid, const Table& table,
                                    size_t row, size_t column) {
  std::vector<PartTrials> parts;
  const bool derived = is_derived(grid.columns[column].spec->kind);
  for (const size_t behind : derived ? table.columns[column].parts : std::vector{column}) {
    const GridLine& line = grid.columns[behind];
    const size_t first = parts.size();
    for (const PlannedTrial* trial : grid.trials[row][behind]) {
      const std::string place = averaged_axes(*trial, spec), label = derived ? line.label : "";
      const std::string name = label + (label.empty() || place.empty() ? "" : ", ") + place;
      auto part = std::find_if(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(),
                               [&](const PartTrials& one) { return one.name == name; });
      if (part == parts.end()) part = parts.insert(parts.end(), {name, label, &line, {}});
      part->trials.push_back(trial);
    }
    if (derived && parts.size() == first) parts.push_back({line.label, line.label, &line, {}});
  }
  return parts;
}

/// The first trial with this seed, and how many more there are.
std::string trial_text(const Cell& cell, int64_t seed) {
  std::string first;
  size_t more = 0;
  for (size_t i = 0; i < cell.trials.size(); ++i) {
    if (cell.trial_seeds[i] != seed) continue;
    if (first.empty())
      first = cell.trials[i].substr(0, kShortId);
    else
      ++more;
  }
  return more > 0 ? fmt::format("{} +{}", first, more) : first;
}

Json value_of_seed(const Cell& cell, int64_t seed) {
  if (const std::optional<double> value = cell.value_of(seed)) return *value;
  const auto lacking = cell.lacking.find(seed);
  if (lacking == cell.lacking.end()) return Json();
  std::vector<std::string> reasons;
  for (const MarkKind reason : lacking->second) reasons.push_back(to_text(reason));
  return joined(reasons);
}

}  // namespace

std::vector<CellPart> parts_of_cell(const CommandContext& context, const TableSpec& spec,
                                    const Grid& grid, const Table& table, size_t row,
                                    size_t column) {
  const std::vector<PartTrials> parts = split_parts(spec, grid, table, row, column);
  if (parts.size() < 2 && !is_derived(grid.columns[column].spec->kind)) return {};
  std::vector<std::string> trials;
  for (const PartTrials& part : parts) {
    for (const PlannedTrial* planned : part.trials) trials.push_back(planned->trial.id);
  }
  const TrialRecords records =
      records_in_store(context, trials, wanted_values(spec, context.schema()));
  std::vector<CellPart> all;
  for (const PartTrials& part : parts) {
    const LineSpec& line = *part.line->spec;
    const CellKind kind = line.kind.value_or(CellKind::metric);
    CellPart& found = all.emplace_back(CellPart{part.name, part.column, {}});
    if (kind == CellKind::published) continue;
    const CellValue value{kind, line.value ? *line.value : *spec.metric, scale_of(spec, kind)};
    found.cell = measure_cell(part.trials, records, value, spec);
  }
  return all;
}

QueryResult rows_of(const std::vector<CellPart>& parts) {
  std::set<int64_t> seeds;
  for (const CellPart& part : parts)
    seeds.insert(part.cell.trial_seeds.begin(), part.cell.trial_seeds.end());
  QueryResult rows{{"part"}, {}};
  for (const int64_t seed : seeds) {
    rows.columns.push_back(fmt::format("seed {}", seed));
    rows.columns.push_back("trial");
  }
  for (const CellPart& part : parts) {
    std::vector<Json>& row = rows.rows.emplace_back();
    row.push_back(part.name);
    for (const int64_t seed : seeds) {
      const bool is_planned = std::ranges::count(part.cell.trial_seeds, seed) > 0;
      row.push_back(is_planned ? value_of_seed(part.cell, seed) : Json());
      row.push_back(trial_text(part.cell, seed));
    }
  }
  return rows;
}

}  // namespace rethink
