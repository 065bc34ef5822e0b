#include "plots/table/cells/compared_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/error.h"
#include "plots/table/cells/item_test.h"
#include "plots/table/cells/paired_samples.h"
#include "plots/table/lines/name_check.h"
#include "plots/text_format.h"
#include "results/statistics/statistics.h"

namespace rethink {
namespace {

void fill_paper_values(ComparedTable& table, const TableSpec& spec, const Grid& grid) {
  NameCheck paper("paper", spec.words, !has_every_line(spec, grid));
  for (const PaperEntry& entry : spec.paper) {
    const std::optional<size_t> row = find_line(grid.rows, entry.row.written());
    const std::optional<size_t> column = find_line(grid.columns, entry.column.written());
    paper.check(entry.row, spec.words.row, grid.rows);
    paper.check(entry.column, spec.words.column, grid.columns);
    if (!row || !column) continue;
    std::optional<PaperValue>& number = table.cells[*row][*column].paper;
    if (number)
      paper.problems.add(entry.column.at, "duplicate-value",
                         fmt::format("paper: {} '{}', {} '{}' has two numbers, {} and {}; the "
                                     "first is given under another name of it",
                                     spec.words.row, grid.rows[*row].label, spec.words.column,
                                     grid.columns[*column].label, number->text, entry.value.text));
    number = entry.value;
  }
  paper.problems.throw_if_any();
}

/// Fills means that the paper does not print, if it prints all their parts.
void fill_paper_means(ComparedTable& table) {
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const TableColumn& mean_column = table.columns[column];
    if (mean_column.kind != CellKind::mean_of || mean_column.parts.empty()) continue;
    for (std::vector<Cell>& row : table.cells) {
      std::vector<double> printed;
      for (const size_t part : mean_column.parts) {
        if (row[part].paper) printed.push_back(row[part].paper->value);
      }
      if (row[column].paper || printed.size() != mean_column.parts.size()) continue;
      const double value = mean(printed);
      row[column].paper = {value, "(" + fixed(value, mean_column.decimals) + ")", true};
    }
  }
}

std::vector<double> sample_values(const MeasuredCell& cell) {
  std::vector<double> values;
  for (const Sample& sample : cell.samples) values.push_back(sample.value);
  return values;
}

/// The values that the test compares.
PairedSamples samples_for(const SeedTest& test, const MeasuredCell& cell,
                          const MeasuredCell& baseline) {
  return test.is_paired ? pair_samples(cell, baseline)
                        : PairedSamples{sample_values(cell), sample_values(baseline)};
}

/// Fills p and unvaried; no p with too few samples, or if the compared values do not vary.
void test_over_seeds(const SeedTest& test, const MeasuredCell& cell, const MeasuredCell& baseline,
                     CellTest& result) {
  const PairedSamples samples = samples_for(test, cell, baseline);
  if (samples.a.size() < 2 || samples.b.size() < 2) return;
  result.p = test.p(samples.a, samples.b);
  result.unvaried = !result.p;
}

constexpr int64_t kPaperDecimals = 12;  // more than any paper prints

/// Whether the values differ at this number of decimals.
bool differ(const std::vector<double>& values, int64_t decimals) {
  return std::ranges::any_of(values, [&](double value) {
    return fixed(value, decimals) != fixed(values.front(), decimals);
  });
}

/// Marks the best cells by `number`; none if the numbers do not differ.
void mark_best(ComparedTable& table, size_t column, int64_t decimals,
               const std::function<std::optional<double>(const Cell&)>& number, bool Cell::*flag) {
  std::vector<double> values;
  for (const std::vector<Cell>& row : table.cells) {
    if (const std::optional<double> value = number(row[column])) values.push_back(*value);
  }
  if (!differ(values, decimals)) return;
  const auto [least, greatest] = std::ranges::minmax(values);
  const double best = table.columns[column].direction == Direction::min ? least : greatest;
  for (std::vector<Cell>& row : table.cells) row[column].*flag = number(row[column]) == best;
}

/// Nothing for a mean of survivors, which is biased in favour of its row, or for a part of the planned seeds.
std::optional<double> comparable_value(const MeasuredCell& cell) {
  return cell.of_survivors() || cell.is_partial() ? std::nullopt : cell.value;
}

/// The seeds that both cells plan and have, if one of them waits for further seeds or has one of several.
std::optional<SeedsSoFar> awaited(const MeasuredCell& cell, const MeasuredCell& baseline) {
  if (!cell.is_partial() && !baseline.is_partial()) return std::nullopt;
  SeedsSoFar seeds;
  for (const int64_t seed : cell.planned_seeds) {
    if (!baseline.planned_seeds.contains(seed)) continue;
    ++seeds.planned;
    if (cell.value_of(seed) && baseline.value_of(seed)) ++seeds.done;
  }
  for (const MeasuredCell* one : {&cell, &baseline}) {
    if (one->is_one_of_several()) seeds.planned = std::max(seeds.planned, one->own_seeds);
  }
  return seeds.done < seeds.planned ? std::optional(seeds) : std::nullopt;
}

std::optional<double> paper_of(const Cell& cell) {
  return cell.paper ? std::optional(cell.paper->value) : std::nullopt;
}

/// Fills difference, delta and paper_delta, or the seeds for which they wait.
void compare_with_baseline(ComparedTable& table) {
  for (size_t row = 0; row < table.rows.size(); ++row) {
    for (size_t column = 0; column < table.columns.size(); ++column) {
      Cell& cell = table.cells[row][column];
      if (cell.value && cell.paper && cell.is_partial())
        cell.difference_awaits = {cell.samples.size(), cell.awaited()};
      else if (cell.value && cell.paper)
        cell.difference = *cell.value - cell.paper->value;
      const std::optional<size_t> reference = table.baseline_of(row);
      if (!reference) continue;
      const Cell& baseline = table.cells[*reference][column];
      if (cell.value && baseline.value) cell.delta_awaits = awaited(cell, baseline);
      if (cell.value && baseline.value && !cell.delta_awaits) {
        const PairedSamples pairs = pair_samples(cell, baseline);
        cell.delta =
            pairs.a.empty() ? *cell.value - *baseline.value : mean(pairs.a) - mean(pairs.b);
      }
      if (cell.paper && baseline.paper)
        cell.paper_delta = cell.paper->value - baseline.paper->value;
    }
  }
}

/// Adds the results of the test over items, whose p is not corrected.
void take_item_tests(const TrialRecords& records, const ItemMetrics& metrics,
                     ComparedTable& table) {
  const auto test = std::ranges::find(table.tests, kPairedBootstrap, &TestSpec::kind);
  if (test == table.tests.end()) return;
  const auto index = static_cast<size_t>(test - table.tests.begin());
  const ItemTests found = item_tests(table, *test, records, metrics);
  table.item_resamples = found.resamples;
  for (const ItemTest& one : found.tests) {
    Cell& cell = table.cells[one.row][one.column];
    cell.delta_interval = one.interval;
    cell.tests[index].p = one.p;
    if (!one.problem.empty()) cell.marks.push_back({MarkKind::not_comparable, one.problem});
  }
}

/// Applies each of the table's tests to every cell against its baseline's row.
void test_against_baseline(ComparedTable& table) {
  for (size_t index = 0; index < table.tests.size(); ++index) {
    const TestSpec& test = table.tests[index];
    std::vector<CellTest*> tested;
    std::vector<double> raw;
    for (size_t row = 0; row < table.rows.size(); ++row) {
      const std::optional<size_t> reference = table.baseline_of(row);
      if (!reference) continue;
      for (size_t column = 0; column < table.columns.size(); ++column) {
        Cell& cell = table.cells[row][column];
        const Cell& baseline = table.cells[*reference][column];
        if (table.columns[column].direction == Direction::unknown || cell.delta_awaits ||
            cell.of_survivors() || baseline.of_survivors())
          continue;
        CellTest& result = cell.tests[index];
        if (test.kind != kPairedBootstrap)
          test_over_seeds(seed_test(test.kind), cell, baseline, result);
        if (!result.p) continue;
        tested.push_back(&result);
        raw.push_back(*result.p);
      }
    }
    const std::vector<double> corrected = test.correction == "holm" ? holm(raw) : raw;
    for (size_t i = 0; i < tested.size(); ++i) {
      tested[i]->p = corrected[i];
      tested[i]->significant = corrected[i] < test.alpha;
    }
  }
}

/// Marks the best cells of every column with a direction, and compares the order of its rows with the paper's order.
void rank_rows(ComparedTable& table, bool ours_mean_something) {
  table.orders.resize(table.columns.size());
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const TableColumn& line = table.columns[column];
    if (line.direction == Direction::unknown) continue;
    if (ours_mean_something) mark_best(table, column, line.decimals, comparable_value, &Cell::best);
    mark_best(table, column, kPaperDecimals, paper_of, &Cell::paper_best);
    RowOrder& order = table.orders[column];
    std::vector<double> ours, theirs;
    for (const std::vector<Cell>& row : table.cells) {
      if (!comparable_value(row[column]) || !row[column].paper) continue;
      if (row[column].has(MarkKind::constant)) {
        ++order.left_out;
        continue;
      }
      ours.push_back(*row[column].value);
      theirs.push_back(row[column].paper->value);
    }
    order.rows = ours.size();
    const bool have_order = differ(ours, line.decimals) && differ(theirs, kPaperDecimals);
    if (ours.size() > 2 && have_order && ours_mean_something)
      order.kendall = kendall_tau(ours, theirs);
  }
}

