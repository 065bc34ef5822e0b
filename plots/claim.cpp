#include "plots/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/counted.h"
#include "plots/claim_cells.h"
#include "plots/claim_text.h"
#include "plots/compare.h"
#include "results/statistics.h"

namespace rethink {
namespace {

/// What is better: as the claim says, else its column.
std::string claim_direction(const ClaimSpec& claim, const Table& table, size_t column) {
  return claim.direction.empty() ? table.columns[column].direction : claim.direction;
}

/// A mean with its 95% confidence interval.
struct Estimate {
  double mean = 0, low = 0, high = 0;
  Estimate operator-() const { return {-mean, -high, -low}; }
};

std::optional<Estimate> estimate(const std::vector<double>& values) {
  const std::optional<double> half = confidence95(values);
  const double middle = half ? mean(values) : 0;
  return half ? std::optional(Estimate{middle, middle - *half, middle + *half}) : std::nullopt;
}

Verdict judge(const Estimate& estimate, double bar) {
  if (estimate.low > bar) return Verdict::holds;
  return estimate.high < bar ? Verdict::fails : Verdict::undecided;
}

/// "2 of 6 seeds of Star diverged"; empty when none did.
std::string diverged_text(const Cell& cell, const std::string& row) {
  if (cell.diverged.empty()) return "";
  return fmt::format("{} of {} seeds of {} diverged", cell.diverged.size(), cell.planned, row);
}

/// "DAMs: the mask has no place"; empty when each row's has some. What has no attention says nothing
/// of one attention against another.
std::string empty_mask_text(const ClaimSpec& claim, const Table& table, size_t column,
                            const std::vector<std::string>& rows) {
  std::vector<std::string> texts;
  for (const std::string& row : rows) {
    for (const Mark& mark : table.cells[find_row(claim, table, row)][column].marks) {
      if (mark.kind == MarkKind::empty_mask) texts.push_back(row + ": " + mark.text);
    }
  }
  return joined(texts, "; ");
}

/// What cells say of values that trials which are done have not: the text, and whose it is.
using Lacks = std::map<std::string, std::vector<std::string>>;

void take_lack(const Cell& cell, const std::string& name, Lacks& lacks) {
  for (const Mark& mark : cell.marks) {
    if (mark.kind == MarkKind::no_value || mark.kind == MarkKind::not_imported ||
        mark.kind == MarkKind::not_applicable)
      lacks[mark.text].push_back(name);
  }
}

/// "'Star': 1 of 3 seeds no value"; empty: nothing lacks.
std::string lacks_text(const Lacks& lacks) {
  std::vector<std::string> texts;
  for (const auto& [text, names] : lacks) texts.push_back(joined(names) + ": " + text);
  return joined(texts, "; ");
}

/// Numbers of two cells that belong together.
struct Pairs {
  PairedSamples samples;
  size_t seeds = 0;
  std::string text;   // "24 heads of 2 seeds"
  std::string lacks;  // why they are too few for an interval; empty: they are not
};

Pairs pairs_over_seeds(const Cell& a, const Cell& b) {
  Pairs pairs{.samples = pair_samples(a, b), .text = "", .lacks = ""};
  const size_t n = pairs.seeds = pairs.samples.a.size();
  pairs.text = counted(n, "seed");
  if (n > 1) return pairs;
  pairs.lacks =
      fmt::format("needs 2 seeds that both rows have; there {} {}", n == 1 ? "is" : "are", n);
  if (a.has(MarkKind::not_planned) || b.has(MarkKind::not_planned))
    pairs.lacks =
        "cannot be decided here: the profile or the options given leave out what it needs";
  else if (n == 1 && std::min(a.planned, b.planned) == 1)
    pairs.lacks = "cannot be decided by one seed, and no more are planned: an interval needs 2";
  return pairs;
}

Pairs pairs_over_heads(const Cell& a, const Cell& b) {
  Pairs pairs;
  for (const auto& [seed, heads] : a.heads) {
    const auto others = b.heads.find(seed);
    if (others == b.heads.end() || others->second.size() != heads.size()) continue;
    ++pairs.seeds;
    pairs.samples.a.insert(pairs.samples.a.end(), heads.begin(), heads.end());
    pairs.samples.b.insert(pairs.samples.b.end(), others->second.begin(), others->second.end());
  }
  const size_t n = pairs.samples.a.size();
  pairs.text = fmt::format("{} of {}", counted(n, "head"), counted(pairs.seeds, "seed"));
  if (n < 2)
    pairs.lacks =
        fmt::format("needs 2 heads that both have; there {} {}", n == 1 ? "is" : "are", n);
  return pairs;
}

/// Whether gains may give an interval. A score whose seeds all gain the same, as on a small dev set,
/// has no spread to judge by; what is counted, such as parameters, needs none.
bool may_give_interval(const Comparison& comparison, CellKind kind) {
  return comparison.deviation > 0 || kind == CellKind::measurement || kind == CellKind::fact;
}

/// The means of pairs, how far they are apart and, from two pairs on, its interval. `sign`: -1 where
/// less is better. Requires: a pair.
Comparison compare(const Pairs& pairs, double sign) {
  const auto& [a, b] = pairs.samples;
  std::vector<double> gains;
  for (size_t i = 0; i < a.size(); ++i) gains.push_back(sign * (a[i] - b[i]));
  const double size = std::max(largest(a), largest(b)), gain = mean(gains);
  Comparison comparison{.row = mean(a), .than = mean(b), .gain = gain, .over = pairs.text};
  if (!vary(std::vector<double>{0, gain}, size)) comparison.gain = 0;
  if (vary(gains, size)) comparison.deviation = standard_deviation(gains).value_or(0);
  if (const std::optional<Estimate> found = estimate(gains))
    comparison.interval = Interval{found->low, found->high};
  return comparison;
}

void judge_pair(const Comparable& compared, const Table& table, size_t column,
                ClaimResult& result) {
  const ClaimSpec& claim = compared.claim;
  const size_t other = other_column(claim, table, column);
  const Cell row = cell_of(claim, table, claim.row, column);
  const Cell than = cell_of(claim, table, claim.than, other);
  result.incomplete = row.incomplete() || than.incomplete();
  result.unmeasured = result.incomplete && !row.waits() && !than.waits();
  const std::vector<std::string> against = {diverged_text(row, joined(claim.row)),
                                            diverged_text(than, joined(claim.than)),
                                            empty_mask_text(claim, table, column, claim.row),
                                            empty_mask_text(claim, table, other, claim.than)};
  for (const std::string& text : against) {
    if (!text.empty()) result.why += (result.why.empty() ? "" : ", ") + text;
  }
  if (result.why.empty()) result.why = compared.against;
  if (!result.why.empty()) return;
  const Pairs pairs = claim.over_heads ? pairs_over_heads(row, than) : pairs_over_seeds(row, than);
  const SideNames names = side_names(claim, table, column, other);
  Lacks lacks;
  take_lack(row, names.row, lacks);
  take_lack(than, names.than, lacks);
  const std::string lack = lacks_text(lacks);
  if (pairs.samples.a.empty()) {
    result.why = lack.empty() ? pairs.lacks : lack;
    return;
  }
  const double sign = claim_direction(claim, table, column) == "min" ? -1 : 1;
  Comparison comparison = compare(pairs, sign);
  const bool is_judged = pairs.lacks.empty() && may_give_interval(comparison, row.kind);
  const std::optional<Interval> interval = comparison.interval;
  if (!is_judged) comparison.interval.reset();
  result.why = comparison_text(claim, names, comparison);
  if (!pairs.lacks.empty()) {
    result.why += "; " + pairs.lacks;
  } else if (!is_judged) {
    result.why += fmt::format(" for each of {}: without a spread there is no interval", pairs.text);
  } else {
    result.seeds = pairs.seeds;
    result.verdict = judge({comparison.gain, interval->low, interval->high}, -claim.margin);
  }
  if (!lack.empty()) result.why += "; " + lack;
}

/// Of one seed, or of one head of it: the rows' numeric keys and their values.
struct Line {
  std::vector<double> x, y;
};

/// By seed and head; without heads the head is 0.
std::map<std::pair<int64_t, size_t>, Line> lines_of(const ClaimSpec& claim, const Table& table,
                                                    size_t column) {
  std::map<std::pair<int64_t, size_t>, Line> lines;
  for (size_t row = 0; row < table.rows.size(); ++row) {
    const std::optional<double> key = parse_number(table.rows[row].key);
    if (!key) continue;
    const Cell& cell = table.cells[row][column];
    const auto add = [&](int64_t seed, size_t head, double value) {
      Line& line = lines[{seed, head}];
      line.x.push_back(*key);
      line.y.push_back(value);
    };
    if (!claim.over_heads) {
      for (const Sample& sample : cell.samples) add(sample.seed, 0, sample.value);
    }
    for (const auto& [seed, heads] : cell.heads) {
      for (size_t head = 0; claim.over_heads && head < heads.size(); ++head)
        add(seed, head, heads[head]);
    }
  }
  return lines;
}

void judge_trend(const ClaimSpec& claim, const Table& table, size_t column, ClaimResult& result) {
  bool waits = false;
  Lacks lacks;
  for (size_t row = 0; row < table.rows.size(); ++row) {
    const Cell& cell = table.cells[row][column];
    result.incomplete = result.incomplete || cell.incomplete();
    waits = waits || cell.waits();
    take_lack(cell, "'" + table.rows[row].label + "'", lacks);
    if (result.why.empty()) result.why = diverged_text(cell, table.rows[row].label);
  }
  result.unmeasured = result.incomplete && !waits;
  if (!result.why.empty()) return;
  std::vector<double> trends;
  std::set<int64_t> seeds;
  for (const auto& [of, line] : lines_of(claim, table, column)) {
    const std::optional<double> tau =
        line.x.size() < 3 ? std::nullopt : kendall_tau(line.x, line.y);
    if (!tau) continue;
    trends.push_back(*tau);
    seeds.insert(of.first);
  }
  const char* what = claim.over_heads ? "head" : "seed";
  std::optional<Estimate> trend = estimate(trends);
  if (!trend) {
    result.why = fmt::format("needs 2 {}s with 3 rows each; there {} {}", what,
                             trends.size() == 1 ? "is" : "are", trends.size());
    if (!lacks.empty()) result.why += "; " + lacks_text(lacks);
    return;
  }
  trend->low = std::max(trend->low, -1.0);  // no tau lies beyond
  trend->high = std::min(trend->high, 1.0);
  std::string over = counted(trends.size(), what);
  if (claim.over_heads) over += " of " + counted(seeds.size(), "seed");
  const Estimate claimed = claim.kind == "falls" ? -*trend : *trend;
  const char* relation = claimed.mean > 0   ? ", as the claim has it"
                         : claimed.mean < 0 ? ", against the claim"
                                            : "";
  result.why = fmt::format("Kendall's τ {:.3g}{} (95% interval {:.3g} to {:.3g}, {})", trend->mean,
                           relation, trend->low, trend->high, over);
  result.seeds = seeds.size();
  result.verdict = judge(claimed, 0);
}

/// What the paper's numbers say of a pair; empty where it prints none.
std::string paper_text(const ClaimSpec& spec, const Table& table, size_t column) {
  const Comparable compared = comparable(spec, table, Numbers::papers);
  const ClaimSpec& claim = compared.claim;
  const std::optional<double> row = paper_mean(claim, table, claim.row, column),
                              than = paper_mean(claim, table, claim.than,
                                                other_column(claim, table, column));
  if (!row || !than) return "";
  if (!compared.against.empty()) return compared.against;
  const double gain = (claim_direction(claim, table, column) == "min" ? -1 : 1) * (*row - *than);
  const Comparison comparison{.row = *row, .than = *than, .gain = gain};
  return compared.chosen + comparison_text(claim, std::nullopt, comparison);
}

/// What the marks of the compared cells say of the numbers behind the verdict.
std::string remarks_of(const ClaimSpec& claim, const Table& table, size_t column) {
  std::map<MarkKind, std::set<std::string>> texts;
  const auto add = [&](const Cell& cell) {
    for (const Mark& mark : cell.marks) {
      const bool is_told = mark.kind == MarkKind::partial_data ||
                           mark.kind == MarkKind::other_data || mark.kind == MarkKind::inexact ||
                           mark.kind == MarkKind::mixed || mark.kind == MarkKind::imported ||
                           mark.kind == MarkKind::unlike;
      if (!is_told) continue;
      // A mean has the text of one of its cells alone.
      const bool whole = cell.kind != CellKind::mean_of || mark.kind == MarkKind::unlike;
      auto& of_kind = texts[mark.kind];
      if (whole) of_kind.insert(mark.text);
    }
  };
  std::set<size_t> compared;
  for (const std::vector<std::string>* names : {&claim.row, &claim.than}) {
    for (const std::string& name : *names) compared.insert(find_row(claim, table, name));
  }
  for (size_t row = 0; row < table.rows.size(); ++row) {
    if (compared.empty() || compared.contains(row)) add(table.cells[row][column]);
  }
  std::vector<std::string> remarks;
  for (const auto& [kind, of_kind] : texts) {
    const std::string more = joined({of_kind.begin(), of_kind.end()}, ", ");
    remarks.push_back(more.empty() ? to_text(kind) : fmt::format("{}: {}", to_text(kind), more));
  }
  return joined(remarks, "; ");
}

}  // namespace

const char* to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::fails:
      return "fails";
    case Verdict::undecided:
      return "undecided";
  }
  return "";
}

