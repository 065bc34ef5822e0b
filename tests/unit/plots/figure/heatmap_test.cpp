// Heat maps of patterns of masks and of trials' tensors, from spec to gnuplot's script.
#include "plots/figure/drawing/heatmap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>

#include "core/error.h"
#include "core/format/safetensors.h"
#include "plots/figure/drawing/gnuplot.h"
#include "plots/figure/figure.h"
#include "tests/unit/plots/figure_example.h"

namespace rethink::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

const std::vector<Panel>& panels_of(const Figure& figure) {
  return dynamic_cast<const HeatmapDrawing&>(*figure.drawing).panels;
}

const std::string kPatterns = R"(figure: example/masks
title: Masks
kind: heatmap
n: 4
panels:
  - {label: Star, mask: {kind: star}}
  - {mask: {kind: none, diagonal: false}, n: 2}
)";

const std::string kLearned = R"(figure: example/learned
kind: heatmap
sweep: s.yaml
stage: pretrain
artifact: mask
tensor: P
panels: [{axis: arm}]
)";

/// Fixture with a store's answer for two arms of two seeds, with files made here.
class Learned : public testing::Test {
 protected:
  Learned() {
    for (const char* arm : {"dam", "soft"}) {
      for (int64_t seed = 0; seed < 2; ++seed) add(arm, seed);
    }
  }

  void add(const std::string& arm, int64_t seed) {
    PlannedTrial planned;
    planned.trial.id = fmt::format("{}-{}", arm, seed);
    planned.trial.seed = seed;
    planned.stage = "pretrain";
    planned.labels = {{"arm", arm}};
    plans_["s.yaml"].trials.push_back(planned);
    TrialRecord& record = records_[planned.trial.id];
    record.state = TrialState::done;
    record.seed = seed;
    record.values = {{"mask/bytes", 1.0}};
    const float s = static_cast<float>(seed);
    write(planned.trial.id, {2, 2, 2}, {0, 1, 0.5F, 1, s, 0, 0.5F, 1});
  }

  void write(const std::string& trial, const std::vector<int64_t>& shape,
             const std::vector<float>& values) {
    files_[trial].path = folder_ / trial;
    write_safetensors(files_[trial].path,
                      {{"P", {Dtype::f32, shape, std::as_bytes(std::span(values))}}}, {});
  }

  Figure figure(const std::string& text = kLearned) {
    const FigureSpec spec = figure_spec_of(text);
    return make_figure(spec, make_grids(spec, plans_), records_, {}, files_);
  }

  TempFolder folder_;
  Plans plans_;
  TrialRecords records_;
  ArtifactFiles files_;
};

TEST(Heatmap, ShowsPatternsWithoutAnyTrial) {
  const FigureSpec spec = figure_spec_of(kPatterns);
  EXPECT_TRUE(sweeps_of(spec).empty());
  const Figure figure = make_figure(spec, make_grids(spec, {}), {}, {});
  ASSERT_EQ(panels_of(figure).size(), 2u);
  EXPECT_TRUE(figure.complete());
  EXPECT_EQ(panels_of(figure)[0].label, "Star");
  EXPECT_THAT(panels_of(figure)[0].matrix.cells,
              ElementsAre(1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1));
  EXPECT_EQ(panels_of(figure)[1].label, "none");
  EXPECT_THAT(panels_of(figure)[1].matrix.cells, ElementsAre(0, 1, 1, 0));
  EXPECT_EQ(panels_of(figure)[1].matrix.sparsity(), 0.5);
  EXPECT_THAT(figure.caption,
              ElementsAre("rows: queries, columns: keys; dark: the query may attend to the key"));
}

