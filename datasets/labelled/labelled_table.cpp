#include "datasets/labelled/labelled_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/json.h"
#include "datasets/files/delimited.h"

namespace rethink {
namespace {

class TableReader {
 public:
  TableReader(const std::filesystem::path& file, const TableColumns& columns,
              const LabelledTask& task)
      : rows_(file, '\t', Quoting::none), columns_(columns), task_(task), file_(file.string()) {}

  std::vector<LabelledExample> read() {
    std::vector<LabelledExample> examples;
    bool more = rows_.next();
    if (!more)
      throw ConfigError("empty-file",
                        fmt::format("{}: the file is empty; expected a table", file_));
    if (find_columns()) more = rows_.next();
    for (; more && problems_.size() < Problems::kShown; more = rows_.next()) {
      if (std::optional<LabelledExample> example = example_of_row(examples.size()))
        examples.push_back(std::move(*example));
    }
    problems_.throw_if_any();
    return examples;
  }

 private:
  /// Finds the columns; returns whether the row is a header.
  bool find_columns() {
    std::vector<std::string> names(rows_.fields().begin(), rows_.fields().end());
    const auto has = [&](const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    const bool is_header = std::all_of(columns_.texts.begin(), columns_.texts.end(), has);
    const auto& given = columns_.without_header;
    if (!is_header && !given.empty() && names.size() == given.size()) {
      names = given;
    } else if (!is_header) {
      problems_.refuse(rows_.where(), "invalid-table",
                       fmt::format("got the columns {}; expected {} among them{}", joined(names),
                                   joined(columns_.texts, " and "), rows_.hint_of_first_row()));
    }
    const auto place_of = [&](const std::string& name) {
      const auto found = std::find(names.begin(), names.end(), name);
      return found == names.end() ? kNoColumn : static_cast<size_t>(found - names.begin());
    };
    for (const std::string& text : columns_.texts) texts_.push_back(place_of(text));
    label_ = place_of(columns_.label);
    index_ = place_of(columns_.index);
    count_ = names.size();
    names_ = std::move(names);
    return is_header;
  }

  std::optional<LabelledExample> example_of_row(size_t number) {
    const auto& fields = rows_.fields();
    if (fields.size() < count_ && columns_.skips_short_rows) return {};
    if (fields.size() != count_) {
      problems_.add(
          rows_.where(std::min(fields.size() - 1, count_)), "invalid-table",
          fmt::format("got {} columns, expected {}: {}", fields.size(), count_, joined(names_)));
      return {};
    }
    LabelledExample example;
    example.inputs.emplace_back(std::string(fields[texts_[0]]));
    if (texts_.size() > 1) example.inputs[0].second = std::string(fields[texts_[1]]);
    example.index = index_ == kNoColumn ? std::to_string(number) : std::string(fields[index_]);
    if (label_ == kNoColumn) return example;
    example.label = label_of(fields[label_], task_);
    if (!example.label) {
      problems_.add(rows_.where(label_), "invalid-table",
                    task_.labels.empty() ? fmt::format("got '{}', expected a score", fields[label_])
                                         : fmt::format("got '{}', expected one of {}",
                                                       fields[label_], joined(task_.labels)));
    }
    return example;
  }

  DelimitedFile rows_;
  const TableColumns& columns_;
  const LabelledTask& task_;
  const std::string file_;
  Problems problems_;
  std::vector<std::string> names_;
  std::vector<size_t> texts_;
  size_t label_ = kNoColumn, index_ = kNoColumn, count_ = 0;
};

}  // namespace

std::optional<double> label_of(std::string_view text, const LabelledTask& task) {
  if (!task.labels.empty()) {
    const auto found = std::find(task.labels.begin(), task.labels.end(), text);
    if (found == task.labels.end()) return {};
    return static_cast<double>(found - task.labels.begin());
  }
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return {};
  const bool is_choice =
      number == std::floor(number) && number >= 0 && number < static_cast<double>(task.choices);
  if (task.choices > 1 && !is_choice) return {};
  return number;
}

std::vector<LabelledExample> read_labelled_table(const std::filesystem::path& file,
                                                 const TableColumns& columns,
                                                 const LabelledTask& task) {
  return TableReader(file, columns, task).read();
}

}  // namespace rethink
