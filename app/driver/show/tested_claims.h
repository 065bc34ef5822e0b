// What the store has on record of looks at claims: brought to the claims before they are tested, and kept up
// afterwards.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "experiments/plan/plan.h"
#include "plots/claim/claim.h"
#include "results/folders/look_record.h"

namespace rethink {

/// The looks at the claims of one file under one profile. Looks with other choices (--set, --seeds), at a
/// snapshot, or at claims without `looks` are not recorded.
class LooksOnRecord {
 public:
  /// `claims`: the name of the file. Throws ConfigError where the store's folder of looks is none of rethink's.
  LooksOnRecord(const std::filesystem::path& store, const ClaimsSpec& spec, std::string claims,
                const PlanChoices& choices);

  /// The looks that stand, before the claim is tested. Throws ConfigError where a record is damaged.
  void bring(ClaimSpec& claim) const;
  /// After the test: records the looks that are new, and remarks on those that were taken by other rules, of other
  /// trials or under other profiles. Standard error says once where the store cannot be written.
  void keep(const ClaimSpec& claim, ClaimResult& result);

 private:
  LookName name_of(const ClaimSpec& claim, const Look& look) const;
  void add_new(const ClaimSpec& claim, const Json& rule, const ClaimResult& result);
  void remark_on(const LookRecord& record, const ClaimSpec& claim, const Json& rule,
                 ClaimResult& result) const;
  void write(const LookRecord& record);

  const std::filesystem::path& store_;
  const std::map<std::string, GateSpec>& gates_;
  const std::string claims_, profile_;
  const bool has_records_;  // there is a folder for them
  const bool is_kept_;      // the choices are those of the profile alone
  std::map<std::string, std::vector<LookRecord>> before_;  // by claim
  bool is_refused_ = false;
};

}  // namespace rethink
