#include "datasets/labelled/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "core/message.h"
#include "datasets/files/delimited.h"
#include "datasets/files/text_lines.h"
#include "datasets/labelled/labelled_table.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

constexpr double kLargestScore = 5;  // for STS-B, the only task of GLUE with scores

struct Prediction {
  std::string index;
  double value;
  Position where;
};

std::string expected(const LabelledTask& task) {
  if (task.choices > 1) {
    const int64_t last = task.choices - 1;
    return fmt::format("a number from 0 to {}, or ending0 to ending{}", last, last);
  }
  if (task.is_score()) return "a number";
  const std::string others =
      task.other_names.empty() ? "" : fmt::format(" ({})", joined(task.other_names));
  return "one of " + joined(task.labels) + others;
}

/// Returns the text after the prefix `before`, or nothing without this prefix.
std::optional<std::string_view> after(std::string_view text, std::string_view before) {
  if (!text.starts_with(before)) return {};
  return text.substr(before.size());
}

/// Returns the class or choice with this number, which numpy may write as a float, 1.0.
std::optional<double> numbered(std::string_view text, const LabelledTask& task) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto count = task.choices > 1 ? task.choices : static_cast<int64_t>(task.labels.size());
  const bool is_there = error == std::errc() && end == text.data() + text.size() && number >= 0 &&
                        number == std::floor(number) && number < static_cast<double>(count);
  if (is_there) return number;
  return {};
}

std::optional<double> place_of(std::string_view text, const std::vector<std::string>& names,
                               bool with_any_case) {
  const std::string plain = with_any_case ? lower_case(std::string(text)) : std::string(text);
  const auto found = std::ranges::find_if(names, [&](const std::string& name) {
    return (with_any_case ? lower_case(name) : name) == plain;
  });
  if (found == names.end()) return {};
  return static_cast<double>(found - names.begin());
}

struct Value {
  double value;
  bool is_number;  // of a class or choice
};

std::optional<Value> value_of(std::string_view text, const LabelledTask& task) {
  if (const auto label = label_of(text, task))
    return Value{*label, !task.other_names.empty() || task.choices > 1};
  // transformers names a class without a name LABEL_1.
  if (const auto number = numbered(after(text, "LABEL_").value_or(text), task))
    return Value{*number, true};
  if (task.choices > 1) {
    const auto number = numbered(after(text, "ending").value_or(""), task);
    return number ? std::optional(Value{*number, false}) : std::nullopt;
  }
  // The configuration of roberta-large-mnli calls its classes ENTAILMENT, NEUTRAL, CONTRADICTION.
  for (const bool with_any_case : {false, true}) {
    for (const auto* names : {&task.labels, &task.other_names}) {
      if (const auto place = place_of(text, *names, with_any_case)) return Value{*place, false};
    }
  }
  return {};
}

/// Columns of a file, by its first line.
struct Header {
  bool is_there = false, has_indices = false;
  char separator = '\t';
};

const char* const kHeaders =
    "; known headers are prediction, label, index<tab>prediction and id,label";

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  const std::string plain = lower_case(std::string(trimmed(name)));
  return std::ranges::find(names, plain) != names.end();
}

bool names_predictions(std::string_view name) {
  return is_one_of(name, {"prediction", "predictions", "pred", "label", "labels", "score"});
}

bool names_indices(std::string_view name) {
  return is_one_of(name, {"index", "id", "idx"});
}

/// GLUE's server expects index<tab>prediction, and Kaggle id,label. No class is named like a
/// header.
Header header_of(const std::filesystem::path& file) {
  for (const auto& [separator, quoting] :
       {std::pair{'\t', Quoting::none}, std::pair{',', Quoting::csv}}) {
    DelimitedFile rows(file, separator, quoting);
    try {
      if (!rows.next()) return {};
    } catch (const ConfigError&) {
      return {};  // a quote of text that is not CSV
    }
    const auto& names = rows.fields();
    // A name after a tab, which trimming would remove, is in the second column.
    if (names.size() == 1 && !names[0].starts_with('\t') && names_predictions(names[0]))
      return {.is_there = true, .has_indices = false, .separator = separator};
    if (names.size() == 2 && names_indices(names[0]) && names_predictions(names[1]))
      return {.is_there = true, .has_indices = true, .separator = separator};
  }
  return {};
}

