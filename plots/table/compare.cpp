#include "plots/table/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "plots/table/table_spec.h"
#include "plots/text_format.h"
#include "results/statistics/statistics.h"

namespace rethink {
namespace {

std::vector<double> sample_values(const Cell& cell) {
  std::vector<double> values;
  for (const Sample& sample : cell.samples) values.push_back(sample.value);
  return values;
}

/// What the test compares.
PairedSamples samples_for(const SeedTest& test, const Cell& cell, const Cell& baseline) {
  return test.is_paired ? pair_samples(cell, baseline)
                        : PairedSamples{sample_values(cell), sample_values(baseline)};
}

/// Fills p and unvaried; no p when there are too few samples, or what is compared does not vary.
void test_over_seeds(const SeedTest& test, const Cell& cell, const Cell& baseline,
                     CellTest& result) {
  const PairedSamples samples = samples_for(test, cell, baseline);
  if (samples.a.size() < 2 || samples.b.size() < 2) return;
  result.p = test.p(samples.a, samples.b);
  result.unvaried = !result.p;
}

constexpr int64_t kPaperDecimals = 12;  // more than any paper prints

/// Whether not all values are the same number where so many decimals are shown.
bool differ(const std::vector<double>& values, int64_t decimals) {
  return std::ranges::any_of(values, [&](double value) {
    return fixed(value, decimals) != fixed(values.front(), decimals);
  });
}

/// Marks the best of the cells that have a number by `number`; none when these do not differ.
void mark_best(Table& table, size_t column, int64_t decimals,
               const std::function<std::optional<double>(const Cell&)>& number, bool Cell::*flag) {
  std::vector<double> values;
  for (const std::vector<Cell>& row : table.cells) {
    if (const std::optional<double> value = number(row[column])) values.push_back(*value);
  }
  if (!differ(values, decimals)) return;
  const auto [least, greatest] = std::ranges::minmax(values);
  const double best = table.columns[column].direction == "min" ? least : greatest;
  for (std::vector<Cell>& row : table.cells) row[column].*flag = number(row[column]) == best;
}

/// None for a mean of survivors: it says too much good of its row.
std::optional<double> comparable_value(const Cell& cell) {
  return cell.of_survivors() ? std::nullopt : cell.value;
}

std::optional<double> paper_of(const Cell& cell) {
  return cell.paper ? std::optional(cell.paper->value) : std::nullopt;
}

constexpr const char* kCandidates = "candidates";

/// What arms should have in common, of each trial of a cell that says it. One that diverged gives
/// no value, and ended before the others.
std::set<std::string> common_facts(const Cell& cell, const TrialRecords& records,
                                   const std::string& what) {
  std::set<std::string> facts;
  if (what == kCandidates) {
    for (const size_t count : cell.candidates) facts.insert(fmt::format("{}", count));
  }
  for (const std::string& trial : cell.trials) {
    const TrialRecord* record = find_record(records, trial);
    if (!record || record->state == TrialState::diverged) continue;
    const auto value = record->measurements.find(what);
    if (what == "device" && !record->device.empty()) facts.insert(record->device);
    if (value != record->measurements.end()) facts.insert(fmt::format("{:.0f}", value->second));
  }
  return facts;
}

/// Whether other rows are compared with this one.
bool is_baseline(const Table& table, size_t row) {
  return std::ranges::any_of(
      table.rows, [&](const TableRow& other) { return other.baseline == table.rows[row].label; });
}

/// Trials that have yet to run may add what the other cell has; they take nothing away.
bool are_unlike(const Cell& a, const std::set<std::string>& of_a, const Cell& b,
                const std::set<std::string>& of_b) {
  if (of_a.empty() || of_b.empty() || of_a == of_b) return false;
  std::vector<std::string> both;
  std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                        std::back_inserter(both));
  if (both.empty()) return true;
  return (both.size() < of_a.size() && !b.waits()) || (both.size() < of_b.size() && !a.waits());
}

}  // namespace

std::vector<double> PairedSamples::gains(double sign) const {
  std::vector<double> all(a.size());
  std::ranges::transform(a, b, all.begin(), [&](double x, double y) { return sign * (x - y); });
  return all;
}

PairedSamples pair_samples(const Cell& a, const Cell& b) {
  PairedSamples pairs;
  for (const Sample& x : a.samples) {
    for (const Sample& y : b.samples) {
      if (x.seed != y.seed) continue;
      pairs.a.push_back(x.value);
      pairs.b.push_back(y.value);
    }
  }
  return pairs;
}

PairedSamples pair_samples(const Cell& a, const Cell& b, const std::vector<int64_t>& seeds) {
  const auto some_of = [&](const Cell& cell) {
    Cell some;
    std::ranges::copy_if(cell.samples, std::back_inserter(some.samples), [&](const Sample& sample) {
      return std::ranges::count(seeds, sample.seed) > 0;
    });
    return some;
  };
  return pair_samples(some_of(a), some_of(b));
}

