#include <gmock/gmock.h>

#include "tests/unit/app/command_fixture.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class QueryCommand : public CommandTest {};

TEST_F(QueryCommand, CountsTheValuesOfAMeanAndTheTrialsThatDiverged) {
  add_two_rates();
  finish();
  EXPECT_EQ(answer({"query", "--by", "rate", "--show", "mean(score),n", "--format", "csv"}).out,
            "rate,mean(score),n,diverged\n1,2.0,3,0\n2,4.0,1,2\n");
}

TEST_F(QueryCommand, SaysNothingOfDivergedTrialsWhereThereAreNone) {
  add_two_rates();
  finish();
  EXPECT_EQ(answer({"query", "--where", "rate=1", "--by", "rate", "--show", "mean(score),n",
                    "--format", "csv"})
                .out,
            "rate,mean(score),n\n1,2.0,3\n");
}

TEST_F(QueryCommand, LeavesTrialsWithoutTheKeyOutOfTheGroups) {
  add_two_rates();
  TrialMaker(folder_.path(), "c1").attempt(1, {start_event(1, 0), end_event("done")}).result(1);
  finish();
  EXPECT_EQ(answer({"query", "--by", "rate", "--format", "csv"}).out, "rate,n\n1,3\n2,3\n");
}

TEST_F(QueryCommand, NamesTheKeysThatAMeanTakesTogether) {
  add_two_rates();
  add("c1", 0, {{"rate", 1}, {"steps", 20}}, 1.5);
  finish();
  EXPECT_EQ(answer({"query", "--by", "rate", "--show", "mean(score)"}).err,
            "note: trials that differ in steps (2 values) are averaged together; part them with "
            "--by, or choose "
            "with --where\n");
  EXPECT_THAT(answer({"query", "--by", "rate,steps", "--show", "mean(score)"}).err, IsEmpty());
  EXPECT_THAT(answer({"query", "--where", "steps=10", "--by", "rate", "--show", "mean(score)"}).err,
              IsEmpty());
  EXPECT_THAT(answer({"query", "--by", "rate", "--show", "n"}).err, IsEmpty());
}

TEST_F(QueryCommand, TellsWhatACurveIsTheMeanOf) {
  add_two_rates();
  add("c1", 0, {{"rate", 1}, {"steps", 20}}, 1.5);
  finish();
  const Answer plot = answer({"curve", "dev/score", "--by", "rate"});
  EXPECT_THAT(plot.err, HasSubstr("note: trials that differ in steps (2 values)"));
  EXPECT_THAT(
      plot.err,
      HasSubstr("note: diverged: 2 of 3 trials with rate 2; a curve goes on as the mean of the "
                "others\n"));
  EXPECT_THAT(answer({"curve", "dev/score", "--by", "rate", "--where", "steps=10 and rate=1"}).err,
              IsEmpty());
}

}  // namespace
}  // namespace rethink
