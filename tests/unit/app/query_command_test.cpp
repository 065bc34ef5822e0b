#include <gmock/gmock.h>

#include "core/error.h"
#include "core/json.h"
#include "tests/support/throws_code.h"
#include "tests/unit/app/command_fixture.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::ThrowsMessage;

class QueryCommand : public CommandTest {};

TEST_F(QueryCommand, CountsTheValuesOfAMeanAndTheTrialsThatDiverged) {
  add_two_rates();
  finish();
  EXPECT_EQ(answer({"query", "--by", "rate", "--show", "mean(score),n", "--format", "csv"}).out,
            "rate,mean(score),n,diverged\n1,2.0,3,0\n2,4.0,1,2\n");
}

TEST_F(QueryCommand, DoesNotMentionDivergedTrialsIfThereAreNone) {
  add_two_rates();
  finish();
  EXPECT_EQ(answer({"query", "--where", "rate=1", "--by", "rate", "--show", "mean(score),n",
                    "--format", "csv"})
                .out,
            "rate,mean(score),n\n1,2.0,3\n");
}

TEST_F(QueryCommand, TakesSeveralConditionsThatAllMustHold) {
  add_two_rates();
  finish();
  const auto rows = [&](const std::vector<std::string>& conditions) {
    std::vector<std::string> words = {"query", "--show", "rate,seed", "--format", "csv"};
    for (const std::string& condition : conditions)
      words.insert(words.end(), {"--where", condition});
    return answer(words).out;
  };
  EXPECT_EQ(rows({"rate=1", "seed=0 or seed=2"}), rows({"rate=1 and (seed=0 or seed=2)"}));
  EXPECT_EQ(rows({"rate=1 or rate=2", "seed=2", ""}), rows({"seed=2"}));
  EXPECT_THAT(
      [&] {
        rows({"rate=1) or (rate=2", "seed=2"});
      },
      ThrowsMessage<ConfigError>(HasSubstr("expected 'and', 'or' or the end")));
  EXPECT_THAT(answer({"query", "--where", "rate=1", "--where", "rate=2"}).err,
              HasSubstr("no trial matches: --where '(rate=1) and (rate=2)'\n"));
  EXPECT_EQ(
      answer({"curve", "dev/score", "--where", "rate=1", "--where", "seed=2", "--format", "csv"})
          .out,
      answer({"curve", "dev/score", "--where", "rate=1 and seed=2", "--format", "csv"}).out);
}

TEST_F(QueryCommand, TakesHundredsOfComparisonsAndRefusesMore) {
  add_two_rates();
  finish();
  std::string either = "seed=2";
  std::vector<std::string> words = {"query", "--show", "rate,seed", "--format", "csv"};
  const std::string one =
      answer({"query", "--show", "rate,seed", "--format", "csv", "--where", "seed=2"}).out;
  for (int i = 0; i < 249; ++i) {
    words.insert(words.end(), {"--where", "seed=2"});
    either += " or seed=2";
  }
  words.insert(words.end(), {"--where", either});
  EXPECT_EQ(answer(words).out, one);
  words.insert(words.end(), {"--where", either});
  EXPECT_THAT([&] { answer(words); },
              ThrowsMessage<ConfigError>(AllOf(HasSubstr("more than 500 comparisons"),
                                               testing::SizeIs(testing::Lt(300)))));
}

TEST_F(QueryCommand, SaysThatNoTrialMatches) {
  add_two_rates();
  finish();
  EXPECT_THAT(answer({"query", "--where", "rate=7"}).err,
              HasSubstr("note: no trial matches: --where 'rate=7'\n"));
  EXPECT_THAT(answer({"query", "--where", "rate=1"}).err, Not(HasSubstr("no trial")));
}

