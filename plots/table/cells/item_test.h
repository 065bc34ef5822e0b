// A paired bootstrap over the items of a test split (Efron and Tibshirani, 1993; Koehn, 2004): how
// sure the difference of two rows is on other test items, for these trained models. It says nothing
// about other seeds.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plots/table/cells/compared_table.h"
#include "plots/table/cells/item_metric.h"

namespace rethink {

/// Of a cell of a metric, or of a mean of such, against its baseline's: the difference is averaged over the seeds that
/// both have.
struct ItemTest {
  size_t row = 0, column = 0;
  std::optional<Interval> interval = {};  // of the difference, 95%
  std::optional<double> p = {};           // not corrected
  std::string problem =
      {};  // why both cannot be compared: a text that all cells of one cause share
};
struct ItemTests {
  size_t resamples = 0;
  std::vector<ItemTest> tests;
};

/// Of every cell that has a number beside its baseline's, as `test` wants it. `score` is of each trial the metric whose
/// value it has. The parts of a mean are resampled each for itself, but those of one split of the same trials together.
ItemTests item_tests(const ComparedTable& table, const TestSpec& test, const TrialRecords& records,
                     const ItemMetrics& metrics);

/// The same between rows that a claim names.
class ItemGains {
 public:
  /// All three are referred to. `resamples`: as of resamples_for.
  ItemGains(const ComparedTable& table, const TrialRecords& records, const ItemMetrics& metrics,
            size_t resamples);
  ~ItemGains();

  /// Whether the column is a score of a task, which follows from labels, answers or counts of items, or
  /// a mean with such a score.
  bool is_of_tasks(size_t column) const;

  struct Gain {
    Resampled resamples;  // rising
    std::string problem;  // why there are none
  };
  /// The mean of `rows` less the mean of `than`, averaged over `seeds`, times `sign`, as the table shows it,
  /// of each resample.
  Gain gain(const std::vector<size_t>& rows, const std::vector<size_t>& than, size_t column,
            const std::vector<int64_t>& seeds, double sign);

  struct Paired {
    std::vector<std::vector<Resampled>> of_seeds;  // [seed][row]
    std::string problem;                           // why there are none
  };
  /// How much more than the first of `rows` each of them has, as the table shows it, of each resample: the same
  /// resamples of all rows and seeds.
  Paired beyond_first(const std::vector<size_t>& rows, size_t column,
                      const std::vector<int64_t>& seeds);

  struct ConstantScore {
    std::optional<double> value = {};
    std::string problem = {};  // a score of a task, but why it is not known
  };
  /// The best score that one answer for all items has, as the table shows it: 0 where it is not defined,
  /// as a correlation; none where the column is no score of labels.
  ConstantScore constant_score(size_t row, size_t column) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether some column has a metric that follows from items, and a direction to test.
bool has_item_metric(const TableLines& table, const ItemMetrics& metrics);

}  // namespace rethink
