#include "experiments/train/loop.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "core/format/safetensors.h"
#include "core/json.h"
#include "core/store_files/numeric_environment.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/event_log.h"
#include "experiments/train/batches/joined_batches.h"
#include "experiments/train/device/device.h"
#include "experiments/train/device/device_numbers.h"
#include "experiments/train/device/gradient_sums.h"
#include "experiments/train/state.h"
#include "kernels/attention/attention_path.h"
#include "models/tensors/bfloat16_weights.h"
#include "models/tensors/random.h"
#include "models/tensors/tensor_file.h"

namespace rethink {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kCheckpointEveryS = 60;
/// Time after which a stop ends a step or an evaluation. A trial that must end is killed after
/// limits.grace, 30 seconds by default, and the checkpoint must be written before.
constexpr double kLongestWaitS = 5;
/// Batches of a step that are on the device before their pass begins.
constexpr size_t kBatchesAhead = 2;
/// A fact of the numeric environment on a GPU: the number of batches that one pass joins, if more
/// than one.
constexpr const char* kBatchesOfPassFact = "batches_of_pass";

/// Thrown out of an evaluation that a stop ends.
struct EvaluationStopped {};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

int64_t steps_of(const TrainOptions& options, const Task& task) {
  if (task.num_batches(0) == 0) throw TrialError("empty-split", "the training split is empty");
  if (options.steps) return *options.steps;
  int64_t batches = 0;
  for (int64_t epoch = 0; epoch < *options.epochs; ++epoch) batches += task.num_batches(epoch);
  return std::max<int64_t>(1, batches / options.accumulate);
}

/// Copies `weights` into the model and returns the replaced weights; without `weights` the model
/// stays unchanged.
TensorsByName exchange_weights(const torch::nn::Module& model, const TensorsByName& weights) {
  TensorsByName before;
  if (weights.empty()) return before;
  for (auto& [name, tensor] : weights_of(model)) {
    before[name] = tensor.clone();
    tensor.copy_(weights.at(name));
  }
  return before;
}

NamedTensors all_of(const std::vector<ParameterGroup>& groups) {
  NamedTensors parameters;
  for (const ParameterGroup& group : groups)
    parameters.insert(parameters.end(), group.parameters.begin(), group.parameters.end());
  return parameters;
}

std::unique_ptr<Bfloat16Weights> new_bfloat16_weights(Task& task, const NamedTensors& parameters,
                                                      const std::string& precision,
                                                      at::Device device) {
  if (!device.is_cuda() || precision != "bfloat16") return nullptr;
  std::vector<at::Tensor> tensors;
  for (const auto& [name, parameter] : parameters) tensors.push_back(parameter);
  return std::make_unique<Bfloat16Weights>(task.model(), tensors);
}

}  // namespace

Trainer::~Trainer() = default;

Trainer::Trainer(Task& task, const TrainOptions& options, at::Device device, JobContext& context)
    : task_(task),
      options_(options),
      device_(device),
      context_(context),
      seed_(static_cast<uint64_t>(context.trial.seed.value_or(0))),
      total_steps_(steps_of(options, task)),
      groups_(task.parameter_groups()),
      parameters_(all_of(groups_)),
      bfloat16_weights_(new_bfloat16_weights(task, parameters_, options.precision, device)),
      optimizer_(optimizers().make(options.optimizer.name, *options.optimizer.options, groups_)),
      schedule_(schedules().make(options.schedule.name, *options.schedule.options, total_steps_)),
      evaluation_(options.evaluate, task, context.events, seed_),
      diagnostics_(task, parameters_, options.precision, options.diagnose_every, options.log_every,
                   total_steps_),
      window_loss_(at::zeros({}, at::TensorOptions().dtype(at::kDouble).device(device))) {}

BatchLoss Trainer::loss_of(const Batch& batch, PhiloxKey pass) {
  const PrecisionScope precision(options_.precision, device_);
  return task_.loss(batch, pass);
}

