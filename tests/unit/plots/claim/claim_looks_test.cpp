// The intervals and p values are R's (4.2): t.test(gains, conf.level = 1 - alpha).
#include "plots/claim/claim_looks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plots/claim/claim.h"
#include "plots/render/sheet.h"
#include "tests/support/throws_code.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

ClaimsSpec claims_of(const std::string& head, const std::string& test) {
  const SpecFile file("claims: x\n" + head +
                      "list:\n  - {claim: c, says: s, table: example/scores, column: CoLA, " +
                      test + "}\n");
  return read_claims_spec(file.path());
}

const std::string kBetter = "test: better, row: Star, than: dense";
const std::string kTwoLooks = "looks: {8: 0.025, 5: 0.025}\n";

/// Returns a table in which Star exceeds dense by gains[seed] on CoLA; later seeds have not run.
Table with_gains(const std::vector<double>& gains, int64_t planned) {
  TrialRecords records = example_records(static_cast<int64_t>(gains.size()));
  for (size_t seed = 0; seed < gains.size(); ++seed) {
    const auto of = [&](const char* arm) -> double& {
      return records[trial_named(arm, "CoLA", static_cast<int64_t>(seed))].values["dev/score@last"];
    };
    of("star") = of("dense") + gains[seed];
  }
  return table_of(kExampleSpec, example_plans(planned), records);
}

ClaimResult looked_at(const std::vector<double>& gains, int64_t planned,
                      const std::string& head = kTwoLooks, const std::string& test = kBetter) {
  return test_claim(claims_of(head, test).claims.at(0), with_gains(gains, planned));
}

TEST(Looks, OfFewerThanFiveSeedsGiveNoVerdict) {
  const ClaimResult result = looked_at({0.02, 0.021, 0.02, 0.022}, 4, "");
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_EQ(result.decides, "5 seeds (the fewest that give a verdict): 4 are planned");
  EXPECT_TRUE(result.plans_too_few);
  EXPECT_EQ(result.planned_seeds, 4u);
  EXPECT_FALSE(result.incomplete);
  EXPECT_THAT(result.why, testing::EndsWith("as the claim has it by 0.0208 over 4 seeds"));
}

/// Trials of a plan that is too small for the next look decide nothing.
TEST(Looks, AwaitNoTrialsWhereThePlanHasTooFewSeeds) {
  const auto awaited = [](const std::vector<double>& gains, int64_t planned) {
    const ClaimSpec claim = claims_of("looks: {5: 0.05}\n", kBetter).claims.at(0);
    const Table table = with_gains(gains, planned);
    EXPECT_GT(table.num_to_run(), 0u);
    const ClaimResult result = test_claim(claim, table);
    EXPECT_TRUE(result.incomplete);
    size_t trials = 0;
    for (const auto& [sweep, ids] : awaited_trials(claim, table, result)) trials += ids.size();
    return trials;
  };
  EXPECT_EQ(awaited({0.02}, 2), 0u);
  EXPECT_EQ(awaited({0.02}, 5), 8u);
}

TEST(Looks, AwaitNoTrialsWhereASeedDiverged) {
  TrialRecords records = example_records(3);
  records[trial_named("star", "CoLA", 2)].state = TrialState::diverged;
  const Table table = table_of(kExampleSpec, example_plans(5), records);
  EXPECT_GT(table.num_to_run(), 0u);
  const ClaimSpec claim = claims_of("looks: {5: 0.05}\n", kBetter).claims.at(0);
  EXPECT_THAT(awaited_trials(claim, table, test_claim(claim, table)), testing::IsEmpty());
}

/// Before its trials run nobody knows whether the rows are comparable, but the plan is too small in any case.
TEST(Looks, NamePlannedTrialsAlsoIfTheConditionIsUnknown) {
  const ClaimSpec claim = claims_of(kTwoLooks, kBetter + ", not_below: RTE").claims.at(0);
  const Table table = table_of(kExampleSpec, example_plans(2), {});
  const ClaimResult result = test_claim(claim, table);
  EXPECT_EQ(result.decides, "the trials that are missing; the look at 5 seeds: 2 are planned");
  EXPECT_TRUE(result.plans_too_few);
  EXPECT_TRUE(result.incomplete);
  EXPECT_THAT(awaited_trials(claim, table, result), testing::IsEmpty());
  const Table enough = table_of(kExampleSpec, example_plans(5), {});
  const ClaimResult waits = test_claim(claim, enough);
  EXPECT_EQ(waits.decides, "the trials that are missing");
  EXPECT_FALSE(waits.plans_too_few);
  EXPECT_FALSE(awaited_trials(claim, enough, waits).empty());
}

