#include "plots/figure/figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "tests/support/throws_code.h"
#include "tests/unit/plots/figure_example.h"

namespace rethink::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string kFigure = R"(figure: example/rates
title: Example
sweep: s.yaml
stage: lm
metric: test/ppl
x: {axis: rate, label: rate}
y: {label: perplexity}
series: [{label: scaled, where: {arm: scaled}}]
lines: [{label: free, where: {arm: free, rate: none}}]
paper: {scaled: {1: 50, 2: 55}, free: 49}
align: 1
)";

Example example() {
  Example made;
  for (int64_t seed = 0; seed < 2; ++seed) {
    const double s = static_cast<double>(seed);
    add_trial(made, "scaled", "2", seed, 110 + s);
    add_trial(made, "scaled", "1", seed, 100 + s);
    add_trial(made, "free", "none", seed, 95 + s);
  }
  return made;
}

std::string numeric_rows(std::string text) {
  return with(std::move(text), "stage: lm\n", "stage: lm\nwhere: {}\n");
}

TEST(Figure, HasAPointForEachValueOfItsAxisInOrder) {
  Example made = example();
  // The arm whose rate is not a number is removed.
  std::erase_if(made.plans["s.yaml"].trials,
                [](const PlannedTrial& t) { return t.labels.at("arm") == "free"; });
  const std::string text =
      with(with(kFigure, "lines: [{label: free, where: {arm: free, rate: none}}]\n", ""),
           ", free: 49", "");
  const Figure figure = figure_of(text, made);
  ASSERT_EQ(figure.series.size(), 2u);
  EXPECT_EQ(figure.series[0].points[0].x, 1);
  EXPECT_NEAR(figure.series[0].points[0].y, 100.5, 1e-12);
  EXPECT_EQ(figure.series[0].points[1].x, 2);
  EXPECT_TRUE(figure.series[1].paper);
  EXPECT_NEAR(*figure.right_scale, 50 / 100.5, 1e-12);
  EXPECT_EQ(figure.caption[0], "no profile; mean ± standard deviation over 2 seeds");
}

const std::string kPaired =
    "figure: l\nsweep: s.yaml\nstage: lm\nmetric: test/ppl\nx: {axis: rate}\nseries: {axis: arm}\n";

/// Seeds are 10 apart; the effects of a rate or an arm differ by less.
Example paired_example() {
  Example made;
  for (int64_t seed = 0; seed < 2; ++seed) {
    const double s = 10 * static_cast<double>(seed), odd = static_cast<double>(seed);
    add_trial(made, "plain", "1", seed, 100 + s);
    add_trial(made, "plain", "2", seed, 103 + s + odd);
    add_trial(made, "new", "1", seed, 90 + s + 2 * odd);
    add_trial(made, "new", "2", seed, 91 + s);
  }
  return made;
}

double spread_at(const Figure& figure, size_t series, size_t point) {
  return figure.series.at(series).points.at(point).spread.value_or(-1);
}

