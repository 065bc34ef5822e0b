// The inputs of an encoder's job: weights, model and tokenizer of another trial or of an imported
// folder (`init`), and an optional mask for its attention (`mask`).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "datasets/wordpiece/wordpiece.h"
#include "experiments/attempt/job.h"
#include "models/encoder.h"
#include "models/huggingface/config.h"
#include "models/masks/mask.h"

namespace rethink {

/// Where the weights of an input `init` lie: a trial's, or an imported folder.
std::filesystem::path weights_folder(const Artifact& init);

/// The tokenizer of an encoder's folder. Throws ConfigError when it has more pieces than the encoder
/// has embeddings, and as read_vocabulary and WordPiece. `notes`: gets the vocabulary's note.
WordPiece read_pieces(const std::filesystem::path& folder, const EncoderFolder& facts,
                      std::vector<std::string>* notes = nullptr);

/// Everything that an encoder is made from.
struct EncoderStart {
  EncoderOptions model;
  WordPiece pieces;
  int64_t vocabulary = 0;              // rows of the embedding: the pieces, or more
  std::filesystem::path weights{};     // a folder in Hugging Face's form; empty: begins fresh
  std::shared_ptr<const Mask> mask{};  // of the input `mask`; may be null
};

/// Reads the inputs `init` and `mask` of a trial, where they are filled. `model`: the job's own
/// options, which may have fewer layers than the weights: the fact "loads_first" says so to plans.
/// `max_length`: of the texts [tokens]. `fresh`: makes the tokenizer of an encoder that begins
/// without `init`. Throws ConfigError when a file is not what it should be, the weights are of
/// another model, or the mask is for shorter texts.
EncoderStart encoder_start(const JobContext& context, const EncoderOptions& model,
                           int64_t max_length, const std::function<WordPiece()>& fresh);

/// An encoder and the heads that a task puts on it, under the names of models/heads.h.
class EncoderModel : public torch::nn::Module {
 public:
  /// The encoder of `start` without its weights, and no head.
  EncoderModel(const EncoderStart& start, uint64_t seed)
      : encoder(register_module("encoder", std::make_shared<Encoder>(start.model, start.vocabulary,
                                                                     seed, start.mask.get()))) {}

  const std::shared_ptr<Encoder> encoder;
};

/// Fills `model`, whose modules have the names of models/heads.h, with the weights of `start`, if
/// any. Parts that they lack stay as they are; context.result says which: {"began_fresh": [...]}.
void load_start(const EncoderStart& start, torch::nn::Module& model, JobContext& context);

}  // namespace rethink