TEST(Looks, NameTheCommandForMissingData) {
  Plans plans = example_plans(5);
  for (PlannedTrial& planned : plans.at(kSweep).trials) {
    if (planned.labels.at("task") != "CoLA") continue;
    planned.trial.id.clear();
    planned.lacks = {"`make data`"};
  }
  const ClaimSpec claim = claims_of(kTwoLooks, kBetter).claims.at(0);
  EXPECT_THAT(test_claim(claim, table_of(kExampleSpec, plans, {})).lacks_data,
              ElementsAre("`make data`"));
  const Table here = table_of(kExampleSpec, example_plans(5), {});
  EXPECT_THAT(test_claim(claim, here).lacks_data, testing::IsEmpty());
}

TEST(Looks, WithoutAnyInTheFileAreOneAtAllSeedsThatArePlanned) {
  const ClaimResult result = looked_at({0.01, 0.03, 0.02, 0.04, 0.02, 0.01}, 6, "");
  ASSERT_EQ(result.looks.size(), 1u);
  EXPECT_EQ(result.looks[0].look.seeds, 6u);
  EXPECT_EQ(result.looks[0].look.alpha, 0.05);
  EXPECT_EQ(result.verdict, Verdict::holds);
  EXPECT_EQ(result.seeds, 6u);
}

TEST(Looks, TakeTheFirstSeedsOfThePlanAtTheLevelOfTheirAlpha) {
  const std::vector<double> decided = {0.004, 0.009, 0.001, 0.006, 0.007};
  std::vector<double> more = decided;
  more.insert(more.end(), {-0.5, -0.5});  // beyond the look
  const ClaimResult result = looked_at(more, 8);
  ASSERT_EQ(result.looks.size(), 1u);
  EXPECT_EQ(result.verdict, Verdict::holds);
  EXPECT_EQ(result.seeds, 5u);
  EXPECT_EQ(result.planned_seeds, 8u);
  EXPECT_FALSE(result.incomplete);
  EXPECT_NEAR(result.judgement->interval->low, 0.000632901878761849, 1e-12);
  EXPECT_NEAR(result.judgement->interval->high, 0.010167098121238152, 1e-12);
  EXPECT_NEAR(result.judgement->p, 0.0166850203739506, 1e-9);
  EXPECT_THAT(result.why, HasSubstr("97.5% interval 0.00"));
}

TEST(Looks, ContinueWhileTheClaimIsUndecided) {
  const std::vector<double> five = {0.02, -0.01, 0.03, 0.0, 0.01};
  const ClaimResult first = looked_at(five, 5);
  EXPECT_EQ(first.verdict, Verdict::undecided);
  EXPECT_EQ(first.decides, "the look at 8 seeds: 5 are planned");
  EXPECT_FALSE(first.incomplete);
  std::vector<double> seven = five;
  seven.insert(seven.end(), {0.02, 0.03});
  const ClaimResult waiting = looked_at(seven, 8);
  EXPECT_EQ(waiting.seeds, 5u);
  EXPECT_TRUE(waiting.incomplete);
  EXPECT_EQ(waiting.decides, "the look at 8 seeds: 7 of them have values");
  std::vector<double> eight = seven;
  eight.push_back(0.02);
  const ClaimResult second = looked_at(eight, 8);
  EXPECT_EQ(second.looks.size(), 2u);
  EXPECT_EQ(second.seeds, 8u);
  EXPECT_EQ(second.verdict, Verdict::holds);
}

TEST(Looks, CountTheSeedsOfWhatASelectWillChooseAmong) {
  Plans plans = example_plans(1);
  for (PlannedTrial& planned : plans.at(kSweep).trials) {
    planned.trial.seed.reset();
    planned.candidate_seeds = {0, 1, 2, 3, 4};
  }
  const Table table = table_of(kExampleSpec, plans, {});
  const ClaimResult result = test_claim(claims_of(kTwoLooks, kBetter).claims.at(0), table);
  EXPECT_EQ(result.decides, "the look at 5 seeds: 0 of them have values");
  EXPECT_FALSE(result.plans_too_few);
  EXPECT_TRUE(result.incomplete);
  EXPECT_EQ(table.cells[0][0].trials.size(), 1u);
  EXPECT_EQ(table.cells[0][0].marks.at(0).text, "5 of 5 seeds missing");
}

