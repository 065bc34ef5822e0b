#include "experiments/train/tasks/pretraining_task.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/train/metrics.h"
#include "experiments/train/tensor_memory.h"
#include "models/cross_entropy.h"
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

/// What is held out is evaluated alike whatever the seed; the training split may be, too.
std::string held_out(const std::string& split) {
  return "held-out " + split;
}

}  // namespace

PretrainingTask::PretrainingTask(const DocumentDataset& dataset, const EncoderStart& start,
                                 const PretrainingOptions& options, uint64_t seed,
                                 at::Device device)
    : EncoderTask(start, {.batching = options.batching}, seed, device),
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
      throw TrialError(fmt::format("the {} split has too little text for a pair", split));
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

BatchLoss PretrainingTask::loss(const Batch& batch, PhiloxKey pass, Recorder& record) {
  const Predicted predicted = forward(batch, pass, &record);
  const at::Tensor mlm = mlm_->loss_sum(predicted.rows_MD, encoder().word_embedding(),
                                        batch.columns.at("masked_labels"));
  const at::Tensor nsp =
      cross_entropy(predicted.next_B2, batch.columns.at("next_sentence"), at::Reduction::Mean);
  return {.sum = mlm + nsp * batch.divisor,
          .flops = encoder_flops(batch) + 3.0 * mlm_->forward_flops(batch.tokens)};
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
      mlm_->logits(predicted.rows_MD, encoder().word_embedding()).to(at::kFloat);
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
  Found found(examples_of(held_out(split)));
  for_each_batch(held_out(split), pass, [&](const auto& pairs, const Batch& batch, PhiloxKey key) {
    evaluate_batch(batch, pairs, key, found);
  });
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
