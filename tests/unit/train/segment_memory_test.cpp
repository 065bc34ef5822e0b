// A language model that reads a stream in order, with memory of earlier segments.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "datasets/batching.h"
#include "datasets/vocabulary.h"
#include "experiments/train/jobs/lm.h"
#include "tests/unit/train/attempt_fixture.h"

namespace rethink {
namespace {

constexpr int64_t kTokens = 3, kBatch = 4, kLetters = 6;

/// A stream of `segments` segments. All but the last have kTokens tokens and the token that follows.
class Stream : public TokenDataset {
 public:
  explicit Stream(size_t segments) {
    at::manual_seed(2);
    const auto tokens = static_cast<int64_t>(segments) * kTokens;
    stream_ =
        at::randint(Vocabulary::kSpecials, Vocabulary::kSpecials + kLetters, {tokens}, at::kInt);
    const int32_t* all = stream_.const_data_ptr<int32_t>();
    for (int64_t begin = 0; begin + 1 < tokens; begin += kTokens) {
      tokens_.insert(tokens_.end(), all + begin, all + std::min(tokens, begin + kTokens + 1));
      offsets_.push_back(tokens_.size());
    }
  }
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::vector<std::string> splits() const override { return {"train", "dev"}; }
  TokenSequences sequences(const std::string&) const override { return {offsets_, tokens_}; }
  /// i64 [1,N]
  at::Tensor between(uint32_t first, uint32_t end) const {
    const int64_t begin = first * kTokens,
                  last = std::min<int64_t>(end * kTokens + 1, stream_.numel());
    return stream_.slice(0, begin, last).to(at::kLong).unsqueeze(0);
  }