bool Trainer::step_once(std::span<const Batch> batches) {
  const Clock::time_point start = Clock::now();
  const int64_t step = step_ + 1;
  seed_generators(seed_, step);
  for (const auto& [name, parameter] : parameters_) parameter.mutable_grad().reset();
  double divisor = 0.0, tokens = 0.0;
  for (const Batch& batch : batches) {
    divisor += batch.divisor;
    tokens += static_cast<double>(batch.tokens);
  }
  // On a CPU, adding one by one costs nothing.
  std::optional<GradientSums> sums;
  if (device_.is_cuda()) sums.emplace(parameters_, bfloat16_weights_.get());
  std::deque<Batch> ahead;
  const auto upload = [&](size_t part) {
    if (part < batches.size()) ahead.push_back(on_device(batches[part], device_));
  };
  for (size_t part = 0; part < kBatchesAhead; ++part) upload(part);
  // An abandoned step must leave these values unchanged.
  double flops = flops_;
  at::Tensor window_loss = window_loss_;
  std::map<std::string, at::Tensor> window_numbers = window_numbers_;
  at::Tensor step_loss;
  for (size_t part = 0; part < batches.size(); ++part) {
    if (part > 0 && gives_up_step(start)) return false;
    upload(part + kBatchesAhead);
    const Batch batch = std::move(ahead.front());
    ahead.pop_front();
    const PhiloxKey pass = training_key(seed_, step, static_cast<int64_t>(part));
    const BatchLoss of_part = loss_of(batch, pass);
    flops += of_part.flops;
    const at::Tensor part_loss = of_part.sum.detach();
    window_loss = window_loss + part_loss;
    step_loss = part == 0 ? part_loss : step_loss + part_loss;
    at::Tensor loss = of_part.sum / divisor;
    // Losses that variants add are per predicted token, like the loss.
    const double share = tokens > 0 ? static_cast<double>(batch.tokens) / tokens
                                    : 1.0 / static_cast<double>(batches.size());
    for (const auto& [name, penalty] : of_part.record.losses) loss = loss + penalty * share;
    loss.backward();
    if (sums) sums->add_batch();
    for (const auto& [name, number] : of_part.record.numbers) {
      const at::Tensor sum = number.to(at::kDouble) * batch.tokens;
      const auto [known, is_new] = window_numbers.try_emplace(name, sum);
      if (!is_new) known->second = known->second + sum;
    }
  }
  if (sums) sums->finish();
  flops_ = flops;
  window_loss_ = window_loss;
  window_numbers_ = std::move(window_numbers);
  at::Tensor norm;
  if (options_.clip > 0) {
    norm = clip_gradients(parameters_, options_.clip);
  } else if (diagnostics_.is_due(step)) {
    norm = gradient_norm(parameters_);
  }
  diagnostics_.add_step(step, step_loss, tokens, norm);
  optimizer_->step(schedule_->factor(step));
  if (bfloat16_weights_) bfloat16_weights_->refresh();
  step_ = step;
  return true;
}

bool Trainer::gives_up_step(Clock::time_point start) {
  context_.events.tick_within_step(step_, total_steps_, newest_loss());
  // Buffers change with each pass, and a checkpoint contains them.
  if (!task_.may_drop_batches() || !task_.model().buffers().empty()) return false;
  return stops_work_since(start);
}

bool Trainer::stops_work_since(Clock::time_point start) const {
  return context_.stop.load() &&
         seconds_since(start) >= std::min(kLongestWaitS, checkpoint_every_s());
}

JobOutcome Trainer::run(const std::function<void()>& before_steps) {
  resume();
  if (before_steps) before_steps();
  task_.model().train();
  if (evaluation_is_due_ && !evaluate()) return interrupted();
  // Batches of the next step are prepared during this step.
  BatchStream batches(task_, position_, options_.accumulate, batches_of_pass_);
  JobOutcome outcome = JobOutcome::done;
  training_since_ = Clock::now();
  while (outcome == JobOutcome::done && !is_last_step() && !diverged_) {
    std::vector<BatchStream::Item> items;
    std::vector<Batch> of_step;
    for (int64_t taken = 0; taken < options_.accumulate; taken += items.back().batches) {
      items.push_back(batches.next());
      of_step.push_back(items.back().batch);
    }
    if (step_ == 0) write_points(items.front().first);
    outcome = step_once(of_step) ? after_step(items) : interrupted();
  }
  count_training_time();
  if (outcome == JobOutcome::interrupted) return outcome;
  if (!diverged_ && evaluation_.last_step() != step_ && !evaluate()) return interrupted();
  if (!diverged_ && evaluation_.has_end() && !evaluate_end()) return interrupted();
  if (!diverged_) require_reported_loss();
  if (diverged_) diagnostics_.write_last_steps(context_.events);
  if (!diverged_) evaluation_.write_final(step_);
  write_measurements();
  return diverged_ ? JobOutcome::diverged : JobOutcome::done;
}