TEST(Figure, HasBarsOfDifferencesToAnXOfTheSameSeed) {
  const Figure figure = figure_of(kPaired + "baseline: 1\n", paired_example());
  ASSERT_EQ(figure.series.size(), 2u);
  EXPECT_EQ(figure.series[0].label, "plain");
  EXPECT_EQ(spread_at(figure, 0, 0), -1);  // the baseline itself has none
  EXPECT_NEAR(spread_at(figure, 0, 1), std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(figure.series[0].points[1].y, 108.5, 1e-9);  // points stay means
  EXPECT_NEAR(spread_at(figure, 1, 1), std::sqrt(2.0), 1e-9);
  EXPECT_EQ(figure.caption[0],
            "no profile; mean over 2 seeds; bars: standard deviation of the difference to x = 1 of "
            "the same seed");
}

TEST(Figure, HasBarsOfDifferencesToASeriesOfTheSameSeed) {
  const Figure figure = figure_of(kPaired + "baseline: plain\n", paired_example());
  EXPECT_EQ(spread_at(figure, 0, 0), -1);
  EXPECT_EQ(spread_at(figure, 0, 1), -1);
  EXPECT_NEAR(spread_at(figure, 1, 0), std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(spread_at(figure, 1, 1), std::sqrt(0.5), 1e-9);
  EXPECT_THAT(figure.caption[0], HasSubstr("of the difference to plain of the same seed"));
}

TEST(Figure, RefusesABaselineThatItDoesNotHave) {
  EXPECT_THAT([] { figure_of(kPaired + "baseline: 3\n", paired_example()); },
              ThrowsCode("unknown-series"));
  EXPECT_THAT(
      [] {
        figure_of(
            "figure: c\nkind: curves\nsweep: s.yaml\nstage: lm\nmetric: train/loss\nseries: "
            "{axis: arm}\nbaseline: plain\n",
            paired_example());
      },
      ThrowsCode("misplaced-key"));
}

TEST(Figure, ShowsAxesInTheirScale) {
  const std::string scaled =
      with(kPaired, "x: {axis: rate}", "x: {axis: rate, scale: 100}\ny: {scale: 0.1}");
  const Figure figure = figure_of(scaled + "paper: {plain: {1: 54}}\nalign: 1\n", paired_example());
  EXPECT_NEAR(figure.series[0].points[0].x, 100, 1e-9);
  EXPECT_NEAR(figure.series[0].points[0].y, 10.5, 1e-9);
  EXPECT_NEAR(spread_at(figure, 0, 0), std::sqrt(50.0) / 10, 1e-9);
  const FigureSeries& paper = figure.series.back();
  ASSERT_TRUE(paper.paper);
  EXPECT_NEAR(paper.points[0].x, 100, 1e-9);
  EXPECT_NEAR(paper.points[0].y, 54, 1e-9);  // as it is printed
  EXPECT_NEAR(*figure.right_scale, 54 / 10.5, 1e-9);
}

TEST(Figure, RefusesSizesThatNoPaperHas) {
  for (const auto& [key, error] : {std::pair{"width: 3.3", "width: got '3.3', expected a length"},
                                   {"width: 90in", "width: got '90in', expected a length"},
                                   {"font_size: 80", "font_size: got 80, expected 4 to 24 [pt]"},
                                   {"y: {scale: 0}", "scale: got 0, expected more than 0"}}) {
    EXPECT_THAT([&] { figure_spec_of(kPaired + key + "\n"); },
                ThrowsMessage<ConfigError>(HasSubstr(error)));
  }
  EXPECT_NEAR(*figure_spec_of(kPaired + "width: 84mm\n").page.width_in, 84 / 25.4, 1e-9);
  EXPECT_THAT(
      [] {
        figure_spec_of(
            "figure: p\nkind: permutations\nwidth: 3in\nwords: [a, b]\npanels: [{label: "
            "p, permutation: next}]\n");
      },
      ThrowsCode("misplaced-key"));
}

TEST(Figure, CallsItsAxesByWhatTheyShowWhereTheSpecDoesNot) {
  Example made = example();
  std::erase_if(made.plans["s.yaml"].trials,
                [](const PlannedTrial& t) { return t.labels.at("arm") == "free"; });
  const std::string line =
      "figure: l\nsweep: s.yaml\nstage: lm\nmetric: test/ppl\nx: {axis: rate}\nseries: [{label: "
      "scaled, where: {arm: scaled}}]\n";
  EXPECT_EQ(figure_of(line, made).x.label, "rate");
  EXPECT_EQ(figure_of(line, made).y.label, "test/ppl");
  const std::string curves =
      "figure: c\nkind: curves\nsweep: s.yaml\nstage: lm\nmetric: train/loss\nseries: {axis: "
      "arm}\nover: [rate]\n";
  EXPECT_EQ(figure_of(curves, made).x.label, "step");
  EXPECT_EQ(figure_of(curves, made).y.label, "train/loss");
}

const std::string kScatter = R"(figure: example/scatter
kind: scatter
sweep: s.yaml
stage: lm
metric: test/ppl
x: {fact: mask/sparsity, label: sparsity}
series:
  - {label: scaled, where: {arm: scaled}, axis: rate}
  - {label: free, where: {arm: free, rate: none}}
lines: [{label: all, where: {arm: free, rate: none}}]
paper: {scaled: {20: 50, 10: 55}, free: {33.5: 49}}
)";

Example scattered() {
  Example made = example();
  for (auto& [id, record] : made.records) {
    record.values["mask/sparsity"] = id.starts_with("scaled-1") ? 90
                                     : id.starts_with("free")   ? 70
                                                                : 80;
  }
  return made;
}

TEST(Figure, SaysWhereThePlanHasNothingOfIt) {
  const std::string text = R"(figure: example/scatter
kind: scatter
sweep: s.yaml
stage: lm
metric: test/ppl
x: {fact: mask/sparsity, label: sparsity}
series: [{label: free, where: {arm: free, rate: 1}}]
paper: {free: {33.5: 49}}
)";
  EXPECT_EQ(figure_of(text, scattered()).caption[0], "no profile; nothing of ours is planned here");
}

