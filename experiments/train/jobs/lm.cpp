#include "experiments/train/jobs/lm.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "datasets/batching.h"
#include "datasets/files/token_cache.h"
#include "datasets/vocabulary.h"
#include "experiments/attempt/event_log.h"
#include "experiments/train/batches/decoder_batches.h"
#include "experiments/train/device/device.h"
#include "experiments/train/device/tensor_memory.h"
#include "experiments/train/loop.h"
#include "experiments/train/metrics.h"
#include "experiments/train/state.h"
#include "experiments/train/training_job.h"
#include "models/decoder.h"
#include "models/options.h"
#include "models/tensors/random.h"

namespace rethink {

/// The memory of a language model for a stream, between the batches in which it reads the stream.
class StreamMemory {
 public:
  /// Creates an empty memory. The model, which is on `device`, must outlive it.
  StreamMemory(const DecoderLanguageModel& model, at::Device device)
      : model_(model), device_(device) {}

  /// The memory for a batch of `rows`, which continue the first rows of the last batch. `begins`:
  /// the stream begins here, without a context. No gradient flows into the memory. Requires that
  /// the model keeps a memory (new_memory()).
  DecodingState* before(int64_t rows, bool begins);
  /// The memory of the newest batch in its present state; null before the first batch.
  const DecodingState* newest() const { return state_.get(); }
  void visit(State& state);

 private:
  /// Empties the memory.
  void forget();