TEST_F(QueryCommand, SaysWhichValuesNoTrialHas) {
  add_two_rates();
  finish();
  const std::string note = "no trial has job=Noop; did you mean 'noop'?; values of job: noop";
  for (const std::string where : {"job=Noop", "job == Noop", "(job in (Noop))"}) {
    for (const char* show : {"n", "state", "mean(dev/score)"})
      EXPECT_EQ(answer({"query", "--where", where, "--show", show, "--by", "rate"}).err,
                "note: no trial matches: --where '" + where + "', with a value of --by rate\n" +
                    "note: " + note + "\n");
    EXPECT_EQ(answer({"query", "--where", where, "--show", "n"}).err, "note: " + note + "\n");
    EXPECT_THAT(([&] {
                  answer({"curve", "dev/score", "--where", where});
                }),
                ThrowsMessage<ConfigError>(HasSubstr("has dev/score; " + note)));
  }
  EXPECT_EQ(answer({"query", "--where", "job in (noop, Noop)", "--show", "n"}).err, "");
}

TEST_F(QueryCommand, NamesTheTextThatANumericFunctionFinds) {
  add("a0", 0, {{"rate", 1}, {"tag", "3"}}, 1.0);
  add("a1", 1, {{"rate", 1}, {"tag", "one"}}, 1.0);
  finish();
  for (const char* function : {"mean", "ci95", "median", "mean_ci"}) {
    const std::string item = std::string(function) + "(tag)";
    EXPECT_THAT(([&] {
                  answer({"query", "--show", item});
                }),
                ThrowsMessage<ConfigError>("--show: '" + item +
                                           "' needs numbers, and a value of tag is the text 'one'; "
                                           "count its values with n(tag), or group the trials with "
                                           "--by tag"));
  }
  EXPECT_EQ(answer({"query", "--where", "tag=3", "--show", "mean(tag)", "--format", "csv"}).out,
            "mean(tag)\n3.0\n");
  EXPECT_EQ(answer({"query", "--show", "n(tag),min(tag)", "--format", "csv"}).out,
            "n(tag),min(tag)\n2,3\n");
}

TEST_F(QueryCommand, NamesTheColumnsForAnUnknownColumn) {
  add_two_rates();
  finish();
  EXPECT_THAT(
      [&] {
        answer({"query", "SELECT stat FROM runs"});
      },
      ThrowsMessage<ConfigError>(AllOf(HasSubstr("no such column: stat; did you mean 'state'?"),
                                       HasSubstr("; runs has: trial, job, state, seed"))));
  EXPECT_THAT(
      [&] {
        answer({"query", "SELECT t.trial FROM trial t JOIN metric m"});
      },
      ThrowsMessage<ConfigError>(AllOf(HasSubstr("no such column: t.trial; metric has: trial,"),
                                       HasSubstr("; trial has: id, job"))));
}

TEST_F(QueryCommand, RefusesStatementsThatWrite) {
  add_two_rates();
  finish();
  for (const char* sql : {"drop table runs", " Delete FROM trials", "UPDATE trial SET seed = 1"}) {
    EXPECT_THAT(([&] {
                  answer({"query", sql});
                }),
                ThrowsMessage<ConfigError>(testing::StartsWith("query only reads; ")))
        << sql;
  }
  EXPECT_THAT(([&] {
                answer({"query", "selct 1"});
              }),
              ThrowsMessage<ConfigError>(Not(HasSubstr("only reads"))));
}

TEST_F(QueryCommand, NamesTheTablesForAnUnknownTable) {
  add_two_rates();
  finish();
  EXPECT_THAT(([&] {
                answer({"query", "SELECT * FROM trials"});
              }),
              ThrowsMessage<ConfigError>(AllOf(
                  HasSubstr("no such table: trials; did you mean 'trial'?; tables and views: "),
                  HasSubstr("metric, "), HasSubstr("runs, "))));
}

TEST_F(QueryCommand, SuggestsTheMetricWithoutAnUnknownSuffix) {
  TrialMaker(folder_.path(), "c1")
      .attempt(1, {start_event(1, 0), metric_event("loss", 5, 1), metric_event("score", 5, 1),
                   metric_event("score@last", 5, 1), end_event("done")})
      .result(1);
  finish();
  EXPECT_THAT(([&] {
                answer({"query", "--show", "mean(dev/loss@last)"});
              }),
              ThrowsMessage<ConfigError>(
                  HasSubstr("unknown metric 'dev/loss@last'; did you mean 'dev/loss'?")));
}