RecordedLook recorded_look(Verdict verdict) {
  return {{.verdict = verdict,
           .gain = -0.5,
           .interval = Interval{-0.6, -0.4},
           .level = 0.975,
           .p = 0.25},
          "as it was told",
          "about 9 seeds",
          "2026-11-28"};
}

TEST(Looks, OnRecordStayValidIfTodaysNumbersDiffer) {
  const std::vector<double> holds = {0.004, 0.009, 0.001, 0.006, 0.007, 0, 0, 0};
  ClaimSpec claim = claims_of(kTwoLooks, kBetter).claims.at(0);
  claim.recorded[5] = recorded_look(Verdict::fails);
  const ClaimResult stands = test_claim(claim, with_gains(holds, 8));
  EXPECT_EQ(stands.verdict, Verdict::fails);
  EXPECT_EQ(stands.looks.size(), 1u);
  EXPECT_EQ(stands.judgement->p, 0.25);
  EXPECT_EQ(stands.judgement->interval->low, -0.6);
  EXPECT_EQ(stands.why, "as it was told");
  EXPECT_THAT(stands.remarks,
              testing::StartsWith("the look at 5 seeds of 2026-11-28 stands; by the "
                                  "numbers of today it would say 'holds'"));
  claim.recorded[5] = recorded_look(Verdict::holds);
  EXPECT_THAT(test_claim(claim, with_gains(holds, 8)).remarks,
              testing::Not(HasSubstr("it would say")));
}

TEST(Looks, OnRecordStandWithoutTheTrials) {
  ClaimSpec claim = claims_of(kTwoLooks, kBetter).claims.at(0);
  claim.recorded[5] = recorded_look(Verdict::holds);
  const ClaimResult result = test_claim(claim, with_gains({0.01, 0.02}, 8));
  EXPECT_EQ(result.verdict, Verdict::holds);
  EXPECT_FALSE(result.incomplete);
  EXPECT_THAT(result.remarks, HasSubstr("values behind it are missing by now"));
}

TEST(Looks, ThatWereUndecidedOnRecordLeaveTheNextToDecide) {
  const std::vector<double> holds = {0.004, 0.009, 0.001, 0.006, 0.007, 0.005, 0.004, 0.006};
  ClaimSpec claim = claims_of(kTwoLooks, kBetter).claims.at(0);
  claim.recorded[5] = recorded_look(Verdict::undecided);
  const ClaimResult second = test_claim(claim, with_gains(holds, 8));
  EXPECT_EQ(second.looks.size(), 2u);
  EXPECT_EQ(second.verdict, Verdict::holds);
  EXPECT_THAT(second.why, HasSubstr("over 8 seeds"));
  const ClaimResult waits = test_claim(claim, with_gains({0.004, 0.009, 0.001, 0.006, 0.007}, 8));
  EXPECT_EQ(waits.verdict, Verdict::undecided);
  EXPECT_EQ(waits.why, "as it was told");
  EXPECT_EQ(waits.decides, "the look at 8 seeds: 5 of them have values");
  claim.recorded[8] = recorded_look(Verdict::undecided);
  EXPECT_EQ(test_claim(claim, with_gains(holds, 8)).decides,
            "undecided after 8 seeds, its last look; this would decide: about 9 seeds");
}

TEST(Looks, OnRecordStayValidIfThePairHasProblemsToday) {
  ClaimSpec claim = claims_of(kTwoLooks, kBetter + ", not_below: RTE").claims.at(0);
  claim.recorded[5] = recorded_look(Verdict::holds);
  const ClaimResult lost = test_claim(claim, table_of(kExampleSpec, example_plans(8), {}));
  EXPECT_EQ(lost.verdict, Verdict::holds);
  EXPECT_EQ(lost.why, "as it was told");
  EXPECT_FALSE(lost.incomplete);
  EXPECT_EQ(lost.remarks, "the look at 5 seeds of 2026-11-28: RTE of both rows is not known");
  Plans without = example_plans(8);
  for (PlannedTrial& planned : without.at(kSweep).trials) {
    if (planned.labels.at("arm") == "star" && planned.labels.at("task") == "CoLA")
      planned.labels["task"] = "RTE";
  }
  claim = claims_of(kTwoLooks, kBetter).claims.at(0);
  claim.recorded[5] = recorded_look(Verdict::holds);
  const ClaimResult left_out = test_claim(claim, table_of(kExampleSpec, without, {}));
  EXPECT_EQ(left_out.verdict, Verdict::holds);
  EXPECT_THAT(left_out.remarks, HasSubstr("plans no trial of row 'Star' in column 'CoLA'"));
}

