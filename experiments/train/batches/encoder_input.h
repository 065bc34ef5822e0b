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

/// Returns the folder of an input `init`: a trial's weights, or an imported folder.
std::filesystem::path weights_folder(const Artifact& init);

/// Returns the tokenizer of an encoder's folder. Throws ConfigError if it has more pieces than the encoder has
/// embeddings, and as read_vocabulary and WordPiece. `notes` receives the vocabulary's note.
WordPiece read_pieces(const std::filesystem::path& folder, const EncoderFolder& facts,
                      std::vector<std::string>* notes = nullptr);

/// Everything that an encoder is made from.
struct EncoderStart {
  EncoderOptions model;
  WordPiece pieces;
  int64_t vocabulary = 0;              // rows of the embedding: as many as pieces, or more
  std::filesystem::path weights{};     // a folder in Hugging Face's form; empty: fresh weights
  std::shared_ptr<const Mask> mask{};  // of the input `mask`; may be null
};

/// Reads the inputs `init` and `mask` of a trial, if they are filled. `model` has the job's own
/// options, which may have fewer layers than the weights (the fact "loads_first" tells plans).
/// `max_length` is the length of the texts [tokens]. `fresh` makes the tokenizer if there is no
/// `init`. Throws ConfigError if a file is invalid, if the weights are of another model, or if the
/// mask is for shorter texts.
EncoderStart encoder_start(const JobContext& context, const EncoderOptions& model,
                           int64_t max_length, const std::function<WordPiece()>& fresh);

/// An encoder and a task's heads, under the names of models/heads.h.
class EncoderModel : public torch::nn::Module {
 public:
  /// Makes the encoder of `start` without its weights and without heads.
  EncoderModel(const EncoderStart& start, uint64_t seed)
      : encoder(register_module("encoder", std::make_shared<Encoder>(start.model, start.vocabulary,
                                                                     seed, start.mask.get()))) {}

  const std::shared_ptr<Encoder> encoder;
};

/// Loads the weights of `start`, if any, into `model`, whose modules have the names of models/heads.h. Missing parts
/// keep their values, and context.result lists them: {"began_fresh": [...]}.
void load_start(const EncoderStart& start, torch::nn::Module& model, JobContext& context);

}  // namespace rethink
