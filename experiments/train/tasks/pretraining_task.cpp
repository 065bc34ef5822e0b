#include "experiments/train/tasks/pretraining_task.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/train/metrics.h"
#include "experiments/train/tasks/encoder_task.h"
#include "experiments/train/tensor_memory.h"
#include "models/cross_entropy.h"
#include "models/heads.h"
#include "models/random.h"

namespace rethink {
namespace {

constexpr uint64_t kEvaluationSeed =
    0x68656C646F7574;  // of held-out pairs and masks: any, for good

MaskVocabulary mask_vocabulary(const EncoderStart& start) {
  const WordPiece& pieces = start.pieces;
  if (pieces.mask() < 0) {
    throw ConfigError(fmt::format(
        "{}: the vocabulary has no '[MASK]', which pretraining puts in the place of words",
        start.weights.string()));
  }
  return {static_cast<int32_t>(pieces.size()), pieces.padding(), pieces.classifier(),
          pieces.separator(), pieces.mask()};
}

}  // namespace

/// Names as models/heads.h has them.
class EncoderWithPretrainingHeads : public torch::nn::Module {
 public:
  EncoderWithPretrainingHeads(const EncoderStart& start, uint64_t seed)
      : encoder(register_module("encoder", std::make_shared<Encoder>(start.model, start.vocabulary,
                                                                     seed, start.mask.get()))),
        pooler(register_module("pooler", std::make_shared<Pooler>(start.model, seed))),
        mlm(register_module(
            "mlm", std::make_shared<MaskedLanguageHead>(start.model.d_model, start.vocabulary,
                                                        start.model.activation, seed))),
        nsp(register_module("nsp",
                            std::make_shared<LinearHead>("nsp", start.model.d_model, 2, seed))) {}

  const std::shared_ptr<Encoder> encoder;
  const std::shared_ptr<Pooler> pooler;
  const std::shared_ptr<MaskedLanguageHead> mlm;
  const std::shared_ptr<LinearHead> nsp;
};

PretrainingTask::PretrainingTask(const DocumentDataset& dataset, const EncoderStart& start,
                                 const PretrainingOptions& options, uint64_t seed,
                                 at::Device device)
    : options_(options),
      seed_(seed),
      device_(device),
      vocabulary_(mask_vocabulary(start)),
      model_(std::make_shared<EncoderWithPretrainingHeads>(start, seed)),
      train_(prepare(dataset.documents("train"), start.pieces, seed, options.duplicates)) {
  for (const std::string& split : options_.splits) {
    evaluated_.emplace(split, prepare(dataset.documents(split), start.pieces, kEvaluationSeed, 1));
  }
  for (const auto& [name, split] : evaluated_) {
    if (split.pairs.empty())
      throw TrialError(fmt::format("the {} split has too little text for a pair", name));
  }
}

PretrainingTask::~PretrainingTask() = default;

torch::nn::Module& PretrainingTask::model() {
  return *model_;
}

Encoder& PretrainingTask::encoder() {
  return *model_->encoder;
}

std::vector<ParameterGroup> PretrainingTask::parameter_groups() {
  std::vector<ParameterGroup> groups = Task::parameter_groups();
  groups.back().lr = options_.mask_lr;
  return groups;
}

PretrainingTask::Split PretrainingTask::prepare(const std::vector<Document>& documents,
                                                const WordPiece& pieces, uint64_t seed,
                                                int64_t passes) const {
  Split split;
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
    const std::vector<TextPair> pairs = text_pairs(split.documents, options_.pairs, seed, pass);
    split.pairs.insert(split.pairs.end(), pairs.begin(), pairs.end());
    split.begins.push_back(static_cast<uint32_t>(split.pairs.size()));
  }
  return split;
}

int64_t PretrainingTask::num_batches(int64_t epoch) const {
  const size_t pass = static_cast<size_t>(epoch % options_.duplicates);
  return rethink::num_batches(train_.begins[pass + 1] - train_.begins[pass], options_.batching);
}

std::vector<std::vector<uint32_t>> PretrainingTask::batches_of(const Split& split, bool shuffle,
                                                               int64_t epoch) const {
  const auto passes = static_cast<int64_t>(split.begins.size()) - 1;
  const auto pass = static_cast<size_t>(epoch % passes);
  const std::span<const TextPair> pairs =
      std::span(split.pairs)
          .subspan(split.begins[pass], split.begins[pass + 1] - split.begins[pass]);
  BatchingOptions batching = options_.batching;
  batching.shuffle = shuffle;
  auto batches = rethink::epoch_batches(pair_lengths(pairs), batching, seed_, epoch);
  for (auto& batch : batches) {
    for (uint32_t& pair : batch) pair += split.begins[pass];
  }
  return batches;
}

