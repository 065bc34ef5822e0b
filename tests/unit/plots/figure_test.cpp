#include "plots/figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>

#include "core/error.h"
#include "plots/gnuplot.h"
#include "tests/unit/plots/fixture.h"

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

struct Example {
  Plans plans;
  TrialRecords records;
  Curves curves;
};

void add_trial(Example& example, const std::string& arm, const std::string& rate, int64_t seed,
               double value) {
  PlannedTrial trial;
  trial.trial.id = fmt::format("{}-{}-{}", arm, rate, seed);
  trial.trial.seed = seed;
  trial.stage = "lm";
  trial.labels = {{"arm", arm}, {"rate", rate}};
  example.plans["s.yaml"].trials.push_back(trial);
  TrialRecord record;
  record.state = "done";
  record.seed = seed;
  record.values = {{"test/ppl@last", value}, {"train/loss", 1.0}};
  example.records[trial.trial.id] = record;
  const double s = static_cast<double>(seed);
  example.curves[trial.trial.id] = {{10, 3.0 + s}, {20, 2.0 + s}};
}

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

Figure figure_of(const std::string& text, const Example& made) {
  const SpecFile file(text);
  const FigureSpec spec = read_figure_spec(file.path());
  // Rows of the table underneath are every value of the x axis; only numbers have a place there.
  return make_figure(spec, make_grids(spec, made.plans), made.records, made.curves);
}

std::string numeric_rows(std::string text) {
  return with(std::move(text), "stage: lm\n", "stage: lm\nwhere: {}\n");
}

TEST(Figure, HasAPointForEachValueOfItsAxisInOrder) {
  Example made = example();
  // Without the arm whose rate is no number.
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
              ThrowsMessage<ConfigError>(
                  HasSubstr("spec.yaml:8:8: error: align goes with a figure of kind line")));
  EXPECT_THAT([&] { figure_of(text + "paper: {free: {1: 2}}\n", example()); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("spec.yaml:8:8: error: paper goes with a figure of kind line")));
  EXPECT_THAT([&] { figure_of(text + "x: {axis: rate}\n", example()); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("spec.yaml:8:11: error: x.axis goes with a figure of kind line")));
}

TEST(Figure, SaysWhichAxisItsSeriesLack) {
  EXPECT_THAT(
      [] {
        figure_of(with(kFigure, "series: [{label: scaled, where: {arm: scaled}}]",
                       "series: [{label: scaled}]"),
                  example());
      },
      ThrowsMessage<ConfigError>(HasSubstr(
          "spec.yaml:8:10: error: axis 'arm' is in neither x, series, where nor over; add")));
}

TEST(Figure, RefusesAnAxisWithoutNumbers) {
  EXPECT_THAT([] { figure_of(numeric_rows(kFigure), example()); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("spec.yaml:7:11: error: 'none' of axis rate is no number")));
}

TEST(Figure, OfCurvesShowsTheMeanOverSeeds) {
  const std::string text =
      "figure: c\nkind: curves\nsweep: s.yaml\nstage: lm\nmetric: train/loss\nx: {label: "
      "steps}\ny: {label: "
      "loss}\n"
      "series: {axis: arm, order: [free]}\nwhere: {rate: none}\n";
  const Figure figure = figure_of(text, example());
  ASSERT_EQ(figure.series.size(), 1u);
  ASSERT_EQ(figure.series[0].points.size(), 2u);
  EXPECT_EQ(figure.series[0].points[1].x, 20);
  EXPECT_NEAR(figure.series[0].points[1].y, 2.5, 1e-12);
  EXPECT_EQ(figure.series[0].points[1].n, 2u);
}