TEST(Heatmap, CountsTheMasksThatHaveACell) {
  const FigureSpec spec = figure_spec_of(
      with(kPatterns, "{label: Star, mask: {kind: star}}",
           "{label: both, masks: [{kind: none, diagonal: false}, {kind: star, diagonal: false}]}"));
  const Figure figure = make_figure(spec, make_grids(spec, {}), {}, {});
  EXPECT_EQ(panels_of(figure)[0].label, "both");
  EXPECT_THAT(panels_of(figure)[0].matrix.cells,
              ElementsAre(0, 2, 2, 2, 2, 0, 2, 1, 2, 2, 0, 2, 2, 1, 2, 0));
  EXPECT_THAT(figure.caption, ElementsAre("rows: queries, columns: keys; the darker the greater"));
  const std::string script = figure_script(figure, "masks");
  EXPECT_THAT(script, HasSubstr("set cbrange [0:2]"));
  EXPECT_THAT(script, HasSubstr("set cbtics 1 font"));  // whole numbers, each named
}

TEST(Heatmap, LeavesAGapBetweenCellsAndFrame) {
  const FigureSpec spec = figure_spec_of(with(kPatterns, "n: 4", "n: 128"));
  const std::string script =
      figure_script(make_figure(spec, make_grids(spec, {}), {}, {}), "masks");
  // A dark first row would otherwise be mistaken for the frame: 3 pixels, with cells of 2.5.
  EXPECT_THAT(script, HasSubstr("set xrange [-1.7:128.7]\nset yrange [128.7:-1.7]\n"));
  EXPECT_THAT(script, HasSubstr("set border lc rgb \"#BBBBBB\""));
}

TEST(Heatmap, ScriptAndDataAreAsTheyWere) {
  const FigureSpec spec = figure_spec_of(kPatterns);
  const Figure figure = make_figure(spec, make_grids(spec, {}), {}, {});
  const std::string script = figure_script(figure, "masks"), data = figure_data(figure);
  EXPECT_EQ(script, golden("figures/masks.gp", script));
  EXPECT_EQ(data, golden("figures/masks.dat", data));
}

TEST_F(Learned, AreMeansOverHeadsAndSeeds) {
  const Figure made = figure();
  ASSERT_EQ(panels_of(made).size(), 2u);
  EXPECT_EQ(panels_of(made)[0].label, "dam");
  EXPECT_EQ(panels_of(made)[1].label, "soft");
  EXPECT_THAT(panels_of(made)[0].matrix.cells, ElementsAre(0.25, 0.5, 0.5, 1));
  EXPECT_THAT(made.caption,
              ElementsAre("mean over 2 heads and 2 seeds",
                          "rows: queries, columns: keys; the darker the greater, P", "no profile"));
  EXPECT_TRUE(made.complete());
  EXPECT_EQ(made.trials, 4u);
}

TEST_F(Learned, WeighSeedsAlikeHoweverManyTrialsTheyHave) {
  add("dam", 0);
  std::string& second = plans_["s.yaml"].trials.back().trial.id;
  second = "dam-0-again";
  records_[second] = records_["dam-0"];
  write(second, {2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1});
  const Figure made = figure();
  EXPECT_THAT(panels_of(made)[0].matrix.cells, ElementsAre(0.5, 0.625, 0.625, 1));
  EXPECT_EQ(made.caption[0], "mean over 2 heads and 2 seeds");
  const std::string each = with(kLearned, "panels: [{axis: arm}]",
                                "heads: each\npanels: [{label: DAM, where: {arm: dam}}]");
  EXPECT_EQ(figure(each).caption[0], "heads of seed 0 (one of its 2 trials)");
  files_.erase(second);
  EXPECT_THAT(panels_of(figure())[0].matrix.cells, ElementsAre(0.5, 0.5, 0.5, 1));
  EXPECT_EQ(figure().caption[0], "mean over 2 heads and 1 to 2 seeds");
}

