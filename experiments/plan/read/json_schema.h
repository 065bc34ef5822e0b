// The JSON Schema (draft-07) of sweep files, for editors: yaml-language-server completes and checks
// by it.
#pragma once

#include "core/config/schema.h"

namespace rethink {

/// Descriptions, defaults and allowed values of everything in `schema`, as it may stand in a sweep
/// file. Unknown keys are refused; dotted keys are let through, `rethink plan` checks those.
Json sweep_json_schema(const Schema& schema);

}  // namespace rethink
