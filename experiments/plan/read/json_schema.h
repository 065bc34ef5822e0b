// The JSON Schema (draft-07) of sweep files and of sites.yaml, for editors: yaml-language-server completes and checks
// by it.
#pragma once

#include "core/config/schema.h"

namespace rethink {

/// Descriptions, defaults and allowed values of everything in `schema`, as it may stand in a sweep
/// file. Unknown keys are refused; dotted keys are let through, `rethink plan` checks those.
Json sweep_json_schema(const Schema& schema);

/// Of these, by name, the keys that stand at the top of a sweep or in any of its stages, whatever
/// its job: "resources", "seeds", "grid". Cost: a small part of the whole.
Json sweep_keys(const Schema& schema);

/// The same for a file that is a map from names of the user's own to `options`.
Json map_json_schema(const std::string& title, const OptionsSchema& options);

}  // namespace rethink
