// Connection maps, from the artifacts of the analysis entity_attention to gnuplot's script.
#include "plots/figure/kinds/connections.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>

#include "core/error.h"
#include "core/format/safetensors.h"
#include "core/json.h"
#include "plots/figure/drawing/gnuplot.h"
#include "plots/figure/figure_kind.h"
#include "tests/support/throws_code.h"
#include "tests/unit/plots/figure_example.h"

namespace rethink::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::ThrowsMessage;

const std::vector<ConnectionMap>& maps_of(const Figure& figure) {
  return dynamic_cast<const ConnectionsDrawing&>(*figure.drawing).maps;
}

const std::string kConnectionsSpec = R"(figure: example/ner
kind: connections
sweep: s.yaml
stage: attention
artifact: attention_map
across: 2
panels: [{axis: arm}]
)";

/// Fixture with two arms of two seeds, each with two layers of [CLS] a b c [SEP], where a and c are entities.
class Connections : public testing::Test {
 protected:
  Connections() {
    for (const char* arm : {"dense", "triplet"}) {
      for (int64_t seed = 0; seed < 2; ++seed) add(arm, seed);
    }
  }

  void add(const std::string& arm, int64_t seed) {
    PlannedTrial planned;
    planned.trial.id = fmt::format("{}-{}", arm, seed);
    planned.trial.seed = seed;
    planned.stage = "attention";
    planned.labels = {{"arm", arm}};
    plans_["s.yaml"].trials.push_back(planned);
    TrialRecord& record = records_[planned.trial.id];
    record.state = TrialState::done;
    record.seed = seed;
    record.values = {{"attention_map/bytes", 1.0}};
    files_[planned.trial.id].path = folder_ / planned.trial.id;
    write(planned.trial.id, {{{"tokens", {"[CLS]", "a", "b", "c", "[SEP]"}},
                              {"entities", {-1, 1, 0, 2, -1}},
                              {"attention", {"dense", arm}}}});
  }

  void write(const std::string& trial, const Json& sentences) {
    // Layer 1 has a to b, a to c, c to a. Layer 2 has no connection.
    std::vector<uint8_t> cells(2 * 5 * 5);
    cells[1 * 5 + 2] = 1;
    cells[1 * 5 + 3] = cells[3 * 5 + 1] = 3;
    TensorViews tensors;
    for (size_t number = 1; number <= sentences.size(); ++number)
      tensors[fmt::format("connections_{}", number)] = {
          Dtype::u8, {2, 5, 5}, std::as_bytes(std::span(cells))};
    write_safetensors(files_[trial].path, tensors, {{"sentences", sentences.dump()}});
  }

  Figure figure(const std::string& text = kConnectionsSpec) {
    const SpecFile file(text);
    const FigureSpec spec = read_figure_spec(file.path());
    EXPECT_EQ(spec.kind->artifact(), "attention_map");
    EXPECT_EQ(sweeps_of(spec).size(), 1u);
    return make_figure(spec, make_grids(spec, plans_), records_, {}, files_);
  }

  TempFolder folder_;
  Plans plans_;
  TrialRecords records_;
  ArtifactFiles files_;
};

TEST_F(Connections, AreOfTheFirstSeedWithoutSpecialTokens) {
  const Figure made = figure();
  ASSERT_EQ(maps_of(made).size(), 2u);
  EXPECT_TRUE(made.complete());
  EXPECT_FALSE(made.empty());
  const ConnectionMap& map = maps_of(made)[1];
  EXPECT_EQ(map.label, "triplet");
  EXPECT_THAT(map.tokens, ElementsAre("a", "b", "c"));
  EXPECT_THAT(map.marked, ElementsAre(0, 2));
  ASSERT_EQ(map.layers.size(), 2u);
  EXPECT_EQ(map.layers[0].label, "layer 1");
  EXPECT_EQ(map.layers[1].label, "layer 2, triplet");
  EXPECT_THAT(map.layers[0].pairs,
              ElementsAre(ElementsAre(Pair(0, 1)), IsEmpty(), ElementsAre(Pair(0, 2), Pair(2, 0))));
  EXPECT_THAT(made.caption,
              testing::Contains(HasSubstr("to one that it attends to, right; numbers: how many of "
                                          "each kind; dots: tokens of entities; seed 0")));
}

TEST_F(Connections, AreOfTheFirstSeedThatLeftThem) {
  files_.erase("dense-0");
  files_.erase("triplet-0");
  const Figure made = figure();
  EXPECT_EQ(maps_of(made).size(), 2u);
  EXPECT_THAT(made.caption, testing::Contains(HasSubstr("seed 1")));
}

TEST_F(Connections, SayWhichSentenceWhereThereAreSeveral) {
  const Json sentence = {{"tokens", {"[CLS]", "a", "b", "c", "[SEP]"}},
                         {"entities", {-1, 1, 0, 2, -1}},
                         {"attention", {"dense", "dense"}}};
  write("dense-0", {sentence, sentence});
  const Figure made = figure();
  ASSERT_EQ(maps_of(made).size(), 3u);
  EXPECT_EQ(maps_of(made)[0].label, "dense, sentence 1");
  EXPECT_EQ(maps_of(made)[1].label, "dense, sentence 2");
  EXPECT_EQ(maps_of(made)[2].label, "triplet");
}

