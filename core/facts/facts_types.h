// Which struct holds the facts of a registry's plug-ins: what a program that does not link them reads from schema.json.
#pragma once

#include <string>

#include "core/config/options.h"

namespace rethink {

/// NoFields for a registry whose plug-ins have no facts.
const OptionsType& facts_type(const std::string& registry);

}  // namespace rethink
