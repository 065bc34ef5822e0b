// Axes and conditions, as a plan expands them.
#include "core/json.h"
#include "tests/unit/plan/plan_fixture.h"

namespace rethink {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class AxesTest : public PlanFixture {};

TEST_F(AxesTest, AListInSetReplacesAnAxis) {
  const std::string text =
      one_stage("    grid: {optimizer.lr: [1e-4, 1e-3], sizes: [[1], [2, 3]]}\n");
  EXPECT_EQ(plan(text).trials.size(), 4u);
  EXPECT_EQ(plan_set(text, {"optimizer.lr=[1e-5,1e-4,1e-3]"}).trials.size(), 6u);
  EXPECT_EQ(plan_set(text, {"stages.pretrain.grid.optimizer.lr=[1e-5]"}).trials.size(), 2u);
  const Plan fixed = plan_set(text, {"sizes=[7,8]"});  // an axis of lists: this is one value
  ASSERT_EQ(fixed.trials.size(), 2u);
  EXPECT_EQ(fixed.trials[0].trial.config["sizes"], Json::parse("[7, 8]"));
}

TEST_F(AxesTest, SetOnACasesAxisChoosesAmongThem) {
  const std::string text = one_stage("    cases: {arm: {a: {batch: 1}, b: {batch: 2}}}\n");
  const Plan made = plan_set(text, {"arm=b"});
  ASSERT_EQ(made.trials.size(), 1u);
  EXPECT_EQ(made.trials[0].labels.at("arm"), "b");
  PlanChoices wrong = choices_;
  wrong.settings = {"arm=c"};
  EXPECT_THAT(error(text, wrong), HasSubstr("axis 'arm' has no 'c'"));
}

TEST_F(AxesTest, AProfileAddsACaseOrReplacesIt) {
  const std::string text = one_stage(
      "    cases: {arm: {a: {batch: 1}, b: {batch: 2}}}\n"
      "profiles:\n"
      "  p: {stages.pretrain: {cases.arm.half: {model.attention: {kind: masked}, batch: 3}}}\n"
      "  q: {stages.pretrain.cases.arm.b: {batch: 4}}\n");
  const Plan added = plan_profile(text, "p");
  ASSERT_EQ(added.trials.size(), 3u);
  EXPECT_EQ(added.trials[2].labels.at("arm"), "half");
  EXPECT_EQ(added.trials[2].trial.config["batch"], 3);
  EXPECT_EQ(added.trials[2].trial.config["model"]["attention"]["kind"], "masked");
  const Plan replaced = plan_profile(text, "q");
  ASSERT_EQ(replaced.trials.size(), 2u);
  EXPECT_EQ(replaced.trials[1].trial.config["batch"], 4);
}

TEST_F(AxesTest, ZipRunsInStepAndGridMultiplies) {
  const Plan made = plan(one_stage(
      "    zip: {steps: [1, 2], batch: [3, 4]}\n    grid: {optimizer.lr: [0.1, 0.2, 0.3]}\n"));
  ASSERT_EQ(made.trials.size(), 6u);
  for (const PlannedTrial& planned : made.trials) {
    EXPECT_EQ(planned.trial.config["batch"].get<int>(),
              planned.trial.config["steps"].get<int>() + 2);
  }
  EXPECT_THAT(error(one_stage("    zip: {steps: [1, 2], batch: [3]}\n")),
              HasSubstr("zip needs axes of equal length: 'batch' has 1 value, 'steps' has 2"));
}

TEST_F(AxesTest, ValuesMayBeListsAndMaps) {
  const Plan made =
      plan(one_stage("    grid: {sizes: [[1, 2], []], model.attention: [{kind: dense}, {kind: "
                     "masked, rate: 0.5}]}\n"));
  ASSERT_EQ(made.trials.size(), 4u);
  EXPECT_THAT(made.trials[1].labels,
              UnorderedElementsAre(Pair("sizes", "[1, 2]"),
                                   Pair("model.attention", "{kind: masked, rate: 0.5}")));
}

/// Returns a sweep of one job whose decoder has variants of single layers, with these further lines.
std::string one_translation(const std::string& lines) {
  return "sweep: test/one\nseeds: [0]\nstages:\n  a:\n    job: translate\n" + lines;
}

TEST_F(AxesTest, OptionsOfAnEntryOfAListAreAxes) {
  const std::string list = "    decoder: {attention: {at: [{kind: masked}, {kind: dense}]}}\n";
  const Plan made = plan(one_translation(
      list +
      "    grid: {decoder.attention.at.0.layers: [[1], [2, 3]], decoder.attention.at.0.rate: "
      "[0.5, 0.25]}\n"));
  const Plan whole = plan(one_translation(
      "    grid: {decoder.attention.at: [[{kind: masked, layers: [1], rate: 0.5}, {kind: dense}], "
      "[{kind: masked, layers: [1], rate: 0.25}, {kind: dense}], [{kind: masked, layers: [2, 3], "
      "rate: 0.5}, {kind: dense}], [{kind: masked, layers: [2, 3], rate: 0.25}, {kind: "
      "dense}]]}\n"));
  EXPECT_EQ(ids(made), ids(whole));
  ASSERT_EQ(made.trials.size(), 4u);
  EXPECT_THAT(made.trials[3].labels,
              UnorderedElementsAre(Pair("decoder.attention.at.0.layers", "[2, 3]"),
                                   Pair("decoder.attention.at.0.rate", "0.25")));
}

TEST_F(AxesTest, ListsWhoseEntriesChangeComeFromAnywhere) {
  const std::string grid = "    grid: {decoder.attention.at.0.layers: [[1], [2]]}\n";
  const auto layers = [](const Plan& made) {
    std::vector<std::string> all;
    for (const PlannedTrial& planned : made.trials)
      all.push_back(planned.trial.config["decoder"]["attention"]["at"][0]["layers"].dump());
    return all;
  };
  const std::string cases = "    cases: {arm: {m: {decoder.attention.at: [{kind: masked}]}}}\n";
  EXPECT_THAT(layers(plan(one_translation(cases + grid))), ElementsAre("[1]", "[2]"));
  EXPECT_THAT(layers(plan(one_translation(grid + cases))), ElementsAre("[1]", "[2]"));
  write_text(folder_ / "presets/translate/listed.yaml", "decoder.attention.at: [{kind: masked}]\n");
  EXPECT_THAT(layers(plan(one_translation("    preset: listed\n" + grid))),
              ElementsAre("[1]", "[2]"));
  const std::string fixed =
      one_translation("    decoder: {attention: {at: [{kind: masked, layers: [7]}]}}\n");
  EXPECT_THAT(layers(plan_set(fixed, {"decoder.attention.at.0.layers=[3, 4]"})),
              ElementsAre("[3,4]"));
  EXPECT_THAT(layers(plan_set(fixed, {"stages.a.grid.decoder.attention.at.0.layers=[[3], [4]]"})),
              ElementsAre("[3]", "[4]"));
}

TEST_F(AxesTest, EntriesThatAListLacksAreMistakes) {
  const std::string list = "    decoder: {attention: {at: [{kind: masked}]}}\n";
  for (const char* entry : {"1", "01", "-1", "x"}) {
    const std::string key = std::string("decoder.attention.at.") + entry;
    EXPECT_THAT(error(one_translation(list + "    grid: {" + key + ".layers: [[1]]}\n")),
                Not(HasSubstr("trials")))
        << entry;
    EXPECT_NE(error(one_translation(list + "    grid: {" + key + ".layers: [[1]]}\n")), "");
  }
  EXPECT_THAT(error(one_translation("    grid: {decoder.attention.at.0.layers: [[1]]}\n")),
              HasSubstr("'decoder.attention.at': got a map, expected a list, [...], in which "
                        "there is an entry 0 to change; entries count from 0"));
}

TEST_F(AxesTest, RangesAreDecimal) {
  const auto lrs = [&](const std::string& range) {
    std::vector<std::string> texts;
    for (const PlannedTrial& planned :
         plan(one_stage("    grid: {optimizer.lr: " + range + "}\n")).trials) {
      texts.push_back(planned.labels.at("optimizer.lr"));
    }
    return texts;
  };
  EXPECT_THAT(lrs("{from: 0.1, to: 0.5, step: 0.1}"),
              ElementsAre("0.1", "0.2", "0.3", "0.4", "0.5"));
  EXPECT_THAT(lrs("{from: 1e-5, to: 1e-3, count: 3, log: true}"),
              ElementsAre("1e-05", "0.0001", "0.001"));
  EXPECT_THAT(lrs("{from: 1, to: 2, count: 3}"), ElementsAre("1", "1.5", "2"));
  EXPECT_EQ(plan(one_stage("    grid: {steps: {from: 10, to: 30, step: 10}}\n"))
                .trials[2]
                .trial.config["steps"],
            30);
}

TEST_F(AxesTest, SaysWhatIsWrongWithARange) {
  const auto message = [&](const std::string& range) {
    return error(one_stage("    grid: {steps: " + range + "}\n"));
  };
  EXPECT_THAT(message("{from: 1, to: 3}"), HasSubstr("needs either 'step' or 'count'"));
  EXPECT_THAT(message("{from: 1, to: 3, step: -1}"),
              HasSubstr("'step': -1 does not lead from 1 to 3"));
  EXPECT_THAT(message("{from: 0, to: 3, count: 2, log: true}"), HasSubstr("both ends above 0"));
  EXPECT_THAT(message("{from: 1, to: 3, stop: 2, step: 1}"),
              HasSubstr("unknown key 'stop' in a range; did you mean 'step'?"));
  EXPECT_THAT(message("{from: one, to: 3, step: 1}"), HasSubstr("'from' is not a number"));
  EXPECT_THAT(message("{to: 3, step: 1}"), HasSubstr("'from' is missing"));
  EXPECT_THAT(message("{from: 1, to: 3, count: 0}"), HasSubstr("would have no value"));
  EXPECT_THAT(message("[]"), HasSubstr("got an empty list"));
  EXPECT_THAT(message("3"),
              HasSubstr("needs a list of values or a range {from, to, step}, got '3'"));
}

TEST_F(AxesTest, MoreRandomDrawsKeepTheEarlierOnes) {
  const auto drawn = [&](int count, const std::string& more) {
    return plan(one_stage("    random: {count: " + std::to_string(count) +
                          ", seed: 1, optimizer.lr: {log: [1e-5, 1e-3]}" + more + "}\n"));
  };
  const Plan few = drawn(5, ""), many = drawn(20, "");
  ASSERT_EQ(many.trials.size(), 20u);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(few.trials[i].trial.id, many.trials[i].trial.id);
  for (const PlannedTrial& planned : many.trials) {
    const double lr = planned.trial.config["optimizer"]["lr"];
    EXPECT_GE(lr, 1e-5);
    EXPECT_LE(lr, 1e-3);
  }
  const Plan beside = drawn(
      5,
      ", batch: {integer: [1, 64]}, model.dropout: {uniform: [0, 0.5]}, steps: {choice: [1, 2]}");
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(beside.trials[i].labels.at("optimizer.lr"), few.trials[i].labels.at("optimizer.lr"));
  }
}

