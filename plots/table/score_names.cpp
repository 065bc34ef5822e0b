#include "plots/table/score_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "plots/stage_layout.h"
#include "plots/table/cells/item_metric.h"

namespace rethink {
namespace {

/// For the trials of a column, in the order of the rows.
std::vector<std::string> score_names(size_t column, const Grid& grid, const Schema& schema,
                                     ReportedScores& scores) {
  std::vector<std::string> names;
  for (const std::vector<CellTrials>& row : grid.trials) {
    for (const PlannedTrial* trial : row[column]) {
      const auto score = score_of_planned(*trial, grid.planned, schema, scores);
      const std::string name = score ? name_of_metric(score->metric) : "";
      if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

bool shows_score(const TableColumn& column) {
  return column.kind == CellKind::metric && name_of_metric(column.value) == kScore;
}

}  // namespace

std::string note_on_score_names(const std::vector<TableColumn>& columns, const Grid& grid,
                                const Schema& schema) {
  std::vector<std::pair<std::string, std::vector<std::string>>> columns_of;  // by metric
  ReportedScores scores(schema);
  for (size_t column = 0; column < columns.size(); ++column) {
    if (!shows_score(columns[column])) continue;
    for (const std::string& name : score_names(column, grid, schema, scores)) {
      auto known = std::ranges::find(columns_of, name, [](const auto& one) { return one.first; });
      if (known == columns_of.end())
        known = columns_of.insert(columns_of.end(), {name, std::vector<std::string>{}});
      known->second.push_back(columns[column].label);
    }
  }
  if (columns_of.empty()) return "";
  if (columns_of.size() == 1) {
    const std::string& name = columns_of.front().first;
    return name == kScore ? "" : "score: " + name;
  }
  std::vector<std::string> parts;
  for (const auto& [name, labels] : columns_of)
    parts.push_back(fmt::format("{} ({})", name, joined(labels)));
  return "score: " + joined(parts);
}

}  // namespace rethink