  const DecoderLanguageModel& model_;
  const at::Device device_;
  std::unique_ptr<DecodingState> state_;
  int64_t rows_ = 0;  // rows of the newest batch
};

namespace {

/// Rows of an evaluation begin without memory; with this length, that concerns 3 % of the tokens.
constexpr int64_t kSegmentsOfALane = 32;

/// A model reads all tokens of a sequence except the last.
int64_t tokens_read(size_t sequence) {
  return std::max<int64_t>(1, static_cast<int64_t>(sequence) - 1);
}

/// Calls `take` with each layer's memory and its name, "2/input" for layer 2.
template <typename Take>
void for_each_kept(const DecodingState& state, const Take& take) {
  for (size_t i = 0; i < state.layers.size(); ++i) {
    if (!state.layers[i].self) continue;
    state.layers[i].self->visit([&](const std::string& name, at::Tensor& tensor) {
      take(fmt::format("{}/{}", i + 1, name), tensor);
    });
  }
}

}  // namespace

void StreamMemory::forget() {
  state_ = model_.new_memory();
  RETHINK_ASSERT(state_ != nullptr, "a memory of a model that keeps nothing");
}

DecodingState* StreamMemory::before(int64_t rows, bool begins) {
  if (begins) {
    forget();
    rows_ = rows;
  }
  RETHINK_ASSERT(state_ != nullptr && rows <= rows_,
                 fmt::format("{} rows go on with {}", rows, rows_));
  const at::TensorOptions index = at::TensorOptions().dtype(at::kLong).device(device_);
  for (const LayerState& layer : state_->layers) {
    if (!layer.self) continue;
    layer.self->detach();
    if (rows < rows_) layer.self->reorder(at::arange(rows, index));
  }
  rows_ = rows;
  return state_.get();
}

void StreamMemory::visit(State& state) {
  std::map<std::string, at::Tensor> kept;
  if (!state.loading() && state_) {
    for_each_kept(*state_, [&](const std::string& name, const at::Tensor& tensor) {
      if (tensor.defined()) kept[name] = tensor;
    });
  }
  state.value("memory_rows", rows_);
  state.tensors("memory", kept);
  if (!state.loading()) return;
  forget();
  for_each_kept(*state_, [&](const std::string& name, at::Tensor& tensor) {
    if (const auto found = kept.find(name); found != kept.end()) tensor = found->second.to(device_);
  });
}

LanguageModelTask::LanguageModelTask(std::shared_ptr<TokenDataset> dataset,
                                     const ModelOptions& model,
                                     const LanguageModelTaskOptions& options, uint64_t seed,
                                     at::Device device)
    : dataset_(std::move(dataset)),
      options_(options),
      seed_(seed),
      device_(device),
      minds_padding_(minds_padding(model.attention)),
      model_(std::make_shared<DecoderLanguageModel>(
          model, static_cast<int64_t>(dataset_->vocabulary().size()), seed)),
      train_(dataset_->sequences("train")),
      train_hints_(options_.hints ? dataset_->sequences("train" + std::string(kHintsEnding))
                                  : TokenSequences()) {
  require_sequences();
  require_places_for_all(model);
  model_->to(device);
  if (options_.stream && model_->new_memory())
    memory_ = std::make_unique<StreamMemory>(*model_, device);
}

LanguageModelTask::~LanguageModelTask() = default;

void LanguageModelTask::require_sequences() const {
  for (const std::string& split : options_.splits) {
    if (dataset_->sequences(split).size() > 0) continue;
    throw TrialError(
        "empty-split",
        fmt::format(
            "the {} split has no sequences, and the train split has {}: a text is split by lines; "
            "break it into more lines, give more of it, or take {} out of evaluate.splits",
            split, train_.size(), split));
  }
}

/// The first long sequence may come hours after the first step.
void LanguageModelTask::require_places_for_all(const ModelOptions& model) const {
  std::string split_of_longest = "train";
  size_t longest = 0;
  const auto look_at = [&](const std::string& split, const TokenSequences& sequences) {
    for (size_t i = 0; i < sequences.size(); ++i) {
      if (sequences[i].size() <= longest) continue;
      longest = sequences[i].size();
      split_of_longest = split;
    }
  };
  look_at("train", train_);
  for (const std::string& split : options_.splits) look_at(split, dataset_->sequences(split));
  const auto needed = static_cast<int64_t>(longest) - 1;
  require_mask_for_all(model.attention, "model.attention", needed,
                       fmt::format("the longest sequence, of {},", split_of_longest));
  if (model.positions != "learned" || needed <= model.max_positions) return;
  throw TrialError(
      "too-long",
      fmt::format("the longest sequence, of {}, needs {} learned positions, model.max_positions is "
                  "{}: set it to {} or more, or cut sequences with data.max_tokens",
                  split_of_longest, needed, model.max_positions, needed));
}

int64_t LanguageModelTask::num_batches(int64_t) const {
  return rethink::num_batches(train_.size(), options_.batching);
}

std::vector<std::vector<uint32_t>> LanguageModelTask::epoch_batches(int64_t epoch) const {
  if (memory_) return lane_batches(train_.size(), options_.batching.batch);
  return rethink::epoch_batches(train_, options_.batching, seed_, epoch);
}

std::vector<std::vector<uint32_t>> LanguageModelTask::evaluation_batches(
    const TokenSequences& sequences, uint64_t seed) const {
  BatchingOptions batching = options_.batching;
  batching.shuffle = false;
  if (!memory_) return rethink::epoch_batches(sequences, batching, seed, 0);
  const auto lanes = static_cast<int64_t>(sequences.size()) / kSegmentsOfALane;
  return lane_batches(sequences.size(), std::clamp<int64_t>(lanes, 1, batching.batch));
}

Batch LanguageModelTask::batch(const std::vector<uint32_t>& indices) const {
  Batch batch = make_batch(train_, indices);
  if (options_.hints) add_hints(batch, indices);
  return batch;
}

std::optional<PassShape> LanguageModelTask::joinable_batch() const {
  if (memory_ || options_.loss_mean == "positions" || !model_->shared().empty())
    return std::nullopt;
  size_t longest = 1;
  for (size_t i = 0; i < train_.size(); ++i) longest = std::max(longest, train_[i].size());
  const ModelOptions& model = model_->options();
  const int64_t rows = options_.batching.batch, tokens = tokens_read(longest);
  return PassShape{.layers = model.layers,
                   .d_model = model.d_model,
                   .heads = model.heads,
                   .ffn = model.ffn,
                   .rows = rows,
                   .tokens = tokens,
                   .predicted = rows * tokens,
                   .vocabulary = static_cast<int64_t>(dataset_->vocabulary().size())};
}

int64_t LanguageModelTask::padded_tokens(const std::vector<uint32_t>& indices) const {
  size_t longest = 1;
  for (const uint32_t index : indices) longest = std::max(longest, train_[index].size());
  return static_cast<int64_t>(indices.size()) * tokens_read(longest);
}

void LanguageModelTask::add_hints(Batch& batch, const std::vector<uint32_t>& indices) const {
  TensorMemory memory(device_.is_cuda());
  batch.columns.merge(memory.tensors(hint_columns(train_hints_, indices, memory.allocator())));
}

Batch LanguageModelTask::make_batch(const TokenSequences& sequences,
                                    const std::vector<uint32_t>& indices) const {
  TensorMemory memory(device_.is_cuda());
  Batch batch;
  add_decoder_columns("input_ids", sequences, indices, memory, batch);
  batch.read = batch.tokens;
  const int64_t positions = batch.columns.at("input_ids").numel();
  batch.divisor = static_cast<double>(options_.loss_mean == "positions" ? positions : batch.tokens);
  batch.begins = indices.front() == 0;
  return batch;
}

at::Tensor LanguageModelTask::keep_of(const at::Tensor& input_ids) const {
  return minds_padding_ ? input_ids.ne(Vocabulary::kPadding) : at::Tensor();
}

BatchLoss LanguageModelTask::loss(const Batch& batch, PhiloxKey pass) {
  Recorder record = new_record();
  SideInputs side;
  if (options_.hints) side["hints"] = batch.columns.at("hints");
  const at::Tensor& input_ids = batch.columns.at("input_ids");
  const at::Tensor hidden_BTD =
      model_->hidden(input_ids, pass,
                     {.record = &record,
                      .state = memory_ ? memory_->before(input_ids.size(0), batch.begins) : nullptr,
                      .side = &side,
                      .keep = keep_of(input_ids)});
  const at::Tensor rows_ND = hidden_BTD.flatten(0, 1).index_select(0, batch.columns.at("rows"));
  const double forward = model_->forward_flops(input_ids.size(0), input_ids.size(1),
                                               memory_ ? memory_->newest() : nullptr);
  return {.sum = model_->loss_sum(rows_ND, batch.columns.at("targets")),
          .flops = 3.0 * forward,
          .record = std::move(record)};
}

void LanguageModelTask::visit(State& state) {
  if (memory_) memory_->visit(state);
}

SplitResult LanguageModelTask::evaluate(const std::string& split, const EvaluationPass& pass) {
  const at::NoGradGuard no_gradient;
  const TokenSequences sequences = dataset_->sequences(split).first(pass.most);
  std::vector<SequenceLoss> losses(sequences.size());
  HostCopies copies(device_);
  StreamMemory memory(*model_, device_);
  int64_t batch_number = 0;
  for (const auto& indices : evaluation_batches(sequences, pass.seed)) {
    const Batch batch = on_device(make_batch(sequences, indices), device_);
    const at::Tensor& input_ids = batch.columns.at("input_ids");
    const at::Tensor hidden_BTD =
        model_->hidden(input_ids, evaluation_key(pass.seed, pass.step, batch_number++),
                       {.state = memory_ ? memory.before(input_ids.size(0), batch.begins) : nullptr,
                        .keep = keep_of(input_ids)});
    const at::Tensor rows_ND = hidden_BTD.flatten(0, 1).index_select(0, batch.columns.at("rows"));
    add_losses(model_->token_losses(rows_ND, batch.columns.at("targets")), batch, copies, losses);
    if (pass.alive) pass.alive();
  }
  copies.finish();
  SplitResult result;
  result.values = metric_values("sequences", {.losses = losses}, options_.characters);
  result.predictions = loss_predictions(losses);
  return result;
}

double LanguageModelTask::guessing_loss() const {
  return std::log(static_cast<double>(dataset_->vocabulary().size()));
}

namespace {

const char* const kMetricOfCharacters = "character";
const std::vector<std::string> kUnitsOfCharacters = {"char", "byte"};

/// Requires learned positions for all tokens that a model reads of a sequence: all but the last.
/// The lengths of uncut lines depend on the data, so the task checks those.
std::vector<Rule> rules_of_positions() {
  std::vector<Rule> all;
  const auto add = [&all](const std::string& length, int more, const std::string& why,
                          std::map<std::string, JsonValue> when) {
    when["model.positions"] = "learned";
    all.push_back(at_most(1, "data." + length, more, "model.max_positions",
                          why + ": raise max_positions, or lower " + length)
                      .only_where(std::move(when)));
  };
  add("length", 1, "the longest sentence and its start symbol need a learned position each", {});
  add("stream_length", 0, "every token of a segment needs a learned position",
      {{"data.protocol", "stream"}});
  for (const char* protocol : {"lines", "sentences"}) {
    for (const bool start : {false, true}) {
      for (const bool end : {false, true}) {
        add("max_tokens", start + end - 1,
            "every token of a sequence but its last, start and end symbols counted, needs a "
            "learned position",
            {{"data.protocol", protocol}, {"data.start_symbol", start}, {"data.end_symbol", end}});
      }
    }
  }
  return all;
}

struct LmOptions : TrainOptions {
  Choice<"dataset", "dataset"> data;
  ModelOptions model;
  std::string loss_mean = "tokens";

