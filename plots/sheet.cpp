#include "plots/sheet.h"

#include "core/text.h"

namespace rethink {

std::vector<std::string> whole(const std::vector<SheetNote>& notes) {
  std::vector<std::string> texts;
  for (const SheetNote& note : notes) texts.push_back(note.whole());
  return texts;
}

Sheet in_lines(Sheet sheet) {
  for (std::string* text : {&sheet.name, &sheet.title}) *text = one_line(*text);
  for (SheetNote& note : sheet.notes) note = {one_line(note.text), one_line(note.hint)};
  for (std::string& label : sheet.labels) label = one_line(label);
  for (SheetHeader& header : sheet.headers) header.group = one_line(header.group);
  for (auto& [letter, text] : sheet.footnotes) text = one_line(text);
  for (std::vector<SheetBox>& row : sheet.rows) {
    for (SheetBox& box : row) box.text = one_line(box.text);
  }
  return sheet;
}

}  // namespace rethink
