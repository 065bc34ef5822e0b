// Aligned columns for a terminal.
#include <fmt/format.h>

#include <algorithm>

#include "plots/renderer.h"

namespace rethink {
namespace {

constexpr size_t kClaimWidth =
    60;  // longer sentences would push the columns behind them off the screen

std::string padded(const std::string& text, size_t to, bool right) {
  const std::string space(to > width(text) ? to - width(text) : 0, ' ');
  return right ? space + text : text + space;
}

std::string box_text(const SheetBox& box) {
  return box.footnotes.empty() ? box.text : box.text + " [" + box.footnotes + "]";
}

bool is_number_column(const SheetHeader& header) {
  return !header.group.empty();
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

class Text : public SheetRenderer {
 public:
  std::string extension() const override { return "txt"; }

  std::string sheet(const Sheet& sheet) const override {
    const std::vector<size_t> widths = column_widths(sheet);
    size_t label = 0;
    for (const std::string& text : sheet.labels) label = std::max(label, width(text));
    size_t total = label;
    for (const size_t w : widths) total += w + 2;
    std::string rule;
    for (size_t i = 0; i < total; ++i) rule += "─";
    std::string out = sheet.name + (sheet.title.empty() ? "" : ": " + sheet.title) + "\n\n" +
                      headers(sheet, widths, label);
    out += rule + "\n";
    for (size_t row = 0; row < sheet.rows.size(); ++row) out += row_text(sheet, row, widths, label);
    out += rule + "\n";
    for (const auto& [letter, text] : sheet.footnotes)
      out += fmt::format("[{}] {}\n", letter, text);
    for (const std::string& note : sheet.notes) out += note + "\n";
    return out;
  }

 private:
  static std::vector<size_t> column_widths(const Sheet& sheet) {
    std::vector<size_t> widths;
    for (const SheetHeader& header : sheet.headers) widths.push_back(width(header.text));
    for (const std::vector<SheetBox>& row : sheet.rows) {
      for (size_t i = 0; i < row.size(); ++i) {
        const size_t most = is_number_column(sheet.headers[i]) ? std::string::npos : kClaimWidth;
        widths[i] = std::max(widths[i], std::min(width(box_text(row[i])), most));
      }
    }
    for (const HeaderGroup& group : header_groups(sheet)) {
      size_t sum = 2 * (group.count - 1);
      for (size_t i = 0; i < group.count; ++i) sum += widths[group.first + i];
      if (sum < width(group.text)) widths[group.first] += width(group.text) - sum;
    }
    return widths;
  }

  static std::string headers(const Sheet& sheet, const std::vector<size_t>& widths, size_t label) {
    std::string groups(label, ' ');
    for (const HeaderGroup& group : header_groups(sheet)) {
      size_t sum = 2 * (group.count - 1);
      for (size_t i = 0; i < group.count; ++i) sum += widths[group.first + i];
      groups += "  " + padded(group.text, sum, true);
    }
    std::string names(label, ' ');
    for (size_t i = 0; i < widths.size(); ++i) {
      names += "  " + padded(sheet.headers[i].text, widths[i], is_number_column(sheet.headers[i]));
    }
    const bool grouped = groups.find_first_not_of(' ') != std::string::npos;
    return (grouped ? trimmed(groups) : "") + trimmed(names);
  }

  static std::string row_text(const Sheet& sheet, size_t row, const std::vector<size_t>& widths,
                              size_t label) {
    std::vector<std::vector<std::string>> boxes;
    size_t lines = 1;
    for (size_t i = 0; i < widths.size(); ++i) {
      const std::string text = box_text(sheet.rows[row][i]);
      boxes.push_back(is_number_column(sheet.headers[i]) ? std::vector{text}
                                                         : wrapped(text, widths[i]));
      lines = std::max(lines, boxes.back().size());
    }
    std::string out;
    for (size_t line = 0; line < lines; ++line) {
      std::string text = padded(line == 0 ? sheet.labels[row] : "", label, false);
      for (size_t i = 0; i < widths.size(); ++i) {
        const std::string part = line < boxes[i].size() ? boxes[i][line] : "";
        text += "  " + padded(part, widths[i], is_number_column(sheet.headers[i]));
      }
      out += trimmed(text);
    }
    return out;
  }
};

const bool registered =
    renderers().add<NoFields>({.name = "text", .summary = "aligned columns for a terminal"},
                              [](const NoFields&) { return std::make_shared<Text>(); });

}  // namespace
}  // namespace rethink