TEST(Figure, ScattersPointsWhereAFactPutsThem) {
  const Figure figure = figure_of(kScatter, scattered());
  ASSERT_EQ(figure.series.size(), 5u);
  const FigureSeries& scaled = figure.series[0];
  EXPECT_EQ(scaled.label, "scaled");
  ASSERT_EQ(scaled.points.size(), 2u);
  EXPECT_EQ(scaled.points[0].x, 80);  // in the order of x, not of the axis
  EXPECT_NEAR(scaled.points[0].y, 110.5, 1e-12);
  EXPECT_EQ(scaled.points[1].x, 90);
  EXPECT_NEAR(*scaled.points[1].spread, std::sqrt(0.5), 1e-12);
  EXPECT_EQ(figure.series[1].points.at(0).x, 70);
  const FigureSeries& paper = figure.series[2];
  EXPECT_EQ(paper.label, "scaled (paper)");
  EXPECT_TRUE(paper.paper);
  EXPECT_EQ(paper.points[0].x, 10);
  EXPECT_EQ(paper.points[0].y, 55);
  EXPECT_EQ(figure.series[3].points.at(0).x, 33.5);
  EXPECT_TRUE(figure.series[4].horizontal);
  EXPECT_TRUE(figure.complete());
}

TEST(Figure, SaysANoteOfSeriesOnlyWhereOneHasPointsOfOurs) {
  const std::string text =
      kScatter +
      "notes: [plain, {text: of scaled, series: [scaled]}, {text: of free, series: free}]";
  using testing::IsSupersetOf;
  Example made = scattered();
  EXPECT_THAT(figure_of(text, made).caption, IsSupersetOf({"plain", "of scaled", "of free"}));
  std::erase_if(made.records, [](const auto& trial) { return trial.first.starts_with("free"); });
  const Figure figure = figure_of(text, made);
  EXPECT_THAT(figure.caption, IsSupersetOf({"plain", "of scaled"}));
  EXPECT_THAT(figure.caption, testing::Not(testing::Contains("of free")));
  EXPECT_THAT([&] { figure_of(with(text, "series: [scaled]", "series: [scald]"), made); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("notes: the figure has no series 'scald'; did you mean 'scaled'?")));
}

TEST(Figure, SaysANoteOfAProfileUnderThatOne) {
  const std::string text = kScatter + "notes: [{text: of small, profiles: [small]}]";
  Example made = scattered();
  made.plans["s.yaml"].profiles = {"small"};
  EXPECT_THAT(figure_of(text, made).caption, testing::Not(testing::Contains("of small")));
  made.plans["s.yaml"].profile = "small";
  EXPECT_THAT(figure_of(text, made).caption, testing::Contains("of small"));
  EXPECT_THAT([&] { figure_of(with(text, "[small]", "[smoke]"), made); },
              ThrowsCode("unknown-profile"));
}

TEST(Figure, ScattersPointsWithTheLabelsThatTheSpecGives) {
  const Figure plain = figure_of(kScatter, scattered());
  EXPECT_EQ(plain.series[0].points[0].label, "");
  const Figure figure =
      figure_of(with(kScatter, "axis: rate}", "axis: rate, labels: {1: one}}"), scattered());
  EXPECT_EQ(figure.series[0].points[1].label, "one");
  EXPECT_EQ(figure.series[1].points[0].label, "");
}

TEST(Figure, ScattersOnlyRowsWithBothNumbers) {
  const auto without = [](const std::string& value) {
    Example made = scattered();
    for (int64_t seed = 0; seed < 2; ++seed)
      made.records[fmt::format("free-none-{}", seed)].values.erase(value);
    return figure_of(with(kScatter, ", free: {33.5: 49}", ""), made);
  };
  const Figure unscored = without("test/ppl@last");
  EXPECT_EQ(unscored.series.size(), 2u);  // scaled and the paper's
  EXPECT_THAT(unscored.not_measured, HasSubstr("test/ppl"));
  const Figure unmasked = without("mask/sparsity");
  EXPECT_EQ(unmasked.series.size(), 3u);  // and the line, which needs no mask
  EXPECT_TRUE(unmasked.complete());
}

