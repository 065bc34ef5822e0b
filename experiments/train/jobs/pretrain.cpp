#include "experiments/train/jobs/pretrain.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "datasets/wordpiece/trainer.h"
#include "experiments/train/device/device.h"
#include "experiments/train/device/host_copies.h"
#include "experiments/train/device/tensor_memory.h"
#include "experiments/train/loop.h"
#include "experiments/train/metrics.h"
#include "experiments/train/training_job.h"
#include "models/tensors/cross_entropy.h"
#include "models/tensors/random.h"

namespace rethink {
namespace {

constexpr uint64_t kEvaluationSeed =
    0x68656C646F7574;  // seed of held-out pairs and masks; any number, but fixed

MaskVocabulary mask_vocabulary(const EncoderStart& start) {
  const WordPiece& pieces = start.pieces;
  if (pieces.mask() < 0) {
    throw ConfigError(
        "wrong-weights",
        fmt::format(
            "{}: the vocabulary has no '[MASK]', which pretraining puts in place of masked words",
            start.weights.string()));
  }
  return {static_cast<int32_t>(pieces.size()), pieces.padding(), pieces.classifier(),
          pieces.separator(), pieces.mask()};
}

/// Held-out data are the same for every seed, and so may be the training split.
std::string held_out(const std::string& split) {
  return "held-out " + split;
}

}  // namespace

PretrainingTask::PretrainingTask(const DocumentDataset& dataset, const EncoderStart& start,
                                 const PretrainingOptions& options, uint64_t seed,
                                 at::Device device)
    : EncoderTask(start, {.batching = options.batching, .max_length = options.pairs.max_length},
                  seed, device),
      pretraining_(options),
      vocabulary_(mask_vocabulary(start)),
      pooler_(model_->register_module("pooler", std::make_shared<Pooler>(start.model, seed))),
      mlm_(model_->register_module(
          "mlm", std::make_shared<MaskedLanguageHead>(start.model.d_model, start.vocabulary,
                                                      start.model.activation, seed))),
      nsp_(linear_head("nsp", 2)) {
  prepare("train", dataset.documents("train"), start.pieces, seed, options.duplicates);
  for (const std::string& split : std::set(options.splits.begin(), options.splits.end())) {
    prepare(held_out(split), dataset.documents(split), start.pieces, kEvaluationSeed, 1);
    if (examples_of(held_out(split)) == 0)
      throw TrialError("too-little-text",
                       fmt::format("the {} split has too little text for a pair", split));
  }
}

std::vector<ParameterGroup> PretrainingTask::parameter_groups() {
  std::vector<ParameterGroup> groups = Task::parameter_groups();
  groups.back().lr = pretraining_.mask_lr;
  return groups;
}

void PretrainingTask::prepare(const std::string& name, const std::vector<Document>& documents,
                              const WordPiece& pieces, uint64_t seed, int64_t passes) {
  Split& split = splits_[name];
  split.seed = seed;
  std::vector<int32_t> ids;
  for (const Document& document : documents) {
    for (const std::string& sentence : document) {
      ids.clear();
      pieces.encode(sentence, ids);
      split.documents.add_sentence(ids);
    }
    split.documents.end_document();
  }
  for (int64_t pass = 0; pass < passes; ++pass) {
    const std::vector<TextPair> pairs = text_pairs(split.documents, pretraining_.pairs, seed, pass);
    split.pairs.insert(split.pairs.end(), pairs.begin(), pairs.end());
    split.begins.push_back(static_cast<uint32_t>(split.pairs.size()));
  }
  add_split(name, pair_lengths(split.pairs));
}

int64_t PretrainingTask::num_batches(int64_t epoch) const {
  const std::vector<uint32_t>& begins = splits_.at("train").begins;
  const size_t pass = static_cast<size_t>(epoch % pretraining_.duplicates);
  return rethink::num_batches(begins[pass + 1] - begins[pass], options_.batching);
}

std::optional<PassShape> PretrainingTask::joinable_batch() const {
  std::optional<PassShape> batch = EncoderTask::joinable_batch();
  if (!batch) return batch;
  batch->predicted = batch->rows * pretraining_.masks.max_predictions;
  batch->vocabulary = encoder().word_embedding().size(0);
  return batch;
}

std::vector<std::vector<uint32_t>> PretrainingTask::batches_of(const std::string& name,
                                                               bool shuffle, int64_t epoch) const {
  const std::vector<uint32_t>& begins = splits_.at(name).begins;
  const auto pass = static_cast<size_t>(epoch % (static_cast<int64_t>(begins.size()) - 1));
  const std::span<const uint32_t> lengths =
      std::span(lengths_.at(name)).subspan(begins[pass], begins[pass + 1] - begins[pass]);
  BatchingOptions batching = options_.batching;
  batching.shuffle = shuffle;
  auto batches = rethink::epoch_batches(lengths, batching, seed_, epoch);
  for (auto& batch : batches) {
    for (uint32_t& pair : batch) pair += begins[pass];
  }
  return batches;
}

Batch PretrainingTask::make_batch(const std::string& name,
                                  const std::vector<uint32_t>& pairs) const {
  const Split& split = splits_.at(name);
  const auto after = std::upper_bound(split.begins.begin(), split.begins.end(), pairs.front());
  const auto pass = static_cast<size_t>(after - split.begins.begin()) - 1;
  std::vector<uint32_t> in_pass;
  for (const uint32_t pair : pairs) in_pass.push_back(pair - split.begins[pass]);
  TensorMemory memory(device_.is_cuda());
  const MaskedPairs source{split.documents, std::span(split.pairs).subspan(split.begins[pass]),
                           vocabulary_,     pretraining_.masks,
                           split.seed,      static_cast<int64_t>(pass)};
  Batch batch;
  batch.columns = memory.tensors(pretraining_columns(source, in_pass, memory.allocator()));
  batch.tokens = batch.columns.at("masked_labels").numel();
  batch.read = batch.columns.at("keep").sum().item<int64_t>();
  batch.divisor = static_cast<double>(batch.tokens);
  return batch;
}

PretrainingTask::Predicted PretrainingTask::forward(const Batch& batch, PhiloxKey pass,
                                                    Recorder* record) {
  const at::Tensor hidden_BTD = hidden_states(batch, pass, record);
  return {rows_at(hidden_BTD, batch.columns.at("masked_positions")),
          nsp_->forward(pooler_->forward(hidden_BTD))};
}

BatchLoss PretrainingTask::loss(const Batch& batch, PhiloxKey pass) {
  Recorder record = new_record();
  const Predicted predicted = forward(batch, pass, &record);
  const at::Tensor mlm = mlm_->loss_sum(predicted.rows_MD, encoder().word_embedding(),
                                        batch.columns.at("masked_labels"));
  const at::Tensor nsp =
      cross_entropy(predicted.next_B2, batch.columns.at("next_sentence"), at::Reduction::Mean);
  return {.sum = mlm + nsp * batch.divisor,
          .flops = encoder_flops(batch) + 3.0 * mlm_->forward_flops(batch.tokens),
          .record = std::move(record)};
}

/// The outcomes of pairs, one after another.
struct PretrainingTask::Found {
  Found(size_t pairs, const at::Device& device)
      : copies(device), losses(pairs), right(pairs), next(pairs), expected(pairs) {}

