#include "experiments/train/jobs/mt.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/config/schema.h"
#include "core/json.h"
#include "datasets/batching.h"
#include "datasets/text/syntax_hints.h"
#include "experiments/attempt/event_log.h"
#include "experiments/train/batches/decoder_batches.h"
#include "experiments/train/device/device.h"
#include "experiments/train/device/tensor_memory.h"
#include "experiments/train/loop.h"
#include "experiments/train/training_job.h"
#include "models/options.h"
#include "models/tensors/cross_entropy.h"
#include "models/tensors/random.h"
#include "models/translation_model.h"

namespace rethink {

int64_t longest_found(int64_t source, const TranslationTaskOptions& options) {
  return static_cast<int64_t>(options.length_factor * static_cast<double>(source)) +
         options.length_extra;
}
namespace {

/// The lengths of the longer side of each pair, from which padding is counted.
std::vector<uint32_t> longer_side_lengths(const TranslationSplit& split) {
  std::vector<uint32_t> lengths;
  for (size_t i = 0; i < split.source.size(); ++i) {
    lengths.push_back(
        static_cast<uint32_t>(std::max(split.source[i].size(), split.target[i].size() - 1)));
  }
  return lengths;
}

/// Checks the length of sentences that decoding may find [tokens, without the end].
void require_masks_for_all(const TranslationModelOptions& model, const TranslationDataset& dataset,
                           const TranslationTaskOptions& options) {
  int64_t read = 0, written = 0;
  const auto look_at = [&](const TranslationSplit& split, bool is_searched) {
    for (size_t i = 0; i < split.source.size(); ++i) {
      const auto source = static_cast<int64_t>(split.source[i].size()),
                 target = static_cast<int64_t>(split.target[i].size()) - 1;
      read = std::max(read, source);
      written = std::max(written, target);
      if (is_searched) written = std::max(written, longest_found(source, options) + 1);
    }
  };
  look_at(dataset.split("train"), /*is_searched=*/false);
  for (const std::string& split : options.splits) look_at(dataset.split(split), true);
  require_mask_for_all(model.encoder_attention, "model.encoder_attention", read,
                       "the longest source sentence");
  require_mask_for_all(model.attention, "model.attention", written,
                       "the longest sentence that is learned, or that the search may find,");
}

}  // namespace

BeamOptions with_special_tokens(BeamOptions beam) {
  beam.start = Vocabulary::kStart;
  beam.end = Vocabulary::kEnd;
  beam.never = {Vocabulary::kPadding, Vocabulary::kStart};
  return beam;
}

TranslationTask::TranslationTask(std::shared_ptr<TranslationDataset> dataset,
                                 const TranslationModelOptions& model,
                                 const TranslationTaskOptions& options, uint64_t seed,
                                 at::Device device)
    : dataset_(std::move(dataset)),
      options_(options),
      seed_(seed),
      device_(device),
      minds_padding_(minds_padding(model.attention)) {
  std::vector<std::string> names = options_.splits;
  names.insert(names.begin(), "train");
  for (const std::string& name : names) {
    if (dataset_->split(name).source.size() == 0)
      throw TrialError("empty-split", fmt::format("the {} split has no pairs of sentences", name));
  }
  for (const std::string& name : options_.splits) {
    const TranslationSplit& split = dataset_->split(name);
    if (split.references.size() == split.source.size()) continue;
    throw ConfigError("wrong-count",
                      fmt::format("evaluate.splits has {}, but the data have {} references for its "
                                  "{} sentences: remove {} from evaluate.splits",
                                  name, split.references.size(), split.source.size(), name));
  }
  const auto tokens = static_cast<int64_t>(dataset_->vocabulary_size());
  if (2 * options_.beam.beams > tokens) {
    throw TrialError("conflicting-values",
                     fmt::format("search.beams: {} takes {} tokens, and the data have {}: lower "
                                 "search.beams to at most {}",
                                 options_.beam.beams, 2 * options_.beam.beams, tokens, tokens / 2));
  }
  require_masks_for_all(model, *dataset_, options_);
  num_batches_ = static_cast<int64_t>(epoch_batches(0).size());
  model_ = std::make_shared<TranslationModel>(model, tokens, seed);
  model_->to(device);
}

std::vector<std::vector<uint32_t>> TranslationTask::batches_of(const TranslationSplit& split,
                                                               bool shuffle, int64_t epoch) const {
  const std::vector<uint32_t> lengths = longer_side_lengths(split);
  if (options_.batch_tokens)
    return token_batches(lengths, *options_.batch_tokens, shuffle, seed_, epoch);
  BatchingOptions batching = options_.batching;
  batching.shuffle = shuffle;
  return rethink::epoch_batches(lengths, batching, seed_, epoch);
}

int64_t TranslationTask::num_batches(int64_t) const {
  return num_batches_;
}

std::vector<std::vector<uint32_t>> TranslationTask::epoch_batches(int64_t epoch) const {
  return batches_of(dataset_->split("train"), options_.batching.shuffle, epoch);
}

Batch TranslationTask::batch(const std::vector<uint32_t>& indices) const {
  const TranslationSplit& train = dataset_->split("train");
  Batch batch = make_batch(train, indices);
  if (options_.hints) {
    TensorMemory memory(device_.is_cuda());
    batch.columns.merge(memory.tensors(hint_columns(train.hints, indices, memory.allocator())));
  }
  return batch;
}

Batch TranslationTask::make_batch(const TranslationSplit& split,
                                  const std::vector<uint32_t>& indices) const {
  TensorMemory memory(device_.is_cuda());
  Batch batch;
  batch.columns = memory.tensors(
      source_columns(split.source, indices, Vocabulary::kPadding, memory.allocator()));
  add_decoder_columns("target_ids", split.target, indices, memory, batch);
  batch.read = batch.tokens + batch.columns.at("source_keep").sum().item<int64_t>();
  batch.divisor = static_cast<double>(batch.tokens);
  return batch;
}

std::optional<PassShape> TranslationTask::joinable_batch() const {
  if (model_->shares_state()) return std::nullopt;
  const TranslationModelOptions& model = model_->options();
  const int64_t tokens = std::ranges::max(longer_side_lengths(dataset_->split("train")));
  const int64_t rows = options_.batch_tokens ? std::max<int64_t>(1, *options_.batch_tokens / tokens)
                                             : options_.batching.batch;
  return PassShape{.layers = model.encoder_layers + model.layers,
                   .cross_layers = model.layers,
                   .d_model = model.d_model,
                   .heads = model.heads,
                   .ffn = model.ffn,
                   .rows = rows,
                   .tokens = tokens,
                   .predicted = rows * tokens,
                   .vocabulary = static_cast<int64_t>(dataset_->vocabulary_size())};
}

int64_t TranslationTask::padded_tokens(const std::vector<uint32_t>& indices) const {
  const TranslationSplit& train = dataset_->split("train");
  size_t source = 0, target = 0;
  for (const uint32_t index : indices) {
    source = std::max(source, train.source[index].size());
    target = std::max(target, train.target[index].size());
  }
  return static_cast<int64_t>(indices.size() * (source + target));
}

EncodedSource TranslationTask::encoded(const Batch& batch, PhiloxKey pass, Recorder* record) {
  return model_->encoded(batch.columns.at("source_ids"), batch.columns.at("source_keep"), pass,
                         record);
}

/// float [N,V] of the rows with a token to predict.
at::Tensor TranslationTask::logits(const Batch& batch, const EncodedSource& source, PhiloxKey pass,
                                   DecoderExtras extras) {
  const at::Tensor& target_ids = batch.columns.at("target_ids");
  if (minds_padding_) extras.keep = target_ids.ne(Vocabulary::kPadding);
  const at::Tensor hidden_BTD = model_->decoded(target_ids, source, pass, extras);
  return model_->logits(hidden_BTD.flatten(0, 1).index_select(0, batch.columns.at("rows")));
}

BatchLoss TranslationTask::loss(const Batch& batch, PhiloxKey pass) {
  Recorder record = new_record();
  SideInputs side;
  if (options_.hints) side["hints"] = batch.columns.at("hints");
  const at::Tensor logits_NV =
      logits(batch, encoded(batch, pass, &record), pass, {.record = &record, .side = &side});
  // LibTorch spreads the smoothing over all tokens, including the right one.
  const auto vocabulary = static_cast<double>(logits_NV.size(1));
  const double share = options_.label_smoothing * vocabulary / (vocabulary - 1.0);
  const at::Tensor &source = batch.columns.at("source_ids"),
                   &target = batch.columns.at("target_ids");
  return {.sum = cross_entropy(logits_NV, batch.columns.at("targets"), at::Reduction::Sum,
                               kNothingToPredict, share),
          .flops = 3.0 * model_->forward_flops(source.size(0), source.size(1), target.size(1)),
          .record = std::move(record)};
}

std::vector<Hypothesis> TranslationTask::found(const Batch& on_host, const EncodedSource& source,
                                               PhiloxKey pass) {
  const at::Tensor lengths = on_host.columns.at("source_keep").sum(1);
  std::vector<int64_t> longest;
  for (int64_t row = 0; row < lengths.size(0); ++row) {
    longest.push_back(longest_found(lengths[row].item<int64_t>(), options_));
  }
  const auto decoder = make_translation_decoder(*model_, source, pass);
  return beam_search(*decoder, longest, with_special_tokens(options_.beam));
}

SplitResult TranslationTask::evaluate(const std::string& name, const EvaluationPass& pass) {
  const at::NoGradGuard no_gradient;
  const TranslationSplit split = first_pairs(dataset_->split(name), pass.most);
  std::vector<SequenceLoss> losses(split.source.size());
  std::vector<std::vector<int32_t>> sentences(split.source.size());
  HostCopies copies(device_);
  int64_t number = 0;
  for (const std::vector<uint32_t>& indices : batches_of(split, /*shuffle=*/false, 0)) {
    const Batch on_host = make_batch(split, indices), batch = on_device(on_host, device_);
    const PhiloxKey key = evaluation_key(pass.seed, pass.step, number++);
    const EncodedSource source = encoded(batch, key, nullptr);
    add_losses(
        cross_entropy(logits(batch, source, key), batch.columns.at("targets"), at::Reduction::None),
        batch, copies, losses);
    const std::vector<Hypothesis> best = found(on_host, source, key);
    for (size_t row = 0; row < indices.size(); ++row) sentences[indices[row]] = best[row].tokens;
    if (pass.alive) pass.alive();
  }
  copies.finish();
  return result_of(split, losses, sentences);
}

SplitResult TranslationTask::result_of(const TranslationSplit& split,
                                       const std::vector<SequenceLoss>& losses,
                                       const std::vector<std::vector<int32_t>>& sentences) const {
  const BleuRules& rules = dataset_->is_tokenized() ? kMultiBleu : kSacreBleu;
  BleuScore bleu(rules);
  std::vector<int64_t> all, lengths, counts;
  for (size_t i = 0; i < sentences.size(); ++i) {
    const BleuCounts own = bleu_counts(dataset_->text(sentences[i]), split.references[i], rules);
    bleu.add(own);
    counts.insert(counts.end(), own.begin(), own.end());
    all.insert(all.end(), sentences[i].begin(), sentences[i].end());
    lengths.push_back(static_cast<int64_t>(sentences[i].size()));
  }
  const Outcomes outcomes{.losses = losses, .bleu = &bleu};
  SplitResult result;
  for (const char* metric : kTranslationMetrics)
    result.values[metric] = metrics().make(metric, Json::object())->value(outcomes);
  result.predictions = loss_predictions(losses);
  result.predictions["found"] = at::tensor(all, at::kLong);
  result.predictions["found_tokens"] = at::tensor(lengths, at::kLong);
  result.predictions["bleu_counts"] =
      at::tensor(counts, at::kLong).view({static_cast<int64_t>(sentences.size()), -1});
  const bool is_smoothed = rules.smoothing != BleuSmoothing::none;
  result.predictions["bleu_smoothed"] = at::full({1}, is_smoothed ? 1 : 0, at::kLong);
  return result;
}

std::string TranslationTask::found_text(
    const std::map<std::string, at::Tensor>& predictions) const {
  const at::Tensor ids = predictions.at("found").to(at::kInt).contiguous(),
                   lengths = predictions.at("found_tokens");
  const int32_t* next = ids.const_data_ptr<int32_t>();
  std::string text;
  for (int64_t i = 0; i < lengths.size(0); ++i) {
    const auto length = static_cast<size_t>(lengths[i].item<int64_t>());
    text += dataset_->text({next, length}) + "\n";
    next += length;
  }
  return text;
}

double TranslationTask::guessing_loss() const {
  return std::log(static_cast<double>(dataset_->vocabulary_size()));
}

namespace {

struct SearchOptions {
  int64_t beams = 5;
  double length_penalty = 1.0;
  double length_factor = 1.2;
  int64_t length_extra = 10;

