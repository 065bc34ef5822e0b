// Trials behind the numbers of a short query: each counts once in a group, whatever is shown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "results/query/short_query.h"
#include "tests/unit/results/query_store.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;
using Rows = std::vector<std::vector<Json>>;

class QueryCounts : public QueryTest {
 protected:
  std::string refusal(const ShortQuery& query) {
    try {
      answer(query);
      return "";
    } catch (const ConfigError& error) {
      return error.what();
    }
  }
  /// Returns a done trial with dev/mcc 0.7 at step 10.
  TrialMaker made(const std::string& name, const Json& config) {
    TrialMaker trial(folder.path(), name, config);
    trial.attempt(1, {start_event(1, 0), metric_event("mcc", 10, 0.7), end_event("done")})
        .result(1);
    return trial;
  }
  std::optional<RepeatedSeeds> repeated(const ShortQuery& query) {
    Store store(folder.path(), Store::Access::read);
    return repeated_seeds(store, query);
  }
};

TEST_F(QueryCounts, EachTrialOnceBesideLabelsOfSeveralSweeps) {
  // The trials of arm Star are in a second sweep, as arm `again`.
  const Rows plain = answer({"", {}, {"mean(dev/mcc)", "sem(dev/mcc)", "n"}}).rows;
  for (const char* name : {"arm", "sweep", "profile", "stage", "rate", "task"}) {
    const Rows rows =
        answer({"", {}, {"mean(dev/mcc)", "sem(dev/mcc)", "n", fmt::format("n({})", name)}}).rows;
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(std::vector<Json>(rows[0].begin(), rows[0].begin() + 3), plain[0]) << name;
    EXPECT_EQ(rows[0][3], 4) << name;
  }
  EXPECT_EQ(answer({"", {"mask"}, {"n", "n(arm)", "mean(dev/mcc)"}}).rows,
            (Rows{{"none", 2, 2, 0.35}, {"star", 2, 2, 0.15000000000000002}}));
}

TEST_F(QueryCounts, ListsEachTrialOnceWithAllItsLabels) {
  const Rows rows = answer({"seed=0", {}, {"arm", "rate", "sweep", "dev/mcc"}}).rows;
  EXPECT_EQ(rows, (Rows{{id_of("a1"), "Star, again", "0.5", "paper/masks, paper/other", 0.1},
                        {id_of("a3"), "dense", "10", "paper/masks", 0.3}}));
}

TEST_F(QueryCounts, LeavesOutATrialThatAKilledRmSetAside) {
  const std::filesystem::path removed = trial_folder(folder.path(), id_of("a2"));
  std::filesystem::rename(removed, removed.parent_path() / (".removed-" + id_of("a2")));
  EXPECT_EQ(answer({"", {}, {"n", "n(arm)"}}).rows, (Rows{{3, 3}}));
  EXPECT_EQ(answer({"", {}, {"arm"}}).rows,
            (Rows{{id_of("a1"), "Star, again"}, {id_of("a3"), "dense"}, {id_of("a4"), "dense"}}));
}

TEST_F(QueryCounts, ATrialWithALabelInOneSweepOnlyIsInOneGroup) {
  // The second sweep gives no rate.
  EXPECT_EQ(answer({"", {"rate", "task"}, {"n"}}).rows,
            (Rows{{"0.5", "CoLA", 2}, {"10", "CoLA", 2}}));
  EXPECT_EQ(answer({"", {"rate", "arm"}, {"n"}}).rows,
            (Rows{{nullptr, "again", 2}, {"0.5", "Star", 2}, {"10", "dense", 2}}))
      << "two arms";
}

TEST_F(QueryCounts, RefusesAFunctionOfSeveralLabelsOfATrial) {
  EXPECT_THAT(refusal({"", {}, {"max(arm)"}}),
              AllOf(HasSubstr("--show: 'max(arm)' takes one value of each trial"),
                    HasSubstr("trial " + id_of("a1") + " give it several of arm: Star, again;"),
                    HasSubstr("--where sweep=NAME"), HasSubstr("--by arm")));
  EXPECT_EQ(answer({"sweep='paper/masks'", {}, {"max(arm)"}}).rows, (Rows{{"dense"}}));
  EXPECT_EQ(answer({"", {"arm"}, {"max(arm)"}}).rows,
            (Rows{{"Star", "Star"}, {"again", "again"}, {"dense", "dense"}}));
  EXPECT_EQ(answer({"", {}, {"max(rate)", "min(rate)"}}).rows, (Rows{{10, 0.5}}))
      << "numbers, not letters";
}