  /// Outcomes of a batch: nats f32 [M], hit bool [M], row i64 [M] in the batch; for its pairs the
  /// predicted and the true class, i64 [B].
  void add(const std::vector<uint32_t>& pairs, const std::vector<at::Tensor>& on_host) {
    const float* nll = on_host[0].const_data_ptr<float>();
    const bool* hit = on_host[1].const_data_ptr<bool>();
    const int64_t* row = on_host[2].const_data_ptr<int64_t>();
    for (int64_t token = 0; token < on_host[0].numel(); ++token) {
      const size_t pair = pairs[static_cast<size_t>(row[token])];
      losses[pair].nll += static_cast<double>(nll[token]);
      losses[pair].tokens += 1;
      right[pair] += hit[token] ? 1.0 : 0.0;
    }
    for (size_t i = 0; i < pairs.size(); ++i) {
      next[pairs[i]] = static_cast<double>(on_host[3].const_data_ptr<int64_t>()[i]);
      expected[pairs[i]] = static_cast<double>(on_host[4].const_data_ptr<int64_t>()[i]);
    }
  }

  HostCopies copies;
  std::vector<SequenceLoss> losses;
  std::vector<double> right, next, expected;
};

void PretrainingTask::evaluate_batch(const Batch& batch, const std::vector<uint32_t>& pairs,
                                     PhiloxKey key, Found& found) {
  const Predicted predicted = forward(batch, key, nullptr);
  const at::Tensor logits_MV =
      mlm_->logits(predicted.rows_MD, encoder().word_embedding()).to(at::kFloat);
  const at::Tensor labels = batch.columns.at("masked_labels");
  const at::Tensor row =
      batch.columns.at("masked_positions").floor_divide(batch.columns.at("input_ids").size(1));
  found.copies.add(
      {cross_entropy(logits_MV, labels, at::Reduction::None), logits_MV.argmax(1).eq(labels), row,
       predicted.next_B2.argmax(1), batch.columns.at("next_sentence")},
      [pairs, &found](const std::vector<at::Tensor>& on_host) { found.add(pairs, on_host); });
}

SplitResult PretrainingTask::evaluate(const std::string& split, const EvaluationPass& pass) {
  const at::NoGradGuard no_gradient;
  Found found(evaluated(held_out(split), pass), device_);
  for_each_batch(held_out(split), pass, [&](const auto& pairs, const Batch& batch, PhiloxKey key) {
    evaluate_batch(batch, pairs, key, found);
  });
  found.copies.finish();
  SplitResult result;
  result.values = metric_values("masked", {.losses = found.losses,
                                           .right = found.right,
                                           .predicted = found.next,
                                           .expected = found.expected});
  result.predictions = loss_predictions(found.losses);
  result.predictions["right"] = at::tensor(found.right, at::kDouble);
  result.predictions["next"] = at::tensor(found.next, at::kDouble);
  return result;
}

double PretrainingTask::guessing_loss() const {
  return std::log(static_cast<double>(vocabulary_.size)) + std::log(2.0);
}

namespace {

struct VocabularyOptions {
  int64_t size = 30522;
  bool cased = false;

