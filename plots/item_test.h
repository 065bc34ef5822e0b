// A paired bootstrap over the items of a test split (Efron and Tibshirani, 1993; Koehn, 2004): how
// sure the difference of two rows is on other test items, the trained models being what they are.
// It says nothing about other seeds.
#pragma once

#include "plots/item_metric.h"
#include "plots/table.h"

namespace rethink {

/// Fills delta_interval and p (not corrected) of every cell of a metric that can be compared with
/// the baseline's row, and of a mean of such: the difference is averaged over the seeds that both
/// have. `score` is of each trial the metric whose value it has. The parts of a mean are resampled
/// each for itself, but those of one split of the same trials together. What cannot be compared is
/// marked and says why, by a text that all cells of one cause share.
void bootstrap_against_baseline(Table& table, const TrialRecords& records,
                                const ItemMetrics& metrics);

/// Whether some column has a metric that follows from items, and a direction to test.
bool has_item_metric(const Table& table, const ItemMetrics& metrics);

}  // namespace rethink
