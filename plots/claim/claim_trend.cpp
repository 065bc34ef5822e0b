#include "plots/claim/claim_trend.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "core/message.h"
#include "plots/claim/claim_cells.h"
#include "plots/claim/claim_looks.h"
#include "plots/claim/claim_pairs.h"
#include "plots/claim/claim_text.h"
#include "results/statistics/kendall_permutation.h"

namespace rethink {
namespace {

constexpr size_t kFewestRows = 3;

/// A row of the table whose key is a number.
struct NumberedRow {
  double number = 0;
  std::string label;
  size_t row = 0;  // of the table
  const MeasuredCell* cell = nullptr;
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
  std::vector<const MeasuredCell*> cells;
  for (const NumberedRow& row : rows) cells.push_back(row.cell);
  return seeds_planned_by_all(cells);
}

/// A diverged row counts as the worst of its seed.
std::optional<double> ranked_value(const NumberedRow& row, int64_t seed, Direction direction) {
  if (std::ranges::count(row.cell->diverged(), seed) == 0) return row.cell->value_of(seed);
  if (direction == Direction::unknown) return std::nullopt;
  const double worst = std::numeric_limits<double>::infinity();
  return direction == Direction::min ? worst : -worst;
}

TrendLine line_of_seed(const std::vector<NumberedRow>& rows, int64_t seed, Direction direction) {
  TrendLine line;
  for (const NumberedRow& row : rows) {
    const std::optional<double> value = ranked_value(row, seed, direction);
    if (!value) continue;
    line.x.push_back(row.number);
    line.y.push_back(*value);
  }
  return line;
}

/// A line for each head that all rows have, and the number of seeds behind the lines.
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

/// Tau with the sign of the claim: positive if the metric follows the numbers as claimed.
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

/// Fills all fields except the missing values. `result.incomplete` is set.
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

/// The numbered rows of one column, and the test of whether the column follows the numbers.
struct Trend {
  const ClaimSpec& claim;
  const std::vector<NumberedRow>& rows;
  size_t column;
  Direction direction;  // of the column
  ItemGains* items;
  std::string lacks;  // values that done trials lack

  std::vector<TrendLine> lines(const std::vector<int64_t>& seeds) const {
    std::vector<TrendLine> all;
    for (const int64_t seed : seeds) all.push_back(line_of_seed(rows, seed, direction));
    return all;
  }
};

/// Tau for each resample of the split's items: the mean over the seeds, with the sign of the claim;
/// sorted.
Resampled resampled_tau(const Trend& trend, const ItemGains::Paired& paired) {
  std::vector<double> x;
  for (const NumberedRow& row : trend.rows) x.push_back(row.number);
  Resampled taus(paired.of_seeds.front().front().size());
  const double sign = trend.claim.test->sign;
  for (const std::vector<Resampled>& of_rows : paired.of_seeds) {
    std::vector<double> y(x.size());
    for (size_t i = 0; i < taus.size(); ++i) {
      for (size_t row = 0; row < y.size(); ++row) y[row] = of_rows[row][i];
      taus[i] += sign * kendall_tau(x, y).value_or(0) / static_cast<double>(paired.of_seeds.size());
    }
  }
  std::ranges::sort(taus);
  return taus;
}

/// For a score of a task, the test over items must give the same verdict. Without item outcomes
/// there is no verdict.
void judge_items_of_trend(const Trend& trend, const std::vector<int64_t>& seeds, double alpha,
                          SeedsResult& say) {
  std::vector<size_t> rows;
  for (const NumberedRow& row : trend.rows) rows.push_back(row.row);
  const ItemGains::Paired paired = trend.items->beyond_first(rows, trend.column, seeds);
  if (!paired.problem.empty()) {
    say.judgement.reset();
    say.why =
        trend_text(trend.claim, *trend_test(trend.lines(seeds)), counted(seeds.size(), "seed")) +
        "; undecided without an interval over items: " + paired.problem;
    say.decides = "predictions of all its trials";
    say.lacks = true;
    return;
  }
  Judgement& of_seeds = *say.judgement;
  const Judgement of_items = judge_resamples(resampled_tau(trend, paired), {}, alpha);
  say.why += fmt::format("; over items {} as the claim has it",
                         interval_text(trend.claim, *of_items.interval, of_items.level));
  if (of_items.verdict != of_seeds.verdict) {
    say.why += fmt::format(", {}", to_text(of_items.verdict));
    if (is_decided(of_seeds.verdict))
      say.decides = is_decided(of_items.verdict) ? "items that agree with the seeds"
                                                 : "more items in the split";
    of_seeds.verdict = Verdict::undecided;
  }
  of_seeds.numbers.seeds_p = of_seeds.p;
  of_seeds.numbers.items_p = of_items.p;
  of_seeds.numbers.items = of_items.interval;
  of_seeds.p = std::max(of_seeds.p, of_items.p);
}

/// Requires that all rows have values of all `seeds`.
SeedsResult judge_at(const Trend& of, const std::vector<int64_t>& seeds, double alpha) {
  const ClaimSpec& claim = of.claim;
  const TrendTest trend = *trend_test(of.lines(seeds));
  SeedsResult say;
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
  if (of.items && of.items->is_task_score(of.column)) judge_items_of_trend(of, seeds, alpha, say);
  return say;
}

void judge_seeds(const Trend& of, ClaimResult& result) {
  const std::vector<NumberedRow>& rows = of.rows;
  SeedValues values;
  values.planned = planned_by_all(rows);
  values.has_value = [&](int64_t seed) {
    return line_of_seed(rows, seed, of.direction).x.size() == rows.size();
  };
  values.against = [&](const std::vector<int64_t>& seeds) -> UndecidedReason {
    if (of.direction != Direction::unknown) return {};
    for (const NumberedRow& row : rows) {
      if (const std::string text = diverged_text(*row.cell, row.label, seeds); !text.empty())
        return {text, kNoneDiverges};
    }
    return {};
  };
  values.judge = [&](const std::vector<int64_t>& seeds, const Look& look) {
    return judge_at(of, seeds, look.alpha);
  };
  values.describe = [&](const std::vector<int64_t>& seeds) {
    const std::optional<TrendTest> trend = trend_test(of.lines(seeds));
    std::string text = trend ? trend_text(of.claim, *trend, counted(seeds.size(), "seed"))
                             : "no seed has values of all rows";
    return of.lacks.empty() ? text : text + "; " + of.lacks;
  };
  take_looks(of.claim, values, result);
  if (result.looks.empty()) return;
  for (const NumberedRow& row : rows) {
    const std::string text = diverged_text(*row.cell, row.label, result.looks.back().seeds);
    if (!text.empty()) add_remark(text + ", where it counts as the worst row", result);
  }
}

}  // namespace

void judge_trend(const ClaimSpec& claim, const Table& table, size_t column, ItemGains* items,
                 ClaimResult& result) {
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
  MissingValues lacks;
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
    const std::set<int64_t> seeds = planned_by_all(rows);
    result.awaits.assign(seeds.begin(), seeds.end());
    judge_heads(claim, rows, result);
    if (!lacks.empty()) result.why += "; " + lacks_text(lacks);
  } else {
    judge_seeds({claim, rows, column, table.columns[column].direction, items, lacks_text(lacks)},
                result);
  }
  if (result.incomplete && !waits) result.unmeasured = true;
}

}  // namespace rethink
