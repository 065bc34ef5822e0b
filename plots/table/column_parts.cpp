#include "plots/table/column_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "plots/table/table.h"

namespace rethink {
namespace {

using Columns = std::vector<size_t>;  // places in Grid::columns

std::vector<std::string> labels_of_columns(const Columns& columns, const Grid& grid) {
  std::vector<std::string> labels;
  for (const size_t column : columns) labels.push_back(grid.columns[column].label);
  return labels;
}

/// Two columns of one axis that have the same value of it and show the same of the same trials.
bool show_the_same(size_t a, size_t b, const Grid& grid) {
  const GridLine &first = grid.columns[a], &second = grid.columns[b];
  const auto value_text = [](const GridLine& line) {
    return line.spec->value ? line.spec->value->text() : "";
  };
  return first.key == second.key && first.spec->kind == second.spec->kind &&
         value_text(first) == value_text(second) &&
         std::ranges::any_of(grid.trials, [&](const auto& row) { return !row[a].empty(); }) &&
         std::ranges::all_of(grid.trials, [&](const auto& row) { return row[a] == row[b]; });
}

/// What one mean or ratio is made of, name by name.
class PartFinder {
 public:
  PartFinder(const LineSpec& line, const Grid& grid, Problems& problems)
      : line_(line),
        key_(line.kind == CellKind::ratio ? "ratio" : "mean_of"),
        grid_(grid),
        problems_(problems) {
    for (size_t i = 0; i < grid.columns.size(); ++i) {
      const bool is_measured = grid.columns[i].spec->of.empty();
      (is_measured ? measured_ : derived_).push_back(i);
    }
  }

  Columns find() {
    for (const Word& name : line_.of) {
      for (const size_t column : columns_named(name)) take(column, name);
    }
    return parts_;
  }

 private:
  Columns columns_named(const Word& name) {
    const Columns called = called_so(measured_, name);
    Columns of_axis;
    std::ranges::copy_if(measured_, std::back_inserter(of_axis), [&](size_t column) {
      return grid_.columns[column].spec->axis.text == name.text;
    });
    if (called.empty() && of_axis.empty()) {
      add_unknown(name);
    } else if (!called.empty() && !of_axis.empty() && called != of_axis) {
      add(name,
          fmt::format("'{}' is a column and an axis of columns; give the column another label",
                      name.text));
    } else if (called.size() > 1) {
      std::vector<std::string> keys;
      for (const size_t column : called) keys.push_back(grid_.columns[column].key);
      add(name, "the table " + text_of_several(name.text, "column", keys));
    } else if (of_axis.size() > 1 && line_.kind == CellKind::ratio) {
      add(name, fmt::format("axis '{}' has {} columns, expected one; name the column: {}",
                            name.text, of_axis.size(), joined(labels_of_columns(of_axis, grid_))));
    } else {
      return called.empty() ? of_axis : called;
    }
    return {};
  }

  Columns called_so(const Columns& columns, const Word& name) const {
    std::vector<TableLine> lines;
    for (const size_t column : columns) {
      const GridLine& line = grid_.columns[column];
      lines.push_back({line.label, line.key, line.type});
    }
    Columns called;
    for (const size_t place : lines_called(lines, name.written())) called.push_back(columns[place]);
    return called;
  }

  void add_unknown(const Word& name) {
    if (!called_so(derived_, name).empty()) {
      add(name,
          fmt::format("column '{}' is a mean or a ratio itself; name columns that are measured",
                      name.text));
      return;
    }
    const std::vector<std::string> known = labels_of_columns(measured_, grid_);
    add(name, fmt::format("no column or axis of columns is called '{}'{}; there are: {}", name.text,
                          did_you_mean(name.text, known), joined(known)));
  }

  void take(size_t column, const Word& name) {
    const auto is_it = [&](size_t part) {
      return part == column ||
             (grid_.columns[part].spec->axis.text == grid_.columns[column].spec->axis.text &&
              !grid_.columns[part].spec->axis.text.empty() && show_the_same(part, column, grid_));
    };
    if (line_.kind == CellKind::mean_of && std::ranges::any_of(parts_, is_it)) {
      add(name, fmt::format("column '{}' is in the mean twice, the second time by '{}'; a mean "
                            "counts each column once",
                            grid_.columns[column].label, name.text));
    }
    parts_.push_back(column);
  }

  void add(const Word& name, const std::string& text) {
    problems_.add(name.at, fmt::format("{}: {}", key_, text));
  }

  const LineSpec& line_;
  const std::string key_;
  const Grid& grid_;
  Problems& problems_;
  Columns measured_, derived_, parts_;
};

}  // namespace

std::vector<size_t> column_parts(size_t column, const Grid& grid, Problems& problems) {
  const LineSpec& line = *grid.columns[column].spec;
  return line.of.empty() ? Columns() : PartFinder(line, grid, problems).find();
}

}  // namespace rethink