TEST_F(QueryCounts, RefusesAValueOfOneTrialBesideAValueOfAll) {
  EXPECT_THAT(refusal({"", {}, {"dev/mcc", "n"}}),
              AllOf(HasSubstr("--show: 'dev/mcc' has a value for each trial, 'n' one value for all "
                              "trials together"),
                    HasSubstr("write mean(dev/mcc), or leave out n")));
  EXPECT_THAT(refusal({"", {}, {"mean(dev/mcc)", "mask"}}),
              HasSubstr("group the trials with --by mask, or leave out mean(dev/mcc)"));
  for (const char* each : {"dev/mcc", "mcc", "steps_per_s", "seed", "arm", "optimizer.lr"}) {
    for (const char* together : {"n", "diverged", "max(dev/mcc)", "n(arm)"}) {
      EXPECT_THAT(refusal({"", {}, {each, together}}), HasSubstr("for all trials together"));
      EXPECT_THAT(refusal({"", {}, {together, each}}), HasSubstr("for all trials together"));
    }
  }
}

TEST_F(QueryCounts, ShowsAKeyOfTheGroupAsItIs) {
  EXPECT_EQ(answer({"", {"mask"}, {"mask", "n"}}).rows, (Rows{{"none", 2}, {"star", 2}}));
}

TEST_F(QueryCounts, KeepsNamesApartThatDifferInCasing) {
  const std::vector<std::string> ids = trials_in(folder.path());
  write_sweep_file(folder.path(), {"paper/cases",
                                   "",
                                   "",
                                   "",
                                   {{ids.at(0), "train", "", {{"part", "x"}, {"Part", "1"}}},
                                    {ids.at(1), "train", "", {{"part", "x"}, {"Part", "2"}}}},
                                   {}});
  rebuild(folder.path());
  EXPECT_EQ(answer({"sweep='paper/cases'", {"part", "Part"}, {"n"}}).rows,
            (Rows{{"x", "1", 1}, {"x", "2", 1}}));
}

TEST_F(QueryCounts, TakesLongListsAndNamesTheirLimit) {
  const std::vector<std::string> most(100, "mean(dev/mcc)"), keys(100, "arm");
  EXPECT_EQ(answer({"", {}, most}).rows.at(0).size(), 100u);
  EXPECT_EQ(answer({"", keys, most}).rows.at(0).size(), 200u);
  Store store(folder.path(), Store::Access::read);
  EXPECT_NO_THROW(pooled_keys(store, {"", keys, most}));
  EXPECT_NO_THROW(mixed_profiles(store, {"", keys, most}));
  EXPECT_NO_THROW(mixed_splits(store, {"", keys, std::vector<std::string>(100, "mean(mcc)")}));
  EXPECT_NO_THROW(unfinished_trials(store, {"", keys, most}));
  EXPECT_NO_THROW(repeated_seeds(store, {"", keys, most}));
  EXPECT_EQ(refusal({"", {}, std::vector<std::string>(101, "seed")}),
            "--show: got 101 values, expected at most 100");
  EXPECT_EQ(refusal({"", std::vector<std::string>(101, "seed"), {"n"}}),
            "--by: got 101 names, expected at most 100");
}

TEST_F(QueryCounts, NamesASeedThatAMeanHoldsSeveralTimes) {
  made("b1", {{"tuned", 1}}).needs("init", {id_of("a1")});
  made("b2", {{"tuned", 1}}).needs("init", {id_of("a2")});
  made("b3", {{"tuned", 1}}).needs("init", {id_of("a2")}).seed(1);
  rebuild(folder.path());
  for (const std::vector<std::string>& by : {std::vector<std::string>{}, {"tuned"}}) {
    const auto found = repeated({"tuned=1", by, {"mean(dev/mcc)"}});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->count, 1);
    EXPECT_EQ(found->seed, 0);
    EXPECT_THAT(found->trials, ElementsAre(id_of("b1"), id_of("b2")));
    EXPECT_THAT(found->differences, ElementsAre("trials needed as init"));
  }
  EXPECT_FALSE(repeated({"tuned=1", {"trial"}, {"mean(dev/mcc)"}}));
  EXPECT_FALSE(repeated({"tuned=1", {}, {"n"}})) << "counts trials";
  EXPECT_FALSE(repeated({"trial!=" + id_of("b2"), {}, {"mean(dev/mcc)"}}));
}

