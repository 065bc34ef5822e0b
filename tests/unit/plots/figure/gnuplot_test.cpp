#include "plots/figure/drawing/gnuplot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>

#include "core/error.h"
#include "plots/figure/drawing/gnuplot_axes.h"
#include "plots/figure/drawing/run_gnuplot.h"
#include "tests/support/throws_code.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Figure drawn() {
  Figure figure;
  figure.name = "example/rates";
  figure.title = "A \"title\"";
  figure.look = SeriesLook::lines;
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
  figure.look = SeriesLook::lines;
  figure.series = {{"a\tb\nc", false, false, {{1, 2, {}, 1}}}};
  EXPECT_THAT(figure_data(figure), HasSubstr("\n# a b c\n1 2 "));
  EXPECT_THAT(figure_script(figure, "lines"), HasSubstr("title \"a b c\""));
}

/// Returns a figure of this many series of two points each, with error bars.
Figure of_series(size_t count) {
  Figure figure;
  figure.name = "many";
  figure.look = SeriesLook::lines;
  for (size_t i = 0; i < count; ++i) {
    figure.series.push_back(
        {fmt::format("series {}", i), false, false, {{0, 1, 0.1, 3}, {1, 2, 0.1, 3}}, i});
  }
  return figure;
}

double number_behind(const std::string& words, const std::string& script) {
  return std::stod(script.substr(script.find(words) + words.size()));
}

double top_margin(const std::string& script) {
  return number_behind("set tmargin at screen ", script);
}

TEST(Gnuplot, BeginsThePlotBelowTheTitleAndTheLegend) {
  Figure figure = of_series(2);
  const double one_row = top_margin(figure_script(figure, "many"));
  const double four_rows = top_margin(figure_script(of_series(20), "many"));
  EXPECT_GT(one_row, four_rows + 0.06);
  for (int i = 0; i < 30; ++i) figure.title += "word ";
  const std::string script = figure_script(figure, "many");
  EXPECT_LT(top_margin(script), one_row - 0.02);
  EXPECT_THAT(script, HasSubstr("word\" at screen 0.5,0.966"));
  EXPECT_THAT(script, HasSubstr("word\" at screen 0.5,0.930"));
}

TEST(Gnuplot, MakesALongerPageForALongCaptionAndTheSamePlot) {
  Figure figure = of_series(4);
  const auto page = [&] {
    const std::string script = figure_script(figure, "many");
    const double height = number_behind("set terminal svg size 760,", script);
    const double bottom = number_behind("set bmargin at screen ", script);
    EXPECT_NEAR((top_margin(script) - bottom) * height, 410, 2);
    return height;
  };
  const double before = page();
  for (int i = 0; i < 12; ++i) figure.caption.push_back("a sentence that is not very short");
  EXPECT_GT(page(), before + 40);
}

TEST(Gnuplot, FillsCaptionLinesAndListsMissingTrialsOnANewLine) {
  Figure figure = of_series(1);
  figure.caption = {"profile small; one seed", "NOT COMPLETE: 2 of 9", "medians of 7 passes",
                    "the slides' values are in their image only"};
  const std::string script = figure_script(figure, "one");
  EXPECT_THAT(script, HasSubstr("set label \"profile small; one seed\" at"));
  EXPECT_THAT(script, HasSubstr("set label \"NOT COMPLETE: 2 of 9\" at"));
  EXPECT_THAT(script, HasSubstr("set label \"medians of 7 passes\u00A0· the slides' values are in "
                                "their image only\" at"));
}

TEST(Gnuplot, HasTicsAtWholeNumbersWhereAllXAre) {
  Figure figure = of_series(1);
  EXPECT_THAT(figure_script(figure, "one"), HasSubstr("set xtics 1\n"));
  figure.series[0].points[0].x = 0.5;
  EXPECT_THAT(figure_script(figure, "one"), Not(HasSubstr("set xtics")));
  figure.series[0].points[0].x = 300;
  EXPECT_THAT(figure_script(figure, "one"), Not(HasSubstr("set xtics")));
}

