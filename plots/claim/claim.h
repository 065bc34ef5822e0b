// Tests a claim on its table (docs/claims.md), and the result of the test.
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
  Judgement judgement;              // the recorded one, where there is one; likewise its texts
  std::vector<int64_t> seeds = {};  // that it was at
  std::string why = {};             // the numbers behind it
  std::string decides = {};         // it leaves the claim undecided: what would decide it
  std::string trials = {};          // digest of the trials behind it, and of what is measured
  std::string day = {};             // of a recorded one, as is_day() has it
};

/// Scope of a verdict.
enum class ClaimScope {
  seeds,   // models of other seeds
  heads,   // the heads of the models at hand alone
  counts,  // no model: numbers that are counted, equal for all seeds
};

struct ClaimResult {
  std::string name = {}, says = {}, source = {}, table = {};
  std::string file = {};  // the claims it is one of: "bet"; the caller's to fill in
  const ClaimTest* test = &better_test();
  std::string column = {}, row = {}, than = {};  // compared; a trend has no rows of its own
  double margin = 0;
  std::optional<ClaimUnit> unit = {};  // that its texts are in; all numbers here are the table's
  Verdict verdict = Verdict::undecided;
  ClaimScope scope = ClaimScope::seeds;
  std::string why = {};      // the numbers behind the verdict
  std::string decides = {};  // undecided: what would decide it, or would have at its last look
  std::optional<Judgement> judgement = {};  // that the verdict rests on
  double smallest = 0;                      // the effect of interest that it was held against
  std::vector<LookResult> looks = {};       // taken so far, in order
  std::optional<double> q = {};             // Benjamini and Hochberg's, of its file
  size_t seeds = 0;          // that its interval is over, or that have the heads; 0: there is none
  size_t planned_seeds = 0;  // by all that it compares, of its own `seeds` where it has them
  bool plans_too_few = false;  // seeds, for the look that comes next
  /// Undecided: seeds of the next look, some of which lack values. None where the plan has too few for it.
  std::vector<int64_t> awaits = {};
  std::string paper = {};    // what the paper's own numbers say; empty: none
  std::string remarks = {};  // marks of the cells: "partial data: trained on 64 of 87,599 examples"
  std::string gate = {};     // what its gate says, passed or not; empty: it has none
  /// Its models were adapted from others, and it says more than that one is not worse: what they need, and their
  /// order, may be of this adaptation alone.
  bool adaptation_only = false;
  bool waits_for_gate = false;  // its gate waits for values
  bool incomplete = false;      // undecided because values are not there
  bool unmeasured = false;      // incomplete, and no trial that has yet to run would give them
  std::string run_with = {};    // the command that runs them; the caller's to fill in
  /// It waits for trials that cannot run here: what brings the files that they read.
  std::set<std::string> lacks_data = {};
  std::set<std::string> to_bring = {};       // what brings the data of trials that `run_with` runs
  std::vector<std::string> on_request = {};  // how trials of its table that failed run again
  /// Undecided because a table of its own or of its gate, or a column of one, cannot be made.
  struct Unmade {
    std::string what, table;  // "column 'De-En' of table bet/table2", and the table's name
    std::string message;      // why: the whole message
  };
  std::optional<Unmade> unmade = {};
  /// All that it needs is there, whatever it then says.
  bool complete() const { return !incomplete && !unmade; }
};

/// "seeds", "heads", "counts".
const char* to_text(ClaimScope scope);

/// Adds a sentence to the remarks.
void add_remark(const std::string& text, ClaimResult& result);

/// Tests a claim on its table, look by look: each is at so many of the seeds that both rows plan, the
/// lowest first, and has an interval of its own level. The first look that decides counts; the next is
/// taken where the one before it leaves the claim undecided. Fewer than kFewestSeeds seeds give no
/// verdict, but of what is counted and is equal for all seeds.
///   better, not_worse, alike   the paired difference, as verdict_of holds it against its bounds
///   rises, falls               Kendall's tau between the rows' numeric keys and the metric, by all
///                              orders of the rows (kendall_permutation.h): decided where p is at most
///                              alpha
/// `items`: a score of a task also needs the interval over the items of its split to give the same
/// verdict; null: none is asked for. Over heads the interval is of the models at hand.
/// With not_below both are undecided unless `row` is at least `than` there: "better, and not with
/// more attention". Of several rows the one is compared that is the least of those.
/// Undecided too when seeds of a row diverged, those that are left are the luckier ones, and when a
/// pair has a faulty artifact. Not at this scale where the plan leaves out a row.
/// Throws ConfigError when the table has no such row or column.
ClaimResult test_claim(const ClaimSpec& claim, const Table& table, ItemGains* items = nullptr);
/// The effect of interest that a claim is held against: its own, else a part of the paper's difference; 0 where the
/// paper prints none, or one against the claim, and of other tests than `better`.
double smallest_effect(const ClaimSpec& claim, const Table& table);
/// The labels of the columns behind the claim's: the parts of a mean, else its own.
std::vector<std::string> columns_behind(const ClaimSpec& claim, const Table& table);
/// Trials that have yet to run before the claim's next look, by the sweep that has them: of all rows of its columns,
/// which go from look to look together. None where it is decided, or its gate is not passed.
std::map<std::string, std::set<std::string>> awaited_trials(const ClaimSpec& claim,
                                                            const Table& table,
                                                            const ClaimResult& result);
/// Of its newest look; kAlpha over heads; none where it was not looked at.
std::optional<double> alpha_of(const ClaimResult& claim);
/// Takes the verdict back where the gate is not passed; a verdict that stands has the gate's numbers as a remark.
void apply_gate(const GateResult& gate, ClaimResult& result);
/// Fills q of the claims of one file: Benjamini and Hochberg's over the p of all that were looked at, each
/// times kAlpha over its look's alpha. Claims over heads are a family of their own.
void set_false_discovery_rates(std::vector<ClaimResult>& claims);
/// A claim whose table, or `column` of it, cannot be made, for the reason that `message` gives.
ClaimResult untested_claim(const ClaimSpec& claim, const std::string& column,
                           const std::string& message);
/// Takes the verdict back where the table of the gate, or `column` of it, cannot be made; likewise.
void leave_gate_unmade(const GateSpec& gate, const std::string& column, const std::string& message,
                       ClaimResult& result);

}  // namespace rethink
