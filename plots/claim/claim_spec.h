// What a file of claims says (docs/claims.md): sentences of a paper with a test each, and the gates
// that some of them have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/config/problems.h"
#include "core/error.h"
#include "core/json_fwd.h"
#include "plots/claim/claim_tests.h"
#include "plots/claim/verdict.h"

namespace rethink {

/// What the numbers behind a verdict are printed in, where those of the table hardly differ: each
/// less `less`, times `times`. The test is on the table's.
struct ClaimUnit {
  std::string name;  // "logits, from P = 0.5"
  double times = 1, less = 0;
};

/// Record of a look at a claim.
struct RecordedLook {
  Judgement judgement;
  std::string why, decides;  // as of a look (claim.h)
  std::string day;           // as is_day() has it
};

/// When the claims on a column are looked at the last time.
struct LastLook {
  size_t seeds = 0;
  Position at;
};

/// A test on the cells of a table's column.
struct ClaimSpec {
  std::string name, says, source;  // in our words; where the paper says it
  std::string table;               // name of a table spec
  Position table_at;
  std::vector<std::string>
      columns;  // labels: the first that the plan has whole; empty: the only one
  const ClaimTest* test = &better_test();
  std::vector<std::string> row, than;  // of pairs; of several rows the mean, but not_below
  std::string than_column;             // of `than`; empty: the same
  std::optional<double> than_value;    // over heads, in place of `than`
  std::string direction;               // min, max; empty: the column's
  bool over_heads = false;             // pairs are heads of equal seed and number, not seeds
  double margin = 0;  // not_worse, alike: how far apart is still so [as the table shows it]
  std::optional<double> smallest;  // better: the smallest effect of interest; none: kSmallestPart
  std::string
      not_below;  // better, not_worse: a column; of several `row` its least not below `than`
  std::set<std::string> quoted;              // of the names of rows and columns those in quotes
  std::map<std::string, Position> names_at;  // where these names stand
  std::optional<ClaimUnit> unit;             // of pairs
  std::vector<Look> looks;  // rising; empty: one at all seeds that are planned, at kAlpha
  std::map<std::string, LastLook>
      last_looks;  // by columns of its table that have one: settled in the tested column
  std::vector<int64_t> seeds;  // that decide it; empty: all
  std::string
      fixed;  // the day on which the rules of its file were fixed, as is_day() has it; empty: none
  std::string gate;  // the name of one of the file's; empty: none
  std::map<std::string, std::string>
      basis;  // by profile: what its weights began from, "adapted from dense"
  std::map<size_t, RecordedLook>
      recorded;  // by seeds: these verdicts stand; the caller's to fill in
  Position at;

  /// Whether it compares rows, rather than follows them.
  bool is_of_pairs() const { return test->is_of_pairs; }
};

/// A gate: a column counts only if `row` is above `than` there.
struct GateSpec {
  std::string table;
  Position at, table_at;
  std::string row, than;
};

struct ClaimsSpec {
  std::string name;  // "bet"
  std::filesystem::path file;
  std::vector<ClaimSpec> claims;
  std::map<std::string, GateSpec> gates;
  std::map<std::string, Position> basis_at;  // profiles that `basis` names
};

/// Throws ConfigError with every problem and its place.
ClaimsSpec read_claims_spec(const std::filesystem::path& file);

/// Leaves the looks up to this number of seeds; the last of them also has the alphas of the others. Requires: one
/// has no more seeds.
void drop_looks_beyond(size_t seeds, std::vector<Look>& looks);

/// The columns that the claim names.
std::vector<std::string> columns_named(const ClaimSpec& claim);

/// Returns everything that determines a claim's verdict beside the numbers: its test, names,
/// bounds, looks, gate, and the day on which these were fixed.
Json rule_of(const ClaimSpec& claim, const std::map<std::string, GateSpec>& gates);

/// Returns everything that determines a gate's result for a column, beside the numbers.
Json rule_of(const GateSpec& gate, const std::string& column);

}  // namespace rethink
