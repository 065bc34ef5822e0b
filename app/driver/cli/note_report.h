// Prints notes on standard error: as text, or as lines of JSON beside output in JSON.
#pragma once

#include <vector>

#include "core/config/note.h"

namespace rethink {

/// Makes every later note one line of JSON (to_json).
void print_notes_as_json();

void print_note(const Note& note);
void print_notes(const std::vector<Note>& notes);

/// Prints a note unless this process has printed it before, since claims plan a sweep once for each
/// of their tables.
void print_note_once(const Note& note);

}  // namespace rethink
