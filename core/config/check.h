// Turns YAML into the complete, typed value that is hashed and run. Finds unknown keys, wrong
// types, ranges and broken rules between fields, from the schema alone.
#pragma once

#include "core/config/schema.h"
#include "core/config/yaml.h"

namespace rethink {

/// Every field of `options` with its value or default. Scalars follow our own grammar by the
/// field's type: true or false; integers without leading zeros; decimals; text as it stands. An
/// option that may follow the trial's seed can have the word `seed` (core/config/configuration.h).
/// Problems are added to `problems` with their places; the result is then not to be used. `prefix`
/// is the dotted path so far, for messages ("model.attention").
Json check_options(const Yaml& given, const OptionsSchema& options, const Schema& schema,
                   const std::string& prefix, Problems& problems);

/// One value by the type of one field.
Json check_value(const Yaml& given, const Field& field, const Schema& schema,
                 const std::string& path, Problems& problems);

}  // namespace rethink