TEST(Gnuplot, PutsSeriesWithErrorBarsSideBySideAndEachBarOnItsPoint) {
  EXPECT_THAT(figure_script(of_series(1), "one"), HasSubstr("index 0 using 1:($3):(0):"));
  const std::string script = figure_script(of_series(2), "two");
  EXPECT_THAT(script, HasSubstr("index 0 using ($1 + -0.0044):($3):(0):($4 - ($3)) with vectors"));
  EXPECT_THAT(script, HasSubstr("index 1 using ($1 + 0.0044):($3):(0):($4 - ($3)) with vectors"));
  EXPECT_THAT(script, HasSubstr("index 0 using ($1 + -0.0044):2 with linespoints"));
  EXPECT_THAT(script, HasSubstr("index 1 using ($1 + 0.0044):2 with linespoints"));
}

TEST(Gnuplot, LeavesCurvesAtTheirSteps) {
  Figure figure = of_series(2);
  figure.look = SeriesLook::curves;
  const std::string script = figure_script(figure, "two");
  EXPECT_THAT(script, HasSubstr("index 0 using 1:($3):(0):($4 - ($3)) with vectors"));
  EXPECT_THAT(script, HasSubstr("index 1 using 1:2 with linespoints"));
}

TEST(Gnuplot, ForAPaperHasNoTitleAndItsCaptionListsMissingTrialsOnly) {
  Figure figure = drawn();
  figure.title = "";
  figure.page = {.has_title = false, .caption = ""};
  const std::string script = figure_script(figure, "rates");
  EXPECT_THAT(script, Not(HasSubstr("example/rates\"")));
  EXPECT_THAT(script, Not(HasSubstr("profile small")));
  EXPECT_THAT(script, HasSubstr("set label \"NOT COMPLETE: 2 of 9 trials are missing\""));
  EXPECT_THAT(script, HasSubstr("set key at"));
  EXPECT_THAT(figure_data(figure), testing::StartsWith("# profile small; mean"));
  figure.page.caption = "of ours";
  EXPECT_THAT(figure_script(figure, "rates"), HasSubstr("set label \"of ours\""));
  // A single series needs no legend.
  figure.series.resize(1);
  EXPECT_THAT(figure_script(figure, "rates"), HasSubstr("unset key\n"));
}

TEST(Gnuplot, HasTheWidthOfAColumnAndLettersOfItsSize) {
  Figure figure = of_series(3);
  const double before = number_behind("set terminal svg size 760,", figure_script(figure, "many"));
  figure.page = {.width_in = 3.3, .font_pt = 8};
  const std::string script = figure_script(figure, "many");
  EXPECT_NEAR(number_behind("set terminal pdfcairo size ", script), 3.3, 1e-9);
  EXPECT_THAT(script, HasSubstr("set terminal svg size 356,"));  // 8 pt are its 12 pixels
  EXPECT_LT(number_behind("set terminal svg size 356,", script), before);
  EXPECT_THAT(script, HasSubstr("fontscale 0.5 linewidth 0.6667"));
  EXPECT_THAT(script,
              HasSubstr("maxrows 2 "));  // the legend has room for two entries beside each other
  figure.page = {.font_pt = 16};
  EXPECT_THAT(figure_script(figure, "many"), HasSubstr("pdfcairo size 7.2in,"));
}

/// A bar chart of a column's width.
Figure narrow_bars(const std::vector<std::string>& names) {
  Figure figure;
  figure.name = "bars";
  figure.look = SeriesLook::bars;
  figure.page = {.has_title = false, .caption = "", .width_in = 3.3};
  figure.y.label = "test perplexity";
  figure.series = {{"", false, false, {}}};
  for (const std::string& name : names) {
    const auto place = static_cast<double>(figure.series[0].points.size());
    figure.series[0].points.push_back({place, 154.6, 1.7, 3, name});
  }
  return figure;
}

