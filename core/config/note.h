// A note to the user: a setting or a file is valid, but probably unintended or easily overlooked.
#pragma once

#include <string>

#include "core/config/problems.h"
#include "core/error.h"
#include "core/json_fwd.h"

namespace rethink {

struct Note {
  explicit Note(MessageCode its_code, std::string its_text, Position its_place = {});

  MessageCode code;
  std::string text;
  Position where;  // a place in a file; or only a name as the file: "--slots", a sweep, a plug-in
  bool operator==(const Note&) const = default;
};

/// Returns "FILE:LINE:COLUMN: note: TEXT"; "FILE: note: TEXT" without a line; "note: TEXT" without
/// a file.
std::string to_text(const Note& note);

/// Returns {"note": code, "message": text}, with "file", "line" and "column" if the note has a
/// file. Lines and columns count from 1; 0 means that the place is unknown.
Json to_json(const Note& note);

}  // namespace rethink
