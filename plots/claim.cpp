#include "plots/claim.h"

#include <fmt/format.h>

#include <algorithm>

#include "plots/compare.h"
#include "results/statistics.h"

namespace rethink {
namespace {

ClaimSpec read_claim(const Yaml& given, Problems& problems) {
  SpecReader reader(given, "claim", problems);
  ClaimSpec claim;
  claim.at = given.where;
  claim.name = reader.required_text("claim");
  claim.says = reader.required_text("says");
  claim.source = reader.text("source");
  claim.table = reader.required_text("table");
  claim.column = reader.text("column");
  claim.kind = reader.choice("test", {"better", "not_worse", "rises", "falls"}, "");
  reader.require("test");
  const bool pair = claim.kind == "better" || claim.kind == "not_worse";
  if (pair) {
    claim.row = reader.required_text("row");
    claim.than_column = reader.text("than_column");
    claim.than =
        claim.than_column.empty() ? reader.required_text("than") : reader.text("than", claim.row);
    claim.not_below = reader.text("not_below");
  }
  if (claim.kind.empty()) {
    for (const char* key : {"row", "than", "margin", "not_below", "than_column"})
      reader.take(key);  // of some tests
  }
  if (claim.kind == "not_worse") {
    const size_t before = problems.size();
    const std::optional<double> margin = reader.number("margin");
    if (problems.size() == before && margin.value_or(0) <= 0)
      problems.add(given.where, "not_worse needs a margin above 0, in the table's units");
    claim.margin = margin.value_or(0);
  }
  reader.finish();
  return claim;
}

std::vector<std::string> labels_of(const std::vector<TableLine>& lines) {
  std::vector<std::string> labels;
  for (const TableLine& line : lines) labels.push_back(line.label);
  return labels;
}

[[noreturn]] void refuse(const ClaimSpec& claim, const std::string& text) {
  Problems().refuse(claim.at, text);
}

size_t find_row(const ClaimSpec& claim, const Table& table, const std::string& name) {
  if (const std::optional<size_t> found = find_line(table.rows, name)) return *found;
  refuse(claim, fmt::format("table {} has no row '{}'{}", table.name, name,
                            did_you_mean(name, labels_of(table.rows))));
}

size_t find_column(const ClaimSpec& claim, const Table& table, const std::string& name) {
  if (name.empty() && table.columns.size() == 1) return 0;
  std::vector<std::string> labels;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].label == name) return i;
    labels.push_back(table.columns[i].label);
  }
  refuse(claim, fmt::format("table {} has no column '{}'{}; it has: {}", table.name, name,
                            did_you_mean(name, labels), joined(labels)));
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

std::string interval_text(const Estimate& estimate, size_t n) {
  return fmt::format("{:.4g}, 95% interval {:.4g} to {:.4g}, {} seeds", estimate.mean, estimate.low,
                     estimate.high, n);
}

Verdict judge(const Estimate& estimate, double bar) {
  if (estimate.low > bar) return Verdict::holds;
  return estimate.high < bar ? Verdict::fails : Verdict::undecided;
}

/// "2 of 6 seeds of Star diverged"; empty when none did.
std::string diverged_text(const Table& table, size_t row, size_t column) {
  const Cell& cell = table.cells[row][column];
  if (cell.diverged.empty()) return "";
  return fmt::format("{} of {} seeds of {} diverged", cell.diverged.size(), cell.planned,
                     table.rows[row].label);
}

/// Why rows may not be compared under not_below; empty: they may.
std::string below_text(const ClaimSpec& claim, const Table& table, size_t row, size_t than) {
  if (claim.not_below.empty()) return "";
  const size_t column = find_column(claim, table, claim.not_below);
  const std::string& name = table.columns[column].label;
  const std::optional<double>& ours = table.cells[row][column].value;
  const std::optional<double>& theirs = table.cells[than][column].value;
  if (!ours || !theirs) return fmt::format("{} of both rows is not known", name);
  if (*ours >= *theirs) return "";
  return fmt::format("not comparable: {} {:.4g} of {} is below {:.4g} of {}", name, *ours,
                     table.rows[row].label, *theirs, table.rows[than].label);
}

