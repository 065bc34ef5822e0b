#include "plots/render/html_page.h"

#include <fmt/format.h>

#include "plots/text_format.h"

namespace rethink {
namespace {

std::string box_html(const SheetBox& box, bool number) {
  std::string text = escape_html(box.text);
  if (box.best) text = "<b>" + text + "</b>";
  if (!box.footnotes.empty()) text += "<sup>" + box.footnotes + "</sup>";
  const std::string kind = box.marked ? " class=\"marked\"" : number ? "" : " class=\"words\"";
  return fmt::format("<td{}>{}</td>", kind, text);
}

std::string headers_html(const Sheet& sheet) {
  std::string groups, names;
  bool grouped = false, named = false;
  for (const HeaderGroup& group : header_groups(sheet)) {
    groups += fmt::format("<th colspan=\"{}\">{}</th>", group.count, escape_html(group.text));
    grouped = grouped || !group.text.empty();
  }
  for (const SheetHeader& header : sheet.headers) {
    names += fmt::format("<th>{}</th>", escape_html(header.text));
    named = named || !header.text.empty();
  }
  if (grouped && !named) return "<tr class=\"names\"><th></th>" + groups + "</tr>\n";
  return (grouped ? "<tr><th></th>" + groups + "</tr>\n" : "") + "<tr class=\"names\"><th></th>" +
         names + "</tr>\n";
}

}  // namespace

std::string escape_html(const std::string& text) {
  return escaped(text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

std::string sheet_html(const Sheet& given) {
  const Sheet sheet = sheet_without_mathematics(given);
  std::string out = fmt::format(
      "<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"name\">{}</p>\n<div "
      "class=\"wide\">\n<table>\n<thead>\n{}"
      "</thead>\n<tbody>\n",
      escape_html(sheet.name), escape_html(sheet.title.empty() ? sheet.name : sheet.title),
      escape_html(sheet.name), headers_html(sheet));
  for (size_t row = 0; row < sheet.rows.size(); ++row) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>", escape_html(sheet.labels[row]));
    for (size_t i = 0; i < sheet.rows[row].size(); ++i) {
      out += box_html(sheet.rows[row][i], !sheet.headers[i].group.empty());
    }
    out += "</tr>\n";
  }
  out += "</tbody>\n</table>\n</div>\n";
  if (!sheet.footnotes.empty()) out += "<p class=\"footnotes\">";
  for (const auto& [letter, text] : sheet.footnotes) {
    out += fmt::format("<sup>{}</sup> {}<br>\n", letter, escape_html(text));
  }
  if (!sheet.footnotes.empty()) out += "</p>\n";
  if (!sheet.notes.empty()) out += "<ul class=\"notes\">\n";
  for (const SheetNote& note : sheet.notes) {
    const bool alarm = note.text.starts_with("NOT COMPLETE");
    out +=
        fmt::format("<li{}>{}</li>\n", alarm ? " class=\"alarm\"" : "", escape_html(note.whole()));
  }
  if (!sheet.notes.empty()) out += "</ul>\n";
  return out + "</section>\n";
}

std::string html_page(const std::string& title, const std::string& body) {
  return fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 15px/1.45 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }}
h2 {{ font-size: 1.15rem; margin: 2.5rem 0 0; }}
.name {{ opacity: 0.6; margin: 0 0 0.8rem; font-family: ui-monospace, monospace; font-size: 0.85rem; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; border-top: 2px solid; border-bottom: 2px solid; font-variant-numeric: tabular-nums; }}
th, td {{ padding: 0.25rem 0.7rem; text-align: right; white-space: nowrap; }}
th[scope=row], td.words {{ text-align: left; font-weight: normal; }}
td.words {{ white-space: normal; }}
thead th {{ font-weight: 600; }}
tr.names th {{ border-bottom: 1px solid; font-weight: normal; }}
td.marked {{ font-style: italic; opacity: 0.65; }}
.footnotes, .notes {{ font-size: 0.85rem; }}
.alarm {{ color: #c62828; font-weight: 600; }}
figure {{ margin: 0; }} figure svg, figure img {{ max-width: 100%; height: auto; background: white; }}
</style>
</head>
<body>
{}</body>
</html>
)",
                     escape_html(title), body);
}

}  // namespace rethink
