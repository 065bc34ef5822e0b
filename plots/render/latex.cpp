// A LaTeX table: \usepackage{booktabs,graphicx}. A table that is wider than the page's text is
// scaled down as a whole.
#include <fmt/format.h>

#include <algorithm>

#include "plots/render/latex_text.h"
#include "plots/render/renderer.h"
#include "plots/table/cells/mark.h"

namespace rethink {
namespace {

/// `text` and the letters of its footnotes.
std::string with_letters(const std::string& text, const SheetBox& box) {
  return box.footnotes.empty() ? text : text + "\\textsuperscript{" + box.footnotes + "}";
}

std::string latex_box_text(const SheetBox& box) {
  std::string text = latex_text(box.text);
  if (text.size() > 1 && text[0] == '-' && text[1] >= '0' && text[1] <= '9')
    text = "$-$" + text.substr(1);
  if (box.marked && box.text == to_text(MarkKind::missing)) return with_letters("--", box);
  if (box.best) text = "\\textbf{" + text + "}";
  if (box.marked) text = "\\textit{" + text + "}";
  return with_letters(text, box);
}

/// A column of numbers is aligned right; a column of sentences is as wide as its share of the line.
std::string column_types(const Sheet& sheet) {
  std::string columns = "l";
  const double share = std::min(0.16, 0.8 / static_cast<double>(sheet.headers.size()));
  for (const SheetHeader& header : sheet.headers)
    columns += header.group.empty() ? fmt::format("p{{{:.2f}\\linewidth}}", share) : "r";
  return columns;
}

/// The names of groups with a rule below each group of several boxes, and the names of boxes if
/// there are any.
std::string header_lines(const Sheet& sheet) {
  const std::vector<HeaderGroup> all = header_groups(sheet);
  const bool has_names =
      std::ranges::any_of(sheet.headers, [](const auto& header) { return !header.text.empty(); });
  std::string groups, rules, names;
  bool grouped = false;
  for (const HeaderGroup& group : all) {
    groups +=
        fmt::format(" & \\multicolumn{{{}}}{{c}}{{{}}}", group.count, latex_label(group.text));
    // Column 1 is the row's label, and LaTeX counts from 1.
    const size_t first = group.first + 2;
    if (!group.text.empty() && has_names)
      rules += fmt::format("\\cmidrule(lr){{{}-{}}}", first, first + group.count - 1);
    grouped = grouped || !group.text.empty();
  }
  for (const SheetHeader& header : sheet.headers) names += " & " + latex_label(header.text);
  std::string lines;
  if (grouped) lines += groups + " \\\\\n" + (rules.empty() ? "" : rules + "\n");
  return lines + (has_names ? names + " \\\\\n" : "");
}

std::string tabular(const Sheet& sheet) {
  std::vector<std::string> rows;
  for (size_t row = 0; row < sheet.rows.size(); ++row) {
    std::string& cells = rows.emplace_back(latex_label(sheet.labels[row]));
    for (const SheetBox& box : sheet.rows[row]) cells += " & " + latex_box_text(box);
  }
  return latex_tabular(column_types(sheet), header_lines(sheet), rows);
}

class Latex : public SheetRenderer {
 public:
  std::string extension() const override { return "tex"; }
  bool make_bare() override { return is_bare_ = true; }
  bool reads_mathematics() const override { return true; }
  std::optional<std::string> after_another(const std::string& document) const override {
    return "\n" + document;
  }

  std::string sheet(const Sheet& sheet) const override {
    if (is_bare_) return bare(sheet);
    const std::string text = whole(sheet);
    return latex_letters_note(text) + text;
  }

 private:
  static std::string whole(const Sheet& sheet) {
    std::string out = fmt::format(
        "% \\usepackage{{booktabs,graphicx}}\n\\begin{{table}}\n\\centering\n\\caption{{{}}}\n"
        "\\label{{tab:{}}}\n"
        "\\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{%\n",
        latex_label(sheet.title.empty() ? sheet.name : sheet.title), latex_key(sheet.name));
    out += tabular(sheet) + "}\n\n\\footnotesize\n";
    for (const auto& [letter, text] : sheet.footnotes) {
      out += fmt::format("\\textsuperscript{{{}}} {}.\n\n", letter, latex_label(text));
    }
    // Nobody runs commands from a paper, so that the hints are left out.
    for (const SheetNote& note : sheet.notes) out += latex_label(note.text) + ".\n\n";
    return out + "\\end{table}\n";
  }

  /// Only the tabular; the notes below it become comments, as material for the caption.
  static std::string bare(const Sheet& sheet) {
    const std::string table = tabular(bare_sheet(sheet)) + "\n";
    std::string out =
        latex_letters_note(table) +
        fmt::format("% \\usepackage{{booktabs}}\n% {}: {}\n", sheet.name, sheet.title);
    for (const auto& [letter, text] : sheet.footnotes) out += fmt::format("% {}\n", text);
    for (const SheetNote& note : sheet.notes) out += fmt::format("% {}\n", note.whole());
    return out + table;
  }

  bool is_bare_ = false;
};

RETHINK_REGISTERED =
    renderers().add<NoFields>({.name = "latex", .summary = "a LaTeX table for booktabs"},
                              [](const NoFields&) { return std::make_shared<Latex>(); });

}  // namespace
}  // namespace rethink
