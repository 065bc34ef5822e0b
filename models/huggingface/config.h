// Reading and writing of config.json and tokenizer_config.json in a folder of BERT or DistilBERT,
// as Hugging Face's transformers does (BertConfig, DistilBertConfig). Options that BERT lacks are
// in the member "rethink" of config.json, {"model": EncoderOptions}, which transformers ignores.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "models/huggingface/family.h"
#include "models/options.h"

namespace rethink {

/// Contents of a folder, apart from the weights and vocab.txt.
struct EncoderFolder {
  EncoderOptions options;
  int64_t vocabulary = 0;
  bool lower_case = true;                  // whether the tokenizer lower-cases (read_casing)
  std::string architecture = "BertModel";  // the class of transformers that has these heads
  /// Names of a classifier's classes; one name for a score (problem_type "regression").
  std::vector<std::string> labels = {};
  std::vector<std::string> notes = {};  // notes for the user about the tokenizer's files
};

/// Returns the contents of a folder. Throws one ConfigError "PATH: ..." that lists everything
/// missing, of a wrong type, or not implemented here (relative positions, another activation, a
/// decoder, another model_type).
EncoderFolder read_encoder_folder(const std::filesystem::path& folder);

/// Returns the family that the folder's config.json names. Throws as read_encoder_folder.
const HuggingFaceFamily& read_family(const std::filesystem::path& folder);

/// Writes config.json and tokenizer_config.json. Throws MachineError.
void write_encoder_config(const std::filesystem::path& folder, const EncoderFolder& facts);

}  // namespace rethink
