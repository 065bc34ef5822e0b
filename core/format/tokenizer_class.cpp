#include "core/format/tokenizer_class.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/format/tokenizer_json.h"
#include "core/json.h"

namespace rethink {
namespace {

/// Classes of transformers that give BertTokenizer's ids, without "Fast"; those that read
/// tokenizer.json alone are judged by it (core/format/tokenizer_json.h). Not BertJapaneseTokenizer: its Chinese characters
/// are parts of words even with word_tokenizer_type basic (tokenize_chinese_chars=False).
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

bool has_tokenizer_file(const std::filesystem::path& folder, const char* name) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(folder / name, ignored);
}

/// Null where the file is missing or is not JSON.
Json json_in(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return {};
  try {
    return read_json(file);
  } catch (const Error&) {
    return {};
  }
}

struct SaidClass {
  std::filesystem::path file;  // that says it
  std::string name;            // "" where no file says it
};

/// As AutoTokenizer of transformers looks for it.
SaidClass class_said_in(const std::filesystem::path& folder) {
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
  throw ConfigError(fmt::format(
      "{}: its tokenizer is {}; rethink reads WordPiece vocabularies of BERT and DistilBERT; take "
      "weights with such a tokenizer, or, if these were trained with BERT's, {} there",
      file.string(), what, mend));
}

}  // namespace

void require_word_pieces(const std::filesystem::path& folder) {
  const SaidClass said = class_said_in(folder);
  constexpr std::string_view kFast = "Fast";
  std::string_view name = said.name;
  if (name.ends_with(kFast)) name.remove_suffix(kFast.size());
  if (!said.name.empty() &&
      std::ranges::find(kWordPieceClasses, name) == std::end(kWordPieceClasses))
    refuse_tokenizer(said.file, said.name);
  if (has_tokenizer_file(folder, "vocab.txt") || has_tokenizer_file(folder, "tokenizer.json"))
    return;
  constexpr const char* kPutVocabulary = "put their vocab.txt";
  if (has_tokenizer_file(folder, "vocab.json") && has_tokenizer_file(folder, "merges.txt"))
    refuse_tokenizer(folder / "merges.txt", "BPE, with its vocabulary in vocab.json",
                     kPutVocabulary);
  for (const char* model : {"spiece.model", "sentencepiece.bpe.model", "spm.model"})
    if (has_tokenizer_file(folder, model))
      refuse_tokenizer(folder / model, "SentencePiece", kPutVocabulary);
}

}  // namespace rethink