/// An older version may have printed the same numbers in another form.
TEST(Looks, OnRecordArePrintedAsTodayWhereTheNumbersAreTheSame) {
  const std::vector<double> gains = {0.004, 0.009, 0.001, 0.006, 0.007};
  ClaimSpec claim = claims_of("looks: {5: 0.05}\n", kBetter).claims.at(0);
  const ClaimResult today = test_claim(claim, with_gains(gains, 5));
  claim.recorded[5] = {*today.judgement, "as it was told", "", "2026-11-28"};
  const ClaimResult stands = test_claim(claim, with_gains(gains, 5));
  EXPECT_EQ(stands.why, today.why);
  EXPECT_EQ(stands.remarks, "");
  claim.recorded[5].judgement.gain = 0.004;
  EXPECT_EQ(test_claim(claim, with_gains(gains, 5)).why, "as it was told");
}

TEST(Looks, OnRecordSayWhereTodaysNumbersAreOthers) {
  ClaimSpec claim = claims_of(kTwoLooks, kBetter).claims.at(0);
  claim.recorded[5] = recorded_look(Verdict::holds);
  const ClaimResult result = test_claim(claim, with_gains({0.004, 0.009, 0.001, 0.006, 0.007}, 8));
  EXPECT_EQ(result.remarks,
            "the look at 5 seeds of 2026-11-28 stands; by the numbers of today the difference is "
            "0.0054, not -0.5");
}

TEST(Looks, KnowTheTrialsOfTheColumnThatTheyCompareWith) {
  const ClaimSpec claim =
      claims_of("looks: {5: 0.05}\n", "test: better, row: Star, than_column: RTE").claims.at(0);
  const auto trials_of = [&](const std::string& added) {
    Plans plans = example_plans(5);
    TrialRecords records = example_records(5);
    for (PlannedTrial& planned : plans.at(kSweep).trials) {
      if (planned.labels.at("task") != "RTE") continue;
      const TrialRecord record = records.at(planned.trial.id);
      planned.trial.id += added;
      records[planned.trial.id] = record;
    }
    return test_claim(claim, table_of(kExampleSpec, plans, records)).looks.at(0).trials;
  };
  EXPECT_NE(trials_of(""), trials_of("-again"));
}

TEST(Looks, KnowTheirTrialsAndTheMetric) {
  const auto trials_of = [](const std::string& spec) {
    TrialRecords records = example_records(5);
    const ClaimResult result = test_claim(claims_of("looks: {5: 0.05}\n", kBetter).claims.at(0),
                                          table_of(spec, example_plans(5), records));
    return result.looks.empty() ? "" : result.looks[0].trials;
  };
  const std::string as_it_is = trials_of(kExampleSpec);
  EXPECT_EQ(as_it_is.size(), 64u);
  EXPECT_EQ(trials_of(kExampleSpec), as_it_is);
  // In this table the arms have each other's names.
  std::string swapped = kExampleSpec;
  swapped.replace(swapped.find("{star: Star}"), 12, "{dense: Star, star: dense}");
  EXPECT_NE(trials_of(swapped), as_it_is);
}

TEST(Looks, SayWhichTrialsBeganBeforeTheRulesWereFixed) {
  TrialRecords records = example_records(6);
  const auto remarks = [&](const std::string& head) {
    return test_claim(claims_of(head, kBetter).claims.at(0),
                      table_of(kExampleSpec, example_plans(6), records))
        .remarks;
  };
  const std::string fixed = "fixed: 2026-11-28\n";
  for (auto& [trial, record] : records) record.begun = "2026-11-28T00:00:00.000Z";
  EXPECT_EQ(remarks(fixed), "");
  records[trial_named("star", "CoLA", 0)].begun = "2026-11-27T23:59:59.999Z";
  EXPECT_EQ(remarks(fixed), "looked at before the plan: 1 of 12 trials began before 2026-11-28");
  EXPECT_EQ(remarks(""), "");
  for (auto& [trial, record] : records) record.begun = "2026-11-01T00:00:00.000Z";
  EXPECT_EQ(remarks(fixed), "looked at before the plan: 12 of 12 trials began before 2026-11-28");
}

