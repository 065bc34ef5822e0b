#include "experiments/train/evaluation.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "experiments/attempt/event_log.h"
#include "experiments/train/metrics.h"
#include "experiments/train/state.h"
#include "models/tensors/tensor_file.h"

namespace rethink {
namespace {

bool is_better(double value, double than, const std::string& metric) {
  if (std::isnan(than)) return !std::isnan(value);
  return smaller_is_better(metric) ? value < than : value > than;
}

/// Whether it is the training loop's own curve, which an evaluation of the same split does not
/// write.
bool is_curve_of_training(const std::string& split, const std::string& name) {
  return split == "train" && name == "loss";
}

/// "dev/perplexity" -> {"dev", "perplexity"}.
std::pair<std::string, std::string> split_and_name(const std::string& key) {
  const size_t slash = key.find('/');
  return {key.substr(0, slash), key.substr(slash + 1)};
}

bool has_split(const EvaluateOptions& options, const char* split) {
  return std::ranges::count(options.splits, split) > 0;
}

constexpr size_t kAll = std::numeric_limits<size_t>::max();

/// Values of test at the best step need the weights of that step; the best of all steps needs the
/// weights of each step.
bool test_waits(const EvaluateOptions& options) {
  if (!has_split(options, "test")) return false;
  if (options.test) return *options.test == "end";
  return options.keep == "best" && !options.min_test;
}

std::vector<std::string> splits_at_end(const EvaluateOptions& options) {
  std::vector<std::string> splits;
  if (options.dev_examples) splits.push_back("dev");
  if (test_waits(options)) splits.push_back("test");
  return splits;
}

}  // namespace

Evaluation::Evaluation(const EvaluateOptions& options, Task& task, EventLog& events, uint64_t seed)
    : options_(options),
      task_(task),
      events_(events),
      seed_(seed),
      metric_(options.metric.value_or(task.default_metric())),
      at_end_(splits_at_end(options)) {
  if (has_split(options, "dev")) return;
  if (options.keep == "best") {
    throw ConfigError(
        "conflicting-values",
        "evaluate.keep is 'best', but evaluate.splits has no dev to choose on; keep: last, or add "
        "dev");
  }
  if (options.patience)
    throw ConfigError("conflicting-values", "evaluate.patience needs dev among evaluate.splits");
}

bool Evaluation::is_due(int64_t step, bool epoch_ended) const {
  if (options_.every == 0 || options_.epoch_ends) {
    if (epoch_ended) return true;
  }
  return options_.every > 0 && step % options_.every == 0;
}

void Evaluation::evaluate(const std::string& split, int64_t step, size_t most,
                          const std::function<void()>& alive, Values& values,
                          Predictions& predictions) {
  task_.model().eval();
  const SplitResult result = task_.evaluate(split, {seed_, step, alive, most});
  task_.model().train();
  if (!result.values.count(metric_)) {
    std::vector<std::string> known;
    for (const auto& [name, value] : result.values) known.push_back(name);
    throw TrialError("unknown-metric",
                     fmt::format("evaluate.metric is {}, which this data does not have; it has: {}",
                                 metric_, joined(known)));
  }
  for (const auto& [name, tensor] : result.predictions) predictions[split + "/" + name] = tensor;
  for (const auto& [name, value] : result.values) {
    values[split + "/" + name] = value;
    if (name == metric_) values[split + "/score"] = value;
  }
}

void Evaluation::write_point(const std::string& split, int64_t step, const Values& values) {
  for (const auto& [key, value] : values) {
    const auto [of_split, name] = split_and_name(key);
    if (of_split == split && !is_curve_of_training(split, name))
      events_.metric(split, name, step, value);
  }
}

void Evaluation::run(int64_t step, const std::function<void()>& alive) {
  const at::NoGradGuard no_gradient;
  last_.clear();
  last_predictions_.clear();
  for (const std::string& split : options_.splits) {
    const bool is_limited = split == "dev" && options_.dev_examples;
    if (!is_limited && std::ranges::count(at_end_, split) > 0) continue;
    const size_t most = is_limited ? static_cast<size_t>(*options_.dev_examples) : kAll;
    evaluate(split, step, most, alive, last_, last_predictions_);
    write_point(split, step, last_);
  }
  last_step_ = step;
  for (const auto& [key, value] : last_) {
    const auto [split, name] = split_and_name(key);
    if (split != "test") continue;
    const auto seen = min_test_.find(key);
    if (seen == min_test_.end() ||
        is_better(value, seen->second, name == "score" ? metric_ : name)) {
      min_test_[key] = value;
    }
  }
  remember_best(step);
}

void Evaluation::evaluate_end(int64_t step, const std::function<void()>& alive, Values& values,
                              Predictions& predictions) {
  for (const std::string& split : at_end_) {
    evaluate(split, step, kAll, alive, values, predictions);
    // All points of a dev curve are of equally many examples.
    if (split != "dev") write_point(split, step, values);
  }
}

void Evaluation::run_end(
    const std::function<void()>& alive,
    const std::function<void(const std::function<void()>&)>& with_best_weights) {
  const at::NoGradGuard no_gradient;
  evaluate_end(last_step_, alive, last_, last_predictions_);
  if (options_.keep != "best") return;
  if (best_step_ == last_step_) {
    best_ = last_;
    best_predictions_ = last_predictions_;
    return;
  }
  with_best_weights([&] { evaluate_end(best_step_, alive, best_, best_predictions_); });
}

bool Evaluation::is_finite() const {
  return std::all_of(options_.splits.begin(), options_.splits.end(),
                     [this](const std::string& split) {
                       const auto score = last_.find(split + "/score");
                       return score == last_.end() || std::isfinite(score->second);
                     });
}

std::string Evaluation::loss_above(double bound) const {
  for (const auto& [key, value] : options_.keep == "best" ? best_ : last_) {
    const std::optional<double> loss = loss_said_by(split_and_name(key).second, value);
    if (loss && *loss > bound)
      return fmt::format("{} {:.4g} is a loss of {:.2f}", key, value, *loss);
  }
  return "";
}

void Evaluation::remember_best(int64_t step) {
  const auto score = last_.find("dev/score");
  if (score == last_.end()) return;
  ++since_best_;
  if (best_score_ && !is_better(score->second, *best_score_, metric_)) return;
  best_score_ = score->second;
  best_step_ = step;
  best_ = last_;
  since_best_ = 0;
  if (options_.keep != "best") return;
  best_predictions_ = last_predictions_;
  for (const auto& [name, tensor] : weights_of(task_.model())) {
    at::Tensor& copy = best_weights_[name];
    if (!copy.defined()) copy = at::empty_like(tensor);
    copy.copy_(tensor);
  }
}

const std::map<std::string, at::Tensor>& Evaluation::predictions() const {
  return options_.keep == "best" ? best_predictions_ : last_predictions_;
}

bool Evaluation::patience_is_spent() const {
  return options_.patience && since_best_ >= *options_.patience;
}

void Evaluation::write_final(int64_t step) const {
  const auto write = [&](const std::map<std::string, double>& values, const char* suffix) {
    for (const auto& [key, value] : values) {
      const auto [split, name] = split_and_name(key);
      events_.metric(split, name + suffix, step, value);
    }
  };
  write(last_, "@last");
  write(best_, "@best");
  if (options_.min_test) write(min_test_, "@min_test");
}

void Evaluation::visit(State& state) {
  state.value("evaluation/last_step", last_step_);
  state.value("evaluation/best_step", best_step_);
  state.value("evaluation/since_best", since_best_);
  state.value("evaluation/best_score", best_score_);
  state.value("evaluation/last", last_);
  state.value("evaluation/best", best_);
  state.value("evaluation/min_test", min_test_);
  state.tensors("evaluation/best_weights", best_weights_);
  state.tensors("evaluation/last_predictions", last_predictions_);
  state.tensors("evaluation/best_predictions", best_predictions_);
}

}  // namespace rethink
