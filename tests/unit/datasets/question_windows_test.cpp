#include "datasets/labelled/question_windows.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rethink {
namespace {

const WordPiece& letters() {
  static const WordPiece pieces = [] {
    std::vector<std::string> all = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
    for (char c = 'a'; c <= 'z'; ++c) {
      all.emplace_back(1, c);
      all.push_back(std::string("##") + c);
    }
    return WordPiece(all, /*cased=*/false);
  }();
  return pieces;
}

/// Returns a context of single letters, "a b c ...", so that token i begins at byte 2i.
QuestionSplit split_of(const std::string& context, const std::string& answer) {
  QuestionSplit split{"train", {context}, {}, 1};
  Question question{"q0", "x y", 0, {}, answer.empty()};
  if (!answer.empty()) question.answers.push_back({answer, context.find(answer)});
  split.questions.push_back(question);
  return split;
}

std::string letters_from(char first, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += fmt::format("{}{}", i ? " " : "", static_cast<char>(first + i));
  return text;
}

constexpr WindowOptions kSmall{.max_length = 12, .stride = 4, .max_question = 4};

TEST(QuestionWindows, ReadALongContextInWindowsThatOverlap) {
  // Windows have 7 tokens, 4 apart: 12 minus two tokens of the question and three special ones.
  const QuestionSplit split = split_of(letters_from('a', 14), "i j");
  const QuestionWindows windows(split, letters(), kSmall, /*answers=*/true);
  ASSERT_EQ(windows.size(), 3u);
  EXPECT_EQ(windows[0].from, 0u);
  EXPECT_EQ(windows[1].from, 4u);
  EXPECT_EQ(windows[2].from, 8u);
  const auto tokens = windows.sequences()[1];
  ASSERT_EQ(tokens.size(), 12u);
  EXPECT_EQ(tokens[0], letters().classifier());
  EXPECT_EQ(tokens[3], letters().separator());
  EXPECT_EQ(letters().piece(tokens[4]), "e");
  EXPECT_EQ(tokens[11], letters().separator());
  EXPECT_EQ(windows.first_parts()[1], 4);
}

TEST(QuestionWindows, GiveTheAnswersPositionInEachWindow) {
  const QuestionSplit split = split_of(letters_from('a', 14), "i j");  // tokens 8 and 9
  const QuestionWindows windows(split, letters(), kSmall, /*answers=*/true);
  EXPECT_EQ(windows[0].begin, 0);  // tokens 0 to 6
  EXPECT_EQ(windows[1].begin, 8);  // token 8 is the fifth of tokens 4 to 10
  EXPECT_EQ(windows[1].end, 9);
  EXPECT_EQ(windows[2].begin, 4);
  EXPECT_EQ(windows[2].end, 5);
}

TEST(QuestionWindows, LeaveOutAnAnswerThatAWindowCuts) {
  const QuestionSplit split = split_of(letters_from('a', 14), "f g h i");  // tokens 5 to 8
  const QuestionWindows windows(split, letters(), kSmall, /*answers=*/true);
  EXPECT_EQ(windows[0].begin, 0);
  EXPECT_EQ(windows[1].begin, 5);
  EXPECT_EQ(windows[1].end, 8);
  EXPECT_EQ(windows[2].begin, 0);
}

TEST(QuestionWindows, HaveNoTargetWithoutAnAnswer) {
  const QuestionWindows windows(split_of(letters_from('a', 6), ""), letters(), kSmall, true);
  ASSERT_EQ(windows.size(), 1u);
  EXPECT_EQ(windows[0].begin, 0);
  EXPECT_EQ(windows[0].end, 0);
}

TEST(QuestionWindows, TakeATokenFromTheWindowWithMostAroundIt) {
  const QuestionWindows windows(split_of(letters_from('a', 14), "i j"), letters(), kSmall, true);
  // Token 6 ends window 0 and is the third of window 1; token 8 begins window 2.
  EXPECT_FALSE(windows.has_most_context(0, 4 + 6));
  EXPECT_TRUE(windows.has_most_context(1, 4 + 2));
  EXPECT_TRUE(windows.has_most_context(1, 4 + 4));
  EXPECT_FALSE(windows.has_most_context(2, 4));
}

WindowScores flat(const QuestionWindows& windows, size_t window) {
  const auto count = static_cast<size_t>(windows.end_of(window) + 1);
  return {window, std::vector<float>(count, -5.0f), std::vector<float>(count, -5.0f)};
}

TEST(BestAnswer, IsTheTextBetweenTheBestPlaces) {
  const std::string context = letters_from('a', 14);
  const QuestionWindows windows(split_of(context, "i j"), letters(), kSmall, false);
  std::vector<WindowScores> scores = {flat(windows, 0), flat(windows, 1), flat(windows, 2)};
  scores[1].begin[8] = 3.0f;
  scores[1].end[9] = 2.0f;
  scores[2].begin[0] = -1.0f;  // [CLS]
  const PredictedAnswer answer = best_answer(windows, scores, context, {});
  EXPECT_EQ(answer.text, "i j");
  EXPECT_DOUBLE_EQ(answer.score, 5.0);
  EXPECT_DOUBLE_EQ(answer.none, -10.0);
}

TEST(BestAnswer, EndsNotBeforeItBeginsAndIsNotTooLong) {
  const std::string context = letters_from('a', 7);
  const QuestionWindows windows(split_of(context, "c"), letters(), kSmall, false);
  std::vector<WindowScores> scores = {flat(windows, 0)};
  scores[0].begin[8] = 4.0f;
  scores[0].end[5] = 4.0f;   // before it
  scores[0].end[10] = 3.0f;  // three tokens
  scores[0].end[9] = 2.0f;
  EXPECT_EQ(best_answer(windows, scores, context, {.n_best = 20, .max_answer = 3}).text, "e f g");
  EXPECT_EQ(best_answer(windows, scores, context, {.n_best = 20, .max_answer = 2}).text, "e f");
}

TEST(BestAnswer, ComesFromTheWindowWithMostContextAroundItsBegin) {
  const std::string context = letters_from('a', 14);
  const QuestionWindows windows(split_of(context, "i j"), letters(), kSmall, false);
  std::vector<WindowScores> scores = {flat(windows, 0), flat(windows, 1), flat(windows, 2)};
  // "i" is the first token of the last window; in the second it has four tokens before it and two after it.
  scores[1].begin[8] = scores[1].end[8] = 2.0f;
  scores[2].begin[4] = scores[2].end[4] = 9.0f;
  EXPECT_DOUBLE_EQ(best_answer(windows, scores, context, {}).score, 4.0);
}

TEST(BestAnswer, LooksOnlyAtTheBestPlaces) {
  const std::string context = letters_from('a', 7);
  const QuestionWindows windows(split_of(context, "c"), letters(), kSmall, false);
  std::vector<WindowScores> scores = {flat(windows, 0)};
  scores[0].begin[9] = 5.0f;  // "f": the best begin, which lies after the best end
  scores[0].begin[6] = 4.0f;
  scores[0].end[7] = 3.0f;
  scores[0].end[10] = 1.0f;
  EXPECT_EQ(best_answer(windows, scores, context, {.n_best = 1}).text, "");
  EXPECT_EQ(best_answer(windows, scores, context, {.n_best = 2}).text, "c d");
}

TEST(QuestionWindows, NeedRoomForAWindow) {
  EXPECT_THROW(
      QuestionWindows(split_of("a", "a"), letters(), {.max_length = 7, .max_question = 4}, true),
      ConfigError);
}

}  // namespace
}  // namespace rethink
