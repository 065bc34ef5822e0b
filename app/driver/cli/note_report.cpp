#include "app/driver/cli/note_report.h"

#include <iostream>

#include "core/add_once.h"
#include "core/json.h"

namespace rethink {
namespace {

bool notes_are_json = false;

}  // namespace

void print_notes_as_json() {
  notes_are_json = true;
}

void print_note(const Note& note) {
  if (notes_are_json) {
    std::cerr << to_json(note).dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    std::cerr << to_text(note) << "\n";
  }
}

void print_notes(const std::vector<Note>& notes) {
  for (const Note& note : notes) print_note(note);
}

void print_note_once(const Note& note) {
  static std::vector<Note> printed;
  const size_t before = printed.size();
  add_once(printed, note);
  if (printed.size() > before) print_note(note);
}

}  // namespace rethink
