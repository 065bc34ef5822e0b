// `bench encoder_step`: one optimisation step of BERT's pretraining, as the training loop takes it,
// on batches of a made-up text, all of them of full length. tests/bench/peers/encoder_step.py is
// the same in Hugging Face's transformers, and takes its steps in turns with these.
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

#include "app/worker/bench_steps.h"
#include "core/config/registry.h"
#include "core/config/schema.h"
#include "core/json.h"
#include "experiments/train/jobs/pretrain.h"
#include "models/huggingface/weights.h"

namespace rethink {
namespace {

struct EncoderStepOptions {
  TimingOptions timing;
  int64_t layers = 4, d_model = 256, heads = 4, ffn = 1024;
  int64_t vocabulary = 8192, batch = 8, tokens = 128, batches = 20;
  double dropout = 0.1;

  void fields(Fields& field) {
    timing.fields(field);
    field("layers", layers, "encoder layers").min(1);
    field("d_model", d_model, "width").min(1);
    field("heads", heads, "attention heads").min(1);
    field("ffn", ffn, "width of the feed-forward layer").min(1);
    field("vocabulary", vocabulary, "pieces in the vocabulary").min(10);
    field("batch", batch, "pairs of texts per step").min(1);
    field("tokens", tokens, "tokens per pair").min(5);
    field("batches", batches, "different batches; the steps use them in turn").min(1);
    field("dropout", dropout, "dropout everywhere in the model").min(0).below(1);
  }
};

/// Sentences of half a pair's length, so that every pair has the maximum length.
Document made_up_document(const EncoderStepOptions& options, int64_t number) {
  constexpr int64_t kSentences = 8;
  const int64_t words = (options.tokens - 2) / 2;
  const int64_t known = options.vocabulary - static_cast<int64_t>(kBertSpecials.size());
  Document document;
  for (int64_t i = number * kSentences; i < (number + 1) * kSentences; ++i) {
    std::string sentence;
    for (int64_t j = 0; j < words; ++j)
      sentence += fmt::format("w{} ", (i * 7919 + j * 104729 + j * j * i) % known);
    document.push_back(sentence);
  }
  return document;
}

DocumentDataset made_up_text(const EncoderStepOptions& options) {
  DocumentSplit train{"train", {}};
  // A document has at least four pairs, and there must be another document to draw from.
  const int64_t documents = options.batches * options.batch / 4 + 2;
  for (int64_t number = 0; number < documents; ++number)
    train.documents.push_back(made_up_document(options, number));
  return DocumentDataset("made up", {std::move(train)});
}

EncoderStart start_of(const EncoderStepOptions& options) {
  EncoderOptions model;
  model.layers = options.layers;
  model.d_model = options.d_model;
  model.heads = options.heads;
  model.ffn = options.ffn;
  model.dropout = options.dropout;
  model.max_positions = std::max<int64_t>(512, options.tokens);
  std::vector<std::string> pieces(kBertSpecials.begin(), kBertSpecials.end());
  while (static_cast<int64_t>(pieces.size()) < options.vocabulary)
    pieces.push_back(fmt::format("w{}", pieces.size() - kBertSpecials.size()));
  return {model, WordPiece(std::move(pieces), /*cased=*/false), options.vocabulary};
}

/// The steps, one batch after the other.
class EncoderSteps {
 public:
  explicit EncoderSteps(const EncoderStepOptions& options)
      : start_(start_of(options)),
        train_(train_options(options)),
        device_(options.timing.ready_device()),
        task_(made_up_text(options), start_,
              {.batching = train_.batching(),
               .duplicates = 1,
               .pairs = {.max_length = options.tokens, .short_probability = 0},
               .masks = {.max_predictions = options.tokens}},
              0, device_) {
    auto batches = task_.epoch_batches(0);
    batches.resize(static_cast<size_t>(options.batches));
    for (const auto& pairs : batches) batches_.push_back(task_.batch(pairs));
    if (!options.timing.folder.empty()) write(options.timing.folder);
    task_.model().to(device_);
    for (Batch& batch : batches_) batch = on_device(batch, device_);
    trainer_.emplace(task_, train_, options.timing, device_);
  }

  void step() { trainer_->step(batches_[next_++ % batches_.size()]); }
  double loss() const { return task_.newest_loss(); }
  at::Device device() const { return device_; }

 private:
  static TrainOptions train_options(const EncoderStepOptions& options) {
    TrainOptions train;
    train.steps = options.batches;
    train.batch = options.batch;
    train.shuffle = train.buckets = false;
    train.optimizer = {"adamw", {{"lr", 1e-4}, {"eps", 1e-6}}, {}};
    train.precision = options.timing.precision;
    train.evaluate.keep = "last";
    return train;
  }

  /// Writes the model in Hugging Face's form.
  void write(const std::filesystem::path& folder) {
    write_batches(folder, batches_);
    save_huggingface(folder,
                     {.options = start_.model,
                      .vocabulary = start_.vocabulary,
                      .architecture = "BertForPreTraining"},
                     weights_of(task_.model()));
  }

  const EncoderStart start_;
  const TrainOptions train_;
  const at::Device device_;
  Measured<PretrainingTask> task_;
  std::vector<Batch> batches_;
  std::optional<BenchTrainer> trainer_;
  size_t next_ = 0;
};

void run_encoder_step(const Json& given) {
  auto options = read_options<EncoderStepOptions>(given);
  options.timing.asked = {{"benchmark", "encoder_step"}, {"options", given}};
  EncoderSteps steps(options);
  print_times(options.timing, {.step = [&] { steps.step(); },
                               .result = [&] { return Json(steps.loss()); },
                               .device = steps.device()});
}

RETHINK_REGISTERED =
    add_benchmark("encoder_step", {"an optimisation step of BERT's pretraining",
                                   describe_options<EncoderStepOptions>(), run_encoder_step});

}  // namespace

}  // namespace rethink
