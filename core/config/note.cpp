#include "core/config/note.h"

#include <fmt/format.h>

#include <utility>

#include "core/files/piped_input.h"
#include "core/json.h"

namespace rethink {

Note::Note(MessageCode its_code, std::string its_text, Position its_place)
    : code(its_code), text(std::move(its_text)), where(std::move(its_place)) {}

std::string to_text(const Note& note) {
  if (note.where.file.empty()) return "note: " + note.text;
  const std::string file = shown_name(note.where.file);
  const std::string place = note.where.line > 0
                                ? fmt::format("{}:{}:{}", file, note.where.line, note.where.column)
                                : file;
  return fmt::format("{}: note: {}", place, note.text);
}

Json to_json(const Note& note) {
  Json json{{"note", note.code.text()}, {"message", note.text}};
  if (!note.where.file.empty()) {
    json["file"] = note.where.file;
    json["line"] = note.where.line;
    json["column"] = note.where.column;
  }
  return json;
}

}  // namespace rethink