TEST_F(AxesTest, SaysWhatIsWrongWithARandomAxis) {
  const auto message = [&](const std::string& random) {
    return error(one_stage("    random: " + random + "\n"));
  };
  EXPECT_THAT(message("{count: 3}"), HasSubstr("at least one key to draw"));
  EXPECT_THAT(message("{steps: {integer: [1, 2]}}"), HasSubstr("'count' is missing"));
  EXPECT_THAT(message("{count: 1.5, steps: {integer: [1, 2]}}"),
              HasSubstr("expected a whole number"));
  EXPECT_THAT(message("{count: 3, steps: {normal: [1, 2]}}"),
              HasSubstr("'steps' must say how it is drawn"));
  EXPECT_THAT(message("{count: 3, steps: {integer: [2, 1]}}"),
              HasSubstr("the smaller number first"));
  EXPECT_THAT(message("{count: 3, optimizer.lr: {log: [0, 1]}}"), HasSubstr("numbers above 0"));
  EXPECT_THAT(message("{count: 3, steps: {integer: [1]}}"), HasSubstr("needs two numbers"));
  EXPECT_THAT(message("{count: 3, steps: {choice: []}}"),
              HasSubstr("'choice' needs a list of values"));
}

TEST_F(AxesTest, AWholeNumberIsNotDrawnFromFractions) {
  const std::string text = error(one_stage("    random: {count: 20, steps: {log: [1, 100]}}\n"));
  EXPECT_THAT(
      text,
      HasSubstr("'steps' is a whole number, which 'log' and 'uniform' do not draw: use {integer: "
                "[low, high]}, or {choice: [...]}"));
  EXPECT_THAT(text, Not(HasSubstr("expected an integer")));
  EXPECT_THAT(
      error(one_stage("    random: {count: 2, model.attention.mask.width: {uniform: [1, 9]}}\n")),
      HasSubstr("'model.attention.mask.width' is a whole number"));
  EXPECT_THAT(error(one_stage("    random: {count: 3, steps: {integer: [1, 9], step: 2}}\n")),
              HasSubstr("or {choice: [...]}, and nothing more"));
}

