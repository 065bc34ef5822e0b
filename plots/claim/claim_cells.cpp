#include "plots/claim/claim_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "plots/table/cells/derived_table.h"
#include "results/statistics/statistics.h"

namespace rethink {
namespace {

/// `name` in the spelling of the claim.
WrittenValue written(const ClaimSpec& claim, const std::string& name) {
  return {name, claim.quoted.contains(name)};
}

template <typename Line>
void refuse_several(const ClaimSpec& claim, const Table& table, const std::vector<Line>& lines,
                    const std::string& name, const std::string& kind) {
  const std::string several = trouble_of_several(lines, written(claim, name), kind);
  if (!several.empty()) refuse_name(claim, name, fmt::format("table {} {}", table.name, several));
}

}  // namespace

void refuse(const ClaimSpec& claim, const std::string& text) {
  Problems().refuse(claim.at, "unusable-cell", text);
}

void refuse_name(const ClaimSpec& claim, const std::string& name, const std::string& text) {
  const auto at = claim.names_at.find(name);
  Problems().refuse(at == claim.names_at.end() ? claim.at : at->second, "unusable-cell", text);
}

size_t find_row(const ClaimSpec& claim, const Table& table, const std::string& name) {
  if (const auto found = find_line(table.rows, written(claim, name))) return *found;
  refuse_several(claim, table, table.rows, name, "row");
  const std::vector<std::string> labels = line_labels(table.rows);
  refuse_name(claim, name,
              fmt::format("table {} has no row '{}'{}; it has: {}", table.name, name,
                          did_you_mean(name, labels), joined(labels)));
}

size_t find_column(const ClaimSpec& claim, const Table& table, const std::string& name) {
  if (const auto found = find_line(table.columns, written(claim, name))) return *found;
  refuse_several(claim, table, table.columns, name, "column");
  const std::vector<std::string> labels = line_labels(table.columns);
  refuse_name(claim, name,
              fmt::format("table {} has no column '{}'{}; it has: {}", table.name, name,
                          did_you_mean(name, labels), joined(labels)));
}

size_t tested_column(const ClaimSpec& claim, const Table& table) {
  if (claim.columns.empty() && table.columns.size() == 1) return 0;
  if (claim.columns.empty()) return find_column(claim, table, "");
  std::vector<size_t> columns;
  for (const std::string& name : claim.columns) columns.push_back(find_column(claim, table, name));
  const auto is_planned = [&](size_t column) {
    const auto has_trials = [&](const std::string& row) {
      return !table.cells[find_row(claim, table, row)][column].has(MarkKind::not_planned);
    };
    return std::ranges::all_of(claim.row, has_trials) &&
           std::ranges::all_of(claim.than, has_trials);
  };
  const auto first = std::ranges::find_if(columns, is_planned);
  return first == columns.end() ? columns.back() : *first;
}

ClaimSpec with_looks_of_column(const ClaimSpec& claim, const Table& table) {
  ClaimSpec settled = claim;
  const size_t column = tested_column(claim, table);
  for (const auto& [name, look] : claim.last_looks) {
    const bool is_of_claim = claim.columns.empty() || std::ranges::count(claim.columns, name) > 0;
    if (!is_of_claim) continue;
    if (find_line(table.columns, {name}) == column) drop_looks_beyond(look.seeds, settled.looks);
    if (!lines_called(table.columns, {name}).empty()) continue;
    Problems().refuse(look.at, "unknown-column",
                      fmt::format("last_look: table {} has no column '{}'; it has: {}", table.name,
                                  name, joined(line_labels(table.columns))));
  }
  return settled;
}

size_t other_column(const ClaimSpec& claim, const Table& table, size_t column) {
  return claim.than_column.empty() ? column : find_column(claim, table, claim.than_column);
}

MeasuredCell cell_of(const ClaimSpec& claim, const Table& table,
                     const std::vector<std::string>& rows, size_t column) {
  std::vector<const MeasuredCell*> cells;
  std::map<size_t, std::string> named;  // rows by their names in the claim
  for (const std::string& name : rows) {
    const size_t row = find_row(claim, table, name);
    const auto [first, is_new] = named.try_emplace(row, name);
    if (!is_new) {
      refuse(claim,
             fmt::format("'{}' and '{}' are the same row of table {}; a mean counts each row "
                         "once",
                         first->second, name, table.name));
    }
    cells.push_back(&table.cells[row][column]);
  }
  return cells.size() == 1
             ? *cells.front()
             : combine_cells(cells, CellKind::mean_of, table.spread, table.wanted_seeds);
}

std::optional<double> paper_mean(const ClaimSpec& claim, const Table& table,
                                 const std::vector<std::string>& rows, size_t column) {
  std::vector<double> values;
  for (const std::string& row : rows) {
    const std::optional<PaperValue>& paper = table.cells[find_row(claim, table, row)][column].paper;
    if (!paper) return std::nullopt;
    values.push_back(paper->value);
  }
  return mean(values);
}

namespace {

/// "row 'A'", "rows 'A', 'B'".
template <typename Line>
std::string quoted_lines(const char* kind, const std::vector<Line>& lines,
                         const std::set<size_t>& chosen) {
  std::vector<std::string> names;
  for (const size_t line : chosen) names.push_back("'" + lines[line].label + "'");
  return fmt::format("{}{} {}", kind, names.size() == 1 ? "" : "s", joined(names));
}

}  // namespace

std::set<int64_t> seeds_planned_by_all(const std::vector<const MeasuredCell*>& cells) {
  std::set<int64_t> seeds = cells.front()->planned_seeds;
  for (const MeasuredCell* cell : cells)
    std::erase_if(seeds, [&](int64_t seed) { return !cell->planned_seeds.contains(seed); });
  return seeds;
}

std::string left_out_text(const Table& table, const std::set<size_t>& rows,
                          const std::set<size_t>& columns) {
  std::map<std::set<size_t>, std::set<size_t>> columns_of;  // columns by the rows that they lack
  for (const size_t column : columns) {
    std::set<size_t> parts = {column};
    if (!table.columns[column].parts.empty())
      parts = {table.columns[column].parts.begin(), table.columns[column].parts.end()};
    for (const size_t part : parts) {
      std::set<size_t> lack;
      for (const size_t row : rows) {
        if (table.cells[row][part].has(MarkKind::not_planned)) lack.insert(row);
      }
      if (!lack.empty()) columns_of[lack].insert(part);
    }
  }
  std::vector<std::string> texts;
  for (const auto& [lack, of] : columns_of) {
    const std::string in = quoted_lines("column", table.columns, of);
    texts.push_back(lack == rows ? in : quoted_lines("row", table.rows, lack) + " in " + in);
  }
  if (texts.empty()) return "";
  const std::string plan =
      table.profile.empty() ? "the sweep without a profile" : "profile " + table.profile;
  const std::string options = table.settings.empty() ? "" : " with " + table.settings;
  return fmt::format("{}{} plans no trial of {}", plan, options, joined(texts, ", nor of "));
}

Comparable comparable(const ClaimSpec& claim, const Table& table, Numbers numbers) {
  if (claim.not_below.empty()) return {claim, "", ""};
  const size_t column = find_column(claim, table, claim.not_below);
  const auto value_of = [&](const std::vector<std::string>& rows) {
    return numbers == Numbers::ours ? cell_of(claim, table, rows, column).value
                                    : paper_mean(claim, table, rows, column);
  };
  const std::optional<double> bar = value_of(claim.than);
  const std::string *nearest = nullptr, *most = nullptr;
  double least = 0, greatest = 0;
  for (const std::string& row : claim.row) {
    const std::optional<double> value = value_of({row});
    if (!value || !bar)
      return {claim, "", fmt::format("{} of both rows is not known", claim.not_below)};
    if (*value >= *bar && (!nearest || *value < least)) nearest = &row, least = *value;
    if (!most || *value > greatest) most = &row, greatest = *value;
  }
  if (!nearest) {
    return {claim, "",
            fmt::format("not comparable: {} {:.4g} of {} is below {:.4g} of {}", claim.not_below,
                        greatest, *most, *bar, joined(claim.than))};
  }
  Comparable compared{claim, "", ""};
  compared.claim.row = {*nearest};
  if (claim.row.size() > 1)
    compared.chosen =
        fmt::format("{} ({} {:.4g} against {:.4g}): ", *nearest, claim.not_below, least, *bar);
  return compared;
}

}  // namespace rethink