constexpr const char* kLongName = "Transformer (Vaswani et al. 2017), our own implementation";

TEST(Gnuplot, HasFewerNumbersAtANarrowAxisAndRoomForThoseAtBars) {
  const std::string script =
      figure_script(narrow_bars({"Transformer", "Half of the diagonal", "No diagonal"}), "bars");
  EXPECT_THAT(script, HasSubstr("set xtics 50\n"));
  EXPECT_GT(number_behind("set xrange [0:", script), 185);
  Figure wide = narrow_bars({"Transformer", "Half of the diagonal", "No diagonal"});
  wide.page = {};
  EXPECT_THAT(figure_script(wide, "bars"), Not(HasSubstr("set xtics")));
  Figure figure = narrow_bars({kLongName});
  figure.y.least = 150;
  figure.y.most = 157;
  EXPECT_GT(number_behind("set xrange [150:", figure_script(figure, "bars")), 158);
  figure = of_series(2);
  figure.page.width_in = 1.2;
  for (FigureSeries& series : figure.series) series.points = {{10, 150, {}, 1}, {30, 290, {}, 1}};
  EXPECT_THAT(figure_script(figure, "many"),
              AllOf(HasSubstr("set xtics 10\n"), HasSubstr("set ytics 50\n")));
}

TEST(Gnuplot, HasFewerNumbersAtALowLogarithmicAxis) {
  Figure figure = of_series(2);
  figure.page.width_in = 1.5;
  figure.y.logarithmic = true;
  for (FigureSeries& series : figure.series) series.points = {{1, 2.4, {}, 1}, {3, 100, {}, 1}};
  EXPECT_THAT(figure_script(figure, "low"), HasSubstr("set ytics (10, 100)\n"));
  figure.page.width_in = 2;
  for (FigureSeries& series : figure.series) series.points = {{1, 1, {}, 1}, {3, 1e9, {}, 1}};
  EXPECT_THAT(figure_script(figure, "low"), HasSubstr("set ytics 1e2\n"));
  figure.page = {};
  EXPECT_THAT(figure_script(figure, "high"), Not(HasSubstr("set ytics")));
}

TEST(Gnuplot, MeasuresTheNumbersThatALogarithmicAxisShows) {
  Figure figure = of_series(2);
  figure.page.width_in = 1.2;
  figure.y.logarithmic = true;
  // The ends of the axis, such as 0.795515, are not among its numbers.
  for (FigureSeries& series : figure.series)
    series.points = {{10, 1.2345, {}, 1}, {30, 300, {}, 1}};
  EXPECT_THAT(figure_script(figure, "wide"), HasSubstr("set xtics 10\n"));
}

TEST(Gnuplot, BreaksALongLabelAndRefusesOneThatDoesNotFit) {
  EXPECT_THAT(figure_script(narrow_bars({kLongName}), "bars"),
              HasSubstr("\"Transformer (Vaswani\\net al. 2017), our own\\nimplementation\" 0"));
  Figure figure = of_series(2);
  figure.page.width_in = 3.3;
  figure.series[0].label = kLongName;
  const std::string script = figure_script(figure, "many");
  EXPECT_THAT(script, HasSubstr("title \"Transformer (Vaswani et al. 2017), our own\" noenhanced"));
  EXPECT_THAT(script, HasSubstr("keyentry with dots lc rgb \"white\" title \"implementation\""));
  EXPECT_THAT(script, HasSubstr("maxrows 3 "));
  const TempFolder folder;
  const auto is_refused = [&](const Figure& refused, const std::string& says) {
    EXPECT_THAT([&] { draw_figure(refused, folder.path(), "many"); },
                ThrowsMessage<ConfigError>(HasSubstr(says)));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  };
  const std::string word(60, 'a');
  figure.series[0].label = word;
  is_refused(figure, "label '" + word + "' is too long for a figure of 3.3in; shorten it or take");
  is_refused(narrow_bars({word}), "is too long for a figure of 3.3in");
  figure.series[0].label = "a";
  figure.y.label = word;
  is_refused(figure, "is too long for a figure of 3.3in");
  Figure tiny = narrow_bars({"a"});
  tiny.page.width_in = 0.7;
  is_refused(tiny, "");
}