TEST_F(AxesTest, ARepeatedDrawIsLeftOutWithANote) {
  const auto drawn = [&](int count) {
    return plan(one_stage("    random: {count: " + std::to_string(count) +
                          ", steps: {integer: [1, 3]}}\n"));
  };
  const Plan few = drawn(5), many = drawn(50);
  ASSERT_EQ(many.trials.size(), 3u);
  EXPECT_THAT(placed_codes_of(many.notes), ElementsAre("sweep.yaml:6:13 repeated-draws"));
  EXPECT_THAT(many.notes.at(0).text, HasSubstr("3 different points"));
  for (size_t i = 0; i < few.trials.size(); ++i)
    EXPECT_EQ(few.trials[i].trial.id, many.trials[i].trial.id);
  EXPECT_TRUE(
      plan(one_stage("    random: {count: 9, optimizer.lr: {log: [1e-5, 1]}}\n")).notes.empty());
}

TEST_F(AxesTest, AProblemOfAnAxisIsNotFollowedByOthers) {
  const auto lines_of = [&](const std::string& lines) {
    const std::string text = error(one_stage(lines));
    size_t count = 0;
    for (size_t at = text.find("error:"); at != std::string::npos; at = text.find("error:", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(lines_of("    cases: {arm: {}}\n    exclude: [{arm: foo}]\n"), 1u);
  EXPECT_EQ(lines_of("    grid: {batch: []}\n"), 1u);
  EXPECT_EQ(lines_of("    grid: {batch: {from: 1, to: 3}}\n    when: {batch: [{steps: 1}]}\n"), 1u);
  EXPECT_EQ(lines_of("    random: {count: 3, batch: {normal: [1, 2]}}\n"), 1u);
}

TEST_F(AxesTest, AnEmptyValueCanBeSeen) {
  EXPECT_THAT(error(one_stage("    grid: {batch: [1, 2]}\n    exclude: [{note: foo}]\n")),
              HasSubstr("no trial has note = foo; there is: '' (empty)"));
}

TEST_F(AxesTest, WhenKeepsAnAxisOnlyWhereItHasMeaning) {
  const std::string text = one_stage(R"(    model.attention.kind: masked
    grid: {model.attention.mask.width: [1, 2, 3]}
    cases: {arm: {none: {model.attention.mask.kind: none}, star: {model.attention.mask.kind: star}}}
    when: {model.attention.mask.width: [{arm: star}]}
)");
  const Plan made = plan(text);
  ASSERT_EQ(made.trials.size(), 4u);
  EXPECT_THAT(made.trials[0].labels, ElementsAre(Pair("arm", "none")));
  const std::string by_option =
      one_stage(R"(    grid: {model.attention.kind: [dense, masked], model.attention.rate: [0.5, 2]}
    when: {model.attention.rate: {model.attention.kind: masked}}
)");
  EXPECT_EQ(plan(by_option).trials.size(), 3u);
}

/// Anchors give several stages the same cases; one of these stages may leave out cases that it cannot run.
TEST_F(AxesTest, DoesNotReportExplicitExclusions) {
  const std::string cases = "    cases: {arm: {a: {batch: 1}, b: {batch: none}}}\n";
  const Plan of_one = plan(one_stage(cases + "    exclude: [{arm: b}]\n"));
  EXPECT_EQ(of_one.trials.size(), 1u);
  const std::set<std::string> both = {"a", "b"};
  EXPECT_EQ(of_one.axis_values.at(of_one.trials[0].stage).at("arm"), both);
  EXPECT_THAT(error(one_stage(cases)), HasSubstr("got 'none'"));
  EXPECT_THAT(error(one_stage(cases + "    exclude: [{arm: a}]\n")), HasSubstr("got 'none'"));
  // The batch would be the default, and the intended batch is unknown.
  EXPECT_THAT(error(one_stage(cases + "    exclude: [{batch: 64}]\n")), HasSubstr("got 'none'"));
}

TEST_F(AxesTest, FindsConditionsThatMeanNothing) {
  const std::string grid = "    grid: {batch: [1, 2], steps: [3, 4]}\n";
  EXPECT_THAT(
      error(one_stage(grid + "    exclude: [{bach: 1}]\n")),
      HasSubstr(
          "'exclude' names 'bach', which is not an axis or option here; did you mean 'batch'?"));
  EXPECT_THAT(error(one_stage(grid + "    exclude: [{batch: 3}]\n")),
              HasSubstr("'exclude': no trial has batch = 3"));
  EXPECT_THAT(error(one_stage(grid + "    exclude: [{batch: [1, 7]}]\n")),
              HasSubstr("no trial has batch = 7"));
  EXPECT_THAT(error(one_stage(grid + "    when: {batch: [{steps: 9}]}\n")),
              HasSubstr("'when': no trial has steps = 9"));
  EXPECT_THAT(
      error(one_stage(grid + "    when: {bach: [{steps: 3}]}\n")),
      HasSubstr(
          "'when' names 'bach', which is not an axis of stage 'pretrain'; did you mean 'batch'?"));
  EXPECT_THAT(error(one_stage(grid + "    when: {batch: [{steps: 3}], steps: [{batch: 1}]}\n")),
              HasSubstr("is circular"));
  EXPECT_THAT(error(one_stage(grid + "    exclude: [{batch: [1, 2]}]\n")),
              HasSubstr("has no trials"));
  EXPECT_THAT(error(one_stage(grid + "    exclude: [x]\n")),
              HasSubstr("a condition is a map such as {arm: dense}"));
  EXPECT_THAT(error(one_stage(grid + "    exclude: [{batch: []}]\n")), HasSubstr("empty list"));
}

/// An axis that sets an option has the option's type, even before the configuration is complete.
TEST_F(AxesTest, ComparesAnAxisByTheTypeOfItsOption) {
  const std::string words =
      "    data.dataset: running\n    grid: {data.protocol: ['1', '1.0', 1x], batch: [1, 2]}\n";
  const auto count = [&](const std::string& lines) {
    return plan(one_stage(words + lines)).trials.size();
  };
  EXPECT_EQ(count(""), 6u);
  EXPECT_EQ(count("    exclude: [{data.protocol: 1}]\n"), 4u);
  EXPECT_EQ(count("    exclude: [{data.protocol: '1'}]\n"), 4u);
  EXPECT_EQ(count("    exclude: [{batch: 1.0}]\n"), 3u);
  EXPECT_EQ(count("    when: {batch: [{data.protocol: 1}]}\n"), 4u);
  EXPECT_THAT(
      error(one_stage(words + "    exclude: [{data.protocol: 1e0}]\n")),
      HasSubstr("'exclude': no trial has data.protocol = 1e0; did you mean '1.0'?; there is: "));
  EXPECT_THAT(error(one_stage(words + "    exclude: [{batch: '1'}]\n")),
              HasSubstr("'exclude': no trial has batch = 1, as text; there is: 1, 2"));
  EXPECT_THAT(error(one_stage(words + "    when: {data.protocol: [{batch: '1'}]}\n")),
              HasSubstr("'when': no trial has batch = 1, as text; there is: 1, 2"));
}

TEST_F(AxesTest, KeepsThePointsOfAnAxisThatOnlyNames) {
  const auto count = [&](const std::string& only) {
    return plan_profile(
               one_stage(
                   "    data.dataset: running\n    grid: {data.protocol: ['1', '1.0', 1x]}\n") +
                   "profiles: {p: {stages.pretrain: {only: {data.protocol: " + only + "}}}}\n",
               "p")
        .trials.size();
  };
  EXPECT_EQ(count("1"), 1u);
  EXPECT_EQ(count("'1'"), 1u);
  EXPECT_EQ(count("[1, 1x]"), 2u);
}

/// As in `exclude` and `when`, a plain word has the type of the option that the axis sets.
TEST_F(AxesTest, ComparesWhatOnlyNamesByTheTypeOfItsOption) {
  const std::string words =
      "    data.dataset: running\n    grid: {data.protocol: [1, 1.0, 1e0], batch: [1, 2]}\n";
  const auto only = [&](const std::string& given) {
    return one_stage(words) + "profiles: {p: {stages.pretrain: {only: " + given + "}}}\n";
  };
  const auto count = [&](const std::string& given) {
    return plan_profile(only(given), "p").trials.size();
  };
  EXPECT_EQ(count("{data.protocol: 1}"), 2u);
  EXPECT_EQ(count("{data.protocol: [1e0, '1.0']}"), 4u);
  EXPECT_EQ(count("{batch: 1.0}"), 3u);
  choices_.profile = "p";
  EXPECT_THAT(error(only("{data.protocol: 1.00}")),
              HasSubstr("axis 'data.protocol' has no '1.00'"));
  EXPECT_THAT(error(only("{batch: '1'}")), HasSubstr("axis 'batch' has no '1'"));
}

/// An option may have a paper's word beside its stored name. Files may use both.
TEST_F(AxesTest, ReadsAnOptionByBothOfItsNames) {
  const auto ids_of = [&](const std::string& attention) {
    return ids(plan(one_stage("    model.attention: {kind: masked, " + attention + "}\n")));
  };
  EXPECT_EQ(ids_of("gamma: 0.5"), ids_of("rate: 0.5"));
  EXPECT_NE(ids_of("gamma: 0.5"), ids_of("gamma: 0.6"));
  EXPECT_THAT(
      error(one_stage("    model.attention: {kind: masked, gamma: 1, rate: 2}\n")),
      HasSubstr("sweep.yaml:6:47: error: 'rate' is another name of 'gamma', which is given too; "
                "remove one of them"));
  EXPECT_THAT(error(one_stage("    model.attention: {kind: masked, rate: -1}\n")),
              HasSubstr("'model.attention.rate': got '-1', expected at least 0"));

  const std::string fixed = one_stage("    model.attention: {kind: masked, rate: 0.5}\n");
  EXPECT_EQ(ids(plan_set(fixed, {"model.attention.gamma=0.25"})), ids_of("gamma: 0.25"));

  const std::string grid = one_stage(
      "    model.attention.kind: masked\n    grid: {model.attention.gamma: [0.1, 0.2]}\n");
  const Plan listed = plan_set(grid, {"model.attention.rate=[0.3]"});
  EXPECT_EQ(ids(listed), ids_of("gamma: 0.3"));
  EXPECT_EQ(listed.trials[0].labels.at("model.attention.gamma"), "0.3");
  EXPECT_EQ(ids(plan_set(grid, {"stages.pretrain.grid.model.attention.rate=[0.3]"})),
            ids_of("gamma: 0.3"));
  EXPECT_EQ(ids(plan_set(grid, {"stages.pretrain.only.model.attention.rate=[0.2]"})),
            ids_of("gamma: 0.2"));
  EXPECT_EQ(ids(plan_set(grid, {"model.attention.rate=0.4"})), ids_of("gamma: 0.4"));
}

TEST_F(AxesTest, ASettingWithoutAStageGoesToTheStagesThatHaveTheOption) {
  const std::string sweep =
      "sweep: s\nstages:\n"
      "  one: {job: pretrain, data: {dataset: toy}}\n"
      "  two: {job: pretrain, data: {dataset: few}}\n";
  const Plan set = plan_set(sweep, {"data.train_examples=5"});
  EXPECT_EQ(set.of_stage("one").front()->trial.id, plan(sweep).of_stage("one").front()->trial.id);
  EXPECT_EQ(set.of_stage("two").front()->trial.config.at("data").at("train_examples"), 5);
  ASSERT_THAT(placed_codes_of(set.notes),
              ElementsAre("--set data.train_examples=5 partly-used-setting"));
  EXPECT_THAT(set.notes.at(0).text, AllOf(HasSubstr("in: two;"), EndsWith(": one")));
  // The stages are overlaid again without this setting; what the file itself has wrong stays wrong.
  PlanChoices choices = choices_;
  choices.settings = {"data.train_examples=5"};
  EXPECT_THAT(error(sweep + "seeds: [0]\nseeds: [1]\n", choices),
              HasSubstr("key 'seeds' is given twice"));
}

TEST_F(AxesTest, AMistypedSettingIsRefusedWhereTheOnlyStageThatMightTakeItIsNotPlanned) {
  const std::string sweep =
      "sweep: s\nstages:\n"
      "  one: {job: pretrain, model: {attention: {kind: masked}}}\n"
      "  two: {job: pretrain, model: {attention: {kind: masked}}}\n"
      "  tune: {job: finetune, needs: {init: two}}\n"
      "profiles:\n  less: {stages.two: null, stages.tune: null}\n";
  PlanChoices choices = choices_;
  choices.settings = {"model.attention.rat=0.3"};
  choices.only_stage = "one";
  EXPECT_THAT(error(sweep, choices),
              HasSubstr("unknown key 'model.attention.rat'; did you mean 'model.attention.rate'"));
  choices.only_stage.reset();
  choices.profile = "less";
  EXPECT_THAT(error(sweep, choices),
              HasSubstr("unknown key 'model.attention.rat'; did you mean 'model.attention.rate'"));
}

TEST_F(AxesTest, ASettingThatNoPlannedStageHasIsRefused) {
  const std::string sweep =
      "sweep: s\nstages:\n"
      "  one: {job: pretrain}\n"
      "  two: {job: pretrain, cases: {arm: {a: {batch: 1}, b: {batch: 2}}}}\n";
  PlanChoices choices = choices_;
  choices.settings = {"arm=b"};
  EXPECT_EQ(plan_set(sweep, choices.settings).of_stage("two").size(), 1u);
  choices.only_stage = "one";
  EXPECT_THAT(error(sweep, choices), HasSubstr("no planned stage has this option"));
}

TEST_F(AxesTest, ASettingOfAnAxisPassesOverStagesWithoutItAndTheirChildren) {
  const std::string sweep =
      "sweep: s\nstages:\n"
      "  base: {job: pretrain}\n"
      "  tune: {job: finetune, needs: {init: base}}\n"
      "  search:\n"
      "    job: pretrain\n"
      "    model: {attention: {kind: masked}}\n"
      "    grid: {model.attention.rate: [1, 2]}\n"
      "  fixed: {job: pretrain, model: {attention: {kind: masked, rate: 3}}}\n";
  const Plan set = plan_set(sweep, {"model.attention.rate=[0.3]"});
  ASSERT_EQ(set.of_stage("search").size(), 1u);
  EXPECT_EQ(set.of_stage("search").front()->labels.at("model.attention.rate"), "0.3");
  EXPECT_EQ(set.of_stage("fixed").front()->trial.id,
            plan(sweep).of_stage("fixed").front()->trial.id);
  ASSERT_THAT(placed_codes_of(set.notes),
              ElementsAre("--set model.attention.rate=[0.3] partly-used-setting"));
  EXPECT_THAT(set.notes.at(0).text,
              AllOf(HasSubstr("in: search;"), EndsWith(": base, tune, fixed")));
  const Plan one = plan_set(sweep, {"model.attention.rate=0.3"});
  ASSERT_THAT(placed_codes_of(one.notes),
              ElementsAre("--set model.attention.rate=0.3 partly-used-setting"));
  EXPECT_THAT(one.notes.at(0).text,
              AllOf(HasSubstr("in: search, fixed;"), EndsWith(": base, tune")));
}

}  // namespace
}  // namespace rethink