std::vector<std::vector<uint32_t>> PretrainingTask::epoch_batches(int64_t epoch) const {
  return batches_of(train_, options_.batching.shuffle, epoch);
}

Batch PretrainingTask::batch(const std::vector<uint32_t>& indices) const {
  return make_batch(train_, indices);
}

Batch PretrainingTask::make_batch(const Split& split, const std::vector<uint32_t>& pairs) const {
  const auto after = std::upper_bound(split.begins.begin(), split.begins.end(), pairs.front());
  const auto pass = static_cast<size_t>(after - split.begins.begin()) - 1;
  std::vector<uint32_t> in_pass;
  for (const uint32_t pair : pairs) in_pass.push_back(pair - split.begins[pass]);
  TensorMemory memory(device_.is_cuda());
  const MaskedPairs source{split.documents, std::span(split.pairs).subspan(split.begins[pass]),
                           vocabulary_,     options_.masks,
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
  const at::Tensor hidden_BTD = hidden_states(*model_->encoder, batch, pass, record);
  return {rows_at(hidden_BTD, batch.columns.at("masked_positions")),
          model_->nsp->forward(model_->pooler->forward(hidden_BTD))};
}

BatchLoss PretrainingTask::loss(const Batch& batch, PhiloxKey pass, Recorder& record) {
  const Predicted predicted = forward(batch, pass, &record);
  const at::Tensor mlm = model_->mlm->loss_sum(predicted.rows_MD, model_->encoder->word_embedding(),
                                               batch.columns.at("masked_labels"));
  const at::Tensor nsp =
      cross_entropy(predicted.next_B2, batch.columns.at("next_sentence"), at::Reduction::Mean);
  return {.sum = mlm + nsp * batch.divisor,
          .flops = encoder_flops(*model_->encoder, batch) +
                   3.0 * model_->mlm->forward_flops(batch.tokens)};
}

/// What was found about one pair after another.
struct PretrainingTask::Found {
  explicit Found(size_t pairs) : losses(pairs), right(pairs), next(pairs), expected(pairs) {}
  std::vector<SequenceLoss> losses;
  std::vector<double> right, next, expected;
};

void PretrainingTask::evaluate_batch(const Batch& batch, const std::vector<uint32_t>& pairs,
                                     PhiloxKey key, Found& found) {
  const Predicted predicted = forward(batch, key, nullptr);
  const at::Tensor logits_MV =
      model_->mlm->logits(predicted.rows_MD, model_->encoder->word_embedding()).to(at::kFloat);
  const at::Tensor labels = batch.columns.at("masked_labels");
  const at::Tensor nll = cross_entropy(logits_MV, labels, at::Reduction::None).to(at::kCPU);
  const at::Tensor hit = logits_MV.argmax(1).eq(labels).to(at::kCPU);
  const at::Tensor row = batch.columns.at("masked_positions")
                             .floor_divide(batch.columns.at("input_ids").size(1))
                             .to(at::kCPU);
  for (int64_t token = 0; token < batch.tokens; ++token) {
    const size_t pair = pairs[static_cast<size_t>(row.const_data_ptr<int64_t>()[token])];
    found.losses[pair].nll += static_cast<double>(nll.const_data_ptr<float>()[token]);
    found.losses[pair].tokens += 1;
    found.right[pair] += hit.const_data_ptr<bool>()[token] ? 1.0 : 0.0;
  }
  const at::Tensor taken = predicted.next_B2.argmax(1).to(at::kCPU);
  const at::Tensor truth = batch.columns.at("next_sentence").to(at::kCPU);
  for (size_t i = 0; i < pairs.size(); ++i) {
    found.next[pairs[i]] = static_cast<double>(taken.const_data_ptr<int64_t>()[i]);
    found.expected[pairs[i]] = static_cast<double>(truth.const_data_ptr<int64_t>()[i]);
  }
}

SplitResult PretrainingTask::evaluate(const std::string& split, const EvaluationPass& pass) {
  const at::NoGradGuard no_gradient;
  const Split& data = evaluated_.at(split);
  Found found(data.pairs.size());
  int64_t batch_number = 0;
  for (const auto& pairs : batches_of(data, /*shuffle=*/false, 0)) {
    const Batch batch = on_device(make_batch(data, pairs), device_);
    evaluate_batch(batch, pairs, evaluation_key(pass.seed, pass.step, batch_number++), found);
    if (pass.alive) pass.alive();
  }
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

}  // namespace rethink
