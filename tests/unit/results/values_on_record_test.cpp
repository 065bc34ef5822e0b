#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/message.h"
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

class ValuesOnRecord : public QueryTest {
 protected:
  std::vector<std::string> unmatched(const std::string& where) {
    Store store(folder.path(), Store::Access::read);
    return unmatched_values(store, where);
  }
};

TEST_F(ValuesOnRecord, NamesEachValueThatNoTrialHas) {
  EXPECT_THAT(unmatched("arm=star"),
              ElementsAre("no trial has arm=star; did you mean 'Star'?; values of arm: Star, "
                          "again, dense"));
  EXPECT_THAT(unmatched("stage=nope and seed=1"),
              ElementsAre("no trial has stage=nope; values of stage: train"));
  EXPECT_THAT(unmatched("sweep=paper/mask"),
              ElementsAre("no trial has sweep=paper/mask; did you mean 'paper/masks'?; values of "
                          "sweep: paper/masks, paper/other"));
  EXPECT_THAT(unmatched("profile == smal"),
              ElementsAre("no trial has profile=smal; values of profile: ''"));
  EXPECT_THAT(unmatched("seed in (7, 8)"),
              ElementsAre("no trial has seed=7; values of seed: 0, 1",
                          "no trial has seed=8; values of seed: 0, 1"));
  EXPECT_THAT(unmatched("optimizer.lr=0.5"),
              ElementsAre("no trial has optimizer.lr=0.5; values of optimizer.lr: 0.1, 0.2, 0.3, "
                          "0.4"));
  EXPECT_THAT(unmatched("seed='1'"),
              ElementsAre("no trial has seed=\"1\"; quotes make text: leave them out for the "
                          "number; values of seed: 0, 1"));
  EXPECT_THAT(unmatched("trial=zzzz"),
              ElementsAre("no trial's id begins with 'zzzz'; `" +
                          store_command("status --all", folder.path()) + "` lists them"));
}

TEST_F(ValuesOnRecord, SaysNothingWhereEachValueIsThereOrATrialIsKept) {
  for (const char* where : {"", "arm=Star", "arm=Star and arm=dense", "arm in (Star, nope)",
                            "arm=nope or seed=1", "seed>=7", "arm!=nope"})
    EXPECT_THAT(unmatched(where), IsEmpty()) << where;
}

TEST_F(ValuesOnRecord, NamesFewOfManyValues) {
  EXPECT_THAT(unmatched("seed in (2, 3, 4, 5, 6, 7, 8, 9, 2)"), SizeIs(5));
  for (int i = 0; i < 20; ++i) TrialMaker(folder.path(), fmt::format("d{}", i), {{"size", i}});
  rebuild(folder.path());
  EXPECT_EQ(unmatched("size=20").at(0),
            "no trial has size=20; values of size: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, "
            "14, 15 and 4 more (`" +
                store_command("query --by size", folder.path()) + "` lists all)");
}

TEST_F(ValuesOnRecord, RefusesAStateThatNoTrialCanHave) {
  for (const char* where : {"state=don", "state!=don", "state in (failed, don)", "not state='don'"})
    EXPECT_THAT([&] { kept(where); },
                ThrowsMessage<ConfigError>("--where: got state 'don'; did you mean 'done'?; "
                                           "expected one of waiting, ready, running, done, "
                                           "diverged, failed, cancelled, blocked"))
        << where;
}

TEST_F(ValuesOnRecord, RefusesAnOrderBetweenNumbersAndText) {
  EXPECT_THAT([&] { kept("seed<zzz"); },
              ThrowsMessage<ConfigError>("--where: seed < zzz compares with text, but no value of "
                                         "seed is text; values of seed: 0, 1"));
  EXPECT_THAT([&] { kept("optimizer.lr>'0'"); }, ThrowsCode("invalid-condition"));
  EXPECT_THAT([&] { kept("arm>=2"); },
              ThrowsMessage<ConfigError>("--where: arm >= 2 compares with a number, but no value "
                                         "of arm is a number; values of arm: Star, again, dense; "
                                         "to compare text, write arm>=\"2\""));
  EXPECT_THAT(kept("arm>='2'"), SizeIs(4));
  // Some trials have a number, others text.
  TrialMaker(folder.path(), "d1", {{"size", 5}});
  TrialMaker(folder.path(), "d2", {{"size", "5M"}});
  TrialMaker(folder.path(), "d3", {{"clip", nullptr}});
  rebuild(folder.path());
  EXPECT_THAT(kept("size>=5"), ElementsAre("d1"));
  EXPECT_THAT(kept("size>=5M"), ElementsAre("d2"));
  EXPECT_THAT(kept("clip>=5"), IsEmpty()) << "no value yet: nothing says that it is no number";
}

TEST_F(ValuesOnRecord, SaysWhereAMetricCanBeCompared) {
  const std::string head =
      "'dev/mcc' is a metric, and --where and --by take labels, settings and columns only; --show "
      "dev/mcc shows it";
  const auto sql = [&](const std::string& comparison) {
    return store_command(
        "query \"SELECT trial, value FROM final WHERE split = 'dev' AND name = 'mcc' AND value " +
            comparison + "\"",
        folder.path());
  };
  EXPECT_THAT([&] { kept("dev/mcc>0.5"); },
              ThrowsMessage<ConfigError>(head + ", and SQL compares it: " + sql("> 0.5")));
  EXPECT_THAT([&] { kept("dev/mcc <= .25"); },
              ThrowsMessage<ConfigError>(head + ", and SQL compares it: " + sql("<= .25")));
  EXPECT_THAT([&] { kept("dev/mcc in (1, -1e-3)"); },
              ThrowsMessage<ConfigError>(head + ", and SQL compares it: " + sql("IN (1, -1e-3)")));
  for (const char* part : {"arm=Star and dev/mcc!=0", "not dev/mcc!=0", "dev/mcc!=0 or arm=Star"}) {
    EXPECT_THAT([&] { kept(part); },
                ThrowsMessage<ConfigError>(head +
                                           ", and SQL compares it, without the rest of the "
                                           "condition: " +
                                           sql("!= 0")));
  }
  for (const char* other : {"dev/mcc>high", "dev/mcc", "dev/mcc in (1, x)", "dev/mcc>"})
    EXPECT_THAT([&] { kept(other); }, ThrowsMessage<ConfigError>(head));
  EXPECT_THAT([&] { kept("mcc>0.5"); }, ThrowsCode("invalid-condition"));
  EXPECT_THAT([&] { kept("steps_per_s>5"); }, ThrowsCode("invalid-condition"));
  EXPECT_THAT([&] { kept("dev/nothing>5"); },
              ThrowsMessage<ConfigError>(HasSubstr("unknown name 'dev/nothing'")));
}

}  // namespace
}  // namespace rethink
