// Scores of sacreBLEU for tests/fixtures/bleu (tests/check_bleu/make_fixture.py): lines of a novel and
// odd ones, changed at random.
#include "datasets/scores/bleu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>

#include "core/error.h"
#include "core/files/file.h"
#include "core/json.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::filesystem::path kFolder =
    std::filesystem::path(RETHINK_SOURCE_DIR) / "tests/fixtures/bleu";

std::vector<std::string> lines_of(const std::string& file) {
  std::istringstream text(read_file(kFolder / file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

TEST(Bleu, TakesWordsAsV13aDoes) {
  const std::vector<std::string> lines = lines_of("predicted.txt"), words = lines_of("words.txt");
  ASSERT_EQ(lines.size(), 100u);
  ASSERT_EQ(words.size(), lines.size());
  for (size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(joined(words_of_13a(lines[i]), " "), words[i]) << lines[i];
}

TEST(Bleu, IsSacreBleusOfRealTextBentAtRandom) {
  const Json said = parse_json(read_file(kFolder / "expected.json"), "expected.json");
  const std::vector<std::string> predicted = lines_of("predicted.txt"),
                                 reference = lines_of("reference.txt");
  size_t positive = 0;
  for (const Json& expected : said.at("scores")) {
    const bool tokens = expected.at("tokens"), lowercase = expected.at("lowercase");
    const auto text = [&](const std::string& line) { return lowercase ? lower_case(line) : line; };
    BleuScore score(tokens ? kMultiBleu : kSacreBleu);
    for (size_t i = 0; i < expected.at("lines").get<size_t>(); ++i)
      score.add(text(predicted[i]), text(reference[i]));
    const double value = score.value();
    EXPECT_NEAR(value, expected.at("bleu").get<double>(), 1e-10) << expected;
    positive += value > 0 ? 1 : 0;
    const auto precisions = score.precisions();
    for (size_t n = 0; n < precisions.size(); ++n)
      EXPECT_NEAR(precisions[n], expected.at("precisions")[n].get<double>(), 1e-10) << expected;
    EXPECT_NEAR(score.brevity_penalty(), expected.at("brevity_penalty").get<double>(), 1e-12);
    EXPECT_EQ(score.predicted_words(), expected.at("predicted_words").get<int64_t>());
    EXPECT_EQ(score.reference_words(), expected.at("reference_words").get<int64_t>());
  }
  EXPECT_GT(positive, 18u);
}

TEST(Bleu, CountsTheNgramsOfASentence) {
  EXPECT_THAT(bleu_counts("the cat sat on the mat", "the cat is on the mat", kMultiBleu),
              ElementsAre(5, 3, 1, 0, 6, 5, 4, 3, 6, 6));
  // A word counts as often as the reference has it, and words follow the rules.
  EXPECT_THAT(bleu_counts("the the the,", "the cat the", kMultiBleu),
              ElementsAre(2, 0, 0, 0, 3, 2, 1, 0, 3, 3));
  EXPECT_THAT(bleu_counts("the the,", "a cat, the mat.", kSacreBleu),
              ElementsAre(2, 0, 0, 0, 3, 2, 1, 0, 3, 6));
}

TEST(Bleu, OfCountsAddedUpIsSacreBleus) {
  const Json said = parse_json(read_file(kFolder / "expected.json"), "expected.json");
  const std::vector<std::string> predicted = lines_of("predicted.txt"),
                                 reference = lines_of("reference.txt");
  std::map<bool, size_t> positive;
  for (const Json& expected : said.at("scores")) {
    if (expected.at("lowercase")) continue;
    const bool tokens = expected.at("tokens");
    BleuCounts sums{};
    for (size_t i = 0; i < expected.at("lines").get<size_t>(); ++i) {
      const BleuCounts own =
          bleu_counts(predicted[i], reference[i], tokens ? kMultiBleu : kSacreBleu);
      for (size_t k = 0; k < sums.size(); ++k) sums[k] += own[k];
    }
    const double value = bleu_of_counts(sums, /*is_smoothed=*/!tokens);
    EXPECT_NEAR(value, expected.at("bleu").get<double>(), 1e-10) << expected;
    positive[tokens] += value > 0 ? 1 : 0;
  }
  EXPECT_GT(positive[false], 3u);
  EXPECT_GT(positive[true], 3u);
}

/// The precisions are 5/6, 3/5, 1/4 and none of three.
TEST(Bleu, OfCountsIsSmoothedOrNot) {
  const BleuCounts counts = {5, 3, 1, 0, 6, 5, 4, 3, 6, 6};
  EXPECT_EQ(bleu_of_counts(counts, false), 0.0);
  EXPECT_NEAR(bleu_of_counts(counts, true), 100 * std::pow(5.0 / 6 * 3 / 5 * 1 / 4 * 0.5 / 3, 0.25),
              1e-10);
}

/// sacreBLEU smooths nothing in this case: it ends early and prints 0.0/0.0/0.0/0.0.
TEST(Bleu, OfWrongWordsAloneHasNoPrecision) {
  BleuScore score(kSacreBleu);
  score.add("one two three four", "five six seven eight");
  EXPECT_EQ(score.value(), 0.0);
  EXPECT_THAT(score.precisions(), ElementsAre(0.0, 0.0, 0.0, 0.0));
}

TEST(Bleu, OfNothingIsNothing) {
  BleuScore score(kSacreBleu);
  EXPECT_EQ(score.value(), 0.0);
  score.add("", "a word");
  EXPECT_EQ(score.value(), 0.0);
  EXPECT_EQ(score.brevity_penalty(), 0.0);
  EXPECT_THAT(words_between_spaces(" \u00a0\t"), IsEmpty());
  EXPECT_THAT(words_of_13a("a,b 1,5."), ElementsAre("a", ",", "b", "1,5", "."));
}

}  // namespace
}  // namespace rethink
