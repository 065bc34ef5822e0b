#include "app/worker/made_up_pairs.h"

#include "app/worker/made_up_lines.h"
#include "core/json.h"

namespace rethink {

void MadeUpPairs::fields(Fields& field) {
  field("encoder_layers", encoder_layers, "encoder layers").min(1);
  field("layers", layers, "decoder layers").min(1);
  field("d_model", d_model, "width").min(1);
  field("heads", heads, "attention heads").min(1);
  field("ffn", ffn, "width of the feed-forward layers").min(1);
  field("vocabulary", vocabulary, "words of both languages").min(10);
  field("batch", batch, "pairs of sentences at once").min(1);
  field("tokens", tokens, "tokens of the longest sentence").min(1);
  field("attention", attention,
        "of the decoder's tokens to each other, as `rethink describe attention` names it");
}

TranslationModelOptions MadeUpPairs::model() const {
  TranslationModelOptions model;
  model.encoder_layers = encoder_layers;
  model.layers = layers;
  model.d_model = d_model;
  model.heads = heads;
  model.ffn = ffn;
  model.attention = {attention, Json::object(), {}};
  return model;
}

std::shared_ptr<TranslationDataset> MadeUpPairs::dataset() const {
  const MadeUpText source{.count = batch, .tokens = tokens, .after = {Vocabulary::kEnd}};
  MadeUpText target = source;
  target.before = {Vocabulary::kStart};
  const auto lines = std::make_shared<MadeUpLines>(
      vocabulary,
      std::map<std::string, MadeUpText>{{"train.source", source}, {"train.target", target}});
  TranslationSplit train{.name = "train",
                         .source = lines->sequences("train.source"),
                         .target = lines->sequences("train.target"),
                         .hints = {},
                         .left_out = 0,
                         .references = {}};
  return std::make_shared<TranslationDataset>("made up", /*is_tokenized=*/true, lines, nullptr,
                                              std::vector{std::move(train)});
}

}  // namespace rethink