class PredictionReader {
 public:
  PredictionReader(const std::filesystem::path& file, std::span<const LabelledExample> examples,
                   const LabelledTask& task)
      : header_(header_of(file)),
        rows_(file, header_.separator, header_.separator == ',' ? Quoting::csv : Quoting::none),
        file_(file.string()),
        examples_(examples),
        task_(task) {}

  Predictions read() {
    if (header_.is_there) rows_.next();
    while (rows_.next() && problems_.size() < Problems::kShown) read_row();
    problems_.throw_if_any();
    if (predictions_.empty()) {
      throw ConfigError(
          "empty-file",
          fmt::format("{}: {}; expected a prediction in each line ({}), or the header "
                      "index<tab>prediction and then an index and a prediction in each line",
                      file_, header_.is_there ? "has a header but no prediction" : "is empty",
                      expected(task_)));
    }
    if (predictions_.size() != examples_.size()) {
      throw ConfigError("wrong-count",
                        fmt::format("{}: got {} predictions, expected {}: one for each example",
                                    file_, predictions_.size(), examples_.size()));
    }
    for (size_t i = 0; i < examples_.size(); ++i) places_[examples_[i].index] = i;
    std::vector<double> values(examples_.size());
    if (!header_.has_indices || counts_examples()) {
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
    const bool is_first = !header_.is_there && predictions_.empty() && problems_.empty();
    const char* const headers = is_first ? kHeaders : "";
    const size_t columns = header_.has_indices ? 2 : 1;
    if (fields.size() != columns) {
      problems_.add(
          rows_.where(), "invalid-table",
          fmt::format("got {}, expected {}{}{}", counted(fields.size(), "column"),
                      header_.has_indices ? "an index and a prediction" : "one prediction", headers,
                      is_first ? rows_.hint_of_first_row() : ""));
      return;
    }
    const std::string_view text = trimmed(fields.back());
    const std::optional<Value> value = value_of(text, task_);
    if (!value) {
      problems_.add(
          rows_.where(columns - 1), "invalid-table",
          fmt::format("got '{}', expected {}{}{}", text, expected(task_), headers,
                      is_first && text.starts_with(',') ? rows_.hint_of_first_row() : ""));
      return;
    }
    has_numbers_ = has_numbers_ || value->is_number;
    predictions_.push_back({std::string(trimmed(fields[0])), value->value, rows_.where()});
  }

  /// Numbers are not positions if 0, 1, 2, ... are the ids of the examples, perhaps in another
  /// order.
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
        problems_.add(one.where, "invalid-table",
                      fmt::format("got index '{}', which no example has", one.index));
      } else if (is_there[found->second]) {
        problems_.add(one.where, "invalid-table", fmt::format("got index '{}' twice", one.index));
      } else {
        is_there[found->second] = true;
        values[found->second] = one.value;
      }
    }
  }

  const Header header_;
  DelimitedFile rows_;
  std::string file_;
  std::span<const LabelledExample> examples_;
  const LabelledTask& task_;
  Problems problems_;
  bool has_numbers_ = false;
  std::vector<Prediction> predictions_;
  std::map<std::string, size_t> places_;  // positions of the examples, by their indices
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

bool holds_predictions(const std::filesystem::path& file, const LabelledTask& task) {
  if (header_of(file).is_there) return true;
  DelimitedFile rows(file, '\t', Quoting::none);
  return rows.next() && rows.fields().size() == 1 && value_of(trimmed(rows.fields()[0]), task);
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
