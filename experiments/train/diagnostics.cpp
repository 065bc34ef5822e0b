#include "experiments/train/diagnostics.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "experiments/attempt/event_log.h"
#include "experiments/train/device/device.h"
#include "experiments/train/device/device_numbers.h"
#include "experiments/train/state.h"
#include "models/attention/attention.h"

namespace rethink {
namespace {

constexpr int64_t kMostPoints = 200, kFewPoints = 20;
/// A point on a tiny model takes a sixth of a step, and less on a larger one: so many steps keep it near 1 % of the time.
constexpr int64_t kLeastSteps = 16;

/// Steps and no measured times decide: stores of the same trial have the same points.
int64_t steps_between(std::optional<int64_t> every, int64_t log_every, int64_t total_steps) {
  if (every) return *every;
  const auto for_points = [&](int64_t points) { return (total_steps + points - 1) / points; };
  const int64_t fewest =
      std::max(for_points(kMostPoints), std::min(kLeastSteps, for_points(kFewPoints)));
  return (fewest + log_every - 1) / log_every * log_every;
}

bool has_attention(torch::nn::Module& model) {
  return std::ranges::any_of(model.modules(/*include_self=*/false), [](const auto& module) {
    return dynamic_cast<const Attention*>(module.get()) != nullptr;
  });
}

/// The mean over all dimensions but the keys of float [B,H,Q,K]; a query that sees nothing has 0.
at::Tensor mean_entropy(const at::Tensor& weights) {
  return at::special_entr(weights.to(at::kFloat)).sum(-1).mean();
}

}  // namespace

Diagnostics::Diagnostics(Task& task, const NamedTensors& parameters, const std::string& precision,
                         std::optional<int64_t> every, int64_t log_every, int64_t total_steps)
    : task_(task),
      parameters_(parameters),
      precision_(precision),
      every_(steps_between(every, log_every, total_steps)),
      total_steps_(total_steps),
      has_attention_(has_attention(task.model())) {}

bool Diagnostics::is_due(int64_t step) const {
  return every_ > 0 && (step % every_ == 0 || step == total_steps_);
}

void Diagnostics::add_step(int64_t step, const at::Tensor& loss_sum, double tokens,
                           const at::Tensor& gradient_norm) {
  if (every_ == 0) return;
  last_.push_back({step, loss_sum, tokens, gradient_norm});
  forget_early_steps();
}

void Diagnostics::forget_early_steps() {
  if (last_.size() <= num_fixed_ + kLastSteps) return;
  const auto first = last_.begin() + static_cast<std::ptrdiff_t>(num_fixed_);
  last_.erase(first, last_.end() - static_cast<std::ptrdiff_t>(kLastSteps));
}

void Diagnostics::set_too_high(bool is_too_high) {
  if (is_too_high && num_fixed_ == 1 && !last_.empty()) {
    num_fixed_ = last_.size();
  } else if (!is_too_high) {
    num_fixed_ = 1;  // the normal state before any fault
    forget_early_steps();
  }
}

void Diagnostics::add_point(DeviceNumbers& numbers, uint32_t example) {
  const at::NoGradGuard no_gradient;
  if (!last_.empty() && last_.back().gradient_norm.defined())
    numbers.add("gradient_norm", last_.back().gradient_norm);
  std::vector<at::Tensor> parameters;
  for (const auto& [name, parameter] : parameters_) parameters.push_back(parameter);
  if (!parameters.empty()) numbers.add("parameter_norm", norm_of_all(parameters));
  // The memory of a stream would continue with this example.
  if (has_attention_ && task_.may_drop_batches()) add_attention(numbers, example);
}

void Diagnostics::add_attention(DeviceNumbers& numbers, uint32_t example) {
  const at::Device device = parameters_.front().second.device();
  const PrecisionScope precision(precision_, device);
  const Recorder seen = task_.look_at(on_device(task_.batch({example}), device));
  for (size_t i = 0; i < seen.maps.size(); ++i)
    numbers.add(fmt::format("attention_entropy_{}", i + 1), mean_entropy(seen.maps[i]));
  for (size_t i = 0; i < seen.largest_scores.size(); ++i)
    numbers.add(fmt::format("attention_logit_{}", i + 1), seen.largest_scores[i]);
}

void Diagnostics::write_last_steps(EventLog& events) const {
  DeviceNumbers numbers;
  std::vector<int64_t> steps;
  const auto add = [&](const char* name, const Step& one, const at::Tensor& value, double divisor) {
    numbers.add(name, value, divisor);
    steps.push_back(one.step);
  };
  for (const Step& one : last_) {
    add("step_loss", one, one.loss_sum, std::max(1.0, one.tokens));
    if (one.gradient_norm.defined()) add("step_gradient_norm", one, one.gradient_norm, 1.0);
  }
  auto step = steps.begin();
  for (const auto& [name, value] : numbers.read()) events.metric("train", name, *step++, value);
}

void Diagnostics::visit(State& state) {
  std::map<std::string, at::Tensor> kept;
  if (!state.loading() && !last_.empty()) {
    std::vector<int64_t> steps;
    std::vector<double> tokens;
    std::vector<at::Tensor> sums, norms;
    for (const Step& one : last_) {
      steps.push_back(one.step);
      tokens.push_back(one.tokens);
      sums.push_back(one.loss_sum.to(at::kDouble));
      if (one.gradient_norm.defined()) norms.push_back(one.gradient_norm.to(at::kDouble));
    }
    kept = {{"steps", at::tensor(steps)},
            {"tokens", at::tensor(tokens)},
            {"loss_sums", at::stack(sums)}};
    if (norms.size() == last_.size()) kept["gradient_norms"] = at::stack(norms);
    if (num_fixed_ > 1)
      kept["num_fixed"] = at::tensor(std::vector<int64_t>{static_cast<int64_t>(num_fixed_)});
  }
  state.tensors("last_steps", kept);
  if (!state.loading()) return;
  last_.clear();
  num_fixed_ =
      kept.contains("num_fixed") ? static_cast<size_t>(kept.at("num_fixed").item<int64_t>()) : 1;
  if (kept.empty()) return;  // also a checkpoint of version 0.1.0
  // The next checkpoint stacks these with sums of new steps, which are on the device.
  const at::Device device = parameters_.front().second.device();
  const bool has_norms = kept.contains("gradient_norms");
  const at::Tensor sums = kept.at("loss_sums").to(device);
  const at::Tensor norms = has_norms ? kept.at("gradient_norms").to(device) : at::Tensor();
  for (int64_t i = 0; i < kept.at("steps").size(0); ++i)
    last_.push_back({kept.at("steps")[i].item<int64_t>(), sums[i],
                     kept.at("tokens")[i].item<double>(), has_norms ? norms[i] : at::Tensor()});
}

}  // namespace rethink
