// What cells say of each other: differences to the baseline's row, tests, best cells, agreement of
// orders, arms that are unlike. Used by make_table only.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "plots/table/table.h"
#include "results/statistics/statistics.h"

namespace rethink {

/// Fills difference, delta and paper_delta.
void compare_with_baseline(Table& table);

/// Fills what each of the table's tests says of every cell against its baseline's row: seeds pair across
/// arms; each test is corrected over all comparisons of the table.
void test_against_baseline(Table& table);

/// Fills best, paper_best and kendall of every column that has a direction.
void rank_rows(Table& table);

/// Fills arm_facts: parameters, tokens seen, device and candidates, less what `spec` says arms are meant to differ in;
/// and marks cells that differ from their baseline's (or the column's first row's).
void mark_unlike_arms(Table& table, const TableSpec& spec, const TrialRecords& records);

/// What these two differ in, in words: "parameters: 1010 against 1000 of dense". `name`: the other's. Nothing of cells
/// of no metric.
std::vector<std::string> unlike_texts(const Cell& cell, const Cell& other, const std::string& name);

/// Values of two cells for the seeds that both have.
struct PairedSamples {
  std::vector<double> a, b;

  /// `sign` times a - b, pair by pair: with -1 positive where less is better.
  std::vector<double> gains(double sign) const;
  /// The magnitude of the numbers.
  double size() const { return std::max(largest(a), largest(b)); }
};
PairedSamples pair_samples(const Cell& a, const Cell& b);
/// The same of those of `seeds`.
PairedSamples pair_samples(const Cell& a, const Cell& b, const std::vector<int64_t>& seeds);

}  // namespace rethink
