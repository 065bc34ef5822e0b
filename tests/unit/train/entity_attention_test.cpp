// Connections between entities: marking, means over heads, kinds, and the analysis of a trial's
// weights.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/format/safetensors.h"
#include "core/json.h"
#include "experiments/train/analyses/entity_connections.h"
#include "models/tensors/tensor_file.h"
#include "tests/support/throws_code.h"
#include "tests/unit/train/encoder_fixture.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

WordPiece some_pieces() {
  return {
      {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "doc", "##tor", "writer", "of", "."},
      false};
}

TEST(MarkedSentence, GivesEveryPieceOfEveryMentionToItsEntity) {
  const MarkedTokens tokens = marked_tokens(
      {"The writer of the doctor. The doctor.", {{"writer", {}}, {"physician", {"doctor"}}}},
      some_pieces());
  EXPECT_THAT(tokens.pieces, ElementsAre("[CLS]", "the", "writer", "of", "the", "doc", "##tor", ".",
                                         "the", "doc", "##tor", ".", "[SEP]"));
  EXPECT_THAT(tokens.entities, ElementsAre(-1, 0, 1, 0, 0, 2, 2, 0, 0, 2, 2, 0, -1));
}

TEST(MarkedSentence, FindsWholeWordsOnly) {
  const MarkedTokens tokens =
      marked_tokens({"doctors of the doctor", {{"doctor", {}}}}, some_pieces());
  EXPECT_THAT(tokens.entities, ElementsAre(-1, 0, 0, 0, 1, 1, -1));  // "doctors" is [UNK]
}

TEST(MarkedSentence, TellsPunctuationFromLettersOfEveryAlphabet) {
  const auto entities = [](const std::string& text) {
    return marked_tokens({text, {{"doctor", {}}}}, some_pieces()).entities;
  };
  EXPECT_THAT(entities("the \u201cdoctor\u201d"), testing::Contains(1));
  EXPECT_THAT(entities("the doctor\u2019s writer"), testing::Contains(1));
  EXPECT_THAT(entities("writer\u2014doctor"), testing::Contains(1));
  for (const std::string text : {"doctor\u00e9", "\u00e9doctor", "doctor\u4e00"})
    EXPECT_THROW(entities(text), ConfigError) << text;
}

/// Positions are characters, not bytes: the accent has two bytes. Two doctors are two persons.
TEST(MarkedSentence, MarksSpansOfCharacters) {
  const MarkedTokens tokens =
      marked_tokens({"\u00e9 doctor of the doctor .",
                     {{"first", {}, {{2, 8}}}, {"second", {}, {{16, 22}}}, {"of", {"of"}, {}}}},
                    some_pieces());
  EXPECT_THAT(tokens.entities, ElementsAre(-1, 0, 1, 1, 3, 0, 2, 2, 0, -1));
}

TEST(MarkedSentence, RefusesSpansWithoutAWord) {
  for (const TextSpan& span : {TextSpan{3, 3}, TextSpan{4, 3}, TextSpan{3, 4}, TextSpan{0, 18}}) {
    EXPECT_THAT(
        [&] {
          marked_tokens({"the writer of doc", {{"someone", {}, {span}}}}, some_pieces());
        },
        ThrowsMessage<ConfigError>(HasSubstr("are not whole words of")))
        << span.begin;
  }
}

TEST(MarkedSentence, RefusesMissingWordsAndWordsOfTwoEntities) {
  const auto marked = [](const std::vector<MarkedEntity>& entities) {
    return [entities] { marked_tokens({"the writer of doctors", entities}, some_pieces()); };
  };
  EXPECT_THAT(marked({{"doctor", {}}}), ThrowsCode("invalid-sentence"));
  EXPECT_THAT(marked({{"", {}}}), ThrowsMessage<ConfigError>(HasSubstr("'' does not occur")));
  EXPECT_THAT(marked({{"writer", {}}, {"person", {"the writer"}}}),
              ThrowsMessage<ConfigError>(HasSubstr("'writer' and 'person' share a word")));
}

/// Records maps of one sequence with H heads, and values of `width` channels per head.
void add_maps(Recorder& record, const at::Tensor& maps_HTT, int64_t width) {
  record.maps.push_back(maps_HTT.unsqueeze(0));
  record.values.push_back(at::zeros({1, maps_HTT.size(0), maps_HTT.size(1), width}));
}

TEST(HeadMeans, WeightTripletHeadsByTheHeadsThatTheyReplace) {
  Recorder record;
  const at::Tensor dense_HTT = at::rand({3, 5, 5}).softmax(-1),
                   usual_HTT = dense_HTT.slice(0, 0, 2),
                   triplets_HTT = at::rand({2, 5, 5}).softmax(-1);
  add_maps(record, dense_HTT, 6);
  add_maps(record, usual_HTT, 6);
  add_maps(record, triplets_HTT, 3);
  const at::Tensor means_LTT = head_means(record, 2, 18);
  EXPECT_TRUE(at::allclose(means_LTT[0], dense_HTT.mean(0)));
  // Two of three heads as before, the third replaced by two heads of three channels.
  EXPECT_TRUE(at::allclose(means_LTT[1], (usual_HTT.sum(0) + triplets_HTT.mean(0)) / 3));
  EXPECT_TRUE(at::allclose(means_LTT.sum(-1), at::ones({2, 5})));
}

