// A language model or a translation model with everything needed to read and write text: from its
// trial, or from a folder of its own (docs/weights.md).
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
  bool is_tokenized = false;  // of translations: spaces already separate the words
  std::shared_ptr<SafetensorsFile> weights;
  Vocabulary vocabulary;
  std::shared_ptr<SentencePieces> pieces{};  // null if tokens are words or characters
};

/// Returns the configuration in a file of weights of `lm` or `mt`, with the data paths of the trial
/// whose folder contains the file. Throws ConfigError if the weights are of another job.
Json decoder_config(const std::filesystem::path& weights, const SafetensorsFile& file);

/// Returns the data set of the configuration.
std::shared_ptr<Dataset> dataset_of_decoder(const Json& config, const DataFolders& folders);

/// Copies the file's weights into `model` and sets evaluation mode on the CPU. Throws ConfigError
/// if a weight is missing.
void load_decoder(const SafetensorsFile& file, torch::nn::Module& model);

/// Returns the ids of a text as i64 [1,T], on the CPU.
at::Tensor batch_of_one(std::span<const int32_t> ids);

/// Returns the files of a trial's weights. If no cache has the vocabulary, it is made from the data
/// again. Throws ConfigError, and TrialError if data are missing.
DecoderFiles decoder_of_trial(const std::filesystem::path& weights, const DataFolders& folders);

/// Reads a folder. Throws ConfigError if write_decoder_folder did not make it.
DecoderFiles read_decoder_folder(const std::filesystem::path& folder);

/// Makes the folder: config.json, model.safetensors, vocab.txt, and for pieces sentencepiece.model.
/// `weights` is the file from which `files` were read. Durable.
void write_decoder_folder(const DecoderFiles& files, const std::filesystem::path& weights,
                          const std::filesystem::path& folder);

}  // namespace rethink
