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
  const PluginSchema* of = nullptr;  // plug-in that has the option; null: one of the given fields
  const Field* chosen_by = nullptr;  // the option that chose that plug-in
  size_t begin = 0;                  // where the plug-in's own part of the name begins

  std::string own_name() const { return name.substr(begin); }
};

/// Returns all options below `fields`, by each of their names: own options, options of maps, and
/// options of each plug-in that may be chosen, nested as long as their kinds differ. Requires: both
/// outlive the result.
std::vector<NamedOption> options_below(const std::vector<Field>& fields, const Schema& schema);

/// Returns their names without duplicates, the nearest first, with the names of keys that choose
/// plug-ins ("model.attention.kind").
std::vector<std::string> option_names(const std::vector<Field>& fields, const Schema& schema);

/// Returns every option at a dotted path below `fields`, for any choice of plug-ins on the way. For
/// a key that chooses a plug-in ("model.attention.kind") it returns the option that holds the
/// plug-in. Requires: both outlive the result.
std::vector<const Field*> options_called(const std::string& dotted,
                                         const std::vector<Field>& fields, const Schema& schema);

/// Returns the second name of an option (Field::written), as a path; "" if it has only one.
std::string other_name_of(const std::string& dotted, const std::vector<Field>& fields,
                          const Schema& schema);

}  // namespace rethink
