#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json.h"
#include "results/query/run_query.h"
#include "results/query/short_query.h"
#include "results/query/trial_prefix.h"
#include "results/query/where.h"
#include "tests/support/throws_code.h"
#include "tests/unit/results/query_store.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::ThrowsMessage;

TEST_F(QueryTest, FindsAnOptionThatIsALabelInAnotherSweep) {
  const std::string first = first_trial();
  write_sweep_file(
      folder.path(),
      {"paper/steps", "", "", "", {{first, "train", "", {{"steps", "1e1"}, {"kind", "own"}}}}, {}});
  rebuild(folder.path());
  EXPECT_THAT(kept("steps=10"), SizeIs(4));
  EXPECT_THAT(kept("steps=10 and sweep='paper/other'"), SizeIs(2));
  EXPECT_THAT(kept("kind=none"), SizeIs(2));  // the end of model.attention.mask.kind
  EXPECT_THAT(kept("kind=own"), SizeIs(1));
  EXPECT_EQ(answer({"", {"steps"}, {"n"}}).rows, (std::vector<std::vector<Json>>{{10, 4}}));
}

TEST_F(QueryTest, NamesLabelsOfNeededStagesThatAreAveragedTogether) {
  const std::vector<std::string> ids = trials_in(folder.path());
  write_sweep_file(folder.path(), {"paper/tuned",
                                   "",
                                   "",
                                   "",
                                   {{ids.at(0), "tune", "", {{"pretrain.arm", "x"}}},
                                    {ids.at(1), "tune", "", {{"pretrain.arm", "y"}}}},
                                   {}});
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  std::vector<std::string> names;
  for (const PooledKey& key :
       pooled_keys(store, {"sweep='paper/tuned'", {"job"}, {"mean(dev/mcc)"}}))
    names.push_back(key.key);
  EXPECT_THAT(names, testing::Contains("pretrain.arm"));
  EXPECT_THAT(names, testing::Not(testing::Contains("stage")));
}

TEST_F(QueryTest, TreatsInfAndNanAsText) {
  EXPECT_THAT(kept("task=inf"), ElementsAre());
  EXPECT_THAT(kept("task=nan"), ElementsAre());
}

TEST_F(QueryTest, KeepsTrialsByLabelsKeysSeedsAndStates) {
  EXPECT_THAT(kept(""), ElementsAre("a1", "a2", "a3", "a4"));
  EXPECT_THAT(kept("task=CoLA and arm=Star"), ElementsAre("a1", "a2"));
  EXPECT_THAT(kept("task=cola"), IsEmpty());
  EXPECT_THAT(kept("mask=none"), ElementsAre("a3", "a4"));
  EXPECT_THAT(kept("seed=1"), ElementsAre("a2", "a4"));
  EXPECT_THAT(kept("state=failed"), IsEmpty());
  EXPECT_THAT(kept("sweep='paper/other'"), ElementsAre("a1", "a2"));
  EXPECT_THAT(kept("optimizer.lr > 0.15 and optimizer.lr <= 0.3"), ElementsAre("a2", "a3"));
  EXPECT_THAT(kept("bias=true"), ElementsAre("a2", "a4"));
  EXPECT_THAT(kept("seed in (1, 7) and not mask=star"), ElementsAre("a4"));
  EXPECT_THAT(kept("mask!=star or (arm = Star and seed=0)"), ElementsAre("a1", "a3", "a4"));
  EXPECT_THAT(kept("trial=" + id_of("a3")), ElementsAre("a3"));
  EXPECT_THAT(kept("trial!=" + id_of("a3")), ElementsAre("a1", "a2", "a4"));
  const std::string begins = id_of("a3").substr(0, 18);
  EXPECT_THAT([&] { kept("trial!=" + begins); }, ThrowsCode("ambiguous-id"));
  EXPECT_THAT(kept("trial>=" + id_of("a3")), ElementsAre("a3", "a4"));
  EXPECT_THAT(kept("trial=''"), IsEmpty());
  EXPECT_THAT(kept("trial in ('')"), IsEmpty());
  EXPECT_THAT(kept("trial!=''"), ElementsAre("a1", "a2", "a3", "a4"));
}

TEST_F(QueryTest, ComparesLabelsThatAreNumbersAsNumbers) {
  EXPECT_THAT(kept("rate=0.50"), ElementsAre("a1", "a2"));
  EXPECT_THAT(kept("rate>2"), ElementsAre("a3", "a4"));
  EXPECT_THAT(kept("seed='0'"), IsEmpty());
  EXPECT_THAT(kept("sweep='paper/masks' and arm!=2"), ElementsAre("a1", "a2", "a3", "a4"));
}