ClaimResult test_claim(const ClaimSpec& claim, const Table& table) {
  ClaimResult result{
      .name = claim.name, .says = claim.says, .source = claim.source, .table = claim.table};
  result.wanted_seeds = static_cast<size_t>(table.wanted_seeds);
  const size_t column = tested_column(claim, table);
  const bool pair = claim.kind == "better" || claim.kind == "not_worse";
  if (pair && claim_direction(claim, table, column).empty()) {
    refuse(claim,
           fmt::format("column '{}' of table {} has no direction, so nothing in it is better; give "
                       "the claim one",
                       table.columns[column].label, table.name));
  }
  const Comparable compared = comparable(claim, table, Numbers::ours);
  if (pair)
    judge_pair(compared, table, column, result);
  else
    judge_trend(claim, table, column, result);
  if (result.incomplete) {
    result.verdict = Verdict::undecided;
    result.why += result.unmeasured ? "" : "; trials are missing";
  }
  result.why = compared.chosen + result.why;
  if (claim.columns.size() > 1) result.why = table.columns[column].label + ": " + result.why;
  if (pair) result.paper = paper_text(claim, table, column);
  result.remarks = remarks_of(compared.claim, table, column);
  return result;
}

ClaimResult untested_claim(const ClaimSpec& claim, const std::string& message) {
  const std::string first_line = message.substr(0, message.find('\n'));
  return {.name = claim.name,
          .says = claim.says,
          .source = claim.source,
          .table = claim.table,
          .why = fmt::format("table {} cannot be made: {}", claim.table, first_line),
          .no_table = message};
}

}  // namespace rethink