TEST_F(Connections, AreOfSentencesThatThePageHasRoomFor) {
  const Json sentence = {{"tokens", {"[CLS]", "a", "b", "c", "[SEP]"}},
                         {"entities", {-1, 1, 0, 2, -1}},
                         {"attention", {"dense", "dense"}}};
  const Json many(8, sentence);
  write("dense-0", many);
  write("triplet-0", many);
  const Figure made =
      figure(with(kConnectionsSpec, "across: 2", "across: 1"));  // two rows of layers a map
  ASSERT_EQ(maps_of(made).size(), 2u);
  EXPECT_EQ(maps_of(made)[0].label, "dense, sentence 1");
  EXPECT_EQ(maps_of(made)[1].label, "triplet, sentence 1");
  EXPECT_TRUE(made.complete());
  EXPECT_THAT(made.caption,
              testing::Contains(HasSubstr("not drawn: dense, sentence 2; dense, sen")));
}

TEST_F(Connections, OfALongTextStayDistinguishable) {
  const size_t tokens = 60;
  Json sentence = {
      {"tokens", Json::array()}, {"entities", Json::array()}, {"attention", {"dense"}}};
  for (size_t i = 0; i < tokens; ++i) {
    sentence["tokens"].push_back("a");
    sentence["entities"].push_back(0);
  }
  const std::vector<uint8_t> cells(tokens * tokens, 1);
  for (const char* trial : {"dense-0", "triplet-0"}) {
    write_safetensors(
        files_[trial].path,
        {{"connections_1", {Dtype::u8, {1, tokens, tokens}, std::as_bytes(std::span(cells))}}},
        {{"sentences", Json::array({sentence}).dump()}});
  }
  const Figure made = figure();
  EXPECT_TRUE(made.empty());
  EXPECT_EQ(made.why_empty(),
            "not drawn: dense (60 tokens); triplet (60 tokens); a map has room for 48 tokens, a "
            "figure for 6 rows of layers: give shorter or fewer sentences");
}

TEST_F(Connections, ThatAreManyHaveThinLines) {
  Figure made = figure();
  ConnectionsDrawing drawing = dynamic_cast<const ConnectionsDrawing&>(*made.drawing);
  auto& other = drawing.maps[0].layers[0].pairs[0];
  while (other.size() < 800) other.emplace_back(0, 1);
  made.drawing = std::make_shared<ConnectionsDrawing>(drawing);
  EXPECT_THAT(figure_script(made, "ner"), HasSubstr("DATA index 0 with lines lw 0.25 "));
}

TEST_F(Connections, HaveABlockOfDataForEveryPlot) {
  const Figure made =
      figure(with(kConnectionsSpec, "[{axis: arm}]", "{label: A3, where: {arm: triplet}}"));
  EXPECT_EQ(figure_data(made),
            "# lines from 0, a token's number to 1, that of one it attends to\n"
            "# A3, layer 1: other\n0 0\n1 1\n"
            "\n\n# A3, layer 1: CROSS\n0 0\n1 2\n\n0 2\n1 0\n"
            "\n\n# A3: tokens of entities\n0 0\n1 0\n0 2\n1 2\n");
  const std::string script = figure_script(made, "ner");
  EXPECT_THAT(script,
              HasSubstr("plot DATA index 0 with lines lw 0.5 lc rgb \"#CFCFCF\" notitle, \\\n"
                        "     DATA index 1 with lines lw 1.8 lc rgb \"#D55E00\" notitle, \\\n"
                        "     DATA index 2 with points"));
  EXPECT_THAT(script, HasSubstr("plot DATA index 2 with points"));  // layer 2
}

TEST_F(Connections, CanBeDrawn) {
  const auto files = draw_figure(figure(), folder_ / "out", "ner");
  for (const auto& file : files) EXPECT_TRUE(std::filesystem::exists(file)) << file;
  const std::string svg = read_text(folder_ / "out/ner.svg");
  EXPECT_THAT(svg, HasSubstr("layer 2, triplet"));
  EXPECT_THAT(svg, HasSubstr("CROSS: between entities"));
}

TEST_F(Connections, OfAFileThatIsDamagedCostTheirPanelAlone) {
  write("dense-0", {{{"tokens", {"a"}}, {"entities", {0}}, {"attention", {"dense"}}}});
  const Figure made = figure();
  EXPECT_EQ(maps_of(made).size(), 1u);
  EXPECT_THAT(
      made.not_measured,
      HasSubstr("panel 'dense': 1 tokens, 1 entities, 1 variants do not match 2 layers of 5"));
  write_safetensors(files_["dense-0"].path, {}, {});
  EXPECT_THAT(figure().not_measured, HasSubstr("has no sentences"));
}

TEST_F(Connections, SpecsSayWhatIsWrong) {
  const auto reading = [](const std::string& text) {
    return [text] {
      const SpecFile file(text);
      read_figure_spec(file.path());
    };
  };
  EXPECT_THAT(reading(with(kConnectionsSpec, "artifact: attention_map\n", "")),
              ThrowsMessage<ConfigError>(HasSubstr("artifact")));
  EXPECT_THAT(reading(with(kConnectionsSpec, "across: 2", "across: 40")),
              ThrowsCode("invalid-value"));
  EXPECT_THAT(reading(with(kConnectionsSpec, "[{axis: arm}]", "[]")), ThrowsCode("invalid-value"));
  EXPECT_THAT(reading(with(kConnectionsSpec, "[{axis: arm}]", "[{where: {arm: dense}}]")),
              ThrowsCode("conflicting-keys"));
}

}  // namespace
}  // namespace rethink::test