TEST_F(QueryCommand, NamesSomeOfManyMetricsAndHowToListAll) {
  std::vector<Json> events = {start_event(1, 0)};
  for (int i = 10; i < 40; ++i) events.push_back(metric_event(fmt::format("m{}", i), 5, 1));
  events.push_back(end_event("done"));
  TrialMaker(folder_.path(), "c1").attempt(1, events).result(1);
  finish();
  EXPECT_THAT(([&] {
                answer({"query", "--show", "mean(dev/nothing)"});
              }),
              ThrowsMessage<ConfigError>(HasSubstr(
                  "dev/m25 and 14 more (`" +
                  on_store("query 'SELECT DISTINCT split, name FROM metric'") + "` lists all)")));
}

TEST_F(QueryCommand, KeepsShortenedListsDistinct) {
  const auto list = [](const std::string& layer) {
    return R"([{"absolute":false,"directed":false,"kind":"triplet","layers":[)" + layer +
           R"(],"permutations":[],"shared":true}])";
  };
  add("a1", 0, {{"rate", 1}}, 1.0);
  finish();
  const CommandAnswer said =
      answer({"query", "SELECT '" + list("1,2,3") + "' AS at UNION SELECT '" + list("4") + "'"});
  EXPECT_EQ(said.out, "at\n────────────────────\n[{\"layers\":[1,2,3]}]\n[{\"layers\":[4]}]\n");
  EXPECT_EQ(said.err,
            "note: at: the part that all its values share is left out; --format csv shows it\n");
}

TEST_F(QueryCommand, DoesNotCutListsThatDifferInTheMiddleOnly) {
  const std::string ones(60, '1');
  add("a1", 0, {{"rate", 1}}, 1.0);
  finish();
  const std::string out =
      answer({"query", "SELECT '[" + ones + "2" + ones + "]' AS at UNION SELECT '[" + ones + "3" +
                           ones + "]'"})
          .out;
  EXPECT_THAT(out, AllOf(HasSubstr("121"), HasSubstr("131")));
}

TEST_F(QueryCommand, ShortensListsInTextAndKeepsThemInCsv) {
  const std::string list = "[" + std::string(200, '1') + "]";
  add("a1", 0, {{"rate", 1}}, 1.0);
  finish();
  const std::string sql = "SELECT '" + list + "' AS groups";
  EXPECT_THAT(answer({"query", sql}).out, Not(HasSubstr(list)));
  EXPECT_THAT(answer({"query", sql}).out, HasSubstr("[111"));
  EXPECT_THAT(answer({"query", sql, "--format", "csv"}).out, HasSubstr(list));
}

TEST_F(QueryCommand, SaysWhyATrialDiverged) {
  add_two_rates();
  finish();
  const std::string why = "diverged: the loss is nan at step 7";
  EXPECT_EQ(answer({"query", "SELECT DISTINCT message FROM runs WHERE state = 'diverged'",
                    "--format", "csv"})
                .out,
            "message\n" + why + "\n");
  EXPECT_THAT(answer({"show", id_of("b1")}).out, HasSubstr("message " + why + "\n"));
  EXPECT_EQ(Json::parse(answer({"show", id_of("b1"), "--format", "json"}).out)["message"], why);
}

TEST_F(QueryCommand, LeavesTrialsWithoutTheKeyOutOfTheGroups) {
  add_two_rates();
  TrialMaker(folder_.path(), "c1").attempt(1, {start_event(1, 0), end_event("done")}).result(1);
  finish();
  EXPECT_EQ(answer({"query", "--by", "rate", "--format", "csv"}).out, "rate,n\n1,3\n2,3\n");
}

TEST_F(QueryCommand, NamesTheKeysThatAMeanMixes) {
  add_two_rates();
  add("c1", 0, {{"rate", 1}, {"steps", 20}}, 1.5);
  finish();
  EXPECT_EQ(answer({"query", "--by", "rate", "--show", "mean(score)"}).err,
            "note: trials that differ in steps (2 values) are averaged together; separate them "
            "with --by, or choose "
            "with --where\n");
  EXPECT_THAT(answer({"query", "--by", "rate,steps", "--show", "mean(score)"}).err, IsEmpty());
  EXPECT_THAT(answer({"query", "--where", "steps=10", "--by", "rate", "--show", "mean(score)"}).err,
              IsEmpty());
  EXPECT_THAT(answer({"query", "--by", "rate", "--show", "n"}).err, IsEmpty());
}

