// GitHub-flavoured Markdown; the best number of a column is bold.
#include <fmt/format.h>

#include "plots/render/markdown_text.h"
#include "plots/render/renderer.h"

namespace rethink {
namespace {

std::string markdown_box_text(const SheetBox& box) {
  std::string text = markdown_text(box.text);
  if (box.marked) text = "_" + text + "_";
  if (box.best) text = "**" + text + "**";
  if (!box.footnotes.empty()) text += "<sup>" + box.footnotes + "</sup>";
  return text;
}

class Markdown : public SheetRenderer {
 public:
  std::string extension() const override { return "md"; }
  std::optional<std::string> after_another(const std::string& document) const override {
    return "\n" + document;
  }

  std::string sheet(const Sheet& sheet) const override {
    std::string out = fmt::format("### {}\n\n|  |",
                                  markdown_text(sheet.title.empty() ? sheet.name : sheet.title));
    for (const SheetHeader& header : sheet.headers) {
      const bool has_both = !header.group.empty() && !header.text.empty();
      out += fmt::format(" {}{}{} |", markdown_text(header.group), has_both ? "<br>" : "",
                         markdown_text(header.text));
    }
    out += "\n|:--|";
    for (const SheetHeader& header : sheet.headers) out += header.group.empty() ? ":--|" : "--:|";
    for (size_t row = 0; row < sheet.rows.size(); ++row) {
      out += fmt::format("\n| {} |", markdown_text(sheet.labels[row]));
      for (const SheetBox& box : sheet.rows[row])
        out += fmt::format(" {} |", markdown_box_text(box));
    }
    out += "\n\n";
    for (const auto& [letter, text] : sheet.footnotes)
      out += fmt::format("<sup>{}</sup> {}  \n", letter, markdown_text(text));
    if (!sheet.footnotes.empty()) out += "\n";
    for (const SheetNote& note : sheet.notes)
      out += fmt::format("- {}\n", markdown_text(note.whole()));
    return out;
  }
};

RETHINK_REGISTERED =
    renderers().add<NoFields>({.name = "md", .summary = "GitHub-flavoured Markdown"},
                              [](const NoFields&) { return std::make_shared<Markdown>(); });

}  // namespace
}  // namespace rethink
