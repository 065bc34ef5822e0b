#include "app/worker/made_up_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/json.h"

namespace rethink {
namespace {

std::vector<std::string> words(int64_t vocabulary) {
  std::vector<std::string> texts;
  for (int64_t word = Vocabulary::kSpecials; word < vocabulary; ++word)
    texts.push_back(fmt::format("w{}", word));
  return texts;
}

}  // namespace

MadeUpLines::MadeUpLines(int64_t vocabulary, const std::map<std::string, MadeUpText>& texts)
    : vocabulary_(words(vocabulary)) {
  for (const auto& [name, text] : texts) lines_[name] = lines_of(text);
}

MadeUpLines::Lines MadeUpLines::lines_of(const MadeUpText& text) const {
  const auto known = static_cast<int64_t>(vocabulary_.size()) - Vocabulary::kSpecials;
  Lines lines;
  const auto add = [&](const std::vector<int32_t>& tokens) {
    lines.tokens.insert(lines.tokens.end(), tokens.begin(), tokens.end());
  };
  for (int64_t line = 0; line < text.count; ++line) {
    add(text.before);
    const int64_t length = text.tokens - line % std::max<int64_t>(1, text.tokens / 10);
    for (int64_t j = 0; j < length; ++j) {
      const int64_t word = (line * 7919 + j * 104729 + j * j) % known;
      lines.tokens.push_back(static_cast<int32_t>(Vocabulary::kSpecials + word));
    }
    add(text.after);
    lines.offsets.push_back(lines.tokens.size());
  }
  return lines;
}

std::vector<std::string> MadeUpLines::splits() const {
  std::vector<std::string> names;
  for (const auto& [name, lines] : lines_) names.push_back(name);
  return names;
}

TokenSequences MadeUpLines::sequences(const std::string& split) const {
  const Lines& lines = lines_.at(split);
  return {lines.offsets, lines.tokens};
}

void MadeUpPairs::fields(Fields& field) {
  field("encoder_layers", encoder_layers, "encoder layers").min(1);
  field("layers", layers, "decoder layers").min(1);
  field("d_model", d_model, "width").min(1);
  field("heads", heads, "attention heads").min(1);
  field("ffn", ffn, "width of the feed-forward layers").min(1);
  field("vocabulary", vocabulary, "words of both languages together").min(10);
  field("batch", batch, "pairs of sentences per batch").min(1);
  field("tokens", tokens, "tokens of the longest sentence").min(1);
  field("attention", attention,
        "kind of the decoder's self-attention; `rethink describe attention` lists the kinds");
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
