#include "experiments/train/decoders/decoder_files.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/files/file.h"
#include "core/store_files/stored_json.h"
#include "core/store_files/trial_folder.h"
#include "datasets/translation/translations.h"
#include "models/tensors/tensor_file.h"

namespace rethink {
namespace {

constexpr const char* kConfigFile = "config.json";
constexpr const char* kWeightsFile = "model.safetensors";
constexpr const char* kVocabularyFile = "vocab.txt";
constexpr const char* kPiecesFile = "sentencepiece.model";
constexpr int kFormat = 1;

/// Returns the names of the kinds in config.json: those of the jobs that make them.
std::string to_text(DecoderKind kind) {
  return kind == DecoderKind::language_model ? "lm" : "mt";
}

std::filesystem::path require_file_of(const std::filesystem::path& folder, const char* name) {
  if (std::filesystem::exists(folder / name)) return folder / name;
  throw ConfigError("missing-weights",
                    fmt::format("{} has no {}: expected the folder of a language or translation "
                                "model that `rethink export` "
                                "made",
                                folder.string(), name));
}

DecoderKind kind_in(const Json& written, const std::filesystem::path& file) {
  const Json* about =
      written.is_object() && written.contains("rethink") ? &written["rethink"] : nullptr;
  if (about && about->is_object()) {
    for (const DecoderKind kind : {DecoderKind::language_model, DecoderKind::translation}) {
      if (about->value("job", "") == to_text(kind) && about->value("format", 0) == kFormat)
        return kind;
    }
  }
  throw ConfigError("wrong-weights", fmt::format("{}: got a file that is not of a language or "
                                                 "translation model that this version of `rethink "
                                                 "export` made; `rethink encode` reads encoders",
                                                 file.string()));
}

/// The configuration of the weights' trial as in its identity: without paths of files.
Json described_config(const std::filesystem::path& weights, const SafetensorsFile& file) {
  const auto described = file.metadata().find("config");
  Json config = described == file.metadata().end()
                    ? Json::object()
                    : parse_json(described->second, weights.string());
  if (!config.contains("data") || !config.contains("model")) {
    throw ConfigError("wrong-weights", fmt::format("{} does not say which model and data it "
                                                   "belongs to; expected weights of a job lm or mt",
                                                   weights.string()));
  }
  return config;
}

}  // namespace

Json decoder_config(const std::filesystem::path& weights, const SafetensorsFile& file) {
  Json config = described_config(weights, file);
  const std::filesystem::path trial = weights.parent_path().parent_path() / kTrialFile;
  if (std::filesystem::exists(trial))
    config["data"] = read_store_json(trial).at("config").at("data");
  return config;
}

std::shared_ptr<Dataset> dataset_of_decoder(const Json& config, const DataFolders& folders) {
  Json options = config.at("data");
  const std::string name = options.at("dataset");
  options.erase("dataset");
  return datasets().make(name, options, folders);
}

void load_decoder(const SafetensorsFile& file, torch::nn::Module& model) {
  const at::NoGradGuard no_gradient;
  for (auto& [name, values] : weights_of(model)) values.copy_(tensor_over(file.at(name)));
  model.eval();
}

at::Tensor batch_of_one(std::span<const int32_t> ids) {
  return at::tensor(std::vector<int64_t>(ids.begin(), ids.end()), at::kLong).unsqueeze(0);
}

DecoderFiles decoder_of_trial(const std::filesystem::path& weights, const DataFolders& folders) {
  DecoderFiles files;
  files.weights = std::make_shared<SafetensorsFile>(weights);
  files.config = described_config(weights, *files.weights);
  const std::shared_ptr<Dataset> dataset =
      dataset_of_decoder(decoder_config(weights, *files.weights), folders);
  if (const auto text = std::dynamic_pointer_cast<TokenDataset>(dataset)) {
    files.vocabulary = text->vocabulary();
    return files;
  }
  const auto translations =
      require_kind<TranslationDataset>(dataset, files.config.at("data").at("dataset"));
  const TranslationLines lines = translations->lines(false);
  files.kind = DecoderKind::translation;
  files.is_tokenized = lines.is_tokenized;
  files.vocabulary = *lines.vocabulary;
  files.pieces = lines.pieces;
  return files;
}

DecoderFiles read_decoder_folder(const std::filesystem::path& folder) {
  const std::filesystem::path config = require_file_of(folder, kConfigFile);
  const Json written = parse_json(read_file(config), config.string());
  DecoderFiles files;
  files.kind = kind_in(written, config);
  const Json& about = written["rethink"];
  files.config = about.value("config", Json::object());
  for (const char* part : {"data", "model"}) {
    if (!files.config.is_object() || !files.config.contains(part))
      throw ConfigError("wrong-weights",
                        fmt::format("{}: has no rethink.config.{}", config.string(), part));
  }
  files.is_tokenized = about.value("is_tokenized", false);
  files.weights = std::make_shared<SafetensorsFile>(require_file_of(folder, kWeightsFile));
  const std::filesystem::path vocabulary = require_file_of(folder, kVocabularyFile);
  files.vocabulary = Vocabulary::from_text(read_file(vocabulary), vocabulary.string());
  if (files.config["data"].value("unit", "") == "pieces")
    files.pieces =
        std::make_shared<SentencePieces>(read_file(require_file_of(folder, kPiecesFile)));
  return files;
}

void write_decoder_folder(const DecoderFiles& files, const std::filesystem::path& weights,
                          const std::filesystem::path& folder) {
  const Json config = {{"rethink",
                        {{"format", kFormat},
                         {"job", to_text(files.kind)},
                         {"is_tokenized", files.is_tokenized},
                         {"config", files.config}}}};
  make_folder_durably(folder);
  write_file_durably(folder / kWeightsFile, read_file(weights));
  write_file_durably(folder / kVocabularyFile, files.vocabulary.to_text());
  if (files.pieces) write_file_durably(folder / kPiecesFile, files.pieces->serialized());
  // Written last, since it marks the folder as complete.
  write_file_durably(folder / kConfigFile, config.dump(2) + "\n");
}

}  // namespace rethink
