// The contents of a file of claims (docs/claims.md): sentences of a paper with one test each, and
// gates.
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
#include "core/direction.h"
#include "core/error.h"
#include "core/json_fwd.h"
#include "plots/claim/claim_tests.h"
#include "plots/claim/verdict.h"

namespace rethink {

/// The unit of printed numbers, if those of the table hardly differ: each number minus `less`,
/// times `times`. The test uses the table's numbers.
struct ClaimUnit {
  std::string name;  // "logits, from P = 0.5"
  double times = 1, less = 0;
};

/// Record of a look at a claim.
struct RecordedLook {
  Judgement judgement;
  std::string why, decides;  // as in a look (claim.h)
  std::string day;           // as is_day() accepts it
};

/// The last look at the claims on a column.
struct LastLook {
  size_t seeds = 0;
  Position at;
};

/// A test on the cells of a table's column.
struct ClaimSpec {
  std::string name, says, source;  // our words, and where the paper says it
  std::string table;               // name of a table spec
  Position table_at;
  std::vector<std::string>
      columns;  // labels: the first completely planned column counts; empty: the only column
  const ClaimTest* test = &better_test();
  std::vector<std::string> row, than;  // of pairs; several rows: their mean, except with not_below
  std::string than_column;             // column of `than`; empty: the same
  std::optional<double> than_value;    // over heads: replaces `than`
  Direction direction = Direction::unknown;  // unknown: the column's
  bool over_heads = false;  // pairs are heads with equal seed and number, not seeds
  double margin = 0;        // not_worse, alike: largest equal difference [as the table shows it]
  std::optional<double> smallest;  // better: smallest effect of interest; none: kSmallestPart
  std::string not_below;  // better, not_worse: a column in which `row` must not be below `than`
  std::set<std::string> quoted;              // quoted names of rows and columns
  std::map<std::string, Position> names_at;  // positions of these names
  std::optional<ClaimUnit> unit;             // of pairs
  std::vector<Look> looks;  // rising; empty: one look at all planned seeds, with kAlpha
  std::map<std::string, LastLook>
      last_looks;              // by column of its table; settled for the tested column
  std::vector<int64_t> seeds;  // seeds that decide it; empty: all
  std::string
      fixed;  // day on which the rules of its file were fixed, as is_day() accepts it; empty: none
  std::string gate;  // name of a gate of the file; empty: none
  std::map<std::string, std::string>
      basis;  // by profile: the origin of its weights, "adapted from dense"
  std::map<size_t, RecordedLook>
      recorded;  // by number of seeds: these verdicts are final; the caller sets it
  Position at;

  /// Returns whether the test compares rows, and is not a trend.
  bool compares_rows() const { return test->compares_rows; }
};

/// A gate: claims on a column count only if `row` is above `than` there.
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
  std::map<std::string, Position> basis_at;  // profiles in `basis`
};

/// Throws ConfigError with every problem and its position.
ClaimsSpec read_claims_spec(const std::filesystem::path& file);

/// Removes looks above this number of seeds. The last remaining look gets the alphas of the removed
/// looks. Requires: a look with no more seeds.
void drop_looks_beyond(size_t seeds, std::vector<Look>& looks);

/// Returns the columns that the claim names.
std::vector<std::string> columns_named(const ClaimSpec& claim);

/// Returns everything that determines a claim's verdict beside the numbers: its test, names,
/// bounds, looks, gate, and the day on which these were fixed.
Json rule_of(const ClaimSpec& claim, const std::map<std::string, GateSpec>& gates);

/// Returns everything that determines a gate's result for a column, beside the numbers.
Json rule_of(const GateSpec& gate, const std::string& column);

}  // namespace rethink
