// How well classes were predicted, as scikit-learn's metrics of the same names count it. Classes
// are whole numbers from 0.
#pragma once

#include <cstdint>
#include <span>

namespace rethink {

/// Share of the predictions that are right, 0 to 1; nan when there is none.
double accuracy(std::span<const int64_t> predicted, std::span<const int64_t> truth);

/// F1 of class 1: harmonic mean of its precision and recall, 0 to 1; 0 when it is neither predicted
/// nor there.
double f1_of_class_1(std::span<const int64_t> predicted, std::span<const int64_t> truth);

/// Matthews' correlation coefficient, -1 to 1, of any number of classes (Gorodkin's); 0 when the
/// predictions or the truth are all of one class.
double matthews_correlation(std::span<const int64_t> predicted, std::span<const int64_t> truth);

}  // namespace rethink
