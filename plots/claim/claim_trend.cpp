#include "plots/claim/claim_trend.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/message.h"
#include "plots/claim/claim_cells.h"
#include "plots/claim/claim_looks.h"
#include "plots/claim/claim_pairs.h"
#include "results/statistics/kendall_permutation.h"

namespace rethink {
namespace {

constexpr size_t kFewestRows = 3;

/// A row of the table whose key is a number.
struct NumberedRow {
  double number = 0;
  std::string label;
  size_t row = 0;  // of the table
  const Cell* cell = nullptr;
};

std::vector<NumberedRow> numbered_rows(const ClaimSpec& claim, const Table& table, size_t column) {
  std::vector<NumberedRow> rows;
  for (size_t row = 0; row < table.rows.size(); ++row) {
    const std::optional<double> number = parse_number(table.rows[row].key);
    if (!number) continue;
    for (const NumberedRow& other : rows) {
      if (other.number == *number)
        refuse(claim, fmt::format("rows '{}' and '{}' of table {} have the same number, {}",
                                  other.label, table.rows[row].label, table.name, *number));
    }
    rows.push_back({*number, table.rows[row].label, row, &table.cells[row][column]});
  }
  if (rows.size() > kMostTrendRows)
    refuse(claim, fmt::format("table {} has {} rows with numbers; a trend follows {} at most",
                              table.name, rows.size(), kMostTrendRows));
  return rows;
}

std::set<int64_t> planned_by_all(const std::vector<NumberedRow>& rows) {
  std::vector<const Cell*> cells;
  for (const NumberedRow& row : rows) cells.push_back(row.cell);
  return seeds_planned_by_all(cells);
}

TrendLine line_of_seed(const std::vector<NumberedRow>& rows, int64_t seed) {
  TrendLine line;
  for (const NumberedRow& row : rows) {
    const std::optional<double> value = row.cell->value_of(seed);
    if (!value) continue;
    line.x.push_back(row.number);
    line.y.push_back(*value);
  }
  return line;
}

/// A line of each head that all rows have, and how many seeds they are of.
std::pair<std::vector<TrendLine>, size_t> lines_of_heads(const std::vector<NumberedRow>& rows) {
  std::vector<TrendLine> lines;
  size_t seeds = 0;
  if (rows.empty()) return {lines, seeds};
  for (const auto& [seed, heads] : rows.front().cell->heads) {
    const auto has_them = [&, of = seed, count = heads.size()](const NumberedRow& row) {
      const auto own = row.cell->heads.find(of);
      return own != row.cell->heads.end() && own->second.size() == count;
    };
    if (!std::ranges::all_of(rows, has_them)) continue;
    ++seeds;
    for (size_t head = 0; head < heads.size(); ++head) {
      TrendLine& line = lines.emplace_back();
      for (const NumberedRow& row : rows) {
        line.x.push_back(row.number);
        line.y.push_back(row.cell->heads.at(seed)[head]);
      }
    }
  }
  return {lines, seeds};
}

/// Tau as the claim has it: positive where the metric follows the numbers so.
double claimed_tau(const ClaimSpec& claim, const TrendTest& trend) {
  return claim.test->sign * trend.tau;
}

Judgement judged(const ClaimSpec& claim, const TrendTest& trend, double alpha) {
  Judgement judgement{.gain = claimed_tau(claim, trend), .p = trend.p};
  if (trend.p <= alpha) judgement.verdict = judgement.gain > 0 ? Verdict::holds : Verdict::fails;
  return judgement;
}

std::string trend_text(const ClaimSpec& claim, const TrendTest& trend, const std::string& over) {
  const double claimed = claimed_tau(claim, trend);
  const char* relation = claimed > 0   ? ", as the claim has it"
                         : claimed < 0 ? ", against the claim"
                                       : "";
  return fmt::format("Kendall's τ {:.3g}{} (p {:.2g}, {})", trend.tau, relation, trend.p, over);
}

/// Fills all but what the trials lack. `result.incomplete` is set.
void judge_heads(const ClaimSpec& claim, const std::vector<NumberedRow>& rows,
                 ClaimResult& result) {
  result.scope = ClaimScope::heads;
  result.planned_seeds = planned_by_all(rows).size();
  const auto [lines, seeds] = lines_of_heads(rows);
  const std::optional<TrendTest> trend = trend_test(lines);
  if (!trend) {
    result.why = "no head has values of all rows";
    return;
  }
  result.judgement = judged(claim, *trend, kAlpha);
  if (!result.incomplete) result.verdict = result.judgement->verdict;
  result.seeds = seeds;
  const std::string over = counted(lines.size(), "head") + " of " + counted(seeds, "seed");
  result.why = trend_text(claim, *trend, fmt::format("alpha {:.3g}, {}", kAlpha, over));
}

std::vector<TrendLine> lines_of(const std::vector<NumberedRow>& rows,
                                const std::vector<int64_t>& seeds) {
  std::vector<TrendLine> lines;
  for (const int64_t seed : seeds) lines.push_back(line_of_seed(rows, seed));
  return lines;
}

/// Requires: all rows have values of all `seeds`.
SeedsSay judge_at(const ClaimSpec& claim, const std::vector<NumberedRow>& rows,
                  const std::vector<int64_t>& seeds, double alpha) {
  const TrendTest trend = *trend_test(lines_of(rows, seeds));
  SeedsSay say;
  say.judgement = judged(claim, trend, alpha);
  say.why = trend_text(claim, trend,
                       fmt::format("alpha {:.3g}, {}", alpha, counted(seeds.size(), "seed")));
  if (trend.smallest_p > alpha) {
    say.why +=
        fmt::format("; this look cannot decide: no order of these values has a p below {:.2g}",
                    trend.smallest_p);
    say.decides = "more rows, or seeds whose rows differ";
  } else if (!is_decided(say.judgement->verdict)) {
    say.decides = "more seeds, or rows";
  }
  return say;
}

/// `lacks`: what the trials that are done lack.
void judge_seeds(const ClaimSpec& claim, const std::vector<NumberedRow>& rows,
                 const std::string& lacks, ClaimResult& result) {
  SeedValues values;
  values.planned = planned_by_all(rows);
  values.has_value = [&](int64_t seed) { return line_of_seed(rows, seed).x.size() == rows.size(); };
  values.against = [&](const std::vector<int64_t>& seeds) -> Against {
    for (const NumberedRow& row : rows) {
      if (const std::string text = diverged_text(*row.cell, row.label, seeds); !text.empty())
        return {text, kNoneDiverges};
    }
    return {};
  };
  values.judge = [&](const std::vector<int64_t>& seeds, const Look& look) {
    return judge_at(claim, rows, seeds, look.alpha);
  };
  values.describe = [&](const std::vector<int64_t>& seeds) {
    const std::optional<TrendTest> trend = trend_test(lines_of(rows, seeds));
    std::string text = trend ? trend_text(claim, *trend, counted(seeds.size(), "seed"))
                             : "no seed has values of all rows";
    return lacks.empty() ? text : text + "; " + lacks;
  };
  take_looks(claim, values, result);
}

}  // namespace

void judge_trend(const ClaimSpec& claim, const Table& table, size_t column, ClaimResult& result) {
  const std::vector<NumberedRow> rows = numbered_rows(claim, table, column);
  if (rows.empty() && !table.rows.empty()) {
    refuse(claim,
           fmt::format("no row of table {} has a number for its value, which '{}' could follow",
                       table.name, claim.test->name));
  }
  if (rows.size() < kFewestRows) {
    result.why = fmt::format("needs {} rows with numbers; there {} {}", kFewestRows,
                             rows.size() == 1 ? "is" : "are", rows.size());
    result.decides = "more rows with numbers";
    return;
  }
  bool waits = false, is_incomplete = false;
  Lacks lacks;
  std::set<size_t> followed;
  for (const NumberedRow& row : rows) followed.insert(row.row);
  for (const NumberedRow& row : rows) {
    if (row.cell->has(MarkKind::not_planned) && claim.recorded.empty())
      return leave_out(left_out_text(table, followed, {column}), result);
    waits = waits || row.cell->waits();
    is_incomplete = is_incomplete || row.cell->incomplete();
    take_lack(*row.cell, "'" + row.label + "'", lacks);
  }
  if (claim.over_heads) {
    result.incomplete = is_incomplete;
    result.decides = decides_over_heads(is_incomplete);
    judge_heads(claim, rows, result);
    if (!lacks.empty()) result.why += "; " + lacks_text(lacks);
  } else {
    judge_seeds(claim, rows, lacks_text(lacks), result);
  }
  result.unmeasured = result.incomplete && !waits;
}

}  // namespace rethink