  void fields(Fields& field) {
    field("beams", beams, "unfinished sentences kept per source sentence").min(1);
    field("length_penalty", length_penalty,
          "a sentence's score is its log-probability divided by its length to this power");
    field("length_factor", length_factor,
          "longest translation: length_factor times the tokens of the source, plus length_extra")
        .min(0);
    field("length_extra", length_extra, "see length_factor [tokens]").min(1);
  }
};

struct MtOptions : TrainOptions {
  Choice<"dataset", "dataset"> data;
  TranslationModelOptions model;
  std::optional<int64_t> batch_tokens = 4096;
  double label_smoothing = 0.1;
  SearchOptions search;

  /// fairseq's recipe for IWSLT 2014, as in BET's released scripts.
  MtOptions() {
    // fairseq's optimizer adam applies decay to the weight itself, including biases and norms.
    optimizer = {"adamw",
                 {{"lr", 5e-4}, {"beta2", 0.98}, {"weight_decay", 1e-4}, {"decay_vectors", true}},
                 {}};
    schedule = {"inverse_square_root", {{"warmup", 4000}}, {}};
  }

  void fields(Fields& field) {
    field("data", data, "data to learn from").required();
    field("model", model, "encoder and decoder");
    field("batch_tokens", batch_tokens,
          "a batch holds pairs of similar length, with at most this many tokens on each side, "
          "padding included; null: `batch` pairs")
        .min(1);
    field("label_smoothing", label_smoothing,
          "share of the target probability that is spread evenly over all other tokens")
        .min(0)
        .below(1);
    field("search", search, "the beam search for translations, on which BLEU is measured");
    TrainOptions::fields(field);
  }