void compare_with_baseline(Table& table) {
  for (size_t row = 0; row < table.rows.size(); ++row) {
    for (size_t column = 0; column < table.columns.size(); ++column) {
      Cell& cell = table.cells[row][column];
      if (cell.value && cell.paper) cell.difference = *cell.value - cell.paper->value;
      const std::optional<size_t> reference = table.baseline_of(row);
      if (!reference) continue;
      const Cell& baseline = table.cells[*reference][column];
      if (cell.value && baseline.value) {
        const PairedSamples pairs = pair_samples(cell, baseline);
        cell.delta =
            pairs.a.empty() ? *cell.value - *baseline.value : mean(pairs.a) - mean(pairs.b);
      }
      if (cell.paper && baseline.paper)
        cell.paper_delta = cell.paper->value - baseline.paper->value;
    }
  }
}

void test_against_baseline(Table& table) {
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
        if (table.columns[column].direction.empty() || cell.of_survivors() ||
            baseline.of_survivors())
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

void rank_rows(Table& table) {
  for (size_t column = 0; column < table.columns.size(); ++column) {
    TableColumn& line = table.columns[column];
    if (line.direction.empty()) continue;
    mark_best(table, column, line.decimals, comparable_value, &Cell::best);
    mark_best(table, column, kPaperDecimals, paper_of, &Cell::paper_best);
    std::vector<double> ours, theirs;
    for (const std::vector<Cell>& row : table.cells) {
      if (!comparable_value(row[column]) || !row[column].paper) continue;
      if (row[column].has(MarkKind::constant)) {
        ++line.kendall_left_out;
        continue;
      }
      ours.push_back(*row[column].value);
      theirs.push_back(row[column].paper->value);
    }
    line.kendall_rows = ours.size();
    const bool have_order = differ(ours, line.decimals) && differ(theirs, kPaperDecimals);
    if (ours.size() > 2 && have_order) line.kendall = kendall_tau(ours, theirs);
  }
}

namespace {

/// Names of what differs between the environments of the cells' trials; not what differs within the
/// first, whose own mark says so. Another device says it all, and has a remark of its own.
std::vector<std::string> other_environment(const Cell& cell, const Cell& reference) {
  SeenEnvironments both = cell.environments;
  both.add(reference.environments);
  std::vector<std::string> names = both.mixed();
  if (std::ranges::count(names, "device") > 0) return {};
  const std::vector<std::string> own = cell.environments.mixed();
  std::erase_if(names, [&](const std::string& name) { return std::ranges::count(own, name) > 0; });
  return names;
}

}  // namespace

void mark_unlike_arms(Table& table, const TableSpec& spec, const TrialRecords& records) {
  std::vector<std::pair<const char*, std::string>> common = {{kCandidates, "candidates"},
                                                             {measured::kParameters, "parameters"},
                                                             {measured::kTokens, "training tokens"},
                                                             {"device", "device"}};
  std::erase_if(common, [&](const auto& one) {
    return std::find(spec.differ.begin(), spec.differ.end(), one.second) != spec.differ.end();
  });
  for (std::vector<Cell>& row : table.cells) {
    for (Cell& cell : row) {
      for (const auto& [what, name] : common)
        cell.arm_facts.emplace_back(name, common_facts(cell, records, what));
    }
  }
  for (size_t column = 0; column < table.columns.size(); ++column) {
    for (size_t row = 0; row < table.rows.size(); ++row) {
      Cell& cell = table.cells[row][column];
      const size_t reference = table.baseline_of(row).value_or(is_baseline(table, row) ? row : 0);
      if (row == reference) continue;
      for (const std::string& text :
           unlike_texts(cell, table.cells[reference][column], table.rows[reference].label))
        cell.marks.push_back({MarkKind::unlike, text});
    }
  }
}

std::vector<std::string> unlike_texts(const Cell& cell, const Cell& other,
                                      const std::string& name) {
  std::vector<std::string> texts;
  if (cell.kind != CellKind::metric || other.kind != CellKind::metric) return texts;
  for (size_t i = 0; i < std::min(cell.arm_facts.size(), other.arm_facts.size()); ++i) {
    const auto& [what, ours] = cell.arm_facts[i];
    const std::set<std::string>& theirs = other.arm_facts[i].second;
    if (!are_unlike(cell, ours, other, theirs)) continue;
    texts.push_back(fmt::format("{}: {} against {} of {}", what,
                                joined({ours.begin(), ours.end()}, " and "),
                                joined({theirs.begin(), theirs.end()}, " and "), name));
  }
  const std::vector<std::string> others = other_environment(cell, other);
  if (!others.empty())
    texts.push_back(
        fmt::format("ran with another {} than '{}'", joined(others, " and another "), name));
  return texts;
}

}  // namespace rethink