TEST(Claims, OfAdaptedWeightsSayWhatTheyBeganFrom) {
  const TrialRecords records = example_records(5);
  const auto of = [&](const std::string& profile, const std::string& test) {
    const std::string head = "basis: {verdict: adapted from dense}\n";
    return test_claim(claims_of(head, test).claims.at(0),
                      table_of(kExampleSpec, example_plans(5, profile), records));
  };
  const ClaimResult better = of("verdict", kBetter);
  EXPECT_EQ(better.remarks, "adapted from dense");
  EXPECT_TRUE(better.adaptation_only);
  const ClaimResult not_worse = of("verdict", "test: not_worse, margin: 1, row: Star, than: dense");
  EXPECT_EQ(not_worse.remarks, "adapted from dense");
  EXPECT_FALSE(not_worse.adaptation_only);
  EXPECT_EQ(of("small", kBetter).remarks, "");
  EXPECT_FALSE(of("small", kBetter).adaptation_only);
}

TEST(Looks, ThatLeaveAClaimUndecidedSayHowManySeedsWouldDo) {
  const ClaimResult result = looked_at({0.02, -0.01, 0.03, 0.0, 0.01}, 5, "looks: {5: 0.05}\n");
  EXPECT_EQ(result.verdict, Verdict::undecided);
  // R: min(which(2 * qt(0.975, n - 1) * sd / sqrt(n) <= 0.005)), n = 1, 2, ...; a quarter of 0.02
  EXPECT_EQ(result.decides,
            "undecided after 5 seeds, its last look; this would decide: about 157 seeds, by the "
            "deviation of these");
  EXPECT_EQ(looked_at({0.02, -0.01, 0.03, 0.0, 0.01}, 5, "").decides,
            "about 157 seeds, by the deviation of these")
      << "more may be planned of a claim without `looks`";
}

// The gains have the mean 0.01 and the deviation 0.0158. The number of seeds that bring the
// interval to the nearer bound comes from numerical integration of Student's t.
TEST(Looks, OfOneBoundSayHowManySeedsWouldDoIfTheMeanStays) {
  const std::vector<double> gains = {0.02, -0.01, 0.03, 0.0, 0.01};
  const std::string rows = ", row: Star, than: dense";
  for (const auto& [test, needs] : std::map<std::string, std::string>{
           {"test: not_worse, margin: 0.005", "about 7 seeds, by the mean and deviation of these"},
           {"test: alike, margin: 0.02", "about 9 seeds, by the mean and deviation of these"},
           {"test: better, smallest: 0", "about 13 seeds, by the mean and deviation of these"},
           {"test: better, smallest: 0.0000001", "more than 10000 seeds"}}) {
    const ClaimResult result = looked_at(gains, 5, "", test + rows);
    EXPECT_EQ(result.verdict, Verdict::undecided) << test;
    EXPECT_EQ(result.decides, needs);
  }
}

TEST(Looks, EndWithTheLastOfTheColumnOrOfTheClaim) {
  const std::vector<double> five = {0.02, -0.01, 0.03, 0.0, 0.01};
  for (const std::string last : {"last_look: 5\n", "last_look: {example/scores: {CoLA: 5}}\n"}) {
    const ClaimResult result = looked_at(five, 8, kTwoLooks + last);
    EXPECT_EQ(result.planned_seeds, 8u) << "whatever the claim looks at";
    EXPECT_EQ(result.looks.at(0).look.alpha, 0.05)
        << "with the alpha of the look that is never taken";
    EXPECT_FALSE(result.incomplete);
    EXPECT_THAT(result.decides, HasSubstr("seeds, by the deviation of these"));
  }
  EXPECT_EQ(looked_at(five, 8, kTwoLooks + "last_look: 5\n", kBetter + ", last_look: 8").decides,
            "the look at 8 seeds: 5 of them have values");
}