  static std::vector<Rule> rules() {
    std::vector<Rule> all = TrainOptions::rules();
    all.push_back(has_fact("data.dataset", "dataset", "kind", {"translations"},
                           "translation is learned from sentences and their translations"));
    for (const Rule& rule : splits_of_the_data_set()) all.push_back(rule);
    all.push_back(is_declared("evaluate.metric", "data.dataset", "dataset", "metrics",
                              "these are the metrics of the data set"));
    for (const Rule& rule : rules_of_hints("model.attention")) all.push_back(rule);
    all.push_back(at_most(2, "search.beams", 0, "data.vocabulary",
                          "beam search takes twice as many tokens as beams: lower search.beams, or "
                          "raise data.vocabulary")
                      .only_where({{"data.unit", "pieces"}}));
    return all;
  }
};

class MtJob : public TrainingJob {
 public:
  explicit MtJob(const MtOptions& options) : options_(options) {}

 private:
  JobOutcome train(JobContext& context) const override {
    const at::Device device = prepare_device(context, options_.precision);
    const auto dataset = data_of<TranslationDataset>(context, options_.data);
    TranslationTask task(dataset, options_.model, task_options(),
                         static_cast<uint64_t>(context.trial.seed.value_or(0)), device);
    Trainer trainer(task, options_, device, context);
    const TranslationSplit& train = dataset->split("train");
    const JobOutcome outcome = trainer.run([&] {
      if (takes_hints()) write_hint_coverage(hint_coverage(train.hints), context.events);
    });
    write_split_size("train", {train.source.size(), train.source.size() + train.left_out},
                     context.events);
    if (outcome != JobOutcome::done) return outcome;
    leave_weights(trainer, context);
    leave_predictions(trainer, datasets().facts(options_.data.name).metrics, context);
    leave_found(task, trainer.predictions(), context);
    return outcome;
  }

