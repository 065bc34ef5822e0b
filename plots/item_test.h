// A paired bootstrap over the items of a test split (Efron and Tibshirani, 1993; Koehn, 2004): how
// sure the difference of two rows is on other test items, the trained models being what they are.
// It says nothing about other seeds.
#pragma once

#include <string>
#include <vector>

#include "plots/table.h"
#include "results/item_losses.h"

namespace rethink {

constexpr int kItemResamples = 2000;

/// The metric on all items, and on each of kItemResamples resamples. Equal numbers of items get
/// equal resamples, so that values of several trials pair. Items without a predicted token count
/// for nothing.
struct ResampledMetric {
  double on_all = 0;
  std::vector<double> resampled;
};
ResampledMetric resample_items(const ItemLosses& items, const ItemMetric& metric);
double metric_on_all(const ItemLosses& items, const ItemMetric& metric);

/// Fills delta_interval and p (not corrected) of every metric cell that can be compared with the
/// baseline's row: the difference is averaged over the seeds that both have. `score` is of each
/// trial the metric whose value it has. What cannot be compared is marked and says why.
void bootstrap_against_baseline(Table& table, const TrialRecords& records,
                                const ItemMetrics& metrics);

}  // namespace rethink