TEST_F(QueryCounts, NamesAMetricOfWhichAMeanTakesSeveralSplits) {
  Json on_test = metric_event("mcc", 10, 0.5);
  on_test["split"] = "test";
  for (const char* name : {"b1", "b2"})
    TrialMaker(folder.path(), name, {{"tuned", 1}})
        .seed(0)
        .attempt(1, {start_event(1, 0), metric_event("mcc", 10, 0.25), on_test, end_event("done")})
        .result(1);
  made("b3", {{"tuned", 1}});
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  const auto found = mixed_splits(store, {"", {"tuned"}, {"mean(mcc)", "n(mcc)"}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].metric, "mcc");
  EXPECT_THAT(found[0].trials, ElementsAre(testing::Pair("test", 2), testing::Pair("dev", 1)));
  EXPECT_TRUE(mixed_splits(store, {"", {"trial"}, {"mean(mcc)"}}).empty());
  EXPECT_TRUE(mixed_splits(store, {"", {}, {"mean(dev/mcc)"}}).empty());
  EXPECT_TRUE(mixed_splits(store, {"", {}, {"mcc"}}).empty()) << "each by itself";
}

TEST_F(QueryCounts, NamesOtherDataOfASeed) {
  made("b1", {{"tuned", 1}}).data("kjv.txt", std::string(64, 'a'));
  made("b2", {{"tuned", 1}}).data("kjv.txt", std::string(64, 'b'));
  rebuild(folder.path());
  const auto found = repeated({"", {"tuned"}, {"mean(dev/mcc)"}});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->differences, ElementsAre("files of data kjv.txt"));
}

TEST_F(QueryCounts, NamesASeedOfAProgramThatRanAgainWithOtherCode) {
  const std::string before(64, 'a'), now(64, 'b');
  made("b1", {{"tuned", 1}, {"snapshot", before}}).data("code", before);
  made("b2", {{"tuned", 1}, {"snapshot", now}}).data("code", now);
  made("b3", {{"tuned", 1}, {"snapshot", before}}).data("code", before).seed(1);
  // The newest run plans the trials of the present code.
  write_sweep_file(folder.path(), {"paper/tuned", "", "", "", {{id_of("b2"), "tune", "", {}}}, {}});
  rebuild(folder.path());
  const ShortQuery query{"tuned=1", {"tuned"}, {"mean_ci(dev/mcc)", "n"}};
  const auto found = repeated(query);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 1);
  EXPECT_EQ(found->trials_in_mean, 3);
  EXPECT_EQ(found->seeds_in_mean, 2);
  EXPECT_THAT(found->trials, ElementsAre(id_of("b2"), id_of("b1")));
  EXPECT_THAT(found->differences, ElementsAre("their code (snapshot)"));
  EXPECT_EQ(found->snapshot, now);
  EXPECT_FALSE(repeated({"snapshot=" + before, {"tuned"}, {"mean(dev/mcc)"}}));
  Store store(folder.path(), Store::Access::read);
  EXPECT_THAT(pooled_keys(store, query), ElementsAre(testing::Field(&PooledKey::key, "snapshot")))
      << "a trial that no sweep plans has no other stage";
}

TEST_F(QueryCounts, LeavesSeedsToNotesOnSettingsThatTellThemApart) {
  made("b1", {{"tuned", 1}}).needs("init", {id_of("a1")});
  made("b2", {{"tuned", 1}}).needs("init", {id_of("a3")});
  write_sweep_file(folder.path(), {"paper/tuned",
                                   "",
                                   "",
                                   "",
                                   {{id_of("b1"), "tune", "", {{"pretrain.arm", "Star"}}},
                                    {id_of("b2"), "tune", "", {{"pretrain.arm", "dense"}}}},
                                   {}});
  rebuild(folder.path());
  EXPECT_FALSE(repeated({"", {"tuned"}, {"mean(dev/mcc)"}}));
  Store store(folder.path(), Store::Access::read);
  EXPECT_THAT(pooled_keys(store, {"", {"tuned"}, {"mean(dev/mcc)"}}),
              testing::Contains(testing::Field(&PooledKey::key, "pretrain.arm")));
}

}  // namespace
}  // namespace rethink
