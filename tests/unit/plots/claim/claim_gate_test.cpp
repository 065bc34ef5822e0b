#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plots/claim/claim.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

const GateSpec kArms = {
    .table = "example/scores", .at = {}, .table_at = {}, .row = "Star", .than = "dense"};

/// Returns the gate of a pilot of three seeds, in which Star, the row with attention, has these
/// gains on CoLA; RTE's are 0.02.
GateResult gate_with(const std::vector<double>& gains,
                     const std::vector<std::string>& columns = {"CoLA"}, double margin = 0) {
  TrialRecords records = example_records(static_cast<int64_t>(gains.size()));
  for (size_t seed = 0; seed < gains.size(); ++seed) {
    const auto of = [&](const char* arm) -> double& {
      return records[trial_named(arm, "CoLA", static_cast<int64_t>(seed))].values["dev/score@last"];
    };
    of("star") = of("dense") + gains[seed];
  }
  return pass_gate(kArms, table_of(kExampleSpec, example_plans(3), records), nullptr, columns,
                   margin);
}

TEST(Gate, OpensWhereTheIntervalOfThePilotIsAboveZero) {
  EXPECT_EQ(gate_with({0.02, 0.021, 0.019}).state, GateState::passed);
  EXPECT_EQ(gate_with({0.02, 0.021, 0.019}, {"CoLA", "RTE"}).state, GateState::passed);
}

/// R: t.test(c(0.02, 0.021, 0.019)): 0.0175 to 0.0225
TEST(Gate, SaysByHowMuchItIsPassed) {
  const GateResult gate = gate_with({0.02, 0.021, 0.019});
  EXPECT_EQ(
      gate.why,
      "its gate is passed: 'Star' is better than 'dense' on CoLA by 0.02 (95% interval 0.0175 "
      "to 0.0225)");
  ClaimResult result;
  result.verdict = Verdict::holds;
  result.remarks = "partial data";
  apply_gate(gate, result);
  EXPECT_EQ(result.gate, gate.why);
  EXPECT_EQ(result.remarks, "partial data; " + gate.why);
  result.verdict = Verdict::undecided;
  result.remarks.clear();
  apply_gate(gate, result);
  EXPECT_EQ(result.remarks, "") << "there is no verdict that could be empty";
}

/// If the effect is within the margin, "not worse by more than the margin" is no evidence.
TEST(Gate, StaysClosedWhereTheEffectIsWithinTheMarginOfTheClaim) {
  EXPECT_EQ(gate_with({0.02, 0.021, 0.019}, {"CoLA"}, 0.017).state, GateState::passed);
  const GateResult gate = gate_with({0.02, 0.021, 0.019}, {"CoLA"}, 0.018);
  EXPECT_EQ(gate.state, GateState::closed);
  EXPECT_EQ(
      gate.why,
      "its gate is closed on CoLA: 'Star' is better than 'dense' by 0.02 (95% interval 0.0175 "
      "to 0.0225 of the difference), not clearly more than the claim's margin of 0.018");
}

TEST(Gate, StaysClosedWhereAttentionMayDoNothing) {
  // R: t.test(c(0.02, 0.001, 0.001)): -0.0199 to 0.0346
  const GateResult gate = gate_with({0.02, 0.001, 0.001}, {"RTE", "CoLA"});
  EXPECT_EQ(gate.state, GateState::closed);
  EXPECT_EQ(
      gate.why,
      "its gate is closed on CoLA: 'Star' is better than 'dense' by 0.00733 (95% interval -0.0199 "
      "to 0.0346 of the difference)");
}

TEST(Gate, WaitsWhereEqualGainsGiveNoInterval) {
  const GateResult gate = gate_with({0.02, 0.02, 0.02});
  EXPECT_EQ(gate.state, GateState::waits);
  EXPECT_EQ(
      gate.why,
      "its gate waits on CoLA: 'Star' is apart from 'dense' by 0.02 in each of 3 seeds, which "
      "gives no interval");
  EXPECT_FALSE(gate.runs);
}

/// If switching attention off changes nothing in any seed, no further seed can open the gate.
TEST(Gate, StaysClosedWhereNoSeedGainsAnything) {
  const GateResult gate = gate_with({0, 0, 0});
  EXPECT_EQ(gate.state, GateState::closed);
  EXPECT_EQ(gate.why,
            "its gate is closed on CoLA: 'Star' is not better than 'dense' in any of 3 seeds, by 0 "
            "in each");
  EXPECT_EQ(gate_with({-0.02, -0.02, -0.02}).state, GateState::closed);
}