TEST(Gnuplot, HasTicsAtTheDataOnALogarithmicAxisOfLessThanADecade) {
  Figure figure = of_series(1);
  figure.x.logarithmic = true;
  figure.series[0].points = {{0.5, 1, {}, 1}, {3, 2, {}, 1}};
  EXPECT_THAT(figure_script(figure, "one"), HasSubstr("set xtics (0.5, 3)\n"));
  figure.series[0].points.insert(figure.series[0].points.begin() + 1, {0.51, 1, {}, 1});
  EXPECT_THAT(figure_script(figure, "one"), HasSubstr("set xtics (0.5, 3)\n"));  // no room for both
}

TEST(Gnuplot, WritesNumbersAtAnAxisWithTheDecimalsOfTheSpec) {
  Figure figure = of_series(1);
  figure.y.decimals = 1;
  EXPECT_THAT(figure_script(figure, "one"), HasSubstr("set format y \"%.1f\"\n"));
  EXPECT_THAT(figure_script(figure, "one"), Not(HasSubstr("set format x")));
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

TEST(Gnuplot, DrawsOurPointsOverThePapers) {
  Figure figure = of_series(2);
  figure.series[1].paper = true;
  figure.series[1].points[0].spread = figure.series[1].points[1].spread = {};
  const std::string script = figure_script(figure, "many");
  const size_t theirs = script.find("index 1 using 1:2 with linespoints pt 4 ps 1.4 ");
  const size_t ours = script.find("index 0 using 1:2 with points pt 7 ps 0.9 lw 2 lc");
  EXPECT_LT(theirs, ours);
  EXPECT_LT(ours, script.find("set output", theirs));
  figure.series[1].paper = false;
  EXPECT_THAT(figure_script(figure, "many"), Not(HasSubstr("with points")));
}

TEST(Gnuplot, LeavesRoomBetweenTitleAndLegend) {
  const std::string script = figure_script(of_series(3), "many");
  const double height = number_behind("set terminal svg size 760,", script);
  const double below_title =
      (number_behind("at screen 0.5,", script) - number_behind("set key at screen 0.5,", script)) *
      height;
  EXPECT_GT(below_title, 15);  // to the middle of the title, whose letters have 13 pixels
}

TEST(Gnuplot, ScattersDistinguishableSeries) {
  Figure figure = of_series(16);
  figure.look = SeriesLook::points;
  const std::string script = figure_script(figure, "many");
  std::set<std::string> looks, colours;
  for (size_t i = 0; i < 16; ++i) {
    const size_t at = script.find(fmt::format("DATA index {} using 1:2 with", i));
    const size_t mark = script.find(" pt ", at), colour = script.find("#", at);
    looks.insert(script.substr(mark, 7) + script.substr(colour, 7));
    if (i < 8) colours.insert(script.substr(colour, 7));
  }
  EXPECT_EQ(looks.size(), 16u);
  EXPECT_EQ(colours.size(), 8u);
}

TEST(Gnuplot, JoinsNothingWhereASeriesHasOnePoint) {
  Figure figure = of_series(2);
  figure.series[0].points.pop_back();
  const std::string script = figure_script(figure, "many");
  EXPECT_THAT(script, HasSubstr("index 0 using ($1 + -0.0044):2 with points pt 7"));
  EXPECT_THAT(script, HasSubstr("index 1 using ($1 + 0.0044):2 with linespoints"));
}

TEST(Gnuplot, WritesLabelsBesideTheirPoints) {
  Figure figure = of_series(2);
  figure.look = SeriesLook::points;
  figure.series[1].points[0].label = "1e-4 \"x\"";
  EXPECT_THAT(figure_data(figure),
              HasSubstr("0 1 0.9 1.1 3 \"1e-4 \\\"x\\\"\"\n1 2 1.9 2.1 3 \"\"\n"));
  const std::string script = figure_script(figure, "many");
  EXPECT_THAT(script, HasSubstr("index 1 every 2::1 using 1:2:6 with labels offset 0,-0.9"));
  EXPECT_THAT(script, Not(HasSubstr("index 0 every")));
  const TempFolder folder;
  EXPECT_EQ(draw_figure(figure, folder.path(), "many").size(), 5u);
}

TEST(Gnuplot, RingsTheEndOfACurveThatMetALimitAndSaysOnceWhatThatIs) {
  Figure figure = of_series(3);
  figure.series[1].points.back().label = figure.series[2].points.back().label = "memory limit";
  const std::string script = figure_script(figure, "many");
  EXPECT_THAT(script, HasSubstr("index 1 every ::1::1 using ($1 + 0):2 with points pt 6 ps 2 "));
  EXPECT_THAT(script,
              HasSubstr("index 2 every ::1::1 using ($1 + 0.0088):2 with points pt 6 ps 2 "));
  EXPECT_THAT(script, Not(HasSubstr("index 0 every")));
  const std::string entry = "title \"ends at memory limit\"";
  const size_t first = script.find(entry);
  EXPECT_LT(first, script.find("set terminal pdf"));
  EXPECT_GT(script.find(entry, first + 1), script.find("set terminal pdf"));
  const TempFolder folder;
  EXPECT_EQ(draw_figure(figure, folder.path(), "many").size(), 5u);
}

TEST(Gnuplot, DrawsTheBarsOfAPointInPlaceOfItsSpread) {
  Figure figure = of_series(2);
  figure.series[0].points[0] = {.x = 0, .y = 5, .spread = 1, .bar = Interval{4.5, 9}};
  EXPECT_THAT(figure_data(figure), HasSubstr("\n0 5 4.5 9 1\n"));
  const std::string script = figure_script(figure, "bars");
  EXPECT_THAT(script, HasSubstr("SHORT(low, high) = high - low < "));
  EXPECT_THAT(script, HasSubstr("index 0 using (SHORT($3, $4) ? NaN : ($1 + -0.0044)):($3):(0):"));
  EXPECT_THAT(script, HasSubstr("index 1 using ($1 + 0.0044):($3):(0):"));
}

TEST(Gnuplot, DrawsEqualCurvesSoThatBothAreSeen) {
  Figure figure = of_series(3);
  const std::string ours = figure_script(figure, "many");
  EXPECT_THAT(ours, HasSubstr("):2 with linespoints pt 7 ps 0.9 lw 2 dt 1 "));
  EXPECT_THAT(ours, HasSubstr("):2 with linespoints pt 4 ps 1.1 lw 2 dt (11,5) "));
  EXPECT_THAT(ours, HasSubstr("):2 with linespoints pt 9 ps 0.9 lw 2 dt (6,5) "));
  figure.series[1].paper = true;  // dashes are the paper's
  EXPECT_THAT(figure_script(figure, "many"),
              HasSubstr("index 2 using ($1 + 0.0088):2 with linespoints pt 9 ps 0.9 lw 2 dt 1 "));
}

/// Returns how gnuplot draws each series, without its colour.
std::set<std::string> looks_in_grey(const Figure& figure) {
  const std::string script = figure_script(figure, "many");
  std::set<std::string> looks;
  for (size_t i = 0; i < figure.series.size(); ++i) {
    const std::string begin = fmt::format("DATA index {} using 1:2 with ", i);
    const size_t at = script.find(begin) + begin.size();
    looks.insert(script.substr(at, script.find(" lc rgb", at) - at));
  }
  return looks;
}

TEST(Gnuplot, TellsCurvesApartWithoutColours) {
  const auto curves = [](size_t count) {
    Figure figure = of_series(count);
    figure.look = SeriesLook::curves;
    for (FigureSeries& series : figure.series) {
      series.points.clear();
      for (int step = 0; step < 100; ++step)
        series.points.push_back({static_cast<double>(step), 1.0 / (1 + step), {}, 1});
    }
    return figure;
  };
  EXPECT_EQ(looks_in_grey(curves(4)),
            (std::set<std::string>{"lines lw 2 dt 1", "lines lw 2 dt (11,5)", "lines lw 2 dt (6,5)",
                                   "lines lw 2 dt (11,4,2,4)"}));
  EXPECT_EQ(looks_in_grey(curves(12)).size(), 12u);
  EXPECT_THAT(figure_script(curves(12), "many"), HasSubstr(" pi 13 "));
  const TempFolder folder;
  EXPECT_EQ(draw_figure(curves(12), folder.path(), "many").size(), 5u);
}

TEST(Gnuplot, TellsSeriesBesideThePapersApartWithoutColours) {
  Figure figure = of_series(12);
  for (size_t i = 6; i < 12; ++i) {
    figure.series[i].paper = true;
    figure.series[i].place = i - 6;
  }
  for (FigureSeries& series : figure.series) series.points[0].spread = series.points[1].spread = {};
  EXPECT_EQ(looks_in_grey(figure).size(), 12u);
}

TEST(Gnuplot, LeavesRoomForErrorBarsOnLogarithmicAxes) {
  Figure figure;
  figure.name = "example/log";
  figure.look = SeriesLook::lines;
  figure.x.logarithmic = figure.y.logarithmic = true;
  figure.series = {{"a", false, false, {{0.01, 100, 20.0, 3}, {1, 10, 12.0, 3}}}};
  const std::string script = figure_script(figure, "log");
  // 10 - 12 is not above 0, so that bar ends at the frame.
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
              ThrowsMessage<ConfigError>(HasSubstr("figure example/log: x = 0 has no position")));
}