TEST(Figure, RefusesAScatterThatDoesNotSayWhatItMeans) {
  const auto refuses = [](const std::string& from, const std::string& to,
                          const std::string& message) {
    EXPECT_THAT([&] { figure_of(with(kScatter, from, to), scattered()); },
                ThrowsMessage<ConfigError>(HasSubstr(message)))
        << to;
  };
  refuses("fact: mask/sparsity", "axis: rate", "unknown key 'axis'");
  refuses("fact: mask/sparsity, ", "", "lacks the key 'fact'");
  refuses("fact: mask/sparsity", "fact: sparsity", "got 'sparsity', expected a name like");
  refuses("{label: scaled, where", "{where", "series lacks the key 'label'");
  refuses("{scaled: {20", "{scald: {20", "has no series 'scald'; did you mean 'scaled'?");
  refuses("{20: 50", "{x: 50", "paper: got 'x', expected a number");
  refuses("paper:", "align: 20\npaper:", "align goes with a figure of kind line");
}

TEST(Figure, ShowsFractionsInPercent) {
  const Figure figure = figure_of(with(kScatter, "lines:", "percent: true\nlines:"), scattered());
  EXPECT_NEAR(figure.series[0].points[0].y, 11050, 1e-9);
  EXPECT_NEAR(figure.series[0].points[0].x, 80, 1e-12);
  EXPECT_NEAR(figure.series[4].points[0].y, 9550, 1e-9);
  const std::string curves =
      "figure: c\nkind: curves\nsweep: s.yaml\nstage: lm\nmetric: train/loss\nseries: {axis: "
      "arm}\nover: [rate]\n";
  const double loss = figure_of(curves, example()).series[0].points[0].y;
  EXPECT_NEAR(figure_of(curves + "percent: true\n", example()).series[0].points[0].y, 100 * loss,
              1e-9);
}

TEST(Figure, SaysOneMistakeOnce) {
  const auto says_only = [](const std::string& from, const std::string& to,
                            const std::string& message) {
    try {
      figure_of(with(kFigure, from, to), example());
      ADD_FAILURE() << to;
    } catch (const ConfigError& error) {
      const std::string text = error.what();
      EXPECT_THAT(text, HasSubstr(message));
      EXPECT_EQ(text.find("error: "), text.rfind("error: ")) << text;
    }
  };
  says_only("x: {axis: rate, label: rate}\n", "", "figure lacks the key 'x'");
  says_only("x: {axis: rate", "x: {axes: rate", "did you mean 'axis'?");
  says_only("series:", "serie:", "did you mean 'series'?");
  says_only("stage: lm\n", "stage: lm\nkind: curvs\n", "kind: got 'curvs'");
}

TEST(Figure, RefusesWhatItWouldLeaveOutInSilence) {
  const auto made = [](const std::string& from, const std::string& to) {
    Example example_of_numbers = example();
    std::erase_if(example_of_numbers.plans["s.yaml"].trials,
                  [](const PlannedTrial& t) { return t.labels.at("arm") == "free"; });
    figure_of(
        with(with(with(kFigure, "lines: [{label: free, where: {arm: free, rate: none}}]\n", ""),
                  ", free: 49", ""),
             from, to),
        example_of_numbers);
  };
  const auto refuses = [](const std::string& text) {
    return ThrowsMessage<ConfigError>(testing::AllOf(
        HasSubstr(text), testing::Not(testing::ContainsRegex("error: (.|\n)*error: "))));
  };
  EXPECT_THAT([&] { made("align: 1", "align: 5"); },
              refuses("spec.yaml:10:8: error: align: got 5, expected an x of the paper's points; "
                      "it has 1, 2\n"));
  EXPECT_THAT([&] { made("paper: {scaled: {1: 50, 2: 55}}\n", ""); },
              refuses("spec.yaml:9:8: error: align: got 1, expected an x of the paper's points; it "
                      "has none"));
  EXPECT_THAT([&] { made("paper: {scaled: ", "paper: {scald: "); },
              refuses("spec.yaml:9:9: error: paper: the figure has no series 'scald'; did you mean "
                      "'scaled'?; it has: scaled\n"));
  EXPECT_THAT([&] { made("2: 55", "3: 55"); },
              refuses("spec.yaml:9:25: error: paper: the figure has no x '3'"));
  EXPECT_THAT([&] { made("{scaled: {1: 50, 2: 55}", "{free: 49, scaled: {1: 50, 2: 55}"); },
              refuses("spec.yaml:9:9: error: paper: 'free' has one number, as a line has, but the "
                      "figure has no lines"));
  EXPECT_THAT(
      [&] { made("axis: rate", "axis: rote"); },
      refuses("spec.yaml:6:11: error: stage 'lm' has no axis 'rote'; did you mean 'rate'?"));
  EXPECT_THAT([&] { made("stage: lm\n", "stage: lm\nkind: curves\n"); },
              testing::Throws<ConfigError>());
}