TEST(HeadMeans, RefuseMapsWithMissingChannels) {
  Recorder record;
  add_maps(record, at::ones({2, 4, 4}), 6);
  EXPECT_THROW(head_means(record, 2, 12), TrialError);  // the maps of only one of two layers
  EXPECT_THROW(head_means(record, 1, 18), TrialError);  // a layer without one of its heads
  EXPECT_THROW(head_means(record, 1, 8), TrialError);
  EXPECT_EQ(head_means(record, 1, 12).size(0), 1);
}

/// Tokens [CLS] a x a b [SEP] of the entities a and b.
const std::vector<int64_t> kEntities = {-1, 1, 0, 1, 2, -1};

TEST(Connections, AreCrossSelfOrOther) {
  const at::Tensor all = connections(at::ones({6, 6}), kEntities, {.threshold = 1});
  const at::Tensor expected = at::tensor({0, 0, 0, 0, 0, 0,  //
                                          0, 0, 1, 2, 3, 0,  //
                                          0, 1, 0, 1, 1, 0,  //
                                          0, 2, 1, 0, 3, 0,  //
                                          0, 3, 1, 3, 0, 0,  //
                                          0, 0, 0, 0, 0, 0},
                                         at::kByte)
                                  .view({6, 6});
  EXPECT_TRUE(at::equal(all, expected)) << all;
  const auto counts = count_connections(all);
  EXPECT_EQ(counts.at(Connection::cross), 4);
  EXPECT_EQ(counts.at(Connection::self), 2);
  EXPECT_EQ(counts.at(Connection::other), 6);
}

TEST(Connections, OfATokenWithItselfCountOnRequest) {
  const at::Tensor all =
      connections(at::ones({6, 6}), kEntities, {.threshold = 1, .diagonal = true});
  EXPECT_EQ(count_connections(all).at(Connection::self), 2 + 3);
  EXPECT_EQ(count_connections(all).at(Connection::other), 6 + 1);
}

TEST(Connections, ExceedTheThreshold) {
  at::Tensor weights = at::full({6, 6}, 1.0 / 6);
  EXPECT_EQ(connections(weights, kEntities, {}).sum().item<int64_t>(), 0);  // uniform: none
  weights[1][4] = 0.2;
  weights[4][1] = 0.34;
  EXPECT_EQ(count_connections(connections(weights, kEntities, {})).at(Connection::cross), 2);
  EXPECT_EQ(
      count_connections(connections(weights, kEntities, {.threshold = 2})).at(Connection::cross),
      1);
  // Rounding alone can raise a float32 softmax above 1/n. This must not count as a connection.
  const at::Tensor nearly = at::full({6, 6}, std::nextafter(1.0F / 6, 1.0F));
  EXPECT_EQ(connections(nearly, kEntities, {}).sum().item<int64_t>(), 0);
}

class EntityAttention : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Json options = tiny_pretraining({{"kind", "dense"}}, {{"steps", 2}});
    options["model"]["d_model"] = 12;
    base_ = pretrained(options);
  }
  static void TearDownTestSuite() { base_.reset(); }

  static std::unique_ptr<AttemptFixture> analyzed(const Json& changes = Json::object()) {
    Json options = {
        {"analysis",
         {{"kind", "entity_attention"},
          {"sentences",
           {{{"text", "ba de fi ba ko"}, {"entities", {{{"name", "ba"}}, {{"name", "fi"}}}}},
            {{"text", "de ko"}, {"entities", {{{"name", "ko"}}}}}}}}}};
    options["analysis"].merge_patch(changes);
    auto attempt = std::make_unique<AttemptFixture>(options, 0, "analyze");
    attempt->inputs["init"] = of_kind(*base_, "weights");
    EXPECT_EQ(attempt->run(), JobOutcome::done);
    return attempt;
  }

  static std::unique_ptr<AttemptFixture> base_;
};

std::unique_ptr<AttemptFixture> EntityAttention::base_;

/// Returns "entity_attention/NAME@last" of a trial.
int64_t metric(const AttemptFixture& attempt, const std::string& name) {
  return static_cast<int64_t>(attempt.metrics().at("entity_attention/" + name + "@last 0"));
}