/// A curve of one point at this step.
Figure one_point(double step) {
  Figure figure;
  figure.name = "example/one";
  figure.look = SeriesLook::curves;
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

/// Sets a variable of the environment during its lifetime.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), /*overwrite=*/1);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(Gnuplot, IgnoresTheUsersSettings) {
  const TempFolder plain, home, set;
  const auto files = draw_figure(one_point(12), plain.path(), "one");
  write_text(home / ".gnuplot", "set datafile separator ','\nset xrange [0:1]\n");
  const Variable folder("HOME", home.path().string()), locale("LC_ALL", "de_DE.UTF-8"),
      terminal("GNUTERM", "dumb");
  const auto again = draw_figure(one_point(12), set.path(), "one");
  for (size_t i = 0; i < files.size(); ++i)
    EXPECT_EQ(read_text(files[i]), read_text(again[i])) << files[i];
}

TEST(Gnuplot, SaysIfItDrewNoPoint) {
  const TempFolder folder;
  write_text(folder / "a.dat", "1,2\n2,3\n");
  const std::string script =
      "DATA = './a.dat'\nset terminal svg\nset output 'a.svg'\nset xrange [0:3]\n"
      "set yrange [0:3]\n";
  const std::string both = "plot DATA index 0 using 1:2 with points, DATA index 0 using 1:2\n";
  EXPECT_EQ(run_gnuplot(script + "set datafile separator ','\n" + both, folder.path(), "a.gp"), "");
  EXPECT_THAT([&] { run_gnuplot(script + both, folder.path(), "a.gp"); },
              ThrowsCode("nothing-drawn"));
  EXPECT_THAT(run_gnuplot(script + "plot DATA index 0 using 1:2, 3\nset datafile separator ','\n" +
                              "plot DATA index 0 using 1:2\n",
                          folder.path(), "a.gp"),
              HasSubstr("warning: Skipping data file with no valid points"));
}