TEST_F(QueryCommand, NamesTheProfilesThatAMeanMixes) {
  const std::string small = add("a1", 0, {{"rate", 1}, {"steps", 10}}, 1.0);
  sweep_.profile = "small";
  finish();
  const std::vector<std::string> mean = {"query", "--by", "rate", "--show", "mean(score)"};
  sweep_ = SweepFile();
  sweep_.profile = "paper";
  add("a2", 0, {{"rate", 1}, {"steps", 20}}, 2.0);
  sweep_.members.push_back({small, "lm", "", {{"rate", "1"}}});
  finish();
  // The paper's profile has both, so its name would distinguish nothing.
  EXPECT_THAT(answer(mean).err, Not(HasSubstr("profile")));
  sweep_.members.pop_back();
  finish();
  EXPECT_THAT(answer(mean).err,
              HasSubstr("or choose with --where, as --where profile=small: they are of the "
                        "profiles paper, small\n"));
  EXPECT_THAT(answer({"curve", "dev/score", "--by", "rate"}).err,
              HasSubstr("they are of the profiles paper, small\n"));
  EXPECT_THAT(
      answer({"query", "--where", "profile=small", "--by", "rate", "--show", "mean(score)"}).err,
      IsEmpty());
}

TEST_F(QueryCommand, SaysWhereACurveIsTheMeanOfSomeTrialsOnly) {
  for (const int64_t step : {5, 7}) {
    TrialMaker trial(folder_.path(), fmt::format("a{}", step), {{"rate", 1}});
    trial.seed(step)
        .attempt(1, {start_event(1, 0), metric_event("score", step, 1),
                     metric_event("score", 10, 2), end_event("done")})
        .result(1);
    sweep_.members.push_back({trial.id(), "lm", "", {{"rate", "1"}}});
  }
  finish();
  EXPECT_EQ(answer({"curve", "dev/score", "--by", "rate"}).err,
            "note: some means are of fewer trials, since the others have no value at that step: "
            "2 of 3 steps of 1; --format text shows the number of trials per step\n");
  EXPECT_THAT(answer({"curve", "dev/score", "--where", "seed=5"}).err, IsEmpty());
}

TEST_F(QueryCommand, BeginsWhyOfATrialWithItsSweeps) {
  const std::string id = add("a1", 0, {{"rate", 1}}, 1.0);
  sweep_.profile = "small";
  finish();
  EXPECT_THAT(answer({"why", id}).out,
              testing::StartsWith("trial " + id +
                                  ": done, job noop, seed 0\n  sweep s, profile "
                                  "small, stage lm: rate=1\n  attempt 1"));
  const Json json = Json::parse(answer({"why", id, "--format", "json"}).out);
  EXPECT_EQ(json["sweeps"][0]["profile"], "small");
}

TEST_F(QueryCommand, NotesWhatACurveAverages) {
  add_two_rates();
  add("c1", 0, {{"rate", 1}, {"steps", 20}}, 1.5);
  finish();
  const CommandAnswer plot = answer({"curve", "dev/score", "--by", "rate"});
  EXPECT_THAT(plot.err, HasSubstr("note: trials that differ in steps (2 values)"));
  EXPECT_THAT(plot.err,
              HasSubstr("note: diverged, and left out of the curves: 2 of 3 trials with rate 2\n"));
  EXPECT_THAT(
      answer({"curve", "dev/score", "--by", "rate", "--where", "rate=2", "--format", "csv"}).out,
      testing::EndsWith("\n2,5,4.0,1\n"))
      << "the values of the trial that is done alone";
  EXPECT_THAT(answer({"curve", "dev/score", "--by", "rate", "--where", "steps=10 and rate=1"}).err,
              IsEmpty());
}

