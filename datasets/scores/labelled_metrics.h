// The official metrics of labelled data sets, by the names that data sets, sweeps and `score` use,
// and the functions behind them: of classes as
// scikit-learn's metrics of the same names, of numbers as SciPy's pearsonr and spearmanr.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rethink {

// How well classes were predicted. Classes are whole numbers from 0.

/// Share of the predictions that are right, 0 to 1; nan when there is none.
double accuracy(std::span<const int64_t> predicted, std::span<const int64_t> truth);

/// F1 of class 1: harmonic mean of its precision and recall, 0 to 1; 0 when it is neither predicted
/// nor there.
double f1_of_class_1(std::span<const int64_t> predicted, std::span<const int64_t> truth);

/// Matthews' correlation coefficient, -1 to 1, of any number of classes (Gorodkin's); 0 when the
/// predictions or the truth are all of one class.
double matthews_correlation(std::span<const int64_t> predicted, std::span<const int64_t> truth);

// How well numbers were predicted up to scale (Pearson) and up to order (Spearman).

/// -1 to 1; nan when either side is constant, holds a nan, or there are less than two pairs.
double pearson_correlation(std::span<const double> predicted, std::span<const double> truth);

/// Pearson's of the ranks; equal values share the mean of theirs. Likewise nan.
double spearman_correlation(std::span<const double> predicted, std::span<const double> truth);

/// Whether all values are equal, so that no correlation with them is defined; a nan equals none.
/// Requires: at least one.
bool is_constant(std::span<const double> values);

/// Ranks from 1; equal values share the mean of theirs.
std::vector<double> average_ranks(std::span<const double> values);

// The metrics by name.

/// A metric of predicted against true labels (LabelledExample::label: class numbers or scores). All
/// are fractions of which larger is better and 1 is the greatest.
struct LabelledMetric {
  std::string name, summary;
  /// nan where it is not defined, but 0 for a correlation of predictions that are all equal. Requires:
  /// sizes are equal.
  double (*value)(std::span<const double> predicted, std::span<const double> truth);
  double least = 0;
  /// A share of right predictions: of guesses it is one of the number of classes, where what is no such
  /// share is 0.
  bool is_share = false;
  /// What it is worth, in words, where the predictions or the truth have the class `label` alone,
  /// whatever the other side has; "": that depends. Null: it always does.
  std::string (*of_one_class)(double label) = nullptr;
};

/// Every such metric: the one place that a metric of labels is added to.
const std::vector<LabelledMetric>& labelled_metrics();

/// Requires: the name is known.
const LabelledMetric& find_labelled_metric(const std::string& name);

/// find_labelled_metric(name).value(predicted, truth)
double labelled_metric(const std::string& name, std::span<const double> predicted,
                       std::span<const double> truth);

}  // namespace rethink