TEST_F(QueryTest, TakesNullForAValueAndLeavesOutTrialsWithoutTheKey) {
  TrialMaker(folder.path(), "c1", {{"steps", 10}, {"clip", nullptr}});
  TrialMaker(folder.path(), "c2", {{"steps", 10}, {"clip", 0.5}});
  rebuild(folder.path());
  EXPECT_THAT(kept("clip=null"), ElementsAre("c1"));
  EXPECT_THAT(kept("clip!=0.5"), ElementsAre("c1"));
  EXPECT_THAT(kept("clip=0.50"), ElementsAre("c2"));
  EXPECT_THAT(kept("clip='null'"), IsEmpty());
  EXPECT_THAT(kept("sweep='' or profile=''"), ElementsAre("a1", "a2", "a3", "a4"));
}

TEST_F(QueryTest, PointsAtAMistakeInACondition) {
  EXPECT_THAT([&] { kept("tsk=cola"); },
              ThrowsMessage<ConfigError>(HasSubstr("unknown name 'tsk'; did you mean 'task'?")));
  EXPECT_THAT([&] { kept("lr=1"); },
              ThrowsMessage<ConfigError>(HasSubstr("'lr' may be decoder.lr or optimizer.lr")));
  EXPECT_THAT([&] { kept("seed 1"); },
              ThrowsMessage<ConfigError>(HasSubstr("expected one of = != < <= > >= in, got '1'")));
  EXPECT_THAT([&] { kept("(seed=1"); }, ThrowsMessage<ConfigError>(HasSubstr("expected ')'")));
  EXPECT_THAT([&] { kept("seed=1 seed=2"); },
              ThrowsMessage<ConfigError>(HasSubstr("expected 'and', 'or' or the end")));
  EXPECT_THAT([&] { kept("arm='Star"); },
              ThrowsMessage<ConfigError>(HasSubstr("a quote that is never closed")));
  EXPECT_THAT([&] { kept("seed="); }, ThrowsMessage<ConfigError>(HasSubstr("expected a value")));
  EXPECT_THAT([&] { kept("seed in 1"); },
              ThrowsMessage<ConfigError>(HasSubstr("expected '(' after in")));
  EXPECT_THAT([&] { kept(std::string(200, '(')); },
              ThrowsMessage<ConfigError>(HasSubstr("nested too deeply")));
}

TEST_F(QueryTest, TakesWhatSqliteTakesAndRefusesDeeperConditions) {
  const std::vector<std::pair<std::string, std::string>> nests = {
      {"not ", ""},
      {"(", ")"},
      {"not (", ")"},
      {"(task=CoLA and ", ")"},
      {"(rate=0.5 or seed in (0, 1) and ", ")"},
      {"(rate=0.5 or not (arm=Star and not ", "))"}};
  for (const auto& [opens, closes] : nests) {
    size_t taken = 0;
    std::string condition = "rate in (0.5, 10)";
    for (size_t level = 1; level <= 110; ++level) {
      condition = opens + condition + closes;
      try {
        kept(condition);
        taken = level;
      } catch (const ConfigError& error) {
        ASSERT_THAT(error.what(), HasSubstr("--where: nested too deeply")) << condition;
        break;
      }
    }
    EXPECT_GE(taken, 5u) << opens;
    EXPECT_LT(taken, 110u) << opens;
  }
}

