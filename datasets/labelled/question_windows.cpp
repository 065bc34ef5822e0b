#include "datasets/labelled/question_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "datasets/labelled/encoded_texts.h"

namespace rethink {
namespace {

constexpr int64_t kWindowSpecialTokens = 3;  // [CLS] and two [SEP]

/// Positions of the `count` largest, the largest first; equal values in their order.
std::vector<int64_t> best_places(std::span<const float> scores, int64_t first, int64_t end,
                                 int64_t count) {
  std::vector<int64_t> places(static_cast<size_t>(std::max<int64_t>(0, end - first)));
  std::iota(places.begin(), places.end(), first);
  const auto better = [&](int64_t a, int64_t b) {
    const float left = scores[static_cast<size_t>(a)], right = scores[static_cast<size_t>(b)];
    return left > right || (left == right && a < b);
  };
  const auto kept = std::min<size_t>(places.size(), static_cast<size_t>(count));
  std::partial_sort(places.begin(), places.begin() + static_cast<ptrdiff_t>(kept), places.end(),
                    better);
  places.resize(kept);
  return places;
}

}  // namespace

QuestionWindows::QuestionWindows(const QuestionSplit& split, const WordPiece& pieces,
                                 const WindowOptions& options, bool answers)
    : options_(options), padding_(pieces.padding()) {
  if (options.max_length <= options.max_question + kWindowSpecialTokens) {
    throw ConfigError("invalid-value",
                      fmt::format("max_length: got {}, expected more than the {} tokens of a "
                                  "question and {} special tokens",
                                  options.max_length, options.max_question, kWindowSpecialTokens));
  }
  for (const std::string& context : split.contexts) {
    pieces.encode(context, context_ids_.emplace_back(), context_ranges_.emplace_back());
  }
  for (size_t number = 0; number < split.questions.size(); ++number)
    add_question(static_cast<uint32_t>(number), split, pieces, answers);
}

void QuestionWindows::add_question(uint32_t number, const QuestionSplit& split,
                                   const WordPiece& pieces, bool answers) {
  const Question& question = split.questions[number];
  std::vector<int32_t> ids;
  pieces.encode(question.text, ids);
  if (ids.size() > static_cast<size_t>(options_.max_question))
    ids.resize(static_cast<size_t>(options_.max_question));
  const std::vector<int32_t>& context = context_ids_[question.context];
  const auto room = static_cast<size_t>(options_.max_length - kWindowSpecialTokens) - ids.size();
  context_of_.push_back(static_cast<uint32_t>(question.context));
  const size_t first_window = windows_.size();
  for (size_t from = 0; from == 0 || from < context.size();) {
    const size_t count = std::min(room, context.size() - from);
    tokens_.push_back(pieces.classifier());
    tokens_.insert(tokens_.end(), ids.begin(), ids.end());
    tokens_.push_back(pieces.separator());
    tokens_.insert(tokens_.end(), context.begin() + static_cast<ptrdiff_t>(from),
                   context.begin() + static_cast<ptrdiff_t>(from + count));
    tokens_.push_back(pieces.separator());
    offsets_.push_back(tokens_.size());
    QuestionWindow window{number, static_cast<uint32_t>(ids.size() + 2),
                          static_cast<uint32_t>(from), 0, 0};
    if (answers && !question.impossible && !question.answers.empty())
      find_answer(window, question, static_cast<int64_t>(window.first + count));
    first_parts_.push_back(static_cast<int32_t>(window.first));
    windows_.push_back(window);
    if (from + count >= context.size()) break;
    from += std::min(count, static_cast<size_t>(options_.stride));
  }
  of_question_.emplace_back(first_window, windows_.size());
}

/// The tokens with the answer's first and last byte, if both are in the window.
void QuestionWindows::find_answer(QuestionWindow& window, const Question& question,
                                  int64_t end) const {
  const Answer& answer = question.answers.front();
  const size_t last = answer.begin + answer.text.size();
  const std::vector<ByteRange>& ranges = context_ranges_[question.context];
  int32_t begin = 0, finish = 0;
  for (int64_t place = window.first; place < end; ++place) {
    const ByteRange& range = ranges[window.from + static_cast<size_t>(place) - window.first];
    const bool overlaps = range.begin < last && range.end > answer.begin;
    if (!overlaps) continue;
    if (begin == 0) begin = static_cast<int32_t>(place);
    finish = static_cast<int32_t>(place);
  }
  if (begin == 0) return;
  const ByteRange& first = ranges[window.from + static_cast<size_t>(begin) - window.first];
  const ByteRange& final = ranges[window.from + static_cast<size_t>(finish) - window.first];
  const bool is_whole = first.begin <= answer.begin && final.end >= last;
  // Characters that were stripped from an end of the answer belong to no token.
  const bool cut_by_window =
      (window.from > 0 && begin == static_cast<int32_t>(window.first)) || finish + 1 == end;
  if (!is_whole && cut_by_window) return;
  window.begin = begin;
  window.end = finish;
}

int64_t QuestionWindows::end_of(size_t index) const {
  return static_cast<int64_t>(offsets_[index + 1] - offsets_[index]) - 1;
}

ByteRange QuestionWindows::range(size_t index, int64_t place) const {
  const QuestionWindow& window = windows_[index];
  const size_t token = window.from + static_cast<size_t>(place) - window.first;
  return context_ranges_[context_of_[window.question]][token];
}

bool QuestionWindows::has_most_context(size_t index, int64_t place) const {
  const auto token = static_cast<int64_t>(windows_[index].from) + place - windows_[index].first;
  const auto context_around = [&](size_t window) {
    const auto from = static_cast<int64_t>(windows_[window].from);
    const int64_t count = end_of(window) - windows_[window].first;
    const int64_t before = token - from, behind = from + count - 1 - token;
    if (before < 0 || behind < 0) return -1.0;
    return static_cast<double>(std::min(before, behind)) + 0.01 * static_cast<double>(count);
  };
  const auto [begin, end] = of_question_[windows_[index].question];
  size_t best = begin;
  for (size_t window = begin; window < end; ++window) {
    if (context_around(window) > context_around(best)) best = window;
  }
  return best == index;
}

Columns window_columns(const QuestionWindows& windows, std::span<const uint32_t> indices,
                       const ColumnAllocator& allocate, size_t padded_to) {
  ColumnMaker make(allocate);
  make.columns = encoder_columns(windows.sequences(), windows.first_parts(), windows.padding(),
                                 indices, allocate, padded_to);
  const auto begins = make.integers("begins", {indices.size()}),
             ends = make.integers("ends", {indices.size()});
  for (size_t row = 0; row < indices.size(); ++row) {
    begins[row] = windows[indices[row]].begin;
    ends[row] = windows[indices[row]].end;
  }
  return make.columns;
}

PredictedAnswer best_answer(const QuestionWindows& windows, std::span<const WindowScores> scores,
                            const std::string& context, const AnswerOptions& options) {
  PredictedAnswer best;
  best.score = -std::numeric_limits<double>::infinity();
  best.none = std::numeric_limits<double>::infinity();
  for (const auto& [window, begin_scores, end_scores] : scores) {
    best.none = std::min(best.none,
                         static_cast<double>(begin_scores[0]) + static_cast<double>(end_scores[0]));
    const int64_t first = windows[window].first, end = windows.end_of(window);
    const auto last_places = best_places(end_scores, first, end, options.n_best);
    for (const int64_t begin : best_places(begin_scores, first, end, options.n_best)) {
      if (!windows.has_most_context(window, begin)) continue;
      for (const int64_t last : last_places) {
        if (last < begin || last - begin + 1 > options.max_answer) continue;
        const double score = static_cast<double>(begin_scores[static_cast<size_t>(begin)]) +
                             static_cast<double>(end_scores[static_cast<size_t>(last)]);
        if (score <= best.score) continue;
        best.score = score;
        best.range = {windows.range(window, begin).begin, windows.range(window, last).end};
        best.text = context.substr(best.range.begin, best.range.end - best.range.begin);
      }
    }
  }
  return best;
}

}  // namespace rethink