 private:
  const Vocabulary vocabulary_{std::vector<std::string>{"a", "b", "c", "d", "e", "f"}};
  at::Tensor stream_;
  std::vector<uint64_t> offsets_ = {0};
  std::vector<int32_t> tokens_;
};

ModelOptions small(const Json& attention) {
  ModelOptions model;
  model.layers = 2;
  model.d_model = 8;
  model.heads = 2;
  model.ffn = 8;
  model.positions = "none";
  Json options = attention;
  model.attention.name = options.at("kind");
  options.erase("kind");
  model.attention.options = options;
  return model;
}

struct StreamTask : LanguageModelTask {
  StreamTask(std::shared_ptr<Stream> stream, const Json& attention, bool is_stream = true)
      : LanguageModelTask(stream, small(attention),
                          {.batching = {.batch = kBatch}, .stream = is_stream}, /*seed=*/0,
                          at::kCPU) {
    model().eval();
  }
  double pass_over(const std::vector<uint32_t>& indices) {
    return loss(batch(indices), {}).sum.item<double>();
  }
};

const Json kRemembering = {{"kind", "transformer_xl"}, {"memory", 100}};

TEST(SegmentMemoryOfATask, ContinuesTheSameLane) {
  const auto stream = std::make_shared<Stream>(22);
  StreamTask task(stream, kRemembering);
  auto& model = dynamic_cast<DecoderLanguageModel&>(task.model());
  const auto batches = task.epoch_batches(7);
  EXPECT_EQ(batches, lane_batches(22, kBatch));
  EXPECT_EQ(task.num_batches(7), static_cast<int64_t>(batches.size()));
  double whole = 0;  // reads each lane as one sequence
  const uint32_t begins[] = {0, 6, 12, 17, 22};
  for (size_t lane = 0; lane < kBatch; ++lane) {
    const at::Tensor ids = stream->between(begins[lane], begins[lane + 1]);
    const at::Tensor hidden = model.hidden(ids.narrow(1, 0, ids.size(1) - 1), {});
    whole += model.token_losses(hidden[0], ids[0].slice(0, 1)).sum().item<double>();
  }
  // Repeats the pass, since the second pass starts without memory. The evaluation in between does not change the memory of training.
  for (int epoch = 0; epoch < 2; ++epoch) {
    double sum = 0;
    for (const auto& indices : batches) {
      sum += task.pass_over(indices);
      task.evaluate("dev", {.seed = 0, .step = 1, .alive = {}});
    }
    EXPECT_NEAR(sum, whole, 1e-4) << epoch;
  }
}

TEST(SegmentMemoryOfATask, IsFilledInEvaluationsFromTheirBeginning) {
  const auto stream = std::make_shared<Stream>(33);  // too short for two lanes
  StreamTask task(stream, kRemembering);
  auto& model = dynamic_cast<DecoderLanguageModel&>(task.model());
  const at::Tensor ids = stream->between(0, 33);
  const at::Tensor hidden = model.hidden(ids.narrow(1, 0, ids.size(1) - 1), {});
  const double whole = model.token_losses(hidden[0], ids[0].slice(0, 1)).mean().item<double>();
  for (int time = 0; time < 2; ++time) {
    const SplitResult result = task.evaluate("dev", {.seed = 0, .step = 1, .alive = {}});
    EXPECT_NEAR(result.values.at("loss"), whole, 1e-5);
    EXPECT_EQ(result.predictions.at("tokens").sum().item<int64_t>(), ids.size(1) - 1);
  }
}

TEST(SegmentMemoryOfATask, IsUnusedWithoutAStreamOrAnAttentionWithMemory) {
  const auto stream = std::make_shared<Stream>(22);
  const auto usual =
      epoch_batches(stream->sequences("train"), {.batch = kBatch}, /*seed=*/0, /*epoch=*/3);
  for (const auto& [attention, is_stream] : {std::pair<Json, bool>{{{"kind", "dense"}}, true},
                                             {{{"kind", "transformer_xl"}, {"memory", 0}}, true},
                                             {kRemembering, false}}) {
    StreamTask task(stream, attention, is_stream);
    EXPECT_EQ(task.epoch_batches(3), usual);
    EXPECT_EQ(task.pass_over(usual[0]), task.pass_over(usual[0]));
  }
}

/// Lines of letters. Most letters repeat the letter four tokens earlier, which is in an earlier segment, since segments have three tokens.
std::string far_copies() {
  at::manual_seed(6);
  std::string text;
  for (int line = 0; line < 60; ++line) {
    for (int place = 0; place < 80; ++place) {
      const bool copies = place >= 4 && at::rand({1}).item<double>() < 0.9;
      const auto drawn = static_cast<char>('a' + at::randint(kLetters, {1}).item<int64_t>());
      text += copies ? text[text.size() - 4] : drawn;
    }
    text += '\n';
  }
  return text;
}

Json stream_lm(const std::filesystem::path& text, const Json& attention, const Json& changes) {
  Json options = {{"data",
                   {{"dataset", "text"},
                    {"path", text.string()},
                    {"unit", "char"},
                    {"protocol", "stream"},
                    {"stream_length", kTokens},
                    {"dev", 0.2},
                    {"sentences", nullptr},
                    {"vocabulary", nullptr},
                    {"length", nullptr}}},
                  {"model", {{"positions", "none"}, {"attention", attention}}}};
  options.merge_patch(changes);
  return tiny_lm(options);
}

TEST(SegmentMemoryOfAJob, CarriesTheEarlierSegment) {
  const TempFolder folder;
  write_text(folder / "text", far_copies());
  const auto perplexity = [&](const Json& lengths) {
    Json attention = {{"kind", "transformer_xl"}};
    attention.update(lengths);
    AttemptFixture attempt(
        stream_lm(folder / "text", attention,
                  {{"steps", 300}, {"model", {{"layers", 1}, {"dropout", 0.0}}}}));
    EXPECT_EQ(attempt.run(), JobOutcome::done);
    return attempt.metrics().at("dev/perplexity@last 300");
  };
  const double alone = perplexity({{"memory", 0}}), remembering = perplexity({{"memory", 6}}),
               forgotten = perplexity({{"memory", 6}, {"memory_at_evaluation", 0}});
  EXPECT_GT(alone, 4.5);
  EXPECT_LT(remembering, 3.5);
  EXPECT_GT(forgotten, remembering + 1);
}

TEST(SegmentMemoryOfAJob, ResumesExactly) {
  const TempFolder folder;
  write_text(folder / "text", far_copies());
  for (const char* precision : {"float32", "bfloat16"}) {
    const Json options = stream_lm(folder / "text", {{"kind", "transformer_xl"}, {"memory", 7}},
                                   {{"epochs", 2},
                                    {"batch", 150},
                                    {"precision", precision},
                                    {"log_every", 2},
                                    {"evaluate", {{"every", 3}, {"epoch_ends", true}}}});
    AttemptFixture quiet(options), cut(options);
    ASSERT_EQ(quiet.run(), JobOutcome::done);
    cut.stop = true;  // every attempt takes one step, checkpoints and returns
    int attempts = 1;
    while (cut.run() == JobOutcome::interrupted) ASSERT_LT(++attempts, 100);
    EXPECT_GT(attempts, 14);
    EXPECT_EQ(cut.metrics(), quiet.metrics());
    EXPECT_EQ(cut.result(), quiet.result());
  }
}

/// A batch's FLOPs follow from the memory's length when the batch was read, also if several batches make one update.
TEST(SegmentMemoryOfAJob, CountsTheFlopsOfEachBatch) {
  const TempFolder folder;
  write_text(folder / "text", far_copies());
  const auto flops = [&](int64_t accumulate, int64_t steps) {
    AttemptFixture attempt(stream_lm(folder / "text", {{"kind", "transformer_xl"}, {"memory", 9}},
                                     {{"steps", steps}, {"accumulate", accumulate}}));
    EXPECT_EQ(attempt.run(), JobOutcome::done);
    for (const Json& event : attempt.events("measurement"))
      if (event.at("name") == "flops") return event.at("value").get<double>();
    return 0.0;
  };
  EXPECT_GT(flops(4, 1), 0);
  EXPECT_EQ(flops(4, 1), flops(1, 4));
}

}  // namespace
}  // namespace rethink
