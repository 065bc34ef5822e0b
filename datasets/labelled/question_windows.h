// Questions and their contexts in the form of a BERT encoder's input, [CLS] question [SEP] window
// [SEP]. A long context is read in overlapping windows (Devlin et al., 2019, section 4.2; where the
// paper is silent, as in the released run_squad.py).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datasets/batching.h"
#include "datasets/labelled/questions.h"
#include "datasets/wordpiece/wordpiece.h"

namespace rethink {

struct WindowOptions {
  int64_t max_length = 384;   // tokens of a sequence, special tokens included
  int64_t stride = 128;       // tokens from the beginning of a window to that of the next
  int64_t max_question = 64;  // tokens of a question; a longer question is cut
};

/// A sequence. Positions count from [CLS], which is 0.
struct QuestionWindow {
  uint32_t question;   // number of the question in the split
  uint32_t first;      // position of the window's first context token
  uint32_t from;       // number of that token in its context
  int32_t begin, end;  // positions of the answer's first and last token; 0: not in this window
};

class QuestionWindows {
 public:
  /// With `answers`, also finds the position of the first answer of each question. Throws
  /// ConfigError if max_length leaves no room for a window.
  QuestionWindows(const QuestionSplit& split, const WordPiece& pieces, const WindowOptions& options,
                  bool answers);

  size_t size() const { return windows_.size(); }
  const QuestionWindow& operator[](size_t index) const { return windows_[index]; }
  TokenSequences sequences() const { return {offsets_, tokens_}; }
  std::span<const int32_t> first_parts() const { return first_parts_; }  // [CLS] question [SEP]
  int32_t padding() const { return padding_; }
  /// Returns the position in its context of the token at `place` of window `index` [bytes].
  ByteRange range(size_t index, int64_t place) const;
  /// Returns whether no other window has more tokens around the token at `place`. An answer in
  /// several windows is taken from that window.
  bool has_most_context(size_t index, int64_t place) const;
  /// One past the last position of a context's token.
  int64_t end_of(size_t index) const;

 private:
  void add_question(uint32_t number, const QuestionSplit& split, const WordPiece& pieces,
                    bool answers);
  void find_answer(QuestionWindow& window, const Question& question, int64_t end) const;

  const WindowOptions options_;
  const int32_t padding_;
  std::vector<QuestionWindow> windows_;
  std::vector<uint64_t> offsets_ = {0};
  std::vector<int32_t> tokens_, first_parts_;
  std::vector<std::vector<int32_t>> context_ids_;       // by number of the context
  std::vector<std::vector<ByteRange>> context_ranges_;  // likewise
  std::vector<uint32_t> context_of_;                    // by number of the question
  std::vector<std::pair<size_t, size_t>> of_question_;  // its windows [first, second)
};

/// Returns input_ids i64 [B,T], token_type_ids i64 [B,T], keep bool [B,T], begins i64 [B] and ends i64 [B].
Columns window_columns(const QuestionWindows& windows, std::span<const uint32_t> indices,
                       const ColumnAllocator& allocate, size_t padded_to = 0);

/// Predictions for a window: float [T] each.
struct WindowScores {
  size_t window;
  std::vector<float> begin, end;
};

struct AnswerOptions {
  int64_t n_best = 20;      // positions that are tried as begin, and as end
  int64_t max_answer = 30;  // tokens of an answer
};

struct PredictedAnswer {
  std::string text;    // of the context; "" when no window has a possible answer
  ByteRange range;     // position of the text in the context; empty if there is none
  double score = 0.0;  // sum of its scores
  double none = 0.0;   // least sum of [CLS]'s scores over the question's windows
};

/// Returns the best answer over all windows of a question: start before end, at most max_answer
/// long, from the window with the most context.
PredictedAnswer best_answer(const QuestionWindows& windows, std::span<const WindowScores> scores,
                            const std::string& context, const AnswerOptions& options);

}  // namespace rethink
