#include "experiments/train/analyses/trained_decoder.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <span>

#include "core/json.h"
#include "datasets/dataset.h"
#include "datasets/text/text_tokens.h"
#include "datasets/translation/translations.h"
#include "datasets/vocabulary.h"
#include "experiments/train/decoders/decoder_files.h"
#include "models/decoder.h"
#include "models/translation_model.h"

namespace rethink {
namespace {

void load(const SafetensorsFile& file, torch::nn::Module& model, const at::Device& device) {
  load_decoder(file, model);
  model.to(device);
}

std::span<const int32_t> without_end(std::span<const int32_t> sequence) {
  return sequence.first(sequence.size() - 1);
}

class TrainedLanguageModel : public TrainedDecoder {
 public:
  TrainedLanguageModel(std::shared_ptr<TokenDataset> dataset, const Json& config,
                       const SafetensorsFile& file, const at::Device& device)
      : dataset_(std::move(dataset)),
        data_(config.at("data")),
        layers_(config.at("model").at("layers")),
        device_(device),
        model_(std::make_shared<DecoderLanguageModel>(
            read_options<ModelOptions>(config.at("model")),
            static_cast<int64_t>(dataset_->vocabulary().size()), /*seed=*/0)) {
    load(file, *model_, device);
  }

  size_t size(const std::string& split) const override { return dataset_->sequences(split).size(); }

  std::vector<at::Tensor> maps(const std::string& split, size_t index) override {
    return maps_of(without_end(dataset_->sequences(split)[index]));
  }

  std::vector<std::string> tokens(const std::string& split, size_t index) const override {
    const std::span<const int32_t> ids = dataset_->sequences(split)[index];
    std::vector<std::string> texts;
    for (const int32_t id : ids) texts.push_back(dataset_->vocabulary().text(id));
    return texts;
  }

  ReadText read(const std::string& text) override {
    ReadLine line = read_line(text, data_, dataset_->vocabulary());
    if (line.ids.size() < 2) {
      throw ConfigError("invalid-sentence",
                        fmt::format("got \"{}\", expected a text of two tokens or more", text));
    }
    std::vector<bool> known;
    for (const int32_t id : line.ids) known.push_back(id != Vocabulary::kUnknown);
    return {std::move(line.tokens), std::move(known), maps_of(without_end(line.ids))};
  }

 private:
  std::vector<at::Tensor> maps_of(std::span<const int32_t> ids) {
    Recorder record{.keep_maps = true};
    model_->hidden(batch_of_one(ids).to(device_), {}, {.record = &record});
    return maps_of_layers(record.maps, layers_, /*calls=*/1);
  }

  const std::shared_ptr<TokenDataset> dataset_;
  const Json data_;  // its options
  const int64_t layers_;
  const at::Device device_;
  const std::shared_ptr<DecoderLanguageModel> model_;
};

class TrainedTranslationModel : public TrainedDecoder {
 public:
  TrainedTranslationModel(std::shared_ptr<TranslationDataset> dataset, const Json& config,
                          const SafetensorsFile& file, const at::Device& device)
      : dataset_(std::move(dataset)),
        layers_(config.at("model").at("layers")),
        device_(device),
        model_(std::make_shared<TranslationModel>(
            read_options<TranslationModelOptions>(config.at("model")),
            static_cast<int64_t>(dataset_->vocabulary_size()), /*seed=*/0)) {
    load(file, *model_, device);
  }

  size_t size(const std::string& split) const override {
    return dataset_->split(split).target.size();
  }

  std::vector<at::Tensor> maps(const std::string& split, size_t index) override {
    const TranslationSplit& pairs = dataset_->split(split);
    const at::Tensor source = batch_of_one(pairs.source[index]).to(device_);
    const EncodedSource encoded = model_->encoded(source, at::ones_like(source, at::kBool), {});
    Recorder record{.keep_maps = true};
    model_->decoded(batch_of_one(without_end(pairs.target[index])).to(device_), encoded, {},
                    {.record = &record});
    // Maps over the target, then over the source.
    return maps_of_layers(record.maps, layers_, /*calls=*/2);
  }

  std::vector<std::string> tokens(const std::string& split, size_t index) const override {
    std::vector<std::string> texts;
    for (const int32_t id : dataset_->split(split).target[index])
      texts.push_back(dataset_->token(id));
    return texts;
  }

  ReadText read(const std::string&) override {
    throw ConfigError("missing-need",
                      "this analysis reads sentences, which the decoder of a translation model "
                      "cannot read without a source sentence: "
                      "write needs: {init: STAGE}, a stage of lm");
  }

 private:
  const std::shared_ptr<TranslationDataset> dataset_;
  const int64_t layers_;  // of the decoder
  const at::Device device_;
  const std::shared_ptr<TranslationModel> model_;
};

}  // namespace

std::vector<at::Tensor> maps_of_layers(const std::vector<at::Tensor>& recorded, int64_t layers,
                                       int64_t calls) {
  if (static_cast<int64_t>(recorded.size()) != layers * calls) {
    throw TrialError(
        "wrong-attention",
        fmt::format("the attention of these weights wrote {} maps in {} layers, expected {}, one "
                    "per call; layers that write a map per head are not supported",
                    recorded.size(), layers, layers * calls));
  }
  std::vector<at::Tensor> maps;
  for (size_t i = 0; i < recorded.size(); i += static_cast<size_t>(calls))
    maps.push_back(recorded[i].to(at::kCPU));
  return maps;
}

std::unique_ptr<TrainedDecoder> load_trained_decoder(const JobContext& context,
                                                     const at::Device& device) {
  const Artifact* init = context.input("init");
  if (!init) {
    throw ConfigError("missing-need",
                      "this analysis needs the weights of a decoder: write needs: {init: STAGE}, a "
                      "stage of lm or mt");
  }
  const SafetensorsFile file(init->path);
  const Json config = decoder_config(init->path, file);
  const auto dataset = dataset_of_decoder(config, {context.runtime.data, context.runtime.cache});
  if (auto text = std::dynamic_pointer_cast<TokenDataset>(dataset))
    return std::make_unique<TrainedLanguageModel>(std::move(text), config, file, device);
  return std::make_unique<TrainedTranslationModel>(
      require_kind<TranslationDataset>(dataset, config.at("data").at("dataset")), config, file,
      device);
}

}  // namespace rethink
