// A condition between the fields of one options struct (core/config/rules.h applies it).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/json_value.h"

namespace rethink {

/// A condition between fields of one options struct, as data: `plan` finds what `run` would.
/// Fields may be dotted ("model.heads"); a list on the way stands for each of its elements; what is
/// not set breaks none of divides, at_most, multiple, room and declared.
///   at_most_one   of `fields` is set (not null)       exactly_one   likewise
///   divides       fields[0] divides fields[1]
///   at_most       fields[0] <= fields[1]; with values [a, b]: a * fields[0] + b <= fields[1]
///   multiple      fields[0] times fields[1] / fields[2] is a multiple of values[0]
///   room          fields[0], a list, has at most fields[1] times fields[2] / fields[3] / values[0]
///                 elements
///   needs         where fields[0] is values[0] (null: is set), fields[1] is or holds another one
///   suits         the plug-in named by fields[0] has no exception; values: [registry, which]
///   excludes      where fields[0] is or holds values[0], fields[1] is set, and none of the other
///                 values
///   declared      fields[0] is in the list that the plug-in named by fields[1] has as a fact;
///                 values: [registry, fact]
///   fact          the plug-in named by fields[0] has as a fact one of the values that follow
///                 [registry, fact]
struct Rule {
  std::string kind;
  std::vector<std::string> fields;
  std::string message;                      // said when it does not hold
  std::vector<JsonValue> values{};          // see above
  std::map<std::string, JsonValue> when{};  // the rule is for these values of these fields only
  std::string each{};  // a list: the rule is for each element, whose fields come before the block's
};

}  // namespace rethink