/// Recomputes the counts of all sentences, pair by pair, from the trial's artifacts.
std::map<std::string, int64_t> counted_by_hand(const AttemptFixture& attempt, double threshold) {
  const SafetensorsFile file(only(of_kind(attempt, "attention_map")).path);
  const Json sentences = Json::parse(file.metadata().at("sentences"));
  std::map<std::string, int64_t> counts;
  for (size_t number = 0; number < sentences.size(); ++number) {
    const std::vector<int64_t> entities = sentences[number].at("entities");
    const at::Tensor weights_LTT = tensor_over(file.at("weights_" + std::to_string(number + 1)));
    const auto n = static_cast<int64_t>(entities.size());
    EXPECT_TRUE(at::allclose(weights_LTT.sum(-1), at::ones({2, n})));
    for (int64_t layer = 0; layer < 2; ++layer) {
      for (int64_t i = 1; i + 1 < n; ++i) {
        for (int64_t j = 1; j + 1 < n; ++j) {
          const double weight = weights_LTT[layer][i][j].item<double>();
          if (i == j || weight <= threshold / static_cast<double>(n)) continue;
          const int64_t a = entities[static_cast<size_t>(i)], b = entities[static_cast<size_t>(j)];
          const std::string kind = a == 0 || b == 0 ? "other" : a == b ? "self" : "cross";
          ++counts[kind + "_layer_" + std::to_string(layer + 1)];
          ++counts[kind];
        }
      }
    }
  }
  return counts;
}

TEST_F(EntityAttention, CountsConnectionsOfEveryLayerOverAllSentences) {
  for (const double threshold : {0.0, 0.98, 1.0}) {
    const auto attempt = analyzed({{"threshold", threshold}});
    auto expected = counted_by_hand(*attempt, threshold);
    for (const char* kind : {"cross", "self", "other"}) {
      for (const char* layer : {"", "_layer_1", "_layer_2"}) {
        const std::string name = std::string(kind) + layer;
        EXPECT_EQ(metric(*attempt, name), expected[name]) << name << " " << threshold;
      }
      if (threshold == 0.0) {
        EXPECT_EQ(metric(*attempt, std::string("pairs_") + kind),
                  expected[std::string(kind) + "_layer_1"]);
      }
    }
    if (threshold == 0.0) {
      EXPECT_GT(expected["cross"], 0);
    }
  }
}

TEST_F(EntityAttention, TakesTheWeightsWithAnotherAttention) {
  const Json triplets = {{"kind", "dense"},
                         {"at",
                          {{{"kind", "triplet"},
                            {"layers", {2}},
                            {"triplet_heads", 1},
                            {"key2", "key"},
                            {"permutations", {"next"}}}}}};
  const auto weights_of = [](const AttemptFixture& attempt) {
    const SafetensorsFile file(only(of_kind(attempt, "attention_map")).path);
    return tensor_over(file.at("weights_1")).clone();
  };
  const at::Tensor dense = weights_of(*analyzed()),
                   mixed = weights_of(*analyzed({{"attention", triplets}}));
  EXPECT_TRUE(at::equal(dense[0], mixed[0]));
  EXPECT_FALSE(at::allclose(dense[1], mixed[1]));
  EXPECT_TRUE(at::allclose(mixed.sum(-1), at::ones_like(mixed.sum(-1))));
}

TEST_F(EntityAttention, DescribesItsMaps) {
  const auto attempt = analyzed();
  const SafetensorsFile file(only(of_kind(*attempt, "attention_map")).path);
  const Json sentences = Json::parse(file.metadata().at("sentences"));
  EXPECT_EQ(sentences.size(), 2u);
  EXPECT_EQ(sentences[0].at("text"), "ba de fi ba ko");
  EXPECT_EQ(sentences[0].at("names"), (Json{"ba", "fi"}));
  EXPECT_EQ(sentences[0].at("attention"), (Json{"dense", "dense"}));
  EXPECT_EQ(sentences[0].at("tokens").front(), "[CLS]");
}

/// By default: both mentions of the doctor are one entity, and BERT has each word as one piece.
TEST_F(EntityAttention, ReadsTheSlidesSentences) {
  const auto attempt = analyzed({{"sentences", nullptr}});
  const SafetensorsFile file(only(of_kind(*attempt, "attention_map")).path);
  const Json sentences = Json::parse(file.metadata().at("sentences"));
  ASSERT_EQ(sentences.size(), 1u);
  const std::string text = sentences[0].at("text");
  EXPECT_EQ(text,
            "The old writer is the father of the doctor. The doctor is the mother of the "
            "policeman on duty at the door.");
  EXPECT_EQ(sentences[0].at("names"), (Json{"writer", "doctor", "policeman"}));
  const WordPiece pieces(
      {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "old", "writer", "is", "father", "of",
       "doctor", ".", "mother", "policeman", "on", "duty", "at", "door"},
      false);
  const MarkedTokens tokens =
      marked_tokens({text, {{"writer", {}}, {"doctor", {}}, {"policeman", {}}}}, pieces);
  const auto n = static_cast<int64_t>(tokens.entities.size());
  const auto pairs =
      count_connections(connections(at::ones({n, n}), tokens.entities, {.threshold = 0}));
  EXPECT_EQ(pairs.at(Connection::cross), 10);
  EXPECT_EQ(pairs.at(Connection::self), 2);
  EXPECT_EQ(pairs.at(Connection::other), 540);
}

TEST_F(EntityAttention, NeedsWeights) {
  AttemptFixture attempt({{"analysis", {{"kind", "entity_attention"}}}}, 0, "analyze");
  EXPECT_THAT([&] { attempt.run(); }, ThrowsCode("missing-need"));
}

}  // namespace
}  // namespace rethink
