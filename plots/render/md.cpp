// GitHub-flavoured Markdown; the best number of a column is bold.
#include <fmt/format.h>

#include "plots/renderer.h"

namespace rethink {
namespace {

std::string safe(const std::string& text) {
  return escaped(text, {{"\\", "\\\\"},
                        {"|", "\\|"},
                        {"*", "\\*"},
                        {"_", "\\_"},
                        {"`", "\\`"},
                        {"[", "\\["},
                        {"]", "\\]"},
                        {"$", "\\$"},
                        {"<", "&lt;"}});
}

std::string box_text(const SheetBox& box) {
  std::string text = safe(box.text);
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
    std::string out =
        fmt::format("### {}\n\n|  |", safe(sheet.title.empty() ? sheet.name : sheet.title));
    for (const SheetHeader& header : sheet.headers) {
      out += fmt::format(" {} |", header.group.empty()
                                      ? safe(header.text)
                                      : safe(header.group) + "<br>" + safe(header.text));
    }
    out += "\n|:--|";
    for (const SheetHeader& header : sheet.headers) out += header.group.empty() ? ":--|" : "--:|";
    for (size_t row = 0; row < sheet.rows.size(); ++row) {
      out += fmt::format("\n| {} |", safe(sheet.labels[row]));
      for (const SheetBox& box : sheet.rows[row]) out += fmt::format(" {} |", box_text(box));
    }
    out += "\n\n";
    for (const auto& [letter, text] : sheet.footnotes)
      out += fmt::format("<sup>{}</sup> {}  \n", letter, safe(text));
    if (!sheet.footnotes.empty()) out += "\n";
    for (const std::string& note : sheet.notes) out += fmt::format("- {}\n", safe(note));
    return out;
  }
};

RETHINK_REGISTERED =
    renderers().add<NoFields>({.name = "md", .summary = "GitHub-flavoured Markdown"},
                              [](const NoFields&) { return std::make_shared<Markdown>(); });

}  // namespace
}  // namespace rethink
