// Random mutations of config.json, the tokenizer's files and model.safetensors of a folder in
// transformers' form. RETHINK_MUTATIONS is their number, RETHINK_SEED selects them.
#include <gtest/gtest.h>

#include "core/format/tokenizer_folder.h"
#include "models/huggingface/weights.h"
#include "tests/support/mutations.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/models/tiny_bert.h"

namespace rethink {
namespace {

class MutatedFolder : public testing::Test {
 protected:
  MutatedFolder() {
    for (const char* name : {"config.json", "model.safetensors", "vocab.txt"})
      write_text(folder_ / name, read_text(kTinyBert / name));
  }

  void try_reading(size_t times, const std::string& name, ErrorPlace place,
                   const std::function<std::string(RandomChoices&)>& mutate,
                   const std::function<void()>& read) const {
    try_mutations(times, mutate, [&](const std::string& text) {
      write_text(folder_ / name, text);
      return fault_of_reading(folder_ / name, place, read);
    });
  }

  TempFolder folder_{memory_folder()};
};

TEST_F(MutatedFolder, OfAConfigurationIsReadAlikeOnceWrittenOrRefused) {
  const EncoderFolder tiny = read_encoder_folder(kTinyBert);
  write_encoder_config(folder_.path(), tiny);
  const std::vector<std::string> configurations = {
      read_text(kTinyBert / "config.json"), read_text(folder_ / "config.json"),
      read_text(kTinyBert.parent_path() / "tiny_distilbert/config.json")};
  std::filesystem::remove(folder_ / "tokenizer_config.json");
  const auto mutate = [&](RandomChoices& choices) {
    return mutated_text(choices.one_of(configurations), configurations, choices);
  };
  const std::filesystem::path again = folder_ / "again";
  std::filesystem::create_directory(again);
  try_reading(2000, "config.json", ErrorPlace::file, mutate, [&] {
    const EncoderFolder facts = read_encoder_folder(folder_.path());
    write_encoder_config(again, facts);
    const EncoderFolder second = read_encoder_folder(again);
    if (second.vocabulary != facts.vocabulary || second.labels != facts.labels)
      throw std::logic_error("what was written is read as something else");
  });
}

TEST_F(MutatedFolder, OfATokenizersConfigurationIsReadOrRefused) {
  const std::string sound =
      R"({"tokenizer_class": "BertTokenizer", "do_lower_case": true, "do_basic_tokenize": true,
"tokenize_chinese_chars": true, "strip_accents": null, "model_max_length": 24})";
  try_reading(
      1000, "tokenizer_config.json", ErrorPlace::file,
      [&](RandomChoices& choices) { return mutated_text(sound, {sound}, choices); },
      [&] { read_encoder_folder(folder_.path()); });
}

TEST_F(MutatedFolder, OfATokenizerIsReadOrRefused) {
  const std::string sound =
      R"({"added_tokens": [{"id": 4, "content": "[MASK]"}], "normalizer": {"type": "Sequence",
"normalizers": [{"type": "BertNormalizer", "lowercase": false, "strip_accents": null}]},
"pre_tokenizer": {"type": "BertPreTokenizer"}, "model": {"type": "WordPiece", "unk_token": "[UNK]",
"continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
"vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "a": 5, "##B": 6}}})";
  std::filesystem::remove(folder_ / "vocab.txt");
  try_reading(
      1000, "tokenizer.json", ErrorPlace::file,
      [&](RandomChoices& choices) { return mutated_text(sound, {sound}, choices); },
      [&] {
        read_casing(folder_.path());
        read_vocabulary(folder_.path());
      });
}

TEST_F(MutatedFolder, OfAVocabularyIsReadOrRefused) {
  const std::string sound = read_text(kTinyBert / "vocab.txt");
  try_reading(
      1000, "vocab.txt", ErrorPlace::file,
      [&](RandomChoices& choices) { return mutated_bytes(sound, choices); },
      [&] {
        read_casing(folder_.path());
        read_vocabulary(folder_.path());
      });
}

TEST_F(MutatedFolder, OfWeightsIsLoadedOrRefused) {
  const std::string sound = read_text(kTinyBert / "model.safetensors");
  uint64_t length = 0;
  std::memcpy(&length, sound.data(), sizeof length);
  PretrainingModel model(tiny_options(), kTinyVocabulary);
  const auto mutate = [&](RandomChoices& choices) {
    if (choices.below(4) == 0) return mutated_bytes(sound, choices);
    const std::string header = mutated_text(sound.substr(8, length), {sound}, choices);
    const uint64_t now = header.size();
    return std::string(reinterpret_cast<const char*>(&now), sizeof now) + header +
           sound.substr(8 + length);
  };
  try_reading(300, "model.safetensors", ErrorPlace::file, mutate, [&] {
    heads_in(folder_.path());
    load_huggingface(folder_.path(), model);
  });
}

}  // namespace
}  // namespace rethink