  void fields(Fields& field) {
    field("data", data, "data to learn from").required();
    field("model", model, "decoder language model");
    field("loss_mean", loss_mean,
          "what the loss of a batch is averaged over: predicted tokens, or all positions with "
          "padding, as in BET's released code")
        .one_of({"tokens", "positions"});
    TrainOptions::fields(field);
  }

  static std::vector<Rule> rules() {
    std::vector<Rule> all = TrainOptions::rules();
    all.push_back(has_fact("data.dataset", "dataset", "kind", {"text"},
                           "a language model learns from running text"));
    for (const Rule& rule : splits_of_the_data_set()) all.push_back(rule);
    for (const Rule& rule : rules_of_positions()) all.push_back(rule);
    for (const Rule& rule : rules_of_hints("model.attention")) all.push_back(rule);
    all.push_back(has_fact("evaluate.metric", "metric", "kind", {"sequences"},
                           "this metric is not of language models"));
    for (const std::string& name : metrics().names()) {
      if (metrics().facts(name).unit != kMetricOfCharacters) continue;
      all.push_back(needs_one_of("evaluate.metric", name, "data.unit",
                                 {kUnitsOfCharacters.begin(), kUnitsOfCharacters.end()},
                                 "this metric is of characters: choose another one, or a unit of " +
                                     joined(kUnitsOfCharacters, " or ")));
    }
    return all;
  }
};

class LmJob : public TrainingJob {
 public:
  explicit LmJob(const LmOptions& options) : options_(options) {}

