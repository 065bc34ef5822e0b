// Aligned columns for a terminal.
#include <fmt/format.h>

#include <algorithm>

#include "plots/renderer.h"

namespace rethink {
namespace {

// Columns of words share a terminal's width: their sentences are wrapped.
constexpr size_t kPageWidth = 100;
constexpr size_t kLeastWords = 12;  // of a column of words

std::string padded(const std::string& text, size_t to, bool right) {
  const std::string space(to > width(text) ? to - width(text) : 0, ' ');
  return right ? space + text : text + space;
}

std::string box_text(const SheetBox& box) {
  if (box.footnotes.empty()) return box.text;
  std::string letters = box.footnotes;
  std::erase(letters, ',');
  const bool single = box.footnotes.size() == 2 * letters.size() - 1;
  return box.text + " [" + (single ? letters : box.footnotes) + "]";
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
  std::optional<std::string> after_another(const std::string& document) const override {
    return "\n" + document;
  }

  std::string sheet(const Sheet& sheet) const override {
    size_t label = 0;
    for (const std::string& text : sheet.labels) label = std::max(label, width(text));
    const std::vector<size_t> widths = column_widths(sheet, label);
    const size_t total = page_width(widths, label);
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
  static size_t page_width(const std::vector<size_t>& widths, size_t label) {
    size_t total = label;
    for (const size_t w : widths) total += w + 2;
    return total;
  }

  static std::vector<size_t> column_widths(const Sheet& sheet, size_t label) {
    std::vector<size_t> widths;
    for (const SheetHeader& header : sheet.headers) widths.push_back(width(header.text));
    for (const std::vector<SheetBox>& row : sheet.rows) {
      for (size_t i = 0; i < row.size(); ++i) {
        widths[i] = std::max(widths[i], width(box_text(row[i])));
      }
    }
    for (const HeaderGroup& group : header_groups(sheet)) {
      size_t sum = 2 * (group.count - 1);
      for (size_t i = 0; i < group.count; ++i) sum += widths[group.first + i];
      if (sum < width(group.text)) widths[group.first] += width(group.text) - sum;
    }
    narrow_words(sheet, label, widths);
    return widths;
  }

  /// Takes from the widest column of words, one character after the other, until all fits.
  static void narrow_words(const Sheet& sheet, size_t label, std::vector<size_t>& widths) {
    while (page_width(widths, label) > kPageWidth) {
      size_t* widest = nullptr;
      for (size_t i = 0; i < widths.size(); ++i) {
        if (!is_number_column(sheet.headers[i]) && (!widest || widths[i] > *widest))
          widest = &widths[i];
      }
      if (!widest || *widest <= kLeastWords) return;
      --*widest;
    }
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