/// Writes the newest state to disk before it returns.
JobOutcome Trainer::interrupted() {
  if (checkpoint_step_ != step_) checkpoint();
  return JobOutcome::interrupted;
}

double Trainer::checkpoint_every_s() const {
  return static_cast<double>(options_.checkpoint_every.value_or(
      context_.runtime.checkpoint_every_s.value_or(kCheckpointEveryS)));
}

JobOutcome Trainer::after_step(const std::vector<BatchStream::Item>& items) {
  if (!path_is_written_) write_attention_path();
  position_ = items.back().after;
  bool ends_epoch = false;
  for (const BatchStream::Item& item : items) {
    tokens_seen_ += item.batch.read;
    window_tokens_ += item.batch.tokens;
    ends_epoch = ends_epoch || item.ends_epoch;
  }
  ++window_steps_;
  write_points(items.front().first);
  if (!diverged_ && evaluation_.is_due(step_, ends_epoch) && !evaluate()) return interrupted();
  context_.events.tick(step_, total_steps_, newest_loss());
  if (diverged_ || is_last_step()) return JobOutcome::done;
  if (context_.stop.load()) return interrupted();
  if (seconds_since(last_checkpoint_) >= checkpoint_every_s()) checkpoint();
  return JobOutcome::done;
}

/// Waits for the device once per point. Evaluations, checkpoints and the last steps of a diverging
/// trial are the only other places in which training waits.
void Trainer::write_points(uint32_t example) {
  const bool ends_window = step_ > 0 && (step_ % options_.log_every == 0 || step_ == total_steps_);
  const bool is_diagnosed = diagnostics_.is_due(step_);
  if (!ends_window && !is_diagnosed) return;
  DeviceNumbers numbers;
  if (ends_window) {
    // A window may have nothing to predict, and then has no loss.
    const auto tokens = static_cast<double>(std::max<int64_t>(1, window_tokens_));
    numbers.add("loss", window_loss_, tokens);
    for (const auto& [name, sum] : window_numbers_) numbers.add(name, sum, tokens);
  }
  if (is_diagnosed) diagnostics_.add_point(numbers, example);
  const auto values = numbers.read();
  add_training_time();
  for (const auto& [name, value] : values) context_.events.metric("train", name, step_, value);
  if (is_diagnosed) write_rates();
  if (ends_window) end_window(values.front().second);
}

void Trainer::end_window(double window_loss) {
  last_loss_ = window_loss;
  const double bound = divergence_bound();
  steps_too_high_ = last_loss_ > bound ? steps_too_high_ + window_steps_ : 0;
  if (std::isfinite(last_loss_)) diagnostics_.set_too_high(steps_too_high_ > 0);
  if (!std::isfinite(last_loss_)) {
    diverged_ = true;
    // The sign of a nan is arbitrary.
    const std::string loss = std::isnan(last_loss_) ? "nan" : fmt::format("{}", last_loss_);
    context_.events.message("warning",
                            fmt::format("diverged: the loss is {} at step {}", loss, step_));
  } else if (steps_too_high_ >= options_.divergence.steps) {
    diverged_ = true;
    context_.events.message(
        "warning",
        fmt::format("diverged: the loss has been above {:.2f} for {} steps, {:.2f} at step {}",
                    bound, steps_too_high_, last_loss_, step_));
  }
  window_loss_ = at::zeros_like(window_loss_);
  window_numbers_.clear();
  window_tokens_ = window_steps_ = 0;
}

void Trainer::write_rates() {
  if (step_ > 0)
    context_.events.metric("train", "learning_rate", step_,
                           optimizer_->learning_rate() * schedule_->factor(step_));
  const double seconds = training_s_ - training_s_at_point_;
  const auto tokens = static_cast<double>(tokens_seen_ - tokens_at_point_);
  if (seconds > 0 && tokens > 0)
    context_.events.measurement("tokens_per_s", step_, tokens / seconds);
  tokens_at_point_ = tokens_seen_;
  training_s_at_point_ = training_s_;
  write_peak_memory();
}

void Trainer::add_training_time() {
  training_s_ += seconds_since(training_since_);
  training_since_ = Clock::now();
}

void Trainer::count_training_time() {
  synchronize(device_);
  add_training_time();
}

