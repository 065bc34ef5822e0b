// The claims of a file tested on a store, and the looks on record.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/driver/command.h"
#include "app/driver/show/rendering.h"
#include "plots/claim/claim.h"
#include "plots/claim/claim_spec.h"

namespace rethink {

/// Trials for which the claims of a file wait, by sweep.
struct AwaitedTrials {
  Plans plans_of_gates, plans_of_claims;
  /// Pilots of gates that wait for them.
  std::map<std::string, std::vector<std::string>> of_gates;
  /// Of claims without a gate or with one that is passed, up to the next look of those that are undecided.
  std::map<std::string, std::vector<std::string>> of_claims;
};
/// Looks at the claims on the way, as test_claims. Throws likewise.
AwaitedTrials awaited_trials_of(const CommandContext& context, const ClaimsSpec& spec,
                                const std::string& name, const RenderingChoices& chosen);

/// The claims of one file, in its order. A table that cannot be made costs its own claims alone,
/// which then say why; where none can, throws as read_view. `name`: of the file, as it was typed.
std::vector<ClaimResult> test_claims(const CommandContext& context, const ClaimsSpec& spec,
                                     const std::string& name, const RenderingChoices& chosen);

}  // namespace rethink