TEST_F(QueryTest, NamesSimilarKeysOrElseKeysThatDiffer) {
  const auto refused = [&](const std::string& name) -> std::string {
    try {
      answer({"", {name}, {"n"}});
      return "";
    } catch (const ConfigError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(refused("optimizr.lr"), "unknown name 'optimizr.lr'; did you mean 'optimizer.lr'?");
  EXPECT_EQ(refused("wombat"),
            "unknown name 'wombat'; known: arm, rate, task, job, profile, seed, stage, state, "
            "sweep, trial, bias, model.attention.mask.kind, optimizer.lr, and 2 keys that all "
            "trials share");
}

TEST_F(QueryTest, DoesNotTakeQuotesInValuesForSql) {
  EXPECT_THAT(kept("arm=\"x' OR 1 --\""), IsEmpty());
}

TEST_F(QueryTest, GroupsTrialsAndCountsEachOnce) {
  const QueryResult rows =
      answer({"", {"mask"}, {"mean(dev/mcc)", "n", "max(steps_per_s)", "n(dev/mcc)"}});
  EXPECT_THAT(rows.columns,
              ElementsAre("mask", "mean(dev/mcc)", "n", "max(steps_per_s)", "n(dev/mcc)"));
  ASSERT_EQ(rows.rows.size(), 2u);
  EXPECT_EQ(rows.rows[0][0], "none");
  EXPECT_DOUBLE_EQ(rows.rows[0][1].get<double>(), 0.35);
  EXPECT_EQ(rows.rows[0][2], 2);
  EXPECT_EQ(rows.rows[0][3], 40);
  EXPECT_EQ(rows.rows[1][2], 2) << "a trial in two sweeps counts once";
}

TEST_F(QueryTest, ShowsTheLastValueAndPrefersTheNameWithAtLast) {
  const QueryResult rows =
      answer({"seed=0 and mask=star", {}, {"dev/mcc", "dev/mcc@best", "dev/loss", "optimizer.lr"}});
  ASSERT_EQ(rows.rows.size(), 1u);
  EXPECT_THAT(rows.rows[0], ElementsAre(id_of("a1"), 0.1, 0.9, 2.0, 0.1));
}

TEST_F(QueryTest, ShowsATrialAndAKeyOnceWhereTheyAreAskedFor) {
  EXPECT_THAT(answer({"", {}, {"state", "trial"}}).columns, ElementsAre("state", "trial"));
  EXPECT_THAT(answer({"", {}, {"state"}}).columns, ElementsAre("trial", "state"));
  EXPECT_THAT(answer({"", {"mask", "seed"}, {"n", "mask"}}).columns,
              ElementsAre("seed", "n", "mask"));
  EXPECT_THAT(answer({"", {"mask"}, {"mask", "n"}}).columns, ElementsAre("mask", "n"));
  EXPECT_THAT(answer({"", {"trial"}, {"trial"}}).columns, ElementsAre("trial"));
}

TEST_F(QueryTest, ShowsTheTailOfACurve) {
  const QueryResult rows =
      answer({"", {}, {"mean(dev/mcc@tail)", "mean(dev/mcc)", "mean(mcc@tail)"}});
  EXPECT_GT(rows.rows.at(0)[0], 0.1);
  EXPECT_EQ(rows.rows[0][0], rows.rows[0][1]);
  EXPECT_EQ(rows.rows[0][2], rows.rows[0][1]);
}

TEST_F(QueryTest, TakesAMetricWithoutASplitFromTheReportedSplit) {
  EXPECT_EQ(answer({"", {"arm"}, {"mean(loss)", "mean(mcc@best)"}}).rows,
            answer({"", {"arm"}, {"mean(dev/loss)", "mean(dev/mcc@best)"}}).rows);
  TrialMaker tested(folder.path(), "b1");
  tested
      .attempt(1, {start_event(1, 0), metric_event("mcc", 10, 0.2),
                   Json{{"event", "metric"},
                        {"split", "test"},
                        {"name", "mcc"},
                        {"step", 10},
                        {"value", 0.3}},
                   end_event("done")})
      .result(1);
  rebuild(folder.path());
  const std::string only = "trial=" + tested.id();
  EXPECT_EQ(answer({only, {}, {"mean(mcc)"}}).rows[0][0], 0.3);
  EXPECT_THAT([&] { answer({"", {}, {"mean(mc)"}}); }, ThrowsCode("unknown-name"));
}

TEST_F(QueryTest, SortsGroupsOfNumbersAsNumbers) {
  const QueryResult rows = answer({"sweep='paper/masks'", {"rate"}, {"dev/mcc"}});
  ASSERT_EQ(rows.rows.size(), 2u);
  EXPECT_EQ(rows.rows[0][0], "0.5");
  EXPECT_DOUBLE_EQ(rows.rows[0][1].get<double>(), 0.15) << "a bare value of a group is its mean";
}

TEST_F(QueryTest, AggregatesEverythingWithoutGroups) {
  const QueryResult rows = answer({"", {}, {"median(dev/mcc)", "n"}});
  ASSERT_EQ(rows.rows.size(), 1u);
  EXPECT_DOUBLE_EQ(rows.rows[0][0].get<double>(), 0.25);
  EXPECT_EQ(rows.rows[0][1], 4);
}

TEST_F(UnfinishedTrial, IsLeftOutOfFunctionsAndCounted) {
  for (const TrialState of_trial :
       {TrialState::running, TrialState::ready, TrialState::failed, TrialState::cancelled}) {
    const char* state = to_text(of_trial);
    set_state(of_trial);
    const QueryResult rows = answer(of_masks);
    ASSERT_EQ(rows.rows.size(), 2u);
    EXPECT_DOUBLE_EQ(rows.rows[1][1].get<double>(), 0.15) << state;
    EXPECT_EQ(rows.rows[1][2], 2) << state;
    EXPECT_EQ(rows.rows[1][3], 2) << state;
    EXPECT_DOUBLE_EQ(rows.rows[1][4].get<double>(), 0.2) << state;
    EXPECT_THAT(left_out(of_masks), ElementsAre(testing::Pair(of_trial, 1)));
    EXPECT_THAT(left_out({"seed=1", {"mask"}, {"mean(dev/mcc)"}}), IsEmpty());
    EXPECT_THAT(left_out({"", {"mask"}, {"n"}}), IsEmpty());
    EXPECT_THAT(left_out({"", {"mask"}, {"mean(dev/loss)"}}),
                ElementsAre(testing::Pair(of_trial, 1)))
        << "it has none yet";
    EXPECT_EQ(answer({"", {"mask"}, {"n"}}).rows[1][1], 3) << "trials are counted as before";
  }
}

TEST_F(UnfinishedTrial, IsShownByItself) {
  set_state(TrialState::running);
  const ShortQuery of_one{"trial=" + id_of("b1"), {}, {"state", "dev/mcc"}};
  EXPECT_THAT(answer(of_one).rows[0], ElementsAre(id_of("b1"), "running", 9.0));
  EXPECT_THAT(left_out(of_one), IsEmpty());
}

TEST_F(UnfinishedTrial, CountsAsDoneWhileItRunsAgainForItsFiles) {
  TrialMaker trial(folder.path(), "b1",
                   {{"model", {{"attention", {{"mask", {{"kind", "star"}}}}}}}});
  trial.attempt(1, {start_event(1, 0), metric_event("mcc", 10, 0.6), end_event("done")}).result(1);
  std::filesystem::rename(trial.folder() / "result.json", trial.folder() / "old_result.json");
  trial.attempt(2, {start_event(2, 0), metric_event("mcc", 5, 9.0)});
  rebuild(folder.path());
  for (const TrialState of_trial : {TrialState::ready, TrialState::running}) {
    const char* state = to_text(of_trial);
    set_state(of_trial);
    EXPECT_DOUBLE_EQ(answer(of_masks).rows[1][1].get<double>(), 0.3) << state;
    EXPECT_THAT(left_out(of_masks), IsEmpty());
  }
}

TEST_F(QueryTest, NamesWhatItDoesNotKnowOfShow) {
  EXPECT_THAT(
      [&] {
        answer({"", {}, {"meen(dev/mcc)"}});
      },
      ThrowsMessage<ConfigError>(
          testing::AllOf(HasSubstr("unknown function 'meen'; did you mean 'mean'?"),
                         HasSubstr("; SQL knows more"))));
  EXPECT_THAT(
      [&] {
        answer({"", {}, {"mean(dev/mcc"}});
      },
      ThrowsMessage<ConfigError>(HasSubstr("expected ')'")));
  EXPECT_THAT([&] { answer({"", {}, {"dev/mmc"}}); }, ThrowsCode("unknown-metric"));
}

TEST_F(QueryTest, RunsSqlThatReadsOnly) {
  Store store(folder.path(), Store::Access::write);
  EXPECT_EQ(run_query(store, "SELECT 1.5 AS a, 'b' AS b, NULL AS c;").rows,
            (std::vector<std::vector<Json>>{{1.5, "b", nullptr}}));
  EXPECT_THAT(
      [&] { run_query(store, "SELEC 1"); },
      ThrowsMessage<ConfigError>(testing::AllOf(HasSubstr("syntax error"), HasSubstr("SELEC 1"))));
  EXPECT_THAT([&] { run_query(store, "DELETE FROM trial"); }, ThrowsCode("invalid-sql"));
  EXPECT_THAT([&] { run_query(store, "SELECT 1; SELECT 2"); }, ThrowsCode("invalid-sql"));
  EXPECT_THAT([&] { run_query(store, "  "); },
              ThrowsMessage<ConfigError>(HasSubstr("there is no statement")));
  EXPECT_THAT([&] { run_query(store, "SELECT mean(job) FROM trial"); },
              ThrowsMessage<ConfigError>(HasSubstr("statistics need numbers")));
}

TEST_F(QueryTest, FindsATrialByTheBeginningOfItsId) {
  Store store(folder.path(), Store::Access::read);
  EXPECT_EQ(trial_with_prefix(store, id_of("a3")), id_of("a3"));
  EXPECT_THAT([&] { trial_with_prefix(store, "000"); }, ThrowsCode("ambiguous-id"));
  EXPECT_THAT([&] { trial_with_prefix(store, "f"); }, ThrowsCode("unknown-trial"));
  EXPECT_THAT([&] { trial_with_prefix(store, "*"); }, ThrowsCode("unknown-trial"));
}

}  // namespace
}  // namespace rethink
