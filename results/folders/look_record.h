// Records of looks at claims, made when a look is taken (docs/claims.md): one file each in the
// store's folder `looks`. No command changes a record, so a verdict cannot be replaced by one of
// other numbers. A look by another rule has its own file. The state of a gate is a look of a claim
// "gate NAME on COLUMN" (app/driver/show/tables/tested_claims.cpp).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"

namespace rethink {

/// Identifies a look: a claim of a file of claims, under a profile, at a number of seeds.
struct LookName {
  std::string claims;   // "bet"
  std::string claim;    // "diag_free"
  std::string profile;  // empty: none
  int64_t seeds = 0;
  Json rule;  // rule of the judgement (plots/claim/claim_spec.h)
};

struct LookRecord {
  LookName look;
  std::string verdict;  // as claims print it: "holds"
  std::string at;       // time, as from wall_time()
  Json numbers;         // numbers behind the verdict: "gain", "low", "high", "level", "alpha", "p"
  std::string why;      // as claims printed it
  std::string decides;  // for an undecided claim: what would decide it
  std::string trials;   // digest of the trials behind it (plots/claim/claim.h)
};

/// Returns why the store's folder of looks may not be used, since it is a link; "" if it may, or is
/// missing.
std::string looks_folder_problem(const std::filesystem::path& store);
/// Returns nothing if the look was never taken. Throws ConfigError, with what helps, if its file is
/// damaged.
std::optional<LookRecord> read_look(const std::filesystem::path& store, const LookName& look);
/// Returns all sound looks of a file of claims, by claim; each claim's by profile and seeds. Cost: reads every look.
std::map<std::string, std::vector<LookRecord>> looks_by_claim(const std::filesystem::path& store,
                                                              const std::string& claims);
/// Records a look. A recorded look stays as it is. Durable. Throws MachineError.
void record_look(const std::filesystem::path& store, const LookRecord& record);

/// Returns what is wrong with files of looks, with what helps.
std::vector<std::string> damaged_looks(const std::filesystem::path& store);
/// Results of copying looks to another store, with a sentence for each look that needs one.
struct MergedLooks {
  size_t added = 0;                    // looks that the other store lacked
  std::vector<std::string> differing;  // both stores have the look, with other numbers
  std::vector<std::string> damaged;    // damaged looks, which were not copied
};
/// Copies looks. Of two records of a look the earlier is kept, which was seen first. Throws
/// MachineError.
MergedLooks merge_looks(const std::filesystem::path& from, const std::filesystem::path& into);

}  // namespace rethink