bool Trainer::evaluates(const std::function<void(const std::function<void()>& alive)>& evaluate) {
  const Clock::time_point start = Clock::now();
  bool is_whole = true;
  try {
    evaluate([&] {
      context_.events.tick(step_, total_steps_, newest_loss());
      if (stops_work_since(start)) throw EvaluationStopped{};
    });
  } catch (const EvaluationStopped&) {
    is_whole = false;
  }
  evaluation_s_ += seconds_since(start);
  training_since_ = Clock::now();
  return is_whole;
}

bool Trainer::evaluate() {
  evaluation_is_due_ = 1;
  count_training_time();
  const PrecisionScope precision(options_.precision, device_);
  seed_generators(~seed_, step_);  // dropout may stay on, and a resume must draw equally
  // Ticks report the speed of training alone: the first tick here ends the measured time, the
  // second reports that no step is running.
  for (int i = 0; i < 2; ++i) {
    context_.events.tick(step_, total_steps_, newest_loss(), /*every_s=*/0);
  }
  if (!evaluates([this](const auto& alive) { evaluation_.run(step_, alive); })) return false;
  evaluation_is_due_ = 0;
  context_.events.restart_rate();
  require_finite_score();
  return true;
}

bool Trainer::evaluate_end() {
  const PrecisionScope precision(options_.precision, device_);
  // Draws as at an evaluation of this step.
  seed_generators(~seed_, evaluation_.last_step());
  const bool is_whole = evaluates([this](const auto& alive) {
    evaluation_.run_end(alive, [this](const std::function<void()>& use) {
      seed_generators(~seed_, evaluation_.reported_step());
      with_kept_weights(use);
    });
  });
  if (is_whole) require_finite_score();
  return is_whole;
}

void Trainer::require_finite_score() {
  if (evaluation_.is_finite()) return;
  diverged_ = true;
  context_.events.message("warning",
                          fmt::format("diverged: the score of the evaluation at step {} is not a "
                                      "finite number",
                                      step_));
}

void Trainer::require_reported_loss() {
  const std::string value = evaluation_.loss_above(divergence_bound());
  if (value.empty()) return;
  diverged_ = true;
  context_.events.message(
      "warning", fmt::format("diverged: at the end {}, above {:.2f}", value, divergence_bound()));
}

void Trainer::resume() {
  const Json environment = numeric_environment(device_);
  // Computed again, since the data set has opened its plug-in by now.
  context_.events.add_start_facts(environment);
  // Dropout differs from the CPU's, since it depends on step and pass.
  const std::optional<int64_t> bytes = total_gpu_bytes(device_);
  std::optional<PassShape> batch = task_.joinable_batch();
  if (bytes && batch && context_.runtime.attention == "library") {
    batch->in_bfloat16 = options_.precision == "bfloat16";
    batches_of_pass_ = batches_that_fit(*batch, options_.accumulate, *bytes);
  }
  Json saved_environment = environment;
  if (const auto newest = context_.checkpoints.newest(is_sound_checkpoint)) {
    const SafetensorsFile file(newest->path);
    State state(file);
    std::string text;
    state.value("environment", text);
    saved_environment = parse_json(text, newest->path.string());
    attention_before_ = saved_environment.value(kAttentionFact, "");
    saved_environment.erase(kAttentionFact);
    if (device_.is_cuda()) {
      batches_of_pass_ = saved_environment.value(kBatchesOfPassFact, int64_t{1});
      saved_environment.erase(kBatchesOfPassFact);
    }
    visit(state);
    for (auto& [name, sum] : window_numbers_) sum = sum.to(device_);
    checkpoint_step_ = step_;
    tokens_at_point_ = tokens_seen_;
    training_s_at_point_ = training_s_;
  }
  last_checkpoint_ = Clock::now();
  if (saved_environment != environment) write_inexact(saved_environment, environment);
}

Json Trainer::recorded_environment() const {
  Json facts = numeric_environment(device_);
  if (batches_of_pass_ > 1) facts[kBatchesOfPassFact] = batches_of_pass_;
  return facts;
}

void Trainer::write_inexact(const Json& before, const Json& now) {
  const Json event = inexact_event(before, now);
  context_.events.write(event);
  context_.events.message(
      "warning", fmt::format("resumed inexactly at step {}: the checkpoint was made with {}", step_,
                             change_of_event(event).text()));
}