 private:
  JobOutcome train(JobContext& context) const override {
    const at::Device device = prepare_device(context, options_.precision);
    const auto dataset = data_of<TokenDataset>(context, options_.data);
    LanguageModelTask task(dataset, options_.model, task_options(),
                           static_cast<uint64_t>(context.trial.seed.value_or(0)), device);
    Trainer trainer(task, options_, device, context);
    const JobOutcome outcome = trainer.run([&] {
      if (takes_hints()) write_hint_coverage(task.hint_coverage(), context.events);
    });
    write_split_size("train", {task.train_size(), task.whole_train_size()}, context.events);
    if (outcome != JobOutcome::done) return outcome;
    leave_weights(trainer, context);
    leave_predictions(trainer, metrics_of("sequences"), context);
    return outcome;
  }

  LanguageModelTaskOptions task_options() const {
    const std::string unit = options_.data.options->value("unit", "word");
    const bool characters = std::find(kUnitsOfCharacters.begin(), kUnitsOfCharacters.end(), unit) !=
                            kUnitsOfCharacters.end();
    return {
        .batching = options_.batching(),
        .loss_mean = options_.loss_mean,
        .splits = options_.evaluate.splits,
        .metric = characters ? "bits_per_character" : datasets().facts(options_.data.name).metric,
        .characters = characters,
        .hints = takes_hints(),
        .stream = options_.data.options->value("protocol", "") == "stream"};
  }

  bool takes_hints() const { return takes_side_input(options_.model.attention, kHints); }

  const LmOptions options_;
};

RETHINK_REGISTERED = jobs().add<LmOptions>(
    {.name = "lm",
     .summary = "train and measure a decoder language model (BET, Tables 1 and 2, Figures 3 to 5)",
     .facts = {.outputs = {"weights", "predictions"},
               .metrics = training_metrics(
                   {.of = "metric",
                    .kind = "sequences",
                    .units = {{kMetricOfCharacters, {{"data.unit", kUnitsOfCharacters}}}}}),
               .weights_of = "decoder",
               .beside_memory = TrainOptions::beside_memory()}},
    [](const LmOptions& options) { return std::make_shared<LmJob>(options); });

}  // namespace
}  // namespace rethink
