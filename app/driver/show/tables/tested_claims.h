// Tests the claims of a file on a store, and reads recorded looks.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/driver/command.h"
#include "app/driver/show/tables/rendering.h"
#include "plots/claim/claim.h"
#include "plots/claim/claim_spec.h"

namespace rethink {

/// Trials for which the claims of a file wait, by sweep.
struct AwaitedTrials {
  Plans plans_of_gates, plans_of_claims;
  /// Pilots of gates that wait for them.
  std::map<std::string, std::vector<std::string>> of_gates;
  /// Trials of undecided claims up to their next look, without claims whose gate is not passed.
  std::map<std::string, std::vector<std::string>> of_claims;
  /// All trials of the tables of gates and claims, done ones too, with their needs.
  std::set<std::string> shown_by_gates, shown_by_claims;
};
/// Returns the trials for which claims wait. Takes the claims' looks, and throws, as test_claims does.
AwaitedTrials awaited_trials_of(const CommandContext& context, const ClaimsSpec& spec,
                                const std::string& name, const RenderingChoices& chosen);

/// Returns the results of one file's claims, in order. If a table cannot be made, only its own claims are without a
/// verdict and say why; if no table can be made, throws as read_view. `name` is the file's name as typed.
std::vector<ClaimResult> test_claims(const CommandContext& context, const ClaimsSpec& spec,
                                     const std::string& name, const RenderingChoices& chosen);

}  // namespace rethink
