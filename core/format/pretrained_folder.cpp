#include "core/format/pretrained_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.h"
#include "core/files/named_file.h"
#include "core/format/file_kind.h"
#include "core/format/tokenizer_json.h"
#include "core/json.h"

namespace rethink {

namespace {

// PEFT's AutoPeftModel refuses an adapter that names its task, and a task's class refuses an
// adapter that does not.
constexpr const char* kMergeFolder =
    R"(  import json, peft, transformers as t; a = json.load(open("adapter_config.json")); kind = {"SEQ_CLS": "SequenceClassification", "TOKEN_CLS": "TokenClassification", "QUESTION_ANS": "QuestionAnswering", "FEATURE_EXTRACTION": "FeatureExtraction"}.get(a.get("task_type"))
  t.AutoTokenizer.from_pretrained(a["base_model_name_or_path"]).save_pretrained("merged"); getattr(peft, "AutoPeftModelFor" + kind if kind else "AutoPeftModel").from_pretrained(".").merge_and_unload().save_pretrained("merged"))";

constexpr const char* kMergeModel = R"(  model = model.merge_and_unload()
  model.save_pretrained("merged"))";

/// Parts of dotted names: of LoRA, IA3, and of PEFT's wrappers.
constexpr std::array<std::string_view, 9> kAdapterParts = {
    "lora_A",     "lora_B", "lora_embedding_A", "lora_embedding_B", "lora_magnitude_vector",
    "base_layer", "ia3_l",  "modules_to_save",  "prompt_embeddings"};

bool has_adapter_part(std::string_view name) {
  while (!name.empty()) {
    const size_t end = std::min(name.find('.'), name.size());
    if (std::ranges::find(kAdapterParts, name.substr(0, end)) != kAdapterParts.end()) return true;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return false;
}

}  // namespace

void refuse_adapter_weights(const std::filesystem::path& folder) {
  if (is_regular_file_there(folder / "model.safetensors")) return;
  for (const char* name :
       {"adapter_config.json", "adapter_model.safetensors", "adapter_model.bin"}) {
    if (!is_regular_file_there(folder / name)) continue;
    throw ConfigError(
        "unsupported-weights",
        fmt::format(
            "{}: the weights are an adapter (LoRA or another PEFT method) without the model that "
            "it "
            "changes; these two lines of Python, run in that folder, merge both into the folder "
            "merged "
            "(pip install peft transformers; num_labels=N in the last from_pretrained where a task "
            "has "
            "more than 2 classes):\n{}",
            (folder / name).string(), kMergeFolder));
  }
}

std::string trouble_with_adapter_names(const std::vector<std::string>& names) {
  const auto found = std::ranges::find_if(names, has_adapter_part);
  if (found == names.end()) return "";
  return fmt::format(
      "holds an adapter (LoRA or another PEFT method) that is not merged into its model, such as "
      "{}; "
      "merge it with these two lines of Python where the model was trained:\n{}",
      *found, kMergeModel);
}

namespace {

/// Classes of transformers with BertTokenizer's ids, without "Fast"; for classes that read only
/// tokenizer.json, that file decides (core/format/tokenizer_json.h). BertJapaneseTokenizer is
/// missing: its Chinese characters are parts of words even with word_tokenizer_type basic
/// (tokenize_chinese_chars=False).
constexpr std::string_view kWordPieceClasses[] = {"BertTokenizer",
                                                  "BertTokenizerLegacy",
                                                  "ConvBertTokenizer",
                                                  "DPRContextEncoderTokenizer",
                                                  "DPRQuestionEncoderTokenizer",
                                                  "DPRReaderTokenizer",
                                                  "DistilBertTokenizer",
                                                  "ElectraTokenizer",
                                                  "LayoutLMTokenizer",
                                                  "LxmertTokenizer",
                                                  "MobileBertTokenizer",
                                                  "PreTrainedTokenizer",
                                                  "RealmTokenizer",
                                                  "RetriBertTokenizer",
                                                  "SqueezeBertTokenizer",
                                                  "TokenizersBackend"};

/// Null if the file is missing or is not JSON.
Json json_in(const std::filesystem::path& file) {
  if (!is_regular_file_there(file)) return {};
  try {
    return read_json(file);
  } catch (const Error&) {
    return {};
  }
}

struct ConfiguredClass {
  std::filesystem::path file;  // file with the class
  std::string name;            // "" if no file has it
};

/// In the order in which AutoTokenizer of transformers searches.
ConfiguredClass class_in_config(const std::filesystem::path& folder) {
  const std::filesystem::path first = folder / "tokenizer_config.json";
  const Json parts = json_in(first);
  for (const auto& file : {first, folder / "config.json"}) {
    const Json said = member_or_null(file == first ? parts : json_in(file), "tokenizer_class");
    if (said.is_string()) return {file, said.get<std::string>()};
  }
  // Only this class has such a part.
  const bool is_japanese = !member_or_null(parts, "word_tokenizer_type").is_null();
  return {first, is_japanese ? "BertJapaneseTokenizer" : ""};
}

[[noreturn]] void refuse_tokenizer(const std::filesystem::path& file, const std::string& what,
                                   const char* mend = "write tokenizer_class BertTokenizer") {
  throw ConfigError(
      "unsupported-tokenizer",
      fmt::format("{}: its tokenizer is {}; rethink reads WordPiece vocabularies of BERT and "
                  "DistilBERT; take "
                  "weights with such a tokenizer, or, if these were trained with BERT's, {} there",
                  file.string(), what, mend));
}

}  // namespace

void require_word_pieces(const std::filesystem::path& folder) {
  const ConfiguredClass said = class_in_config(folder);
  constexpr std::string_view kFast = "Fast";
  std::string_view name = said.name;
  if (name.ends_with(kFast)) name.remove_suffix(kFast.size());
  if (!said.name.empty() &&
      std::ranges::find(kWordPieceClasses, name) == std::end(kWordPieceClasses))
    refuse_tokenizer(said.file, said.name);
  if (is_regular_file_there(folder / "vocab.txt") ||
      is_regular_file_there(folder / "tokenizer.json"))
    return;
  constexpr const char* kPutVocabulary = "put their vocab.txt";
  if (is_regular_file_there(folder / "vocab.json") && is_regular_file_there(folder / "merges.txt"))
    refuse_tokenizer(folder / "merges.txt", "BPE, with its vocabulary in vocab.json",
                     kPutVocabulary);
  for (const char* model : {"spiece.model", "sentencepiece.bpe.model", "spm.model"})
    if (is_regular_file_there(folder / model))
      refuse_tokenizer(folder / model, "SentencePiece", kPutVocabulary);
}

}  // namespace rethink
