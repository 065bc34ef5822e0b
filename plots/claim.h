// Sentences of a paper with a test each: holds, fails, or undecided (docs/tables.md).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plots/table.h"

namespace rethink {

/// What the numbers behind a verdict are printed in, where those of the table hardly differ: each
/// less `less`, times `times`. The test is on the table's.
struct ClaimUnit {
  std::string name;  // "logits, from P = 0.5"
  double times = 1, less = 0;
};

/// A test on the cells of one table's column.
struct ClaimSpec {
  std::string name, says, source;  // in our words; where the paper says it
  std::string table;               // name of a table spec
  Position table_at;
  std::vector<std::string>
      columns;       // labels: the first that the plan has whole; empty: the only one
  std::string kind;  // better, not_worse, rises, falls
  std::vector<std::string> row, than;  // better, not_worse; of several rows the mean, but not_below
  std::string than_column;             // of `than`; empty: the same
  std::string direction;               // min, max; empty: the column's
  bool over_heads = false;             // pairs are heads of equal seed and number, not seeds
  double margin = 0;  // not_worse: how much worse is still not worse [as the table shows it]
  std::string
      not_below;  // better, not_worse: a column; of several `row` its least not below `than`
  std::set<std::string> quoted;   // of the names of rows and columns those in quotes
  std::optional<ClaimUnit> unit;  // better, not_worse
  Position at;
};

struct ClaimsSpec {
  std::string name;  // "bet"
  std::filesystem::path file;
  std::vector<ClaimSpec> claims;
};

enum class Verdict { holds, fails, undecided };
const char* to_text(Verdict verdict);

struct ClaimResult {
  std::string name = {}, says = {}, source = {}, table = {};
  std::string file = {};  // the claims it is one of: "bet"; the caller's to fill in
  Verdict verdict = Verdict::undecided;
  std::string why = {};      // the numbers behind the verdict
  size_t seeds = 0;          // that its interval is over, or that have the heads; 0: there is none
  size_t wanted_seeds = 0;   // of its table
  std::string paper = {};    // what the paper's own numbers say; empty: none
  std::string remarks = {};  // marks of the cells: "partial data: trained on 64 of 87,599 examples"
  bool incomplete = false;   // undecided because values are not there
  bool unmeasured = false;   // incomplete, and no trial that has yet to run would give them
  std::string run_with = {};                 // the command that runs them; the caller's to fill in
  std::vector<std::string> on_request = {};  // how trials of its table that failed run again
  std::string no_table = {};  // undecided because its table cannot be made: the whole message
  /// All that it needs is there, whatever it then says.
  bool complete() const { return !incomplete && no_table.empty(); }
};

/// Throws ConfigError with every problem and its place.
ClaimsSpec read_claims_spec(const std::filesystem::path& file);

/// Tests a claim on its table. An interval is the 95% confidence interval over seeds that both rows
/// have, or over their heads: it then says nothing of other seeds. Nothing is corrected for the
/// number of claims.
///   better        holds: all of the interval of the difference is on the better side; fails: all
///                 of it on the worse
///   not_worse     holds: the interval ends above the margin; fails: all of it is beyond the margin
/// With not_below both are undecided unless `row` is at least `than` there: "better, and not with
/// more attention". Of several rows the one is compared that is the least of those.
///   rises, falls  Kendall's tau between the rows' numeric keys and the metric, per seed: holds
///                 when its interval is above (below) zero, fails when it is below (above)
/// Undecided too when seeds of a row diverged, those that are left are the luckier ones, and when a
/// pair has a mask that hides every place.
/// Throws ConfigError when the table has no such row or column.
ClaimResult test_claim(const ClaimSpec& claim, const Table& table);
/// A claim whose table cannot be made, for the reason that `message` gives.
ClaimResult untested_claim(const ClaimSpec& claim, const std::string& message);

}  // namespace rethink