  /// Writes SPLIT.txt, the decoded sentences.
  void leave_found(const TranslationTask& task,
                   const std::map<std::string, at::Tensor>& predictions,
                   JobContext& context) const {
    for (const std::string& split : options_.evaluate.splits)
      leave_prediction_file(split + ".txt", task.found_text(predictions_of(split, predictions)),
                            split, context);
  }

  TranslationTaskOptions task_options() const {
    return {
        .batching = options_.batching(),
        .batch_tokens = options_.batch_tokens,
        .label_smoothing = options_.label_smoothing,
        .beam = {.beams = options_.search.beams, .length_penalty = options_.search.length_penalty},
        .length_factor = options_.search.length_factor,
        .length_extra = options_.search.length_extra,
        .splits = options_.evaluate.splits,
        .hints = takes_hints()};
  }

  bool takes_hints() const { return takes_side_input(options_.model.attention, kHints); }

  const MtOptions options_;
};

RETHINK_REGISTERED = jobs().add<MtOptions>(
    {.name = "mt",
     .summary = "train and measure a translation model (BET, Tables 1 and 2, Figures 3 to 5)",
     .revision = 2,
     .facts = {.outputs = {"weights", "predictions", "prediction_file"},
               .metrics = training_metrics({.named_by = metrics_of_the_data_set()}),
               .weights_of = "decoder",
               .beside_memory = TrainOptions::beside_memory()}},
    [](const MtOptions& options) { return std::make_shared<MtJob>(options); });

}  // namespace
}  // namespace rethink