void Trainer::write_attention_path() {
  path_is_written_ = true;
  const Json now = recorded_environment();
  const std::vector<std::string> paths = attention_paths_taken();
  if (paths.empty()) return;  // on a CPU
  Json event{{"event", "environment"}, {kAttentionFact, now.at(kAttentionFact)}};
  if (batches_of_pass_ > 1) event[kBatchesOfPassFact] = batches_of_pass_;
  context_.events.write(event);
  const bool are_known = std::ranges::all_of(paths, [this](const std::string& path) {
    return attention_before_.find(path) != std::string::npos;
  });
  if (attention_before_.empty() || are_known) return;
  Json before = now;
  before[kAttentionFact] = attention_before_;
  write_inexact(before, now);
}

void Trainer::checkpoint() {
  count_training_time();
  State state;
  std::string text = recorded_environment().dump();
  state.value("environment", text);
  visit(state);
  context_.checkpoints.publish(step_,
                               [&](const std::filesystem::path& file, const TensorMetadata& place) {
                                 state.write(file, place);
                               });
  write_peak_memory();
  checkpoint_step_ = step_;
  last_checkpoint_ = training_since_ = Clock::now();
}

void Trainer::visit(State& state) {
  for (auto& [name, tensor] : weights_of(task_.model())) {
    at::Tensor weight = tensor;
    state.tensor("model/" + name, weight);
  }
  optimizer_->visit(state);
  evaluation_.visit(state);
  task_.visit(state);
  diagnostics_.visit(state);
  state.value("step", step_);
  state.value("evaluation_is_due", evaluation_is_due_, /*absent=*/0);
  state.value("epoch", position_.epoch);
  state.value("cursor", position_.cursor);
  state.tensor("window_loss", window_loss_);
  state.tensors("window_numbers", window_numbers_);
  state.value("window_tokens", window_tokens_);
  state.value("window_steps", window_steps_);
  state.value("steps_too_high", steps_too_high_);
  state.value("last_loss", last_loss_);
  state.value("tokens_seen", tokens_seen_);
  state.value("flops", flops_);
  state.value("training_s", training_s_);
  state.value("evaluation_s", evaluation_s_);
}

void Trainer::write_measurements() {
  int64_t count = 0;
  for (const auto& [name, parameter] : parameters_) count += parameter.numel();
  std::map<std::string, double> values = {{"parameters", static_cast<double>(count)},
                                          {"tokens_seen", static_cast<double>(tokens_seen_)},
                                          {"flops", flops_},
                                          {"training_s", training_s_},
                                          {"evaluation_s", evaluation_s_}};
  if (training_s_ > 0) {
    values["steps_per_s"] = static_cast<double>(step_) / training_s_;
    values["step_ms"] = 1e3 * training_s_ / static_cast<double>(step_);
    values["tokens_per_s"] = static_cast<double>(tokens_seen_) / training_s_;
  }
  for (const auto& [name, value] : values) context_.events.measurement(name, step_, value);
  write_peak_memory();
}

/// Called early and at the end. The driver needs the first trial's memory to decide how many trials share its GPU.
void Trainer::write_peak_memory() {
  const std::optional<int64_t> bytes = peak_gpu_bytes(device_);
  if (bytes)
    context_.events.measurement("peak_gpu_memory_bytes", step_, static_cast<double>(*bytes));
}

std::map<std::string, at::Tensor> Trainer::predict(const std::string& split) {
  const PrecisionScope precision(options_.precision, device_);
  SplitResult result;
  seed_generators(~seed_, evaluation_.reported_step());
  with_kept_weights([&] {
    task_.model().eval();
    result = task_.evaluate(split, {seed_, evaluation_.reported_step(), [this] {
                                      context_.events.tick(step_, total_steps_, newest_loss());
                                    }});
    task_.model().train();
  });
  return result.predictions;
}

void Trainer::with_kept_weights(const std::function<void()>& use) {
  const at::NoGradGuard no_gradient;
  const TensorsByName last = exchange_weights(task_.model(), evaluation_.best_weights());
  try {
    use();
  } catch (...) {
    exchange_weights(task_.model(), last);  // a checkpoint of an ended evaluation has the last
    throw;
  }
  exchange_weights(task_.model(), last);
}

std::map<std::string, at::Tensor> Trainer::kept_weights() const {
  return evaluation_.best_weights().empty() ? weights_of(task_.model())
                                            : evaluation_.best_weights();
}

}  // namespace rethink