  void fields(Fields& field) {
    field("size", size,
          "number of WordPieces learned from the training text, including special tokens; a file "
          "in data.vocabulary has its own size")
        .min(100);
    field("cased", cased, "keep case and accents");
  }
};

struct MaskLearningOptions {
  std::optional<double> lr;

  void fields(Fields& field) {
    field("lr", lr,
          "learning rate of the scores of learned masks; null = the model's learning rate")
        .above(0);
  }
};

/// The defaults are those of SparseBERT's released pretraining for one GPU's share of a batch, with
/// AdamW instead of LAMB, whose learning rates are for batches of 65,536.
struct PretrainOptions : TrainOptions {
  Choice<"dataset", "dataset"> data;
  EncoderOptions model;
  VocabularyOptions vocabulary;
  MaskLearningOptions mask;
  int64_t max_length = 128, max_predictions = 20, duplicates = 5;
  double masked_share = 0.15, short_share = 0.1;

  PretrainOptions() {
    batch = 32;
    clip = 1.0;
    optimizer = {"adamw", {{"lr", 1e-4}, {"eps", 1e-6}}, {}};
    schedule = {"linear", {{"warmup_share", 0.01}}, {}};
    evaluate.splits = {"dev"};
    evaluate.keep = "last";
  }

  void fields(Fields& field) {
    field("data", data, "documents to learn from").required();
    field("model", model, "the encoder; with an input `init`, the encoder of its weights");
    field("vocabulary", vocabulary, "WordPiece vocabulary; an input `init` brings its own");
    field("mask", mask, "how learned masks are trained");
    field("max_length", max_length, "longest pair of texts, special tokens included [tokens]")
        .min(5);
    field("masked_share", masked_share, "share of the tokens that are masked and predicted")
        .above(0)
        .max(1);
    field("max_predictions", max_predictions, "largest number of predicted tokens per pair").min(1);
    field("short_share", short_share, "share of documents with shorter pairs").min(0).max(1);
    field("duplicates", duplicates,
          "passes over the documents with new pairs and masks before the pairs and masks repeat")
        .min(1);
    TrainOptions::fields(field);
  }