/// CoLA, the first of the list, is not planned, so RTE is tested, with the last look of RTE.
TEST(Looks, EndWithTheLastOfTheColumnThatIsTested) {
  Plans plans = example_plans(8);
  std::erase_if(plans.at(kSweep).trials, [](const PlannedTrial& planned) {
    return planned.labels.at("task") == "CoLA" && planned.labels.at("arm") == "star";
  });
  const SpecFile file(
      "claims: x\n" + kTwoLooks +
      "last_look: {example/scores: {CoLA: 5, RTE: 8}}\nlist:\n  - {claim: c, says: s, "
      "table: example/scores, column: [CoLA, RTE], " +
      kBetter + "}\n");
  const ClaimSpec claim = read_claims_spec(file.path()).claims.at(0);
  const ClaimResult result = test_claim(claim, table_of(kExampleSpec, plans, example_records(8)));
  EXPECT_EQ(result.column, "RTE");
  EXPECT_EQ(result.looks.at(0).look.alpha, 0.025);
}

TEST(Looks, SayAlwaysWhichPlannedSeedsTheClaimLeavesOut) {
  std::vector<double> gains(7, 0.02);
  gains[3] = 0.021;
  const ClaimResult result = looked_at(gains, 7, kTwoLooks, kBetter + ", seeds: [2, 3, 4, 5, 6]");
  EXPECT_EQ(result.verdict, Verdict::holds);
  EXPECT_EQ(result.remarks, "planned seeds that its own `seeds` leave out: 0, 1");
}

TEST(Looks, TakeAllOfTheSeedsThatAClaimNames) {
  EXPECT_THAT([] { claims_of(kTwoLooks, kBetter + ", seeds: [1, 2, 3, 4, 5, 6]"); },
              ThrowsCode("invalid-value"));
}

TEST(Looks, SayWhichPlannedSeedsTheClaimLeavesOut) {
  const std::string own = kBetter + ", seeds: [2, 3, 4, 5, 6]";
  const ClaimResult none = looked_at({0.02, 0.01}, 2, kTwoLooks, own);
  EXPECT_EQ(none.decides,
            "the look at 5 seeds: none is planned, besides 0, 1, which its `seeds` leave out");
  EXPECT_TRUE(none.plans_too_few);
  EXPECT_EQ(none.planned_seeds, 0u);
  EXPECT_EQ(looked_at({0.02, 0.01, 0.02}, 3, kTwoLooks, own).decides,
            "the look at 5 seeds: 1 is planned, besides 0, 1, which its `seeds` leave out");
}

TEST(Looks, SayWhichOfTheClaimsSeedsAreNotPlanned) {
  const ClaimResult result = looked_at({0.02, 0.021, 0.02, 0.022, 0.02}, 5, kTwoLooks,
                                       kBetter + ", seeds: [0, 1, 2, 3, 4, 5, 6, 7]");
  EXPECT_EQ(result.seeds, 5u);
  EXPECT_EQ(result.remarks, "of its own `seeds` not planned: 5, 6, 7");
}

TEST(Looks, MayBeAtSomeSeedsAlone) {
  std::vector<double> gains(7, 0.02);
  gains[0] = gains[1] = -0.5;
  gains[3] = 0.021;
  const ClaimResult result = looked_at(gains, 7, "", kBetter + ", seeds: [2, 3, 4, 5, 6]");
  EXPECT_EQ(result.verdict, Verdict::holds);
  EXPECT_EQ(result.seeds, 5u);
}

TEST(Looks, AreUndecidedWhereOneOfTheirSeedsDiverged) {
  TrialRecords records = example_records(8);
  records[trial_named("star", "CoLA", 6)].state = TrialState::diverged;
  const ClaimSpec claim = claims_of(kTwoLooks, kBetter).claims.at(0);
  // The claim was decided before the seed that diverged.
  EXPECT_EQ(test_claim(claim, table_of(kExampleSpec, example_plans(8), records)).verdict,
            Verdict::holds);
  records[trial_named("star", "CoLA", 2)].state = TrialState::diverged;
  const ClaimResult result = test_claim(claim, table_of(kExampleSpec, example_plans(8), records));
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_EQ(result.why, "1 of 5 seeds of Star diverged");
}

TEST(Looks, HoldADifferenceAgainstTheSmallestEffectOfInterest) {
  const std::vector<double> gains = {0.020, 0.021, 0.020, 0.022, 0.021};
  EXPECT_NEAR(looked_at(gains, 5).smallest, 0.005, 1e-15) << "a quarter of the paper's 0.51 - 0.49";
  EXPECT_EQ(looked_at(gains, 5, "", kBetter + ", smallest: 0.1").verdict, Verdict::holds_smaller);
  const ClaimResult none = looked_at({0.001, -0.001, 0.002, -0.002, 0.001}, 5);
  EXPECT_EQ(none.verdict, Verdict::fails);
}

