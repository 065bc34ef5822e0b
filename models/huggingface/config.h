// config.json and tokenizer_config.json of a folder of BERT or DistilBERT as Hugging Face's
// transformers reads and writes them (its BertConfig and DistilBertConfig). What an encoder of ours has beyond BERT's options stands in the
// member "rethink" of config.json, {"model": EncoderOptions}, which others pass over.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "models/huggingface/family.h"
#include "models/options.h"

namespace rethink {

/// What stands in a folder beside its weights and vocab.txt.
struct EncoderFolder {
  EncoderOptions options;
  int64_t vocabulary = 0;
  bool lower_case = true;                  // the tokenizer's, as read_casing finds it
  std::string architecture = "BertModel";  // the class of transformers that has these heads
  /// Names of a classifier's classes. One for a score (problem_type "regression").
  std::vector<std::string> labels = {};
  std::vector<std::string> notes = {};  // what a user should know about the tokenizer's files
};

/// Throws ConfigError "PATH: ..." for what is missing, of another type, or not implemented here
/// (relative positions, another activation, a decoder, another model_type), all of it at once.
EncoderFolder read_encoder_folder(const std::filesystem::path& folder);

/// The family that its config.json names. Throws as read_encoder_folder.
const HuggingFaceFamily& read_family(const std::filesystem::path& folder);

/// config.json and tokenizer_config.json. Throws MachineError.
void write_encoder_config(const std::filesystem::path& folder, const EncoderFolder& facts);

}  // namespace rethink