TEST(Figure, SaysWhichKeysAFigureOfCurvesCannotHave) {
  const std::string text =
      "figure: c\nkind: curves\nsweep: s.yaml\nstage: lm\nmetric: train/loss\n"
      "series: {axis: arm}\nover: [rate]\n";
  EXPECT_THAT([&] { figure_of(text + "align: 1\n", example()); },
              ThrowsMistake("8:8 misplaced-key"));
  EXPECT_THAT([&] { figure_of(text + "paper: {free: {1: 2}}\n", example()); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("spec.yaml:8:8: error: paper goes with a figure of kind line")));
  EXPECT_THAT([&] { figure_of(with(text, "train/loss", "dev+test/loss"), example()); },
              ThrowsMistake("5:9 invalid-value"));
  EXPECT_THAT([&] { figure_of(text + "x: {axis: rate}\n", example()); },
              ThrowsMistake("8:11 misplaced-key"));
}

TEST(Figure, SaysWhichAxisItsSeriesLack) {
  EXPECT_THAT(
      [] {
        figure_of(with(kFigure, "series: [{label: scaled, where: {arm: scaled}}]",
                       "series: [{label: scaled}]"),
                  example());
      },
      ThrowsMistake("8:10 unused-axis"));
}

TEST(Figure, RefusesAnAxisWithoutNumbers) {
  EXPECT_THAT([] { figure_of(numeric_rows(kFigure), example()); },
              ThrowsMistake("7:11 invalid-value"));
}

const std::string kCurvesOfFree =
    "figure: c\nkind: curves\nsweep: s.yaml\nstage: lm\nmetric: train/loss\nx: {label: steps}\ny: "
    "{label: loss}\nseries: {axis: arm, order: [free]}\nwhere: {rate: none}\n";

TEST(Figure, OfCurvesShowsTheMeanOverSeeds) {
  const Figure figure = figure_of(kCurvesOfFree, example());
  ASSERT_EQ(figure.series.size(), 1u);
  ASSERT_EQ(figure.series[0].points.size(), 2u);
  EXPECT_EQ(figure.series[0].points[1].x, 20);
  EXPECT_NEAR(figure.series[0].points[1].y, 2.5, 1e-12);
  EXPECT_EQ(figure.series[0].points[1].n, 2u);
}

TEST(Figure, OfCurvesOfOnePointSaysHowToGetMore) {
  const std::string curves =
      "figure: c\nkind: curves\nsweep: s.yaml\nstage: lm\nmetric: train/loss\nseries: {axis: "
      "arm}\nover: [rate]\n";
  const testing::Matcher<std::vector<std::string>> says_it =
      Contains(HasSubstr("train/loss was recorded at one step only; built-in trainings record it "
                         "more often with a smaller log_every"));
  Example made = example();
  EXPECT_THAT(figure_of(curves, made).caption, Not(says_it));
  for (auto& [trial, points] : made.curves) points.resize(1);
  EXPECT_THAT(figure_of(curves, made).caption, says_it);
}

TEST(Figure, OfCurvesOfASelectStageShowsThoseOfItsWinners) {
  Example made = example();
  PlannedTrial select = made.plans["s.yaml"].trials.front();
  select.trial.id = "select";
  select.trial.seed.reset();
  select.stage = "best";
  select.labels = {{"arm", "scaled"}};
  made.plans["s.yaml"].trials.push_back(select);
  made.records["select"].state = TrialState::done;
  made.records["select"].winners = {"scaled-1-0", "scaled-1-1"};
  const Figure figure = figure_of(
      "figure: c\nkind: curves\nsweep: s.yaml\nstage: best\nmetric: train/loss\n"
      "series: {axis: arm}\n",
      made);
  ASSERT_EQ(figure.series.size(), 1u);
  EXPECT_EQ(figure.series[0].points[1].y, 2.5);
  EXPECT_EQ(figure.trials, 2u);
}

