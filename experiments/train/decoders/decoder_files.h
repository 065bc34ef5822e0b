// A language model or a translation model with all that it needs to read and write text: from the trial
// that left it, or from a folder of its own (docs/weights.md).
#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "core/format/safetensors.h"
#include "core/json.h"
#include "datasets/dataset.h"
#include "datasets/translation/sentencepieces.h"
#include "datasets/vocabulary.h"

namespace rethink {

enum class DecoderKind { language_model, translation };

struct DecoderFiles {
  DecoderKind kind = DecoderKind::language_model;
  Json config;                // the trial's options: "data", "model", of translations "search"
  bool is_tokenized = false;  // of translations: words have spaces between them already
  std::shared_ptr<SafetensorsFile> weights;
  Vocabulary vocabulary;
  std::shared_ptr<SentencePieces> pieces{};  // null where tokens are words or characters
};

/// The configuration that a file of weights of `lm` or `mt` names, with the places of data that the trial in
/// whose folder it lies was given. Throws ConfigError where the weights are of another job.
Json decoder_config(const std::filesystem::path& weights, const SafetensorsFile& file);

/// The data set that the configuration names.
std::shared_ptr<Dataset> dataset_of_decoder(const Json& config, const DataFolders& folders);

/// Copies the file's weights into `model`, which then evaluates on the CPU. Throws ConfigError where one is missing.
void load_decoder(const SafetensorsFile& file, torch::nn::Module& model);

/// i64 [1,T] of the ids of a text, on the CPU.
at::Tensor batch_of_one(std::span<const int32_t> ids);

/// Of weights as a trial left them; the vocabulary is made from the data again where no cache has it. Throws
/// ConfigError, or TrialError where data are missing.
DecoderFiles decoder_of_trial(const std::filesystem::path& weights, const DataFolders& folders);

/// Throws ConfigError where the folder is none that write_decoder_folder made.
DecoderFiles read_decoder_folder(const std::filesystem::path& folder);

/// Makes the folder: config.json, model.safetensors, vocab.txt, of pieces sentencepiece.model too. `weights`: the
/// file that `files` is of. Durable.
void write_decoder_folder(const DecoderFiles& files, const std::filesystem::path& weights,
                          const std::filesystem::path& folder);

}  // namespace rethink