TEST(Gate, NamesSeedsOfItsPilotThatDiverged) {
  TrialRecords records = example_records(3);
  records[trial_named("dense", "CoLA", 2)].state = TrialState::diverged;
  const GateResult gate =
      pass_gate(kArms, table_of(kExampleSpec, example_plans(3), records), nullptr, {"CoLA"}, 0);
  EXPECT_EQ(gate.state, GateState::waits);
  EXPECT_EQ(gate.why,
            "its gate waits: 2 of 3 seeds in table example/scores have values of both rows; 1 of 3 "
            "seeds of 'dense' diverged");
  EXPECT_EQ(gate.needs, "a pilot of which no seed diverges");
}

TEST(Gate, WaitsForItsPilot) {
  const GateResult gate = gate_with({0.02, 0.021});
  EXPECT_EQ(gate.state, GateState::waits);
  EXPECT_TRUE(gate.runs);
  EXPECT_EQ(gate.why,
            "its gate waits: 2 of 3 seeds in table example/scores have values of both rows");
}

TEST(Gate, OfAColumnThatItsTableLacksIsRefused) {
  EXPECT_THAT(
      [] {
        gate_with({0.02, 0.021, 0.019}, {"MRPC"});
      },
      testing::ThrowsMessage<ConfigError>(testing::HasSubstr("has no column 'MRPC'")));
}

TEST(Gate, RevokesVerdicts) {
  ClaimResult result;
  result.verdict = Verdict::holds;
  result.why = "numbers";
  result.judgement = Judgement{};
  apply_gate({GateState::passed}, result);
  EXPECT_EQ(result.verdict, Verdict::holds);
  apply_gate({GateState::closed, "attention off costs 0.18"}, result);
  EXPECT_EQ(result.verdict, Verdict::not_at_this_scale);
  EXPECT_EQ(result.why, "attention off costs 0.18; numbers");
  EXPECT_FALSE(result.judgement) << "it does not count among the tested claims";
  result.verdict = Verdict::fails;
  apply_gate({GateState::waits, "waits", "the pilot of its gate", true}, result);
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_EQ(result.decides, "the pilot of its gate");
  EXPECT_TRUE(result.incomplete);
  EXPECT_FALSE(result.unmeasured);
  // While no trial can open the gate, further trials of the claim are useless.
  apply_gate({GateState::waits, "waits", "a pilot of which no seed diverges", false}, result);
  EXPECT_TRUE(result.unmeasured);
}

TEST(Gate, SaysWhatBringsTheDataOfItsPilot) {
  Plans plans = example_plans(3);
  for (PlannedTrial& planned : plans.at(kSweep).trials) {
    planned.trial.id.clear();
    planned.lacks = {"`make data`"};
  }
  const GateResult gate = pass_gate(kArms, table_of(kExampleSpec, plans, {}), nullptr, {"CoLA"}, 0);
  EXPECT_TRUE(gate.runs);
  ClaimResult result;
  result.lacks_data = {"its own"};
  apply_gate(gate, result);
  EXPECT_THAT(result.lacks_data, testing::ElementsAre("`make data`"));
}

TEST(Gate, LeavesClaimsThatAreNotAtThisScale) {
  ClaimResult result;
  result.verdict = Verdict::not_at_this_scale;
  result.why = "the profile leaves out what it needs";
  apply_gate({GateState::waits, "waits"}, result);
  EXPECT_EQ(result.verdict, Verdict::not_at_this_scale);
  EXPECT_EQ(result.why, "the profile leaves out what it needs");
  EXPECT_EQ(result.decides, "");
}

TEST(Gate, WhoseTableCannotBeMadeSaysWhy) {
  ClaimResult result;
  result.table = "t";
  result.verdict = Verdict::holds;
  result.why = "numbers";
  leave_gate_unmade(kArms, "CoLA", "no profile\nand more", result);
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_EQ(result.why,
            "column 'CoLA' of table example/scores cannot be made: no profile; numbers");
  EXPECT_EQ(result.unmade->table, "example/scores");
  EXPECT_FALSE(result.complete());
}

TEST(Gate, OfAMeanIsOfItsParts) {
  const SpecFile file(
      "claims: x\nlist:\n  - {claim: c, says: s, table: example/scores, column: Avg., test: "
      "better, "
      "row: Star, than: dense}\n");
  EXPECT_THAT(columns_behind(read_claims_spec(file.path()).claims.at(0), example_table()),
              testing::ElementsAre("CoLA", "RTE"));
}

}  // namespace
}  // namespace rethink::test