TEST(Figure, SaysWhatIsMissing) {
  Example made = example();
  made.records.erase("free-none-1");
  const Figure figure = figure_of(kCurvesOfFree, made);
  EXPECT_FALSE(figure.complete());
  EXPECT_EQ(figure.caption[1], "NOT COMPLETE: 1 of 2 trials are not done");
  EXPECT_EQ(figure.caption[2], "NOT ALL SEEDS yet, so these may change: free (1 of 2 seeds)");
}

TEST(Figure, SaysWhichPointsLeaveOutSeedsThatDiverged) {
  Example made = example();
  made.records["free-none-1"].state = TrialState::diverged;
  const Figure figure = figure_of(kCurvesOfFree, made);
  EXPECT_TRUE(figure.complete());
  EXPECT_EQ(figure.caption[1], "DIVERGED, and so left out of what is drawn: free (1 of 2 seeds)");
}

TEST(Figure, SaysWhichMetricDoneTrialsLack) {
  const Figure figure = figure_of(with(kCurvesOfFree, "train/loss", "test/scor@best"), example());
  EXPECT_FALSE(figure.complete());
  EXPECT_EQ(figure.missing, 0u);
  EXPECT_THAT(figure.not_measured, HasSubstr("trials that are done without test/scor@best; name a "
                                             "metric that they have"));
  EXPECT_EQ(figure.caption[1], "NOT COMPLETE: " + figure.not_measured);
}

TEST(Figure, SaysWhyThereIsNothingToDraw) {
  const std::string metric = with(kCurvesOfFree, "train/loss", "test/scor@best");
  Example made = example();
  made.curves.clear();
  ASSERT_TRUE(figure_of(metric, made).empty());
  EXPECT_THAT(figure_of(metric, made).why_empty(), HasSubstr("done without test/scor@best"));
  made.curves = {{"free-none-0", {{10, 3.0}}}, {"free-none-1", {{20, 2.0}}}};
  ASSERT_TRUE(figure_of(kCurvesOfFree, made).empty());
  EXPECT_EQ(figure_of(kCurvesOfFree, made).why_empty(),
            "there is no step at which all trials of a curve have a value");
  for (auto& [trial, record] : made.records) record.state = TrialState::diverged;
  EXPECT_EQ(figure_of(kCurvesOfFree, made).why_empty(), "every trial diverged");
  made.records["free-none-0"].state = TrialState::failed;
  EXPECT_EQ(figure_of(kCurvesOfFree, made).why_empty(), "every seed that ended has diverged");
  made.records["free-none-1"].state = TrialState::failed;
  EXPECT_EQ(figure_of(kCurvesOfFree, made).why_empty(), "no trial is done yet");
  EXPECT_FALSE(figure_of(kCurvesOfFree, made).can_start) << "they run again only on request";
  const std::string note = "2 trials are stale, such as free: done as none with other code";
  const Figure stale = figure_of(kCurvesOfFree, made, note);
  EXPECT_EQ(stale.why_empty(), note);
  EXPECT_EQ(stale.caption.back(), note);
  EXPECT_THAT(
      figure_of(kCurvesOfFree, made).on_request,
      testing::ElementsAre(HasSubstr("failed trials run again only on request: rethink retry ")));
}

TEST(Figure, SaysWhatItsCellsAreMarkedWith) {
  Example made = example();
  for (const char* trial : {"free-none-0", "free-none-1"}) {
    made.records[trial].measurements = {{"train_examples", 6000},
                                        {"train_examples_official", 28035}};
  }
  const Figure figure = figure_of(kCurvesOfFree, made);
  EXPECT_THAT(figure.caption,
              testing::Contains("partial data: trained on 6,000 of 28,035 examples"));
  std::string text = with(kCurvesOfFree, "order: [free]", "order: [free, scaled]");
  text = with(text, "where: {rate: none}\n", "over: [rate]\n");
  EXPECT_THAT(
      figure_of(text, made).caption,
      testing::Contains("partial data: trained on 6,000 of 28,035 examples (1 of 2 curves)"));
}

}  // namespace
}  // namespace rethink::test
