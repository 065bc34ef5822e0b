// Tokens with the most attention: the choice by another method, and the analysis of a trial's weights.
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/format/file_kind.h"
#include "core/json.h"
#include "experiments/train/analyses/decoder_attention.h"
#include "experiments/train/analyses/trained_decoder.h"
#include "tests/support/throws_code.h"
#include "tests/unit/train/encoder_fixture.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using Pairs = std::vector<std::pair<int64_t, double>>;

Pairs pairs_of(const std::vector<AttendedToken>& attended) {
  Pairs pairs;
  for (const AttendedToken& token : attended) pairs.emplace_back(token.position, token.weight);
  return pairs;
}

/// Computes the expected tokens by another method: the greatest mean over heads, then the greatest remaining mean.
Pairs top_by_hand(const at::Tensor& map_1HTT, int64_t query, int64_t count) {
  const int64_t heads = map_1HTT.size(1), tokens = map_1HTT.size(2);
  std::map<int64_t, double> left;
  for (int64_t key = 0; key < tokens; ++key) {
    double sum = 0;
    for (int64_t head = 0; head < heads; ++head)
      sum += map_1HTT[0][head][query][key].item<double>();
    if (sum > 0) left[key] = sum / static_cast<double>(heads);
  }
  Pairs top;
  while (!left.empty() && static_cast<int64_t>(top.size()) < count) {
    auto best = left.begin();
    for (auto it = left.begin(); it != left.end(); ++it) {
      if (it->second > best->second) best = it;
    }
    top.push_back(*best);
    left.erase(best);
  }
  return top;
}

void expect_near_pairs(const Pairs& found, const Pairs& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].first, expected[i].first);
    EXPECT_NEAR(found[i].second, expected[i].second, 1e-12);
  }
}

TEST(TopAttended, UsesTheMeanOverHeads) {
  at::manual_seed(5);
  const at::Tensor hidden_TT = at::ones({9, 9}).tril().eq(0);
  const at::Tensor map = at::randn({1, 3, 9, 9}, at::kDouble)
                             .masked_fill(hidden_TT, -std::numeric_limits<double>::infinity())
                             .softmax(-1);
  const auto top = top_attended(map, 3);
  ASSERT_EQ(top.size(), 9u);
  for (int64_t query = 0; query < 9; ++query) {
    EXPECT_EQ(top[static_cast<size_t>(query)].size(), std::min<size_t>(3, query + 1));
    expect_near_pairs(pairs_of(top[static_cast<size_t>(query)]), top_by_hand(map, query, 3));
  }
}

TEST(TopAttended, BreaksTiesByPositionAndSkipsHiddenTokens) {
  const at::Tensor map = at::tensor({
                                        1.0, 0.0, 0.0, 0.0,      //
                                        1.0, 0.0, 0.0, 0.0,      // hides its diagonal
                                        0.25, 0.5, 0.25, 0.0,    //
                                        0.25, 0.25, 0.25, 0.25,  //
                                    })
                             .view({1, 1, 4, 4});
  const auto top = top_attended(map, 2);
  EXPECT_EQ(pairs_of(top[1]), (Pairs{{0, 1.0}}));
  EXPECT_EQ(pairs_of(top[2]), (Pairs{{1, 0.5}, {0, 0.25}}));
  EXPECT_EQ(pairs_of(top[3]), (Pairs{{0, 0.25}, {1, 0.25}}));
  EXPECT_EQ(top_attended(map, 9)[3].size(), 4u);
}

/// A language model whose training text has few words. The vocabulary leaves out the rarest word.
class AttendedTokens : public testing::Test {
 protected:
  explicit AttendedTokens(const Json& changes = Json::object()) {
    std::string text;
    for (int line = 0; line < 60; ++line)
      text += fmt::format("The cat saw a {} and the dog\n", line == 7 ? "zebra" : "mouse");
    write_text(folder_ / "text.txt", text);
    Json options = {{"data",
                     {{"dataset", "text"},
                      {"path", (folder_ / "text.txt").string()},
                      {"lowercase", true},
                      {"max_tokens", 12},
                      {"vocabulary", 7}}},
                    {"model",
                     {{"layers", 2},
                      {"d_model", 16},
                      {"heads", 2},
                      {"ffn", 32},
                      {"attention", {{"kind", "bird_eye"}}}}},
                    {"optimizer", {{"name", "adam"}, {"lr", 0.01}}},
                    {"batch", 16},
                    {"steps", 3}};
    options.merge_patch(changes);
    trained_ = std::make_unique<AttemptFixture>(options, 0, "lm");
    trained_->runtime.keep_weights = true;
    EXPECT_EQ(trained_->run(), JobOutcome::done);
    // The path of the text is recorded only in the trial's folder.
    write_text(trained_->path("trial.json"),
               Json{{"config", jobs().completed("lm", options)}}.dump());
  }

  /// Returns the artifact of an analysis of these sentences.
  Json analyzed(const Json& sentences, const AttemptFixture& trained) const {
    const Json analysis = {{"kind", "attended_tokens"}, {"sentences", sentences}};
    AttemptFixture attempt({{"analysis", analysis}}, 0, "analyze");
    attempt.runtime.cache = trained.runtime.cache;
    attempt.inputs["init"] = of_kind(trained, "weights");
    EXPECT_EQ(attempt.run(), JobOutcome::done);
    return read_json(attempt.path("artifacts") / "attended_tokens.json").at("sentences");
  }
  Json analyzed(const Json& sentences) const { return analyzed(sentences, *trained_); }

