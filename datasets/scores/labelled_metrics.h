// The official metrics of labelled data sets, by the names that data sets, sweeps and `score` use,
// and their functions: for classes as in scikit-learn's metrics of the same names, for numbers as
// in SciPy's pearsonr and spearmanr.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rethink {

// How well classes were predicted. Classes are whole numbers from 0.

/// Returns the share of right predictions, 0 to 1; NaN without predictions.
double accuracy(std::span<const int64_t> predicted, std::span<const int64_t> truth);

/// Returns the F1 of class 1, the harmonic mean of its precision and recall, 0 to 1; 0 if the class
/// is neither predicted nor present.
double f1_of_class_1(std::span<const int64_t> predicted, std::span<const int64_t> truth);

/// Returns Matthews' correlation coefficient, -1 to 1, for any number of classes (Gorodkin's); 0 if
/// the predictions or the truth have only one class.
double matthews_correlation(std::span<const int64_t> predicted, std::span<const int64_t> truth);

// How well numbers were predicted up to scale (Pearson) and up to order (Spearman).

/// Returns Pearson's correlation, -1 to 1; NaN if either side is constant or has a NaN, and for
/// fewer than two pairs.
double pearson_correlation(std::span<const double> predicted, std::span<const double> truth);

/// Returns Pearson's correlation of the ranks; equal values share their mean rank. NaN in the same
/// cases.
double spearman_correlation(std::span<const double> predicted, std::span<const double> truth);

/// Returns whether all values are equal, so that no correlation is defined. A NaN equals no value.
/// Requires: at least one value.
bool is_constant(std::span<const double> values);

/// Ranks from 1; equal values share the mean of theirs.
std::vector<double> average_ranks(std::span<const double> values);

// The metrics by name.

/// A metric of predicted and true labels (LabelledExample::label: class numbers or scores). All are
/// fractions with best value 1; larger is better.
struct LabelledMetric {
  std::string name, summary;
  /// Returns the metric; NaN if it is not defined, but 0 for a correlation of constant predictions.
  /// Requires: equal sizes.
  double (*value)(std::span<const double> predicted, std::span<const double> truth);
  double least = 0;
  /// Whether the metric is a share of right predictions. Random guesses then reach 1 / (number of
  /// classes), and 0 otherwise.
  bool is_share = false;
  /// Returns the metric's value, in words, if the predictions or the truth have only the class `label`, whatever the
  /// other side has; "" if the value depends on the other side. Null: it always depends on it.
  std::string (*of_one_class)(double label) = nullptr;
};

/// Returns all such metrics. A new metric of labels is added only here.
const std::vector<LabelledMetric>& labelled_metrics();

/// Requires: the name is known.
const LabelledMetric& find_labelled_metric(const std::string& name);

/// find_labelled_metric(name).value(predicted, truth)
double labelled_metric(const std::string& name, std::span<const double> predicted,
                       std::span<const double> truth);

}  // namespace rethink
