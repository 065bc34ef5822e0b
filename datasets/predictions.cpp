#include "datasets/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "datasets/delimited.h"
#include "datasets/labelled_table.h"

namespace rethink {
namespace {

constexpr double kLargestScore = 5;  // of STS-B, GLUE's only task with scores

struct Prediction {
  std::string index;
  double value;
  Position where;
};

std::string expected(const LabelledTask& task) {
  if (task.choices > 1) return fmt::format("a number from 0 to {}", task.choices - 1);
  return task.is_score() ? "a number" : "one of " + joined(task.labels);
}

/// The class that has this number.
std::optional<double> numbered_class(std::string_view text, const LabelledTask& task) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_class =
      error == std::errc() && end == text.data() + text.size() && number < task.labels.size();
  if (is_class) return static_cast<double>(number);
  return {};
}

class PredictionReader {
 public:
  PredictionReader(const std::filesystem::path& file, std::span<const LabelledExample> examples,
                   const LabelledTask& task)
      : rows_(file, '\t', Quoting::none), file_(file.string()), examples_(examples), task_(task) {}

  Predictions read() {
    while (rows_.next() && problems_.size() < Problems::kShown) read_row();
    problems_.throw_if_any();
    if (predictions_.size() != examples_.size()) {
      throw ConfigError(fmt::format("{}: got {} predictions, expected {}: one for each example",
                                    file_, predictions_.size(), examples_.size()));
    }
    for (size_t i = 0; i < examples_.size(); ++i) places_[examples_[i].index] = i;
    std::vector<double> values(examples_.size());
    if (!has_indices_ || counts_examples()) {
      std::transform(predictions_.begin(), predictions_.end(), values.begin(),
                     [](const Prediction& one) { return one.value; });
    } else {
      place_by_index(values);
      problems_.throw_if_any();
    }
    return {std::move(values), has_numbers_};
  }

 private:
  void read_row() {
    const auto& fields = rows_.fields();
    if (predictions_.empty() && !has_indices_ && fields.size() == 2 && fields[0] == "index") {
      has_indices_ = true;
      return;
    }
    const size_t columns = has_indices_ ? 2 : 1;
    if (fields.size() != columns) {
      problems_.add(rows_.where(),
                    fmt::format("got {} columns, expected {}", fields.size(),
                                has_indices_ ? "an index and a prediction" : "one prediction"));
      return;
    }
    std::optional<double> value = label_of(fields.back(), task_);
    if (!value) {
      value = numbered_class(fields.back(), task_);
      has_numbers_ = has_numbers_ || value.has_value();
    }
    if (!value) {
      problems_.add(rows_.where(columns - 1),
                    fmt::format("got '{}', expected {}", fields.back(), expected(task_)));
      return;
    }
    predictions_.push_back({std::string(fields[0]), *value, rows_.where()});
  }

  /// Not where 0, 1, 2, ... are what the examples are called, maybe in another order.
  bool counts_examples() const {
    bool are_names = true;
    for (size_t i = 0; i < predictions_.size(); ++i) {
      if (predictions_[i].index != std::to_string(i)) return false;
      are_names = are_names && places_.contains(predictions_[i].index);
    }
    return !are_names;
  }

  void place_by_index(std::vector<double>& values) {
    std::vector<bool> is_there(examples_.size());
    for (const Prediction& one : predictions_) {
      if (problems_.size() == Problems::kShown) return;
      const auto found = places_.find(one.index);
      if (found == places_.end()) {
        problems_.add(one.where, fmt::format("got index '{}', which no example has", one.index));
      } else if (is_there[found->second]) {
        problems_.add(one.where, fmt::format("got index '{}' twice", one.index));
      } else {
        is_there[found->second] = true;
        values[found->second] = one.value;
      }
    }
  }

  DelimitedFile rows_;
  std::string file_;
  std::span<const LabelledExample> examples_;
  const LabelledTask& task_;
  Problems problems_;
  bool has_indices_ = false, has_numbers_ = false;
  std::vector<Prediction> predictions_;
  std::map<std::string, size_t> places_;  // of the examples, by their indices
};

std::string class_text(double value, const LabelledTask& task) {
  const auto number = static_cast<size_t>(value);
  return task.labels.empty() ? std::to_string(number) : task.labels.at(number);
}

template <typename TextOf>
std::string table_of(std::span<const LabelledExample> examples, std::span<const double> predictions,
                     const TextOf& text_of) {
  RETHINK_ASSERT(examples.size() == predictions.size(),
                 fmt::format("{} {}", examples.size(), predictions.size()));
  std::string text = "index\tprediction\n";
  for (size_t i = 0; i < examples.size(); ++i)
    text += fmt::format("{}\t{}\n", examples[i].index, text_of(predictions[i]));
  return text;
}

}  // namespace

Predictions read_predictions(const std::filesystem::path& file,
                             std::span<const LabelledExample> examples, const LabelledTask& task) {
  return PredictionReader(file, examples, task).read();
}

std::string prediction_text(std::span<const LabelledExample> examples,
                            std::span<const double> predictions, const LabelledTask& task) {
  return table_of(examples, predictions, [&](double value) {
    return task.is_score() ? fmt::format("{}", value) : class_text(value, task);
  });
}

std::string submission_text(std::span<const LabelledExample> examples,
                            std::span<const double> predictions, const LabelledTask& task) {
  return table_of(examples, predictions, [&](double value) {
    return task.is_score() ? fmt::format("{:.3f}", std::clamp(value, 0.0, kLargestScore))
                           : class_text(value, task);
  });
}

}  // namespace rethink
