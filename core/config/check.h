// Turns YAML into the complete, typed value that is hashed and run. Finds unknown keys, wrong
// types, ranges and broken rules between fields, from the schema alone.
#pragma once

#include "core/config/schema.h"
#include "core/yaml/yaml.h"

namespace rethink {

/// Returns every field of `options` with its value or default. Scalars are read by the field's
/// type: true or false; integers without leading zeros; decimals; text as written. An option that
/// may follow the trial's seed may be the word `seed` (core/config/configuration.h). Adds problems
/// with their positions to `problems`; the result must then not be used. `prefix` is the dotted
/// path of `options` in messages ("model.attention").
Json check_options(const Yaml& given, const OptionsSchema& options, const Schema& schema,
                   const std::string& prefix, Problems& problems);

/// Returns one value by the type of a field.
Json check_value(const Yaml& given, const Field& field, const Schema& schema,
                 const std::string& path, Problems& problems);

}  // namespace rethink