TEST(Looks, OfLikenessMakeTwoOneSidedTests) {
  const std::vector<double> gains = {0.020, -0.021, 0.010, 0.0, -0.005};
  const std::string alike = "test: alike, row: Star, than: dense, margin: ";
  EXPECT_EQ(looked_at(gains, 5, "", alike + "0.02").verdict, Verdict::holds);
  EXPECT_EQ(looked_at(gains, 5, "", alike + "0.01").verdict, Verdict::undecided);
  EXPECT_THAT(looked_at(gains, 5, "", alike + "0.02").why, HasSubstr("(90% interval "));
}

TEST(Looks, OfAFileAreRefusedWhereTheyDecideTooEasily) {
  const auto refused = [](const std::string& head, const std::string& test = kBetter) {
    try {
      claims_of(head, test);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  EXPECT_THAT(refused("looks: {3: 0.05}\n"),
              HasSubstr("2:9: error: looks: got '3', expected a number of seeds, 5 or more"));
  EXPECT_THAT(refused("looks: {5: 0.04, 8: 0.025}\n"), HasSubstr("the alphas add up to 0.065"));
  EXPECT_THAT(refused("fixed: 2026-02-30\n"),
              HasSubstr("fixed: got '2026-02-30', expected the day"));
  EXPECT_THAT(refused("looks: {5: 0}\n"), HasSubstr("got '0', expected an alpha above 0"));
  EXPECT_THAT(refused("looks: {5: 0.01, 5.0: 0.01}\n"),
              HasSubstr("2:8: error: looks: 5 seeds are given twice"));
  EXPECT_THAT(refused("fixed: soon\n"), HasSubstr("2:8: error: fixed: got 'soon'"));
  EXPECT_THAT(refused(kTwoLooks + "last_look: {example/scores: {COLA: 5}}\n"),
              HasSubstr("3:30: error: last_look: no claim on table example/scores is on a column "
                        "'COLA'; did you mean 'CoLA'?"));
  EXPECT_THAT(refused("gates: {arms: {table: t, row: a, than: b}}\n"),
              HasSubstr("2:9: error: gates: no claim of this file has the gate 'arms'"));
  EXPECT_THAT(refused("basis: {verdict: ''}\n"),
              HasSubstr("2:18: error: basis.verdict: expected what its weights began from"));
  EXPECT_THAT(refused("", "loks: 5, " + kBetter), HasSubstr("did you mean 'looks'?"));
  EXPECT_THAT(refused("looks: {5: 0.05}\nlast_look: 8\n"),
              HasSubstr("the last look of 'c', 8 seeds, is not one of `looks`"));
  EXPECT_THAT(refused(kTwoLooks + "last_look: {other: {CoLA: 5}}\n"),
              HasSubstr("last_look: no claim of this file is on a table 'other'"));
  EXPECT_THAT(refused("", kBetter + ", gate: arms"),
              HasSubstr("gate: there is no gate 'arms' in this file"));
  EXPECT_THAT(refused("", kBetter + ", smallest: -1"), HasSubstr("smallest: expected an effect"));
}

TEST(Claims, OfAFileAreRefusedWhereAKeySaysNothing) {
  const auto refused = [](const std::string& head, const std::string& test) {
    try {
      claims_of(head, test);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  EXPECT_THAT(refused("", "test: better, row: [], than: dense"),
              HasSubstr("row: expected a name or a list of names"));
  EXPECT_THAT(refused("", "test: better, row: Star, than: []"),
              HasSubstr("than: expected a name or a list of names"));
  EXPECT_THAT(refused("", kBetter + ", looks: {}"), HasSubstr("looks: expected seeds and alphas"));
  EXPECT_THAT(refused("", kBetter + ", gate: ''"), HasSubstr("gate: expected the name of a gate"));
  EXPECT_THAT(refused("gates: {g: {table: t, row: a, than: a}}\n", kBetter + ", gate: g"),
              HasSubstr("gate: row and than are the same, 'a'"));
  EXPECT_THAT(refused("last_look: {example/scores: {}}\n", kBetter),
              HasSubstr("last_look: expected {column: number of seeds}"));
  const auto refused_file = [](const std::string& text) {
    const SpecFile file(text);
    try {
      read_claims_spec(file.path());
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  EXPECT_THAT(refused_file("claims: x\nlist: []\n"), HasSubstr("list: expected a list of claims"));
  EXPECT_THAT(
      refused_file("claims: x\nlist:\n  - {claim: '', says: s, table: t, " + kBetter + "}\n"),
      HasSubstr("claim: expected a name"));
  EXPECT_THAT(refused_file("claims: x\nlist:\n  - {claim: c, says: s, table: t, column: [], " +
                           kBetter + "}\n"),
              HasSubstr("column: expected a name or a list of names"));
}

TEST(Claims, KnowEachColumnThatTheyName) {
  EXPECT_THAT(
      [] {
        const SpecFile file(
            "claims: x\nlist:\n  - {claim: c, says: s, table: example/scores, column: [CoLA, "
            "COLA], " +
            kBetter + "}\n");
        test_claim(read_claims_spec(file.path()).claims.at(0), with_gains({0.1}, 5));
      },
      ThrowsMessage<ConfigError>(HasSubstr("table example/scores has no column 'COLA'")));
  EXPECT_THAT(
      [] { looked_at({0.1}, 5, kTwoLooks, "test: better, row: star, than: sense"); },
      ThrowsMessage<ConfigError>(HasSubstr(
          "table example/scores has no row 'sense'; did you mean 'dense'?; it has: dense, Star")));
}

TEST(Looks, EndWithTheSeedsThatAClaimNames) {
  const ClaimSpec claim = claims_of(kTwoLooks, kBetter + ", seeds: [2, 3, 4, 5, 6]").claims.at(0);
  ASSERT_EQ(claim.looks.size(), 1u);
  EXPECT_EQ(claim.looks[0].seeds, 5u);
  EXPECT_EQ(claim.looks[0].alpha, 0.05);
  EXPECT_THAT([] { claims_of(kTwoLooks, kBetter + ", seeds: [2, 3]"); },
              ThrowsCode("invalid-value"));
}

TEST(Claims, OfAFileHaveANameEach) {
  const std::string claim = "  - {claim: c, says: s, table: t, " + kBetter + "}\n";
  const SpecFile file("claims: x\nlist:\n" + claim + claim);
  EXPECT_THAT([&] { read_claims_spec(file.path()); },
              ThrowsMessage<ConfigError>(HasSubstr("4:5: error: claim 'c' is listed twice")));
}

TEST(Claims, OfAFileNameSoManyRowsAtMost) {
  std::string rows;
  for (int i = 0; i < 5000; ++i) rows += fmt::format("{}r{}", i > 0 ? ", " : "", i);
  EXPECT_THAT([&] { claims_of("", "test: better, row: [" + rows + "], than: dense"); },
              ThrowsCode("too-many"));
}

TEST(SeedsForWidth, AreAsManyAsStudentsTNeeds) {
  // R: w <- function(n, s, l) 2 * qt((1 + l) / 2, n - 1) * s / sqrt(n)
  EXPECT_EQ(seeds_for_width(1, 1, 0.95), 18u);
  EXPECT_EQ(seeds_for_width(0.1, 0.5, 0.975), 4u);
  EXPECT_EQ(seeds_for_width(1, 1e-6, 0.95), std::nullopt);
  EXPECT_EQ(seeds_for_width(1, 0, 0.95), std::nullopt);
}

TEST(FalseDiscoveryRates, AreOfAFileAndOfHeadsApart) {
  const auto with_p = [](double p, ClaimScope scope, double alpha) {
    ClaimResult result;
    result.scope = scope;
    result.judgement = Judgement{.p = p};
    if (scope == ClaimScope::seeds) result.looks = {{{5, alpha}, *result.judgement}};
    return result;
  };
  std::vector<ClaimResult> claims = {with_p(0.001, ClaimScope::seeds, 0.025),
                                     with_p(0.01, ClaimScope::seeds, 0.025),
                                     with_p(0.04, ClaimScope::seeds, 0.05),
                                     with_p(0.04, ClaimScope::heads, 0.05),
                                     {}};
  set_false_discovery_rates(claims);
  EXPECT_NEAR(*claims[0].q, 0.002 * 3 / 1, 1e-15);
  EXPECT_NEAR(*claims[1].q, 0.02 * 3 / 2, 1e-15);
  EXPECT_NEAR(*claims[2].q, 0.04, 1e-15);
  EXPECT_NEAR(*claims[3].q, 0.04, 1e-15);
  EXPECT_FALSE(claims[4].q);
}

}  // namespace
}  // namespace rethink::test