TEST(Gnuplot, RefusesARangeInWhichNothingLies) {
  Figure figure = one_point(12);
  figure.x.least = 100;
  EXPECT_THAT([&] { figure_script(figure, "one"); }, ThrowsCode("invalid-range"));
}

TEST(Gnuplot, SaysIfTheAxesShowNoPoint) {
  const TempFolder folder;
  const auto says = [&](const Figure& figure, const std::string& what) {
    EXPECT_THAT([&] { draw_figure(figure, folder.path(), "rates"); },
                ThrowsMessage<NothingDrawn>(HasSubstr(what)));
  };
  Figure figure = drawn();
  figure.right_scale.reset();
  figure.y.least = 500;
  figure.y.most = 1000;
  says(figure,
       "figure example/rates: not drawn: the axes show none of its 3 points: y is 54.53 to 110 in "
       "the data and shown from 500 to 1000 (y.from and y.to); change");
  // A figure needs our own points, beside the paper's points or a line across.
  figure.y.least = 50;
  figure.y.most = 99.5;
  says(figure, "none of its 3 points: y is 54.53 to 110");
  figure.y = {};
  figure.x.least = 100;
  says(figure, "none of its 3 points: x is 0 to 2 in the data and shown from 100 (x.from)");
  figure.x.least = 1;
  figure.y.most = 100.5;
  says(figure, "x is 0 to 2 in the data and shown from 1 (x.from); y is 54.53 to 110");
  figure.series.erase(figure.series.begin());
  EXPECT_EQ(points_left_out(figure), "");  // without points of ours, the paper's are enough
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Gnuplot, CountsThePointsThatTheAxesLeaveOut) {
  Figure figure = drawn();
  EXPECT_EQ(points_left_out(figure), "");
  figure.x.least = 1;  // an end is shown
  EXPECT_EQ(points_left_out(figure),
            "1 of 6 points are outside of the axes: x is 0 to 2 in the data and shown from 1 "
            "(x.from)");
  figure.y.most = 106;  // the paper's lie on the right axis
  EXPECT_EQ(points_left_out(figure),
            "2 of 6 points are outside of the axes: x is 0 to 2 in the data and shown from 1 "
            "(x.from); y is 99 to 110 in the data and shown to 106 (y.to)");
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

TEST(Gnuplot, RunsNoCommandFromAFiguresText) {
  const TempFolder folder;
  for (const std::string& hostile :
       {"<touch " + (folder.path() / "hacked").string() + ";cat y", std::string("|touch hacked"),
        std::string("x\nsystem(\"touch hacked\")\n"), std::string("'; system('touch hacked'); '"),
        std::string("`touch hacked`"), std::string("\"; system(\"touch hacked\") #")}) {
    Figure figure = drawn();
    figure.name = figure.title = hostile;
    figure.x.label = figure.y.label = hostile;
    for (FigureSeries& series : figure.series) series.label = hostile;
    figure.caption = {hostile};
    const auto files = draw_figure(figure, folder.path() / "out", hostile);
    EXPECT_EQ(files.size(), 5u);
    for (const auto& file : files) EXPECT_TRUE(std::filesystem::exists(file)) << file;
    EXPECT_THAT(read_text(files[3]), Not(HasSubstr("\nsystem"))) << hostile;
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
    EXPECT_NE(entry.path().filename(), "hacked");
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
  EXPECT_THAT(read_text(first[1]), Not(HasSubstr("/S /Transparency")));
  EXPECT_EQ(read_text(first[2]).substr(1, 3), "PNG");
}

}  // namespace
}  // namespace rethink::test
