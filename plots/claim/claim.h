// Tests of claims on their tables (docs/claims.md), and the results.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plots/claim/claim_gate.h"
#include "plots/claim/claim_spec.h"
#include "plots/claim/claim_tests.h"
#include "plots/claim/verdict.h"
#include "plots/table/cells/item_test.h"
#include "plots/table/table.h"

namespace rethink {

/// Result of a claim at one look.
struct LookResult {
  Look look;
  Judgement judgement;              // the recorded judgement, if there is one; likewise the texts
  std::vector<int64_t> seeds = {};  // seeds of the look
  std::string why = {};             // the numbers behind it
  std::string decides = {};         // for an undecided claim: what would decide it
  std::string trials = {};          // digest of the trials behind it and of the measured values
  std::string day = {};             // day of a recorded look, as is_day() accepts it
};

/// Scope of a verdict.
enum class ClaimScope {
  seeds,   // models of other seeds
  heads,   // only the heads of the present models
  counts,  // no model: numbers that are counted, equal for all seeds
};

struct ClaimResult {
  std::string name = {}, says = {}, source = {}, table = {};
  std::string file = {};  // its file of claims: "bet"; the caller sets it
  const ClaimTest* test = &better_test();
  std::string column = {}, row = {}, than = {};  // compared lines; a trend has no rows
  double margin = 0;
  std::optional<ClaimUnit> unit = {};  // unit of its texts; all numbers here are the table's
  Verdict verdict = Verdict::undecided;
  ClaimScope scope = ClaimScope::seeds;
  std::string why = {};      // the numbers behind the verdict
  std::string decides = {};  // undecided: what would decide it, or would have at the last look
  std::optional<Judgement> judgement = {};  // judgement behind the verdict
  double smallest = 0;                      // smallest effect of interest for this verdict
  std::vector<LookResult> looks = {};       // so far, in order
  std::optional<double> q = {};             // by Benjamini and Hochberg, over its file
  size_t seeds = 0;            // seeds of its interval, or of the heads; 0: no interval
  size_t planned_seeds = 0;    // seeds planned for all compared rows, within its own `seeds`
  bool plans_too_few = false;  // too few seeds are planned for the next look
  /// For an undecided claim, the seeds of the next look, some of which lack values. Empty if too few are planned.
  std::vector<int64_t> awaits = {};
  std::string paper = {};    // result for the paper's own numbers; empty: none
  std::string remarks = {};  // marks of the cells: "partial data: trained on 64 of 87,599 examples"
  std::string gate = {};     // state of its gate; empty: no gate
  /// The models were adapted from other models, and the claim is stronger than "not worse": its
  /// result may hold for this adaptation only.
  bool adaptation_only = false;
  bool waits_for_gate = false;  // its gate waits for values
  bool incomplete = false;      // undecided because values are missing
  bool unmeasured = false;      // incomplete, and no trial that will run would give the values
  std::string run_with = {};    // by the caller: the command that runs the trials, if one can start
  /// The claim waits for trials that cannot run here: commands that bring the files that they read.
  std::set<std::string> lacks_data = {};
  std::set<std::string> to_bring = {};     // commands that bring the data for `run_with`
  std::vector<SheetNote> on_request = {};  // how failed trials of its table run again
  /// Undecided because its table or its gate's table, or a column of one, cannot be made.
  struct Unmade {
    std::string what, table;  // "column 'De-En' of table bet/table2", and the table's name
    std::string message;      // the reason: the whole message
  };
  std::optional<Unmade> unmade = {};
  /// Returns whether everything that the claim needs exists, whatever its verdict is.
  bool complete() const { return !incomplete && !unmade; }
};

/// Returns "seeds", "heads" or "counts".
const char* to_text(ClaimScope scope);

/// Adds a sentence to the remarks.
void add_remark(const std::string& text, ClaimResult& result);

/// Tests a claim on its table, look by look. A look is at a number of seeds that both rows plan,
/// the lowest seeds first, and has an interval of its own level. The first look that decides
/// counts; the next look is taken only if the claim is still undecided. Fewer than kFewestSeeds
/// seeds give no verdict, except for counts, which are equal for all seeds.
///   better, not_worse, alike   the paired difference against its bounds (verdict_of)
///   rises, falls               Kendall's tau between the rows' numeric keys and the metric, by all
///                              orders of the rows (kendall_permutation.h): decided if p is at most
///                              alpha
/// With `items`, a score of a task needs the same verdict from the interval over the items of its
/// split; null: not needed. Over heads, the interval is for the present models. With not_below,
/// both are undecided unless `row` is at least `than` there: "better, and not with more attention".
/// Of several rows, the least such row is compared. Also undecided if seeds of a row diverged,
/// since the remaining seeds are the luckier ones, and if a pair has a faulty artifact. Not at this
/// scale if the plan leaves out a row. Throws ConfigError if the table lacks the row or column.
ClaimResult test_claim(const ClaimSpec& claim, const Table& table, ItemGains* items = nullptr);
/// Returns the effect of interest of a claim: its own, else a part of the paper's difference. Returns 0 if the paper
/// prints no difference or one against the claim, and for other tests than `better`.
double smallest_effect(const ClaimSpec& claim, const Table& table);
/// Returns the labels of the columns behind the claim's column: the parts of a mean, else the column itself.
std::vector<std::string> columns_behind(const ClaimSpec& claim, const Table& table);
/// Returns, by sweep, the trials that must run before the claim's next look: of all rows of its columns, which proceed
/// from look to look together. Empty if the claim is decided, or its gate is not passed.
std::map<std::string, std::set<std::string>> awaited_trials(const ClaimSpec& claim,
                                                            const Table& table,
                                                            const ClaimResult& result);
/// Returns the alpha of the newest look; kAlpha over heads; nothing without a look.
std::optional<double> alpha_of(const ClaimResult& claim);
/// Withdraws the verdict if the gate is not passed. A verdict that stays gets the gate's numbers as a remark.
void apply_gate(const GateResult& gate, ClaimResult& result);
/// Sets q of the claims of one file: Benjamini and Hochberg's over the p of all claims with a look,
/// each p times kAlpha over its look's alpha. Claims over heads are a separate family.
void set_false_discovery_rates(std::vector<ClaimResult>& claims);
/// Returns the result of a claim whose table, or its column `column`, cannot be made, for the reason in `message`.
ClaimResult untested_claim(const ClaimSpec& claim, const std::string& column,
                           const std::string& message);
/// Withdraws the verdict if the table of the gate, or its column `column`, cannot be made; likewise.
void leave_gate_unmade(const GateSpec& gate, const std::string& column, const std::string& message,
                       ClaimResult& result);

}  // namespace rethink
