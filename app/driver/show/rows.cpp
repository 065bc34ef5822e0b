#include "app/driver/show/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "app/driver/cli/terminal.h"
#include "core/error.h"
#include "core/json.h"
#include "core/text.h"
#include "plots/render/latex_text.h"
#include "plots/render/markdown_text.h"
#include "plots/text_format.h"

namespace rethink {
namespace {

using RowTexts = std::vector<std::string>;

using Decimals = std::optional<int64_t>;

std::string short_text(const Json& value, Decimals decimals) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float() && decimals) return fixed(value.get<double>(), *decimals);
  return value.is_number_float() ? fmt::format("{:.6g}", value.get<double>()) : value.dump();
}

std::string full_text(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_number_float() && !std::isfinite(value.get<double>()))
    return fmt::format("{}", value.get<double>());  // inf, which JSON lacks
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Columns without text are aligned to the right.
std::vector<bool> numeric_columns(const QueryResult& rows) {
  std::vector<bool> numeric(rows.columns.size(), !rows.rows.empty());
  for (const std::vector<Json>& row : rows.rows) {
    for (size_t i = 0; i < row.size(); ++i) numeric[i] = numeric[i] && !row[i].is_string();
  }
  return numeric;
}

struct TextGrid {
  std::vector<RowTexts> lines;  // the first holds the names
  std::vector<size_t> widths;
  std::vector<bool> right;
};

TextGrid text_grid(const QueryResult& rows, Decimals decimals,
                   const std::function<std::string(const std::string&)>& escape) {
  TextGrid grid{{RowTexts()}, std::vector<size_t>(rows.columns.size()), numeric_columns(rows)};
  for (const std::string& name : rows.columns) grid.lines[0].push_back(escape(name));
  for (const std::vector<Json>& row : rows.rows) {
    RowTexts& line = grid.lines.emplace_back();
    for (const Json& value : row) line.push_back(escape(one_line(short_text(value, decimals))));
  }
  for (const RowTexts& line : grid.lines) {
    for (size_t i = 0; i < line.size(); ++i)
      grid.widths[i] = std::max(grid.widths[i], width_of(line[i]));
  }
  return grid;
}

std::string grid_line(const TextGrid& grid, const RowTexts& line, const std::string& separator) {
  std::string text;
  for (size_t i = 0; i < line.size(); ++i) {
    text += (i ? separator : "") + padded(line[i], grid.widths[i], grid.right[i]);
  }
  return text;
}

std::string as_text(const QueryResult& rows, Decimals decimals) {
  const TextGrid grid = text_grid(rows, decimals, [](const std::string& text) { return text; });
  std::string text;
  for (size_t i = 0; i < grid.lines.size(); ++i) {
    std::string line = grid_line(grid, grid.lines[i], "  ");
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    if (i > 0) continue;
    for (size_t k = 0; k < grid.widths.size(); ++k) {
      text += k ? "  " : "";
      for (size_t n = 0; n < grid.widths[k]; ++n) text += "─";
    }
    text += "\n";
  }
  return text;
}

std::string as_markdown(const QueryResult& rows, Decimals decimals) {
  TextGrid grid = text_grid(rows, decimals, markdown_text);
  std::string text;
  for (size_t& width : grid.widths) width = std::max<size_t>(width, 3);
  for (size_t i = 0; i < grid.lines.size(); ++i) {
    text += "| " + grid_line(grid, grid.lines[i], " | ") + " |\n";
    if (i > 0) continue;
    for (size_t k = 0; k < grid.widths.size(); ++k) {
      text += "|" + std::string(grid.widths[k] + 1, '-') + (grid.right[k] ? ":" : "-");
    }
    text += "|\n";
  }
  return text;
}

std::string as_csv(const QueryResult& rows, Decimals /*decimals*/) {
  std::string text = csv_line(rows.columns);
  for (const std::vector<Json>& row : rows.rows) {
    RowTexts fields;
    for (const Json& value : row) fields.push_back(full_text(value));
    text += csv_line(fields);
  }
  return text;
}

std::string as_json(const QueryResult& rows, Decimals /*decimals*/) {
  return as_objects(rows).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_latex(const QueryResult& rows, Decimals decimals) {
  const TextGrid grid = text_grid(rows, decimals, latex_text);
  std::string columns;
  for (const bool right : grid.right) columns += right ? "r" : "l";
  std::vector<std::string> lines;
  for (const RowTexts& line : grid.lines) lines.push_back(grid_line(grid, line, " & "));
  const std::string header = latex_first(lines.front()) + " \\\\\n";
  const std::string text = latex_tabular(columns, header, {lines.begin() + 1, lines.end()}) + "\n";
  return latex_letters_note(text) + "% \\usepackage{booktabs}\n" + text;
}

}  // namespace

Json as_objects(const QueryResult& rows) {
  Json all = Json::array();
  for (const std::vector<Json>& row : rows.rows) {
    Json& object = all.emplace_back(Json::object());
    for (size_t i = 0; i < row.size(); ++i) object[rows.columns[i]] = row[i];
  }
  return all;
}

std::string format_rows(const QueryResult& rows, const std::string& format,
                        const std::string& others, std::optional<int64_t> decimals) {
  static const std::map<std::string, std::string (*)(const QueryResult&, Decimals)> formats = {
      {"text", as_text},
      {"md", as_markdown},
      {"csv", as_csv},
      {"json", as_json},
      {"latex", as_latex}};
  const auto found = formats.find(format);
  if (found == formats.end()) {
    throw ConfigError(
        "invalid-argument",
        fmt::format("--format: got '{}', expected {}text, md, csv, json or latex", format, others));
  }
  return found->second(rows, decimals);
}

}  // namespace rethink