TEST_F(Learned, AreAPanelForEachHeadOfTheFirstSeed) {
  const Figure made = figure(with(kLearned, "panels: [{axis: arm}]",
                                  "heads: each\npanels: [{label: DAM, where: {arm: dam}}]"));
  ASSERT_EQ(panels_of(made).size(), 2u);
  EXPECT_EQ(panels_of(made)[1].label, "DAM, head 2");
  EXPECT_THAT(panels_of(made)[1].matrix.cells, ElementsAre(0, 0, 0.5, 1));
  EXPECT_EQ(made.caption[0], "heads of seed 0");
}

TEST_F(Learned, OfADamagedFileAreNotDrawn) {
  files_["dam-0"].problem = "trials/dam-0/P is damaged; to restore it: rethink rm dam-0";
  for (const std::string& heads : {std::string("mean"), std::string("each")}) {
    const Figure made = figure(
        with(kLearned, "panels: [{axis: arm}]", "heads: " + heads + "\npanels: [{axis: arm}]"));
    EXPECT_FALSE(made.complete());
    EXPECT_THAT(made.not_measured, HasSubstr(files_["dam-0"].problem));
    for (const Panel& panel : panels_of(made)) EXPECT_THAT(panel.label, Not(HasSubstr("dam")));
  }
}

TEST_F(Learned, NameTheSeedWhoseHeadsTheyShow) {
  files_.erase("dam-0");  // the store has its numbers, but its file is missing
  const Figure made = figure(with(kLearned, "panels: [{axis: arm}]",
                                  "heads: each\npanels: [{label: DAM, where: {arm: dam}}]"));
  EXPECT_EQ(made.caption[0], "heads of seed 1");
}

TEST_F(Learned, SayWhichTrialsAreNotDone) {
  records_.erase("dam-0");
  files_.erase("dam-0");
  const Figure made = figure();
  EXPECT_EQ(made.missing, 1u);
  ASSERT_EQ(panels_of(made).size(), 2u);
  EXPECT_THAT(made.caption, testing::Contains("NOT COMPLETE: 1 of 4 trials are not done"));
  EXPECT_EQ(made.caption[0], "mean over 2 heads and 1 to 2 seeds");
}

TEST_F(Learned, NameTheFileThatIsNotAMatrix) {
  write("soft-1", {8}, {0, 1, 0, 1, 0, 1, 0, 1});
  const Figure made = figure();
  EXPECT_THAT(made.not_measured, HasSubstr("panel 'soft': "));
  EXPECT_THAT(made.not_measured, HasSubstr("but P is [8]"));
  EXPECT_FALSE(made.complete());
  EXPECT_EQ(panels_of(made).size(), 1u);
  write("dam-0", {1, 4, 2}, {0, 1, 0, 1, 0, 1, 0, 1});
  EXPECT_THAT(figure().not_measured, HasSubstr("matrices of one size"));
}

TEST(Heatmap, RefusesWhatItCannotDraw) {
  const auto refuses = [](const std::string& from, const std::string& to,
                          const std::string& message) {
    EXPECT_THAT([&] { figure_spec_of(with(kPatterns, from, to)); },
                ThrowsMessage<ConfigError>(HasSubstr(message)));
  };
  refuses("kind: star", "kind: stars", "unknown mask 'stars'; did you mean 'star'?");
  refuses("kind: none", "kind: strided, strid: 3", "did you mean 'mask.stride'?");
  refuses("n: 4\n", "", "a panel with a mask needs n");
  refuses("n: 4\n", "n: 5000\n", "expected at most 4096");
  refuses("label: Star,", "axis: arm,", "either a mask or trials, not both");
  refuses("{label: Star, mask: {kind: star}}", "{label: Star}", "lacks the key 'sweep'");
  refuses("mask: {kind: star}", "mask: {kind: star}, masks: [{kind: star}]", "not both");
  refuses("mask: {kind: star}", "masks: []", "masks: expected a list");
  refuses("panels:", "panel:", "did you mean 'panels'?");
}

}  // namespace
}  // namespace rethink::test