  auto analyzing(const Json& sentence) const {
    return [this, sentence] { analyzed(Json::array({sentence})); };
  }

  TempFolder folder_;
  std::unique_ptr<AttemptFixture> trained_;
};

TEST_F(AttendedTokens, ListTokensAndMarkUnknownWords) {
  const Json read =
      analyzed({{{"text", "The ZEBRA saw the dog"}, {"target", "the"}, {"occurrence", 2}}})[0];
  EXPECT_THAT(read.at("tokens"), ElementsAre("<start>", "the", "zebra", "saw", "the", "dog"));
  EXPECT_THAT(read.at("unknown"), ElementsAre(2));
  EXPECT_EQ(read.at("target"), 4);
  ASSERT_EQ(read.at("layers").size(), 2u);
  const Json& layer = read.at("layers")[1];
  ASSERT_EQ(layer.size(), 5u);  // all but the last token predict one
  // The second token sees the first alone: BET hides the diagonal.
  EXPECT_THAT(layer[1], ElementsAre(ElementsAre(0, 1.0)));
  EXPECT_EQ(layer[2].size(), 2u);
  EXPECT_EQ(layer[4].size(), 3u);
}

TEST_F(AttendedTokens, PredictTheLastTokenByDefault) {
  EXPECT_EQ(analyzed({{{"text", "the cat saw"}}})[0].at("target"), 3);
}

/// A sentence of the data set gets the same result as the maps that the model computes for the data set.
TEST_F(AttendedTokens, MatchTheModelsAttentionMaps) {
  const Json found = analyzed({{{"text", "the cat saw a mouse and the dog"}}})[0];
  EventLog events(folder_ / "events.jsonl");
  CheckpointFolder checkpoints(folder_ / "checkpoints", events);
  const Trial trial;
  const std::atomic<bool> stop = false;
  const JobContext context{.trial = trial,
                           .runtime = trained_->runtime,
                           .inputs = {{"init", of_kind(*trained_, "weights")}},
                           .parents = {},
                           .events = events,
                           .checkpoints = checkpoints,
                           .artifacts = folder_ / "artifacts",
                           .stop = stop,
                           .published = {}};
  const auto decoder = load_trained_decoder(context, at::kCPU);
  ASSERT_THAT(decoder->tokens("dev", 0), ElementsAre("<start>", "the", "cat", "saw", "a", "mouse",
                                                     "and", "the", "dog", "<end>"));
  const std::vector<at::Tensor> maps = decoder->maps("dev", 0);
  ASSERT_EQ(maps.size(), found.at("layers").size());
  for (size_t layer = 0; layer < maps.size(); ++layer) {
    for (size_t place = 0; place < 8; ++place) {
      const Pairs pairs = found.at("layers")[layer][place];
      const Pairs expected = top_by_hand(maps[layer], static_cast<int64_t>(place), 3);
      ASSERT_EQ(pairs.size(), expected.size());
      for (size_t i = 0; i < pairs.size(); ++i)
        EXPECT_NEAR(pairs[i].second, expected[i].second, 1e-6) << layer << " " << place;
    }
  }
}

TEST_F(AttendedTokens, RefuseATokenThatCannotBePredicted) {
  EXPECT_THAT(
      analyzing({{"text", "the cat saw"}, {"target", "dog"}}),
      ThrowsMessage<ConfigError>(HasSubstr("analysis.sentences: number 1: target 'dog': occurs 0 "
                                           "times, expected at least 1, in: <start> the cat saw")));
  EXPECT_THAT(analyzing({{"text", "the cat saw the"}, {"target", "the"}, {"occurrence", 3}}),
              ThrowsCode("invalid-sentence"));
  EXPECT_THAT(analyzing({{"text", "the cat"}, {"target", "<start>"}}),
              ThrowsCode("invalid-sentence"));
  EXPECT_THAT(analyzing({{"text", " "}}), ThrowsCode("invalid-sentence"));
  EXPECT_THAT(analyzing({{"text", "a b c d e f g h i j k l m"}}), ThrowsCode("too-large"));
}

TEST_F(AttendedTokens, NeedADataSetOfRunningText) {
  AttemptFixture language(tiny_lm({{"steps", 1}}), 0, "lm");
  language.runtime.keep_weights = true;
  ASSERT_EQ(language.run(), JobOutcome::done);
  EXPECT_THAT([&] { analyzed({{{"text", "a b"}}}, language); }, ThrowsCode("wrong-data"));
  const Json options = {
      {"data",
       {{"dataset", "synthetic_translations"}, {"sentences", 60}, {"words", 8}, {"length", 5}}},
      {"model", {{"encoder_layers", 1}, {"layers", 1}, {"d_model", 8}, {"heads", 2}, {"ffn", 8}}},
      {"steps", 1},
      {"search", {{"beams", 2}}},
      {"evaluate", {{"splits", {"dev"}}}}};
  AttemptFixture translation(options, 0, "mt");
  translation.runtime.keep_weights = true;
  ASSERT_EQ(translation.run(), JobOutcome::done);
  EXPECT_THAT([&] { analyzed({{{"text", "a b"}}}, translation); }, ThrowsCode("missing-need"));
}

}  // namespace
}  // namespace rethink
