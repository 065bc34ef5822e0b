// The official metrics of labelled data sets, by the names that data sets, sweeps and `score` use:
// accuracy, f1, mcc, pearson, spearman.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

namespace rethink {

/// Names of the metrics there are.
std::vector<std::string> labelled_metric_names();

/// One metric of predicted against true labels (LabelledExample::label: class numbers or scores).
/// All are fractions, larger is better; nan where it is not defined, but 0 for a correlation of
/// predictions that are all equal. Requires: sizes are equal, and the name is known.
double labelled_metric(const std::string& name, std::span<const double> predicted,
                       std::span<const double> truth);

/// The least value that a metric can have: -1 of correlations, 0 of any other. The greatest is 1.
/// Requires: the name is known.
double least_of_labelled_metric(const std::string& name);

}  // namespace rethink
