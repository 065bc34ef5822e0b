// Maps each registry to the struct of its plug-ins' facts, for programs that do not link the
// plug-ins and read schema.json.
#pragma once

#include <string>

#include "core/config/options.h"

namespace rethink {

/// The facts' type of a registry; NoFields if its plug-ins have no facts.
const OptionsType& facts_type(const std::string& registry);

}  // namespace rethink