TEST(Figure, OfCurvesOfASelectStageShowsThoseOfItsWinners) {
  Example made = example();
  PlannedTrial select = made.plans["s.yaml"].trials.front();
  select.trial.id = "select";
  select.trial.seed.reset();
  select.stage = "best";
  select.labels = {{"arm", "scaled"}};
  made.plans["s.yaml"].trials.push_back(select);
  made.records["select"].state = "done";
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
  const std::string text =
      "figure: c\nkind: curves\nsweep: s.yaml\nstage: lm\nmetric: train/loss\nx: {label: "
      "steps}\ny: {label: "
      "loss}\n"
      "series: {axis: arm, order: [free]}\nwhere: {rate: none}\n";
  const Figure figure = figure_of(text, made);
  EXPECT_FALSE(figure.complete());
  EXPECT_EQ(figure.caption[1], "NOT COMPLETE: 1 of 2 trials are not done");
}

TEST(Figure, SaysWhichPointsLeaveOutSeedsThatDiverged) {
  Example made = example();
  made.records["free-none-1"].state = "diverged";
  const std::string text =
      "figure: c\nkind: curves\nsweep: s.yaml\nstage: lm\nmetric: train/loss\nx: {label: "
      "steps}\ny: {label: "
      "loss}\n"
      "series: {axis: arm, order: [free]}\nwhere: {rate: none}\n";
  const Figure figure = figure_of(text, made);
  EXPECT_TRUE(figure.complete());
  EXPECT_EQ(figure.caption[1], "DIVERGED, and so left out of what is drawn: free (1 of 2 seeds)");
}

const std::string kCurvesOfFree =
    "figure: c\nkind: curves\nsweep: s.yaml\nstage: lm\nmetric: train/loss\nx: {label: steps}\ny: "
    "{label: loss}\nseries: {axis: arm, order: [free]}\nwhere: {rate: none}\n";

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
  for (auto& [trial, record] : made.records) record.state = "diverged";
  EXPECT_EQ(figure_of(kCurvesOfFree, made).why_empty(), "every trial diverged");
  made.records["free-none-0"].state = "failed";
  EXPECT_EQ(figure_of(kCurvesOfFree, made).why_empty(), "every trial that ended has diverged");
  made.records["free-none-1"].state = "failed";
  EXPECT_EQ(figure_of(kCurvesOfFree, made).why_empty(), "no trial is done yet");
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

Figure drawn() {
  Figure figure;
  figure.name = "example/rates";
  figure.title = "A \"title\"";
  figure.kind = "line";
  figure.x.label = "rate";
  figure.y.label = "perplexity";
  figure.series = {
      {"scaled", false, false, {{0, 100, 1.0, 3}, {1, 101, 2.0, 3}, {2, 110, std::nullopt, 1}}},
      {"free", false, true, {{0, 99, 0.5, 3}}, 1},
      {"scaled (paper)", true, false, {{1, 54.53, std::nullopt, 1}, {2, 56.73, std::nullopt, 1}}}};
  figure.right_scale = 54.53 / 101;
  figure.caption = {"profile small; mean ± standard deviation over 1 to 3 seeds",
                    "NOT COMPLETE: 2 of 9 trials are missing"};
  return figure;
}

TEST(Gnuplot, EveryLineOfASentenceThatWarnsIsRed) {
  Figure figure = drawn();
  figure.caption = {"no profile", "DIVERGED, and so left out of what is drawn: " +
                                      joined(std::vector<std::string>(30, "free (1 of 2 seeds)"))};
  std::istringstream script(figure_script(figure, "rates"));
  size_t red = 0;
  for (std::string line; std::getline(script, line);) {
    if (line.find("free (1 of 2 seeds)") == std::string::npos) continue;
    EXPECT_THAT(line, HasSubstr("#B00020"));
    ++red;
  }
  EXPECT_GT(red, 2u);
}

TEST(Gnuplot, ScriptAndDataAreAsTheyWere) {
  EXPECT_EQ(figure_script(drawn(), "rates"),
            golden("figures/rates.gp", figure_script(drawn(), "rates")));
  EXPECT_EQ(figure_data(drawn()), golden("figures/rates.dat", figure_data(drawn())));
}

