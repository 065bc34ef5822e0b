// The claims of a file tested on a store, and the looks on record.
#pragma once

#include <string>
#include <vector>

#include "app/driver/command.h"
#include "app/driver/show/rendering.h"
#include "plots/claim/claim.h"

namespace rethink {

/// With what the tables of gates are planned: --seeds chooses among those of claims, not of the pilots.
PlanChoices choices_of_gates(PlanChoices choices);

/// The claims of one file, in its order. A table that cannot be made costs its own claims alone,
/// which then say why; where none can, throws as load_table.
std::vector<ClaimResult> load_claims(const CommandContext& context, const std::string& name,
                                     const Chosen& chosen);

}  // namespace rethink
