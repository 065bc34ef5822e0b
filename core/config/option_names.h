// All names of options, with any choice of plug-ins, to find the nearest name to an unknown word.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"

namespace rethink {

/// An option as a path leads to it.
struct NamedOption {
  std::string name;  // in files: "model.attention.lambda"
  const Field* field = nullptr;
  const PluginSchema* of = nullptr;  // whose option it is; null: of the fields that were given
  const Field* chosen_by = nullptr;  // the option that chose that plug-in
  size_t begin = 0;                  // of the part of the name that the plug-in's own options have

  std::string own_name() const { return name.substr(begin); }
};

/// All options below `fields`, by each of their names: their own, those of maps, and of each plug-in
/// that may be chosen, one within the other as long as their kinds differ. Requires: both outlive the result.
std::vector<NamedOption> options_below(const std::vector<Field>& fields, const Schema& schema);

/// Their names, each once, with those of the keys that choose plug-ins ("model.attention.kind"); the
/// nearest first.
std::vector<std::string> option_names(const std::vector<Field>& fields, const Schema& schema);

/// Every option that may stand at a dotted path below `fields`, whichever plug-ins are chosen on
/// the way; of a key that chooses a plug-in ("model.attention.kind") the option whose plug-in it
/// is. Requires: both outlive the result.
std::vector<const Field*> options_called(const std::string& dotted,
                                         const std::vector<Field>& fields, const Schema& schema);

/// The other name of an option that files write by two (Field::written), as a path; "" where it has
/// none.
std::string other_name_of(const std::string& dotted, const std::vector<Field>& fields,
                          const Schema& schema);

}  // namespace rethink
