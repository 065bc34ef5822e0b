// The JSON Schema (draft-07) of sweep files and of sites.yaml, with which yaml-language-server
// completes and checks files in editors.
#pragma once

#include "core/config/schema.h"

namespace rethink {

/// Returns descriptions, defaults and allowed values of everything in `schema`, in the form of a
/// sweep file. Unknown keys are errors. Dotted keys are allowed; `rethink plan` checks them.
Json sweep_json_schema(const Schema& schema);

/// Returns, by name, the schema's keys at the top of a sweep or in any stage, whatever its job:
/// "resources", "seeds", "grid". Cost: a small part of the whole.
Json sweep_keys(const Schema& schema);

/// Returns the same for a file that maps the user's own names to `options`.
Json map_json_schema(const std::string& title, const OptionsSchema& options);

}  // namespace rethink