/// Puts the mark first that explains a missing number, from any part of the cell.
void order_marks(ComparedTable& table) {
  for (std::vector<Cell>& row : table.cells) {
    for (Cell& cell : row) {
      std::stable_sort(cell.marks.begin(), cell.marks.end(),
                       [](const Mark& a, const Mark& b) { return a.kind < b.kind; });
    }
  }
}

}  // namespace

ComparedTable compared_table(DerivedTable derived, const TableSpec& spec, const Grid& grid,
                             const TrialRecords& records, const ItemMetrics& metrics,
                             TableUse use) {
  ComparedTable table{std::move(static_cast<TableLines&>(derived)), {}, {}, {}, 0};
  const bool ours_mean_something = !only_tests_that_it_runs(grid.profile);
  if (use == TableUse::reading && ours_mean_something) table.tests = spec.tests;
  for (std::vector<MeasuredCell>& row : derived.cells) {
    std::vector<Cell>& cells = table.cells.emplace_back();
    for (MeasuredCell& measured : row) {
      Cell& cell = cells.emplace_back();
      static_cast<MeasuredCell&>(cell) = std::move(measured);
      cell.tests.resize(table.tests.size());
    }
  }
  fill_paper_values(table, spec, grid);
  fill_paper_means(table);
  compare_with_baseline(table);
  take_item_tests(records, metrics, table);
  test_against_baseline(table);
  order_marks(table);
  rank_rows(table, ours_mean_something);
  return table;
}

}  // namespace rethink