  static std::vector<Rule> rules() {
    std::vector<Rule> all = TrainOptions::rules();
    all.push_back(has_fact("data.dataset", "dataset", "kind", {"documents"},
                           "pretraining is on documents of sentences"));
    all.push_back(has_fact("evaluate.metric", "metric", "kind", {"masked"},
                           "this metric is not of masked texts"));
    for (const Rule& rule : splits_of_the_data_set()) all.push_back(rule);
    all.push_back(a_position_for_every_token());
    all.push_back(a_mask_for_every_token());
    return all;
  }
};

class PretrainJob : public TrainingJob {
 public:
  explicit PretrainJob(const PretrainOptions& options) : options_(options) {}

 private:
  JobOutcome train(JobContext& context) const override {
    const at::Device device = prepare_device(context, options_.precision);
    const auto dataset = data_of<DocumentDataset>(context, options_.data);
    if (context.input("init") && !dataset->vocabulary().empty()) {
      throw ConfigError("conflicting-values",
                        fmt::format("data.vocabulary: got {}, but the weights in 'init' have a "
                                    "vocabulary of their own: take "
                                    "one of the two out of the stage",
                                    dataset->vocabulary().string()));
    }
    const EncoderStart start = encoder_start(context, options_.model, options_.max_length,
                                             [&] { return vocabulary_of(*dataset); });
    PretrainingTask task(*dataset, start, task_options(),
                         static_cast<uint64_t>(context.trial.seed.value_or(0)), device);
    load_start(start, task.model(), context);
    task.model().to(device);
    Trainer trainer(task, options_, device, context);
    const JobOutcome outcome = trainer.run();
    if (outcome != JobOutcome::done) return outcome;
    leave_encoder(trainer, task, start, context);
    leave_predictions(trainer, metrics_of("masked"), context);
    return outcome;
  }

  WordPiece vocabulary_of(const DocumentDataset& dataset) const {
    if (!dataset.vocabulary().empty())
      return WordPiece::from_file(dataset.vocabulary(), options_.vocabulary.cased);
    WordPieceTrainer trainer({.size = static_cast<size_t>(options_.vocabulary.size),
                              .cased = options_.vocabulary.cased});
    for (const Document& document : dataset.documents("train")) {
      for (const std::string& sentence : document) trainer.add(sentence);
    }
    return trainer.train();
  }

  PretrainingOptions task_options() const {
    return {.batching = options_.batching(),
            .duplicates = options_.duplicates,
            .pairs = {.max_length = options_.max_length, .short_probability = options_.short_share},
            .masks = {.share = options_.masked_share, .max_predictions = options_.max_predictions},
            .mask_lr = options_.mask.lr,
            .splits = options_.evaluate.splits};
  }

  const PretrainOptions options_;
};

RETHINK_REGISTERED = jobs().add<PretrainOptions>(
    {.name = "pretrain",
     .summary = "pretrain an encoder as BERT: masked tokens and next sentences (SparseBERT, 3.1)",
     .facts = {.inputs = {{"init", "weights"}, {"mask", "mask"}},
               .outputs = {"weights", "predictions", "mask", "importance"},
               .plugin_inputs = {"mask"},
               .plugin_outputs = {"mask", "importance"},
               .metrics = training_metrics({.of = "metric", .kind = "masked", .score = "mlm_loss"}),
               .loads_first = {"layers"},
               .weights_of = "encoder",
               .beside_memory = TrainOptions::beside_memory()}},
    [](const PretrainOptions& options) { return std::make_shared<PretrainJob>(options); });

}  // namespace
}  // namespace rethink