TEST(Gnuplot, KeepsALabelOfSeveralLinesOnOne) {
  Figure figure;
  figure.name = "lines";
  figure.kind = "line";
  figure.series = {{"a\tb\nc", false, false, {{1, 2, {}, 1}}}};
  EXPECT_THAT(figure_data(figure), HasSubstr("\n# a b c\n1 2 "));
  EXPECT_THAT(figure_script(figure, "lines"), HasSubstr("title \"a b c\""));
}

/// This many series, of two points each, with error bars.
Figure of_series(size_t count) {
  Figure figure;
  figure.name = "many";
  figure.kind = "line";
  for (size_t i = 0; i < count; ++i) {
    figure.series.push_back(
        {fmt::format("series {}", i), false, false, {{0, 1, 0.1, 3}, {1, 2, 0.1, 3}}, i});
  }
  return figure;
}

double top_margin(const std::string& script) {
  const std::string words = "set tmargin at screen ";
  return std::stod(script.substr(script.find(words) + words.size()));
}

TEST(Gnuplot, BeginsThePlotBelowTheTitleAndTheLegend) {
  Figure figure = of_series(2);
  const double one_row = top_margin(figure_script(figure, "many"));
  const double four_rows = top_margin(figure_script(of_series(20), "many"));
  EXPECT_GT(one_row, four_rows + 0.09);
  for (int i = 0; i < 30; ++i) figure.title += "word ";
  const std::string script = figure_script(figure, "many");
  EXPECT_LT(top_margin(script), one_row - 0.03);
  EXPECT_THAT(script, HasSubstr("word\" at screen 0.5,0.965"));
  EXPECT_THAT(script, HasSubstr("word\" at screen 0.5,0.927"));
}

TEST(Gnuplot, PutsErrorBarsOfSeveralSeriesSideBySideAndTheirPointsAtTheirX) {
  EXPECT_THAT(figure_script(of_series(1), "one"), HasSubstr("index 0 using 1:($3):(0):"));
  const std::string script = figure_script(of_series(2), "two");
  EXPECT_THAT(script, HasSubstr("index 0 using ($1 + -0.0044):($3):(0):($4 - ($3)) with vectors"));
  EXPECT_THAT(script, HasSubstr("index 1 using ($1 + 0.0044):($3):(0):($4 - ($3)) with vectors"));
  EXPECT_THAT(script, HasSubstr("index 0 using 1:2 with linespoints"));
  EXPECT_THAT(script, HasSubstr("index 1 using 1:2 with linespoints"));
}

TEST(Gnuplot, DrawsEachSeriesInALookOfItsOwn) {
  Figure figure = of_series(8);
  const auto look = [&](size_t index) {
    const std::string script = figure_script(figure, "many");
    const size_t line = script.find(" dt ", script.find(fmt::format("DATA index {} using", index)));
    return script.substr(line, script.find(" title", line) - line);
  };
  std::set<std::string> looks;
  for (size_t i = 0; i < 8; ++i) looks.insert(look(i));
  EXPECT_EQ(looks.size(), 8u);
  figure = of_series(2);
  figure.series[1].paper = true;
  EXPECT_THAT(look(1), HasSubstr("dt 3 lc rgb \"#666666\""));
  figure.series[0].paper = true;
  EXPECT_NE(look(0), look(1));
}