TEST_F(QueryCommand, CountsDivergedTrialsOfACurveAmongThoseThatHaveTheMetric) {
  add_two_rates();
  for (const auto& [name, outcome] : {std::pair("e1", "done"), std::pair("e2", "diverged")}) {
    TrialMaker select(folder_.path(), name, {{"rate", 2}});
    select.job("select").attempt(1, {start_event(1, 0), end_event(outcome)}).result(1, outcome);
    sweep_.members.push_back({select.id(), "best", "", {{"rate", "2"}}});
  }
  finish();
  EXPECT_EQ(answer({"curve", "dev/score", "--by", "rate"}).err,
            "note: diverged, and left out of the curves: 2 of 3 trials with rate 2\n");
  EXPECT_EQ(
      answer({"curve", "dev/score", "--by", "rate,seed"}).err,
      "note: diverged: the only trial with rate, seed 2, 1; the only trial with rate, seed 2, 2; "
      "the curve shows them\n");
}

TEST_F(QueryCommand, CountsTrialsThatAreInNoCurve) {
  add_two_rates();
  for (const auto& [name, outcome] : {std::pair("d1", "diverged"), std::pair("d2", "failed")}) {
    TrialMaker trial(folder_.path(), name, {{"rate", 1}, {"steps", 10}});
    trial.seed(7).attempt(1, {start_event(1, 0), end_event(outcome)});
    if (outcome == std::string("diverged")) trial.result(1, outcome);
    sweep_.members.push_back({trial.id(), "lm", "", {{"rate", "1"}}});
  }
  finish();
  EXPECT_EQ(answer({"curve", "dev/score", "--where", "rate=1"}).err,
            "note: 1 trial diverged without a finite value and was left out of the curves\n"
            "note: 1 trial is not done and was left out of the curves: 1 ready; `" +
                on_store("status --all") + "` lists it\n");
  EXPECT_THAT(
      [&] {
        answer({"curve", "dev/score", "--where", "seed=7"});
      },
      ThrowsCode("no-values"));
}

TEST_F(QueryCommand, NamesASeedThatAMeanHoldsSeveralTimes) {
  add_two_rates();
  for (const char* name : {"e1", "e2"}) {
    TrialMaker trial(folder_.path(), name, {{"rate", 3}, {"steps", 10}});
    trial.needs("init", {id_of(std::string("a") + name[1])})
        .attempt(1, {start_event(1, 0), metric_event("score", 10, 2), end_event("done")})
        .result(1);
    sweep_.members.push_back({trial.id(), "lm", "", {{"rate", "3"}}});
  }
  finish();
  const std::string note = fmt::format(
      "note: 1 seed is in a mean several times: trials {0} and {1} have one configuration and "
      "seed 0, but differ in trials needed as init. A mean has 2 trials of 1 seed, so n counts "
      "trials, and sd, sem and intervals are too small; leave out all but one with --where, as "
      "--where 'trial!={1}'\n",
      id_of("e1"), id_of("e2"));
  EXPECT_EQ(answer({"query", "--by", "rate", "--show", "mean(score)"}).err, note);
  EXPECT_EQ(answer({"curve", "dev/score", "--by", "rate"}).err,
            note + answer({"curve", "dev/score", "--by", "rate", "--where", "rate!=3"}).err);
  EXPECT_THAT(
      answer({"query", "--by", "rate", "--show", "mean(score)", "--where", "trial!=" + id_of("e2")})
          .err,
      IsEmpty());
}

TEST_F(QueryCommand, DiffNamesDifferencesWithinListsOfMaps) {
  const auto config = [](const char* kind, const Json& layers) {
    return Json{{"rate", 1}, {"at", {{{"kind", "dense"}}, {{"kind", kind}, {"layers", layers}}}}};
  };
  const std::string first = add("a1", 0, config("triplet", {1, 2}), 1.0),
                    second = add("a2", 0, config("bird_eye", {1, 2}), 1.0),
                    third = add("a3", 0, {{"rate", 1}, {"at", {{{"kind", "dense"}}}}}, 1.0);
  finish();
  const auto lines = [&](const std::string& one, const std::string& other) {
    const std::string out = answer({"diff", one, other}).out;
    return out.substr(out.find('\n', out.find("+++")) + 1);
  };
  EXPECT_EQ(lines(first, second), "at[1].kind: triplet -> bird_eye\n");
  EXPECT_EQ(lines(first, third), "at[1]: {kind: triplet, layers: [1, 2]} -> nothing\n");
}

}  // namespace
}  // namespace rethink
