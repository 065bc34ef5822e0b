// A paired bootstrap over the items of a test split (Efron and Tibshirani, 1993; Koehn, 2004): how
// certain the difference of two rows is on other test items, for these trained models. It says
// nothing about other seeds.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plots/table/cells/compared_table.h"
#include "plots/table/cells/item_metric.h"

namespace rethink {

/// The test of a metric's cell, or of a mean of such cells, against its baseline: the difference is
/// averaged over the seeds that both have.
struct ItemTest {
  size_t row = 0, column = 0;
  std::optional<Interval> interval = {};  // of the difference, 95%
  std::optional<double> p = {};           // not corrected
  std::string problem =
      {};  // why both cannot be compared: one text for all cells with the same cause
};
struct ItemTests {
  size_t resamples = 0;
  std::vector<ItemTest> tests;
};

/// Tests every cell that has a number beside its baseline's, by `test`. `score` is the metric of each trial whose value
/// the cell has. The parts of a mean are resampled separately, but parts of one split of the same trials together.
ItemTests item_tests(const ComparedTable& table, const TestSpec& test, const TrialRecords& records,
                     const ItemMetrics& metrics);

/// The same test between rows that a claim names.
class ItemGains {
 public:
  /// The object keeps references to the first three. `resamples` is a result of resamples_for.
  ItemGains(const ComparedTable& table, const TrialRecords& records, const ItemMetrics& metrics,
            size_t resamples);
  ~ItemGains();

  /// Returns whether the column is a score of a task, which follows from labels, answers or counts
  /// of items, or a mean with such a score.
  bool is_task_score(size_t column) const;

  struct Gain {
    Resampled resamples;  // in rising order
    std::string problem;  // why there are none
  };
  /// Returns, for each resample, the mean of `rows` minus the mean of `than`, averaged over
  /// `seeds`, times `sign`, as the table shows it.
  Gain gain(const std::vector<size_t>& rows, const std::vector<size_t>& than, size_t column,
            const std::vector<int64_t>& seeds, double sign);

  struct Paired {
    std::vector<std::vector<Resampled>> of_seeds;  // [seed][row]
    std::string problem;                           // why there are none
  };
  /// Returns, for each resample, how much more each of `rows` has than the first, as the table
  /// shows it. All rows and seeds have the same resamples.
  Paired beyond_first(const std::vector<size_t>& rows, size_t column,
                      const std::vector<int64_t>& seeds);

  struct ConstantScore {
    std::optional<double> value = {};
    std::string problem = {};  // why the score of a task is unknown
  };
  /// Returns the best score of one constant answer for all items, as the table shows it: 0 if it is
  /// not defined, as for a correlation; nothing if the column is not a score of labels.
  ConstantScore constant_score(size_t row, size_t column) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Returns whether a column has a metric that follows from items, and a direction to test.
bool has_item_metric(const TableLines& table, const ItemMetrics& metrics);

}  // namespace rethink
