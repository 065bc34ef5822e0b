// Aligned columns for a terminal; the best number of a column has a mark.
#include <fmt/format.h>

#include <algorithm>

#include "plots/render/renderer.h"
#include "plots/text_format.h"

namespace rethink {
namespace {

// Columns of words share a terminal's width: their sentences are wrapped.
constexpr size_t kFileWidth = 100;  // without a terminal
constexpr size_t kLeastWords = 12;  // of a column of words beside numbers
constexpr size_t kEasyWords = 20;   // people prefer a page of words to narrower columns

constexpr const char* kBestMark = "▸";

bool is_number_column(const SheetHeader& header) {
  return !header.group.empty();
}

bool is_marked_best(const SheetHeader& header, const SheetBox& box) {
  return is_number_column(header) && box.best;
}

/// "▸ 5.2 [a,b]"
std::string plain_box_text(const SheetHeader& header, const SheetBox& box) {
  const std::string mark = is_marked_best(header, box) ? kBestMark + std::string(" ") : "";
  return mark + (box.footnotes.empty() ? box.text : box.text + " [" + box.footnotes + "]");
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

  void fit(size_t columns) override {
    page_width_ = columns;
    is_terminal_ = true;
  }

  std::string sheet(const Sheet& sheet) const override {
    size_t label = 0;
    for (const std::string& text : sheet.labels) label = std::max(label, width_of(text));
    const std::vector<size_t> widths = column_widths(sheet, label);
    if (too_narrow(sheet, widths)) return stacked(sheet);
    std::string out = title_of(sheet) + "\n";
    for (const Columns& part : parts(sheet, widths, label)) {
      std::string rule;
      for (size_t i = 0; i < page_width(widths, label, part); ++i) rule += "─";
      out += "\n" + headers(sheet, widths, label, part) + rule + "\n";
      for (size_t row = 0; row < sheet.rows.size(); ++row)
        out += row_text(sheet, row, widths, label, part);
      out += rule + "\n";
    }
    return out + below(sheet);
  }

 private:
  static std::string title_of(const Sheet& sheet) {
    return sheet.name + (sheet.title.empty() ? "" : ": " + sheet.title);
  }

  /// Columns [first, end).
  struct Columns {
    size_t first, end;
  };

  /// Groups of columns that are printed in one block: as many as the terminal's width allows, with
  /// the others below; in a file, all.
  std::vector<Columns> parts(const Sheet& sheet, const std::vector<size_t>& widths,
                             size_t label) const {
    if (!is_terminal_ || widths.empty()) return {{0, widths.size()}};
    std::vector<Columns> parts;
    for (const HeaderGroup& group : header_groups(sheet)) {
      const size_t end = group.first + group.count;
      const bool fits =
          !parts.empty() && page_width(widths, label, {parts.back().first, end}) <= page_width_;
      if (fits) {
        parts.back().end = end;
      } else {
        parts.push_back({group.first, end});
      }
    }
    return parts;
  }

  /// Whether columns of sentences are too narrow to read.
  static bool too_narrow(const Sheet& sheet, const std::vector<size_t>& widths) {
    if (std::any_of(sheet.headers.begin(), sheet.headers.end(), is_number_column)) return false;
    for (size_t i = 0; i < widths.size(); ++i) {
      const auto any_box = [&](const auto& holds) {
        return std::any_of(sheet.rows.begin(), sheet.rows.end(), [&](const auto& row) {
          return holds(plain_box_text(sheet.headers[i], row[i]));
        });
      };
      const bool is_narrowed =
          any_box([&](const std::string& text) { return width_of(text) > widths[i]; });
      if (is_narrowed && widths[i] < kEasyWords) return true;
      if (any_box([&](const std::string& text) { return longest_word(text) > widths[i]; }))
        return true;
    }
    return false;
  }

  static size_t longest_word(const std::string& text) {
    size_t longest = 0;
    for (const std::string& word : wrapped(text, 1)) longest = std::max(longest, width_of(word));
    return longest;
  }

  /// The boxes of a row below each other: "LABEL: FIRST BOX", then the others after their headers.
  std::string stacked(const Sheet& sheet) const {
    size_t names = 0;
    for (const SheetHeader& header : sheet.headers) names = std::max(names, width_of(header.text));
    const std::string indent(names + 4, ' ');
    std::string out = title_of(sheet) + "\n\n";
    for (size_t row = 0; row < sheet.rows.size(); ++row) {
      const std::string first = plain_box_text(sheet.headers[0], sheet.rows[row][0]);
      const std::string head = sheet.labels[row] + (first.empty() ? "" : ": " + first);
      for (const std::string& line : wrapped(head, page_width_)) out += line + "\n";
      for (size_t i = 1; i < sheet.headers.size(); ++i) {
        const std::string text = plain_box_text(sheet.headers[i], sheet.rows[row][i]);
        if (text.empty()) continue;
        std::string before = "  " + padded(sheet.headers[i].text, names, false) + "  ";
        const size_t most = page_width_ - std::min(page_width_ - 1, indent.size());
        for (const std::string& line : wrapped(text, most)) {
          out += trimmed(before + line);
          before = indent;
        }
      }
    }
    return out + "\n" + below(sheet);
  }

  static bool has_best(const Sheet& sheet) {
    return std::ranges::any_of(sheet.rows, [&](const std::vector<SheetBox>& row) {
      for (size_t i = 0; i < row.size(); ++i)
        if (is_marked_best(sheet.headers[i], row[i])) return true;
      return false;
    });
  }

  /// Footnotes and notes.
  std::string below(const Sheet& sheet) const {
    std::string out;
    for (const auto& [letter, text] : sheet.footnotes)
      out += note_text(fmt::format("[{}] {}", letter, text));
    if (has_best(sheet)) out += note_text(fmt::format("{} best of its column", kBestMark));
    for (const SheetNote& note : sheet.notes) out += note_text(note.whole());
    return out;
  }

  /// Wrapped at the terminal's width; a command at the end gets its own line, so that it can be
  /// copied.
  std::string note_text(const std::string& note) const {
    if (!is_terminal_ || width_of(note) <= page_width_) return note + "\n";
    const size_t command = note.find(": rethink ");
    std::string out;
    for (const std::string& line : wrapped(note.substr(0, command), page_width_ - 1))
      out += (out.empty() ? "" : "\n") + line;
    if (command != std::string::npos) out += ":\n  " + note.substr(command + 2);
    return out + "\n";
  }

  static size_t page_width(const std::vector<size_t>& widths, size_t label, const Columns& part) {
    size_t total = label;
    for (size_t i = part.first; i < part.end; ++i) total += widths[i] + 2;
    return total;
  }

  std::vector<size_t> column_widths(const Sheet& sheet, size_t label) const {
    std::vector<size_t> widths;
    for (const SheetHeader& header : sheet.headers) widths.push_back(width_of(header.text));
    for (const std::vector<SheetBox>& row : sheet.rows) {
      for (size_t i = 0; i < row.size(); ++i) {
        widths[i] = std::max(widths[i], width_of(plain_box_text(sheet.headers[i], row[i])));
      }
    }
    for (const HeaderGroup& group : header_groups(sheet)) {
      size_t sum = 2 * (group.count - 1);
      for (size_t i = 0; i < group.count; ++i) sum += widths[group.first + i];
      if (sum < width_of(group.text)) widths[group.first] += width_of(group.text) - sum;
    }
    narrow_words(sheet, label, widths);
    return widths;
  }

  /// Takes single characters from the widest column of words until the table fits.
  void narrow_words(const Sheet& sheet, size_t label, std::vector<size_t>& widths) const {
    while (page_width(widths, label, {0, widths.size()}) > page_width_) {
      size_t* widest = nullptr;
      for (size_t i = 0; i < widths.size(); ++i) {
        if (!is_number_column(sheet.headers[i]) && (!widest || widths[i] > *widest))
          widest = &widths[i];
      }
      if (!widest || *widest <= kLeastWords) return;
      --*widest;
    }
  }

  static std::string headers(const Sheet& sheet, const std::vector<size_t>& widths, size_t label,
                             const Columns& part) {
    std::string groups(label, ' ');
    for (const HeaderGroup& group : header_groups(sheet)) {
      if (group.first < part.first || group.first >= part.end) continue;
      size_t sum = 2 * (group.count - 1);
      for (size_t i = 0; i < group.count; ++i) sum += widths[group.first + i];
      groups += "  " + padded(group.text, sum, true);
    }
    std::string names(label, ' ');
    for (size_t i = part.first; i < part.end; ++i) {
      names += "  " + padded(sheet.headers[i].text, widths[i], is_number_column(sheet.headers[i]));
    }
    const bool grouped = groups.find_first_not_of(' ') != std::string::npos;
    const bool named = names.find_first_not_of(' ') != std::string::npos;
    return (grouped ? trimmed(groups) : "") + (named || !grouped ? trimmed(names) : "");
  }

  static std::string row_text(const Sheet& sheet, size_t row, const std::vector<size_t>& widths,
                              size_t label, const Columns& part) {
    std::vector<std::vector<std::string>> boxes(widths.size());
    size_t lines = 1;
    for (size_t i = part.first; i < part.end; ++i) {
      const std::string text = plain_box_text(sheet.headers[i], sheet.rows[row][i]);
      boxes[i] = is_number_column(sheet.headers[i]) ? std::vector{text} : wrapped(text, widths[i]);
      lines = std::max(lines, boxes[i].size());
    }
    std::string out;
    for (size_t line = 0; line < lines; ++line) {
      std::string text = padded(line == 0 ? sheet.labels[row] : "", label, false);
      for (size_t i = part.first; i < part.end; ++i) {
        const std::string words = line < boxes[i].size() ? boxes[i][line] : "";
        text += "  " + padded(words, widths[i], is_number_column(sheet.headers[i]));
      }
      out += trimmed(text);
    }
    return out;
  }

  size_t page_width_ = kFileWidth;
  bool is_terminal_ = false;
};

RETHINK_REGISTERED =
    renderers().add<NoFields>({.name = "text", .summary = "aligned columns for a terminal"},
                              [](const NoFields&) { return std::make_shared<Text>(); });

}  // namespace
}  // namespace rethink
