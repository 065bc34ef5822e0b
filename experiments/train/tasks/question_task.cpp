#include "experiments/train/tasks/question_task.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/json.h"
#include "datasets/scores/answers.h"
#include "experiments/train/device/host_copies.h"
#include "experiments/train/device/tensor_memory.h"
#include "models/tensors/cross_entropy.h"
#include "models/tensors/random.h"

namespace rethink {
namespace {

std::vector<float> scores_of_row(const at::Tensor& scores, int64_t row, int64_t count) {
  const float* first = scores.const_data_ptr<float>() + row * scores.size(1);
  return {first, first + count};
}

/// A JSON object whose members keep their order. nlohmann's ordered_json compares each key with all
/// earlier keys: a minute for 130,000 questions.
class OrderedMembers {
 public:
  /// Replaces an earlier value of this key.
  void set(const std::string& key, Json value) {
    const auto [at, is_new] = places_.emplace(key, members_.size());
    if (is_new) members_.emplace_back(key, Json());
    members_[at->second].second = std::move(value);
  }

  std::string text() const {
    std::string text = "{";
    for (const auto& [key, value] : members_) {
      if (text.size() > 1) text += ',';
      text += Json(key).dump() + ':' + value.dump();
    }
    return text + "}";
  }

 private:
  std::vector<std::pair<std::string, Json>> members_;
  std::map<std::string, size_t> places_;
};

/// The number of windows of the first `questions`; windows are in the order of their questions.
size_t windows_of(const QuestionWindows& windows, size_t questions) {
  size_t count = 0;
  while (count < windows.size() && windows[count].question < questions) ++count;
  return count;
}

bool are_numbers(const WindowScores& scores) {
  const auto is_number = [](float score) { return std::isfinite(score); };
  return std::ranges::all_of(scores.begin, is_number) && std::ranges::all_of(scores.end, is_number);
}

}  // namespace

QuestionTask::QuestionTask(std::shared_ptr<QuestionDataset> dataset, const EncoderStart& start,
                           const QuestionTaskOptions& options, uint64_t seed, at::Device device)
    : EncoderTask(start, options, seed, device),
      dataset_(std::move(dataset)),
      answers_(options.answers),
      span_(linear_head("span", 2)) {
  const WindowOptions reading{options.max_length, options.stride, options.max_question};
  for (const std::string& name : split_names()) {
    const QuestionSplit& split = dataset_->split(name);
    if (split.questions.empty())
      throw TrialError("empty-split", fmt::format("the {} split has no questions", name));
    const auto [added, is_new] =
        windows_.try_emplace(name, split, start.pieces, reading, name == "train");
    add_split(name, lengths_of(added->second.sequences()));
  }
}

Batch QuestionTask::make_batch(const std::string& split,
                               const std::vector<uint32_t>& examples) const {
  TensorMemory memory(device_.is_cuda());
  Batch batch;
  batch.columns = memory.tensors(
      window_columns(windows_.at(split), examples, memory.allocator(), least_width()));
  batch.tokens = static_cast<int64_t>(examples.size());
  batch.read = batch.columns.at("keep").sum().item<int64_t>();
  batch.divisor = static_cast<double>(examples.size());
  return batch;
}

std::pair<at::Tensor, at::Tensor> QuestionTask::scores(const Batch& batch, PhiloxKey pass,
                                                       Recorder* record) {
  const at::Tensor hidden_BTD = hidden_states(batch, pass, record);
  return span_logits(span_->forward(hidden_BTD), batch.columns.at("keep"));
}

/// The mean over both ends, as in BERT.
BatchLoss QuestionTask::loss(const Batch& batch, PhiloxKey pass) {
  Recorder record = new_record();
  const auto [begins, ends] = scores(batch, pass, &record);
  const auto sum_over = [](const at::Tensor& logits, const at::Tensor& places) {
    return cross_entropy(logits, places, at::Reduction::Sum);
  };
  return {.sum = (sum_over(begins, batch.columns.at("begins")) +
                  sum_over(ends, batch.columns.at("ends"))) /
                 2.0,
          .flops = encoder_flops(batch),
          .record = std::move(record)};
}

SplitResult QuestionTask::evaluate(const std::string& split, const EvaluationPass& pass) {
  const at::NoGradGuard no_gradient;
  const QuestionWindows& windows = windows_.at(split);
  const QuestionSplit& data = dataset_->split(split);
  std::vector<std::vector<WindowScores>> found(std::min(data.questions.size(), pass.most));
  EvaluationPass of_windows = pass;
  of_windows.most = windows_of(windows, found.size());
  HostCopies copies(device_);
  for_each_batch(split, of_windows, [&](const auto& examples, const Batch& batch, PhiloxKey key) {
    const auto [begins, ends] = scores(batch, key, nullptr);
    copies.add({begins.to(at::kFloat), ends.to(at::kFloat)},
               [&, examples](const std::vector<at::Tensor>& on_host) {
                 for (size_t row = 0; row < examples.size(); ++row) {
                   const size_t window = examples[row];
                   const int64_t count = windows.end_of(window) + 1;
                   found[windows[window].question].push_back(
                       {window, scores_of_row(on_host[0], static_cast<int64_t>(row), count),
                        scores_of_row(on_host[1], static_cast<int64_t>(row), count)});
                 }
               });
  });
  copies.finish();
  return result_of(data, found);
}

SplitResult QuestionTask::result_of(const QuestionSplit& data,
                                    std::vector<std::vector<WindowScores>>& found) const {
  const QuestionWindows& windows = windows_.at(data.name);
  const bool no_answer = dataset_->has_no_answers();
  std::map<std::string, std::string> texts;
  NoAnswerProbabilities none;
  std::vector<double> exact, f1, likelier;
  std::vector<int64_t> begins, ends;
  bool is_finite = true;  // with NaNs, the maximum would still name an answer
  const std::vector<Question> questions(
      data.questions.begin(), data.questions.begin() + static_cast<ptrdiff_t>(found.size()));
  for (size_t number = 0; number < questions.size(); ++number) {
    const Question& question = questions[number];
    is_finite = is_finite && std::ranges::all_of(found[number], are_numbers);
    // Batches of similar length bring windows in any order; among equal scores the first window
    // wins.
    std::ranges::sort(found[number], {}, &WindowScores::window);
    const PredictedAnswer answer =
        best_answer(windows, found[number], data.contexts[question.context], answers_);
    texts[question.id] = answer.text;
    begins.push_back(static_cast<int64_t>(answer.range.begin));
    ends.push_back(static_cast<int64_t>(answer.range.end));
    likelier.push_back(answer.none - answer.score);
    if (no_answer) none.emplace_back(question.id, likelier.back());
    const AnswerScore score = answer_score(answer.text, question, no_answer);
    exact.push_back(score.exact);
    f1.push_back(score.f1);
  }
  const double always_answered = std::numeric_limits<double>::infinity();
  const auto values =
      squad_scores(questions, texts, none, {.no_answer = no_answer, .threshold = always_answered});
  SplitResult result;
  result.values = {{"exact", values.at(no_answer ? "best_exact" : "exact") / 100.0},
                   {"f1", values.at(no_answer ? "best_f1" : "f1") / 100.0}};
  if (!is_finite) {
    for (auto& [name, value] : result.values) value = std::numeric_limits<double>::quiet_NaN();
  }
  result.predictions = {{"exact", at::tensor(exact, at::kDouble)},
                        {"f1", at::tensor(f1, at::kDouble)},
                        {"no_answer", at::tensor(likelier, at::kDouble)},
                        {"begin", at::tensor(begins, at::kLong)},
                        {"end", at::tensor(ends, at::kLong)}};
  return result;
}

std::map<std::string, std::string> QuestionTask::prediction_texts(
    const std::string& split, const std::map<std::string, at::Tensor>& predictions) const {
  const QuestionSplit& data = dataset_->split(split);
  const int64_t* begins = predictions.at("begin").const_data_ptr<int64_t>();
  const int64_t* ends = predictions.at("end").const_data_ptr<int64_t>();
  const double* likelier = predictions.at("no_answer").const_data_ptr<double>();
  // Keeps the order of the questions, since it decides between equal probabilities.
  OrderedMembers answers, none;
  for (size_t number = 0; number < data.questions.size(); ++number) {
    const Question& question = data.questions[number];
    const auto begin = static_cast<size_t>(begins[number]);
    answers.set(question.id, data.contexts[question.context].substr(
                                 begin, static_cast<size_t>(ends[number]) - begin));
    none.set(question.id, 1.0 / (1.0 + std::exp(-likelier[number])));
  }
  std::map<std::string, std::string> texts = {{".json", answers.text() + "\n"}};
  if (dataset_->has_no_answers()) texts["_no_answer.json"] = none.text() + "\n";
  return texts;
}

double QuestionTask::guessing_loss() const {
  return std::log(static_cast<double>(options_.max_length));
}

}  // namespace rethink