TEST(Gnuplot, LeavesRoomForErrorBarsOnLogarithmicAxes) {
  Figure figure;
  figure.name = "example/log";
  figure.kind = "line";
  figure.x.logarithmic = figure.y.logarithmic = true;
  figure.series = {{"a", false, false, {{0.01, 100, 20.0, 3}, {1, 10, 12.0, 3}}}};
  const std::string script = figure_script(figure, "log");
  // 10 - 12 is not above 0: that bar ends at the frame.
  EXPECT_THAT(script, HasSubstr("($3 > 0 ? $3 : LOW)"));
  EXPECT_THAT(script, HasSubstr(fmt::format("set xrange [{}:{}]\n", 0.01 / std::pow(100, 0.05),
                                            1 * std::pow(100, 0.05))));
  EXPECT_THAT(script, HasSubstr(fmt::format("set yrange [{}:{}]\n", 10 / std::pow(12, 0.08),
                                            120 * std::pow(12, 0.08))));
  EXPECT_THAT(script, HasSubstr("set ytics (10, 20, 50, 100)\n"));
  figure.y.most = 18;
  figure.y.least = 12;
  EXPECT_THAT(figure_script(figure, "log"), HasSubstr("set ytics (12, 13, 14, 15, 16, 17, 18)\n"));
  figure.series[0].points[0].x = 0;
  EXPECT_THAT([&] { figure_script(figure, "log"); },
              ThrowsMessage<ConfigError>(HasSubstr("figure example/log: x = 0 has no place")));
}

/// A curve of one point at this step.
Figure one_point(double step) {
  Figure figure;
  figure.name = "example/one";
  figure.kind = "curves";
  figure.series = {{"lm", false, false, {{step, 6.5, std::nullopt, 1}}}};
  return figure;
}

TEST(Gnuplot, DrawsASinglePoint) {
  for (const double step : {0.0, 12.0}) {
    const TempFolder folder;
    const auto files = draw_figure(one_point(step), folder.path(), "one");
    EXPECT_THAT(read_text(files[0]), HasSubstr("</svg>")) << step;
  }
  Figure logarithmic = one_point(12);
  logarithmic.x.logarithmic = logarithmic.y.logarithmic = true;
  const TempFolder folder;
  EXPECT_EQ(draw_figure(logarithmic, folder.path(), "one").size(), 5u);
}

TEST(Gnuplot, RefusesARangeInWhichNothingLies) {
  Figure figure = one_point(12);
  figure.x.least = 100;
  EXPECT_THAT([&] { figure_script(figure, "one"); },
              ThrowsMessage<ConfigError>(HasSubstr("x is shown from 100 to 12.6, where nothing")));
}

TEST(Gnuplot, LeavesNoPictureThatItCouldNotFinish) {
  const TempFolder folder;
  draw_figure(drawn(), folder.path(), "rates");
  const std::string before = read_text(folder.path() / "rates.svg");
  Figure broken = drawn();
  broken.right_scale = 0;  // gnuplot refuses an axis without length
  EXPECT_THROW(draw_figure(broken, folder.path(), "rates"), MachineError);
  EXPECT_THROW(draw_figure(broken, folder.path(), "other"), MachineError);
  EXPECT_TRUE(read_text(folder.path() / "rates.svg") == before);
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.insert(entry.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"rates.svg", "rates.pdf", "rates.png", "rates.gp",
                                          "rates.dat", "other.gp", "other.dat"}));
}

TEST(Gnuplot, PicturesOnOnePageHaveIdsOfTheirOwn) {
  const std::string svg =
      "<?xml?>\n<svg><g id=\"a\"/><g id='b'/><use href='#b'/><x fill=\"url(#a)\"/></svg>";
  EXPECT_EQ(svg_within_page(svg, "bet/figure3"),
            "<svg><g id=\"bet_figure3_a\"/><g id='bet_figure3_b'/><use href='#bet_figure3_b'/>"
            "<x fill=\"url(#bet_figure3_a)\"/></svg>");
}

TEST(Gnuplot, DrawsTheSameBytesTwice) {
  const TempFolder one, other;
  const auto first = draw_figure(drawn(), one.path(), "rates");
  const auto second = draw_figure(drawn(), other.path(), "rates");
  ASSERT_EQ(first.size(), 5u);
  for (size_t i = 0; i < first.size(); ++i)
    EXPECT_EQ(read_text(first[i]), read_text(second[i])) << first[i];
  EXPECT_THAT(read_text(first[1]), HasSubstr("/CreationDate (D:00000000000000"));
  EXPECT_EQ(read_text(first[2]).substr(1, 3), "PNG");
}

}  // namespace
}  // namespace rethink::test
