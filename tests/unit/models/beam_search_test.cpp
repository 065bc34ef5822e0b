#include "models/beam_search.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>

namespace rethink {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kStart = 1, kEnd = 2, kFirst = 3;

/// Returns a function's values for the whole sentence so far, which it knows from the tokens that each row was given.
class ByPrefix : public NextTokens {
 public:
  using Probabilities = std::function<at::Tensor(int64_t sentence, const std::vector<int64_t>&)>;
  ByPrefix(int64_t sentences, Probabilities probabilities)
      : probabilities_(std::move(probabilities)) {
    for (int64_t i = 0; i < sentences; ++i) rows_.push_back({i, {}});
  }

  at::Device device() const override { return at::kCPU; }

  at::Tensor next(const at::Tensor& parents, const at::Tensor& tokens, bool) override {
    std::vector<Row> rows;
    std::vector<at::Tensor> found;
    for (int64_t n = 0; n < parents.size(0); ++n) {
      Row row = rows_.at(static_cast<size_t>(parents[n].item<int64_t>()));
      row.tokens.push_back(tokens[n].item<int64_t>());
      found.push_back(probabilities_(row.sentence, row.tokens).log());
      rows.push_back(row);
    }
    rows_ = rows;
    return at::stack(found);
  }

 private:
  struct Row {
    int64_t sentence;
    std::vector<int64_t> tokens;
  };
  const Probabilities probabilities_;
  std::vector<Row> rows_;
};

/// Returns a distribution for each prefix, drawn from a separate seed: float64 [V].
at::Tensor drawn(int64_t vocabulary, int64_t sentence, const std::vector<int64_t>& prefix) {
  uint64_t seed = 77 + static_cast<uint64_t>(sentence);
  for (const int64_t token : prefix) seed = seed * 131 + static_cast<uint64_t>(token);
  auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  return (2 * at::randn({vocabulary}, generator, at::kDouble)).softmax(0);
}

/// Returns the best of all sentences of up to `longest` tokens, one after another.
Hypothesis best_of_all(int64_t vocabulary, int64_t sentence, size_t longest, double penalty) {
  Hypothesis best;
  best.score = -1e9;
  const std::function<void(std::vector<int64_t>, double)> look = [&](std::vector<int64_t> prefix,
                                                                     double score) {
    const at::Tensor log = drawn(vocabulary, sentence, prefix).log();
    const size_t tokens = prefix.size() - 1;
    if (tokens > 0) {
      const double mean =
          (score + log[kEnd].item<double>()) / std::pow(static_cast<double>(tokens + 1), penalty);
      if (mean > best.score) best = {{prefix.begin() + 1, prefix.end()}, mean};
    }
    if (tokens == longest) return;
    for (int64_t token = kFirst; token < vocabulary; ++token) {
      std::vector<int64_t> longer = prefix;
      longer.push_back(token);
      look(longer, score + log[token].item<double>());
    }
  };
  look({kStart}, 0.0);
  return best;
}

TEST(BeamSearch, FindsTheBestOfAllWhereItsBeamsHoldThemAll) {
  constexpr int64_t kVocabulary = 640;  // so many that 300 beams are allowed
  const auto few = [](int64_t sentence, const std::vector<int64_t>& prefix) {
    return at::cat({drawn(7, sentence, prefix), at::zeros({kVocabulary - 7}, at::kDouble)});
  };
  for (const double penalty : {0.0, 1.0}) {
    ByPrefix model(3, few);
    const auto found = beam_search(model, {4, 2, 3},
                                   {.beams = 300, .length_penalty = penalty, .never = {0, kStart}});
    ASSERT_EQ(found.size(), 3u);
    const std::vector<size_t> longest = {4, 2, 3};
    for (size_t i = 0; i < found.size(); ++i) {
      const Hypothesis best = best_of_all(7, static_cast<int64_t>(i), longest[i], penalty);
      EXPECT_EQ(found[i].tokens, best.tokens) << i;
      EXPECT_NEAR(found[i].score, best.score, 1e-5);
    }
  }
}

/// Returns tokens that follow each token alone; nothing follows others, which beams without a possible sentence have.
ByPrefix chain(const std::map<int64_t, std::map<int64_t, double>>& after) {
  return ByPrefix(1, [after](int64_t, const std::vector<int64_t>& prefix) {
    at::Tensor row = at::zeros({12}, at::kDouble);
    if (const auto next = after.find(prefix.back()); next != after.end()) {
      for (const auto& [token, probability] : next->second) row[token] = probability;
    }
    return row;
  });
}

TEST(BeamSearch, SeesWhatAGreedyOneMisses) {
  // 3 is likelier than 4 at first, but its continuation is not.
  const std::map<int64_t, std::map<int64_t, double>> after = {{kStart, {{3, 0.6}, {4, 0.4}}},
                                                              {3, {{5, 0.4}, {6, 0.35}}},
                                                              {4, {{7, 0.95}}},
                                                              {5, {{kEnd, 0.9}}},
                                                              {6, {{kEnd, 0.9}}},
                                                              {7, {{kEnd, 0.9}}}};
  ByPrefix greedy = chain(after), wide = chain(after);
  EXPECT_THAT(beam_search(greedy, {5}, {.beams = 1})[0].tokens, ElementsAre(3, 5));
  EXPECT_THAT(beam_search(wide, {5}, {.beams = 2})[0].tokens, ElementsAre(4, 7));
}

TEST(BeamSearch, EndsSentencesAtTheirLongest) {
  const std::map<int64_t, std::map<int64_t, double>> after = {{kStart, {{3, 0.9}}},
                                                              {3, {{3, 0.9}, {kEnd, 0.01}}}};
  ByPrefix model = chain(after);
  const auto found = beam_search(model, {4}, {.beams = 1, .length_penalty = 0.0});
  EXPECT_THAT(found[0].tokens, ElementsAre(3, 3, 3, 3));
  EXPECT_NEAR(found[0].score, 4 * std::log(0.9) + std::log(0.01), 1e-5);
}

TEST(BeamSearch, FindsNoEmptySentenceAndNoForbiddenToken) {
  const std::map<int64_t, std::map<int64_t, double>> after = {
      {kStart, {{kEnd, 0.7}, {3, 0.2}, {4, 0.1}}}, {3, {{kEnd, 0.9}}}, {4, {{kEnd, 0.9}}}};
  ByPrefix model = chain(after);
  EXPECT_THAT(beam_search(model, {5}, {.beams = 2, .never = {3}})[0].tokens, ElementsAre(4));
}

TEST(BeamSearch, PrefersLongerSentencesAsItsPenaltyGrows) {
  // A sentence ends at once with 0.5 x 0.5, or after three more tokens with 0.5 x 0.5 x 0.8 x 0.8 x 0.9.
  // With their ends these are two tokens and five, which the penalty 0.37 makes equal.
  const std::map<int64_t, std::map<int64_t, double>> after = {{kStart, {{3, 0.5}}},
                                                              {3, {{kEnd, 0.5}, {4, 0.5}}},
                                                              {4, {{5, 0.8}}},
                                                              {5, {{6, 0.8}}},
                                                              {6, {{kEnd, 0.9}}}};
  const auto found = [&](double penalty) {
    ByPrefix model = chain(after);
    return beam_search(model, {9}, {.beams = 3, .length_penalty = penalty})[0];
  };
  for (const double penalty : {0.0, 0.3}) {
    const Hypothesis shorter = found(penalty);
    EXPECT_THAT(shorter.tokens, ElementsAre(3)) << penalty;
    EXPECT_NEAR(shorter.score, std::log(0.25) / std::pow(2, penalty), 1e-5);
  }
  for (const double penalty : {0.45, 1.0}) {
    const Hypothesis longer = found(penalty);
    EXPECT_THAT(longer.tokens, ElementsAre(3, 4, 5, 6)) << penalty;
    EXPECT_NEAR(longer.score, std::log(0.25 * 0.8 * 0.8 * 0.9) / std::pow(5, penalty), 1e-5);
  }
}

/// fairseq ignores unfinished sentences then, even if they may become better.
TEST(BeamSearch, StopsAtAsManyFinishedSentencesAsBeams) {
  // 3 and 4 end with 0.24 and 0.22. 3 5 6 has 0.21 with four tokens, including its end.
  const std::map<int64_t, std::map<int64_t, double>> after = {{kStart, {{3, 0.6}, {4, 0.4}}},
                                                              {3, {{kEnd, 0.4}, {5, 0.35}}},
                                                              {4, {{kEnd, 0.55}}},
                                                              {5, {{6, 1.0}}},
                                                              {6, {{kEnd, 1.0}}}};
  ByPrefix two = chain(after), three = chain(after);
  const Hypothesis early = beam_search(two, {9}, {.beams = 2})[0],
                   late = beam_search(three, {9}, {.beams = 3})[0];
  EXPECT_THAT(early.tokens, ElementsAre(3));
  EXPECT_NEAR(early.score, std::log(0.24) / 2, 1e-5);
  EXPECT_THAT(late.tokens, ElementsAre(3, 5, 6));
  EXPECT_NEAR(late.score, std::log(0.21) / 4, 1e-5);
}

/// In fairseq an end counts if it is among the best candidates, as many as beams.
TEST(BeamSearch, FinishesNoSentenceWhoseEndIsNotAmongTheBest) {
  // 3 5 has 0.48, 3 and its end 0.12, 4 and its end 0.108. The last one is third, and does not count.
  const std::map<int64_t, std::map<int64_t, double>> after = {{kStart, {{3, 0.6}, {4, 0.4}}},
                                                              {3, {{5, 0.8}, {kEnd, 0.2}}},
                                                              {4, {{kEnd, 0.27}, {6, 0.2}}},
                                                              {5, {{kEnd, 1.0}}},
                                                              {6, {{kEnd, 1.0}}}};
  ByPrefix model = chain(after);
  const Hypothesis found = beam_search(model, {9}, {.beams = 2})[0];
  EXPECT_THAT(found.tokens, ElementsAre(3, 5));
  EXPECT_NEAR(found.score, std::log(0.48) / 3, 1e-5);
}

}  // namespace
}  // namespace rethink