void judge_pair(const ClaimSpec& claim, const Table& table, size_t column, ClaimResult& result) {
  const size_t first = find_row(claim, table, claim.row),
               second = find_row(claim, table, claim.than);
  const Cell& row = table.cells[first][column];
  const size_t other =
      claim.than_column.empty() ? column : find_column(claim, table, claim.than_column);
  const Cell& than = table.cells[second][other];
  result.incomplete = row.incomplete() || than.incomplete();
  for (const auto& [place, of] : {std::pair{first, column}, {second, other}}) {
    const std::string text = diverged_text(table, place, of);
    if (!text.empty()) result.why += (result.why.empty() ? "" : ", ") + text;
  }
  if (result.why.empty()) result.why = below_text(claim, table, first, second);
  if (!result.why.empty()) return;
  const PairedSamples pairs = pair_samples(row, than);
  // Positive: better.
  const double sign = table.columns[column].direction == "min" ? -1 : 1;
  std::vector<double> gains;
  for (size_t i = 0; i < pairs.a.size(); ++i) gains.push_back(sign * (pairs.a[i] - pairs.b[i]));
  const std::optional<Estimate> gain = estimate(gains);
  if (!gain) {
    result.why = fmt::format("needs 2 seeds that both rows have; there {} {}",
                             gains.size() == 1 ? "is" : "are", gains.size());
    return;
  }
  const bool better = gain->mean >= 0;
  result.why =
      (better ? "better by " : "worse by ") + interval_text(better ? *gain : -*gain, gains.size());
  if (claim.kind == "not_worse") result.why += fmt::format(", margin {:.4g}", claim.margin);
  result.verdict = judge(*gain, -claim.margin);
}

/// Kendall's tau of one seed over the rows that have it.
std::optional<double> trend_of_seed(const Table& table, size_t column, int64_t seed) {
  std::vector<double> x, y;
  for (size_t row = 0; row < table.rows.size(); ++row) {
    const std::optional<double> key = parse_number(table.rows[row].key);
    for (const Sample& sample : table.cells[row][column].samples) {
      if (!key || sample.seed != seed) continue;
      x.push_back(*key);
      y.push_back(sample.value);
    }
  }
  return x.size() < 3 ? std::nullopt : kendall_tau(x, y);
}

void judge_trend(const ClaimSpec& claim, const Table& table, size_t column, ClaimResult& result) {
  std::vector<int64_t> seeds;
  for (size_t row = 0; row < table.rows.size(); ++row) {
    const Cell& cell = table.cells[row][column];
    result.incomplete = result.incomplete || cell.incomplete();
    if (result.why.empty()) result.why = diverged_text(table, row, column);
    for (const Sample& sample : cell.samples) {
      if (std::find(seeds.begin(), seeds.end(), sample.seed) == seeds.end())
        seeds.push_back(sample.seed);
    }
  }
  if (!result.why.empty()) return;
  std::vector<double> trends;
  for (const int64_t seed : seeds) {
    const std::optional<double> tau = trend_of_seed(table, column, seed);
    if (tau) trends.push_back(*tau);
  }
  std::optional<Estimate> trend = estimate(trends);
  if (!trend) {
    result.why = fmt::format("needs 2 seeds with 3 rows each; there {} {}",
                             trends.size() == 1 ? "is" : "are", trends.size());
    return;
  }
  trend->low = std::max(trend->low, -1.0);  // no tau lies beyond
  trend->high = std::min(trend->high, 1.0);
  result.why = "Kendall's τ " + interval_text(*trend, trends.size());
  result.verdict = judge(claim.kind == "falls" ? -*trend : *trend, 0);
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

ClaimsSpec read_claims_spec(const std::filesystem::path& file) {
  Problems problems;
  const Yaml document = read_yaml(file, problems);
  SpecReader reader(document, "file of claims", problems);
  ClaimsSpec spec;
  spec.file = file;
  spec.name = reader.required_text("claims");
  const Yaml* list = reader.take("list");
  if (list && !list->is_list()) problems.add(list->where, "list: expected a list of claims");
  reader.require("list");
  if (list) {
    for (const Yaml& item : list->items) spec.claims.push_back(read_claim(item, problems));
  }
  reader.finish();
  problems.throw_if_any();
  return spec;
}

ClaimResult test_claim(const ClaimSpec& claim, const Table& table) {
  ClaimResult result{claim.name,         claim.says, claim.source, claim.table,
                     Verdict::undecided, "",         false,        ""};
  result.run_with = fmt::format("rethink table {} --run{}", claim.table, table.again.choices);
  const size_t column = find_column(claim, table, claim.column);
  if (table.columns[column].direction.empty()) {
    refuse(claim,
           fmt::format("column '{}' of table {} has no direction, so nothing in it is better",
                       table.columns[column].label, table.name));
  }
  const bool pair = claim.kind == "better" || claim.kind == "not_worse";
  (pair ? judge_pair : judge_trend)(claim, table, column, result);
  if (result.incomplete) {
    result.verdict = Verdict::undecided;
    result.why += "; trials are missing";
  }
  return result;
}

}  // namespace rethink
