#include "experiments/train/decoders/generator.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "datasets/philox_stream.h"
#include "datasets/text/text_tokens.h"
#include "datasets/translation/translations.h"
#include "experiments/train/jobs/mt.h"
#include "models/attention/attention.h"
#include "models/beam_search.h"
#include "models/decoder.h"
#include "models/translation_model.h"

namespace rethink {
namespace {

constexpr int64_t kUsualTokens = 100;

/// Returns the longest text for which the model has positions [tokens].
int64_t most_places(const ModelOptions& model) {
  int64_t most = std::numeric_limits<int64_t>::max();
  if (model.positions == "learned") most = model.max_positions;
  const auto bound_by = [&](const std::string& variant, const Json& options) {
    const Json all = attentions().completed(variant, options);
    if (all.contains("length")) most = std::min(most, all.at("length").get<int64_t>());
  };
  bound_by(model.attention.name, *model.attention.options);
  for (const auto& entry : model.attention.common.at) bound_by(entry.name, *entry.options);
  return most;
}

/// Returns the id whose share of [0, 1) contains `number`; the ids' shares are their probabilities, in order.
///
/// logits float [V]
int32_t drawn(const at::Tensor& logits, double temperature, double number) {
  if (temperature == 0) return logits.argmax().item<int32_t>();
  const at::Tensor shares = (logits.to(at::kDouble) / temperature).softmax(0).cumsum(0);
  const double* share = shares.const_data_ptr<double>();
  const double* const end = share + shares.size(0);
  const double wanted = number * end[-1];
  // For equal sums the first, so that an id with probability 0 is never drawn.
  return static_cast<int32_t>(std::min(std::upper_bound(share, end, wanted), end - 1) - share);
}

class LanguageModelGenerator : public Generator {
 public:
  LanguageModelGenerator(DecoderFiles files, const GenerateOptions& options)
      : files_(std::move(files)),
        options_(options),
        data_(files_.config.at("data")),
        most_places_(most_places(read_options<ModelOptions>(files_.config.at("model")))),
        model_(read_options<ModelOptions>(files_.config.at("model")),
               static_cast<int64_t>(files_.vocabulary.size()), /*seed=*/0) {
    load_decoder(*files_.weights, model_);
    const std::string unit = data_.value("unit", "word");
    unknown_.unit = unit == "char" ? "character" : unit;
  }

  std::vector<std::string> lines(const std::vector<std::string>& given, uint64_t first) override {
    std::vector<std::string> written;
    for (const std::string& line : given) written.push_back(this->line(line, first++));
    return written;
  }

 private:
  std::string line(const std::string& given, uint64_t number) {
    const ReadLine read = read_line(given, data_, files_.vocabulary);
    add_unknown(read);
    std::vector<int32_t> ids = read.ids;
    if (ids.empty()) ids.push_back(Vocabulary::kEnd);  // in a stream: after another line
    const auto begin = ids.size();
    const auto most = static_cast<size_t>(most_tokens(static_cast<int64_t>(begin)));
    PhiloxStream draws({options_.seed, number});
    while (ids.size() < begin + most) {
      const int32_t next = drawn(logits_after(ids), options_.temperature, draws.uniform());
      if (next == Vocabulary::kEnd) break;
      ids.push_back(next);
    }
    return text_of(given, {ids.begin() + static_cast<std::ptrdiff_t>(begin), ids.end()});
  }

  /// A data set may read every space as the unknown token, and a text may contain that token.
  void add_unknown(const ReadLine& read) {
    for (size_t i = 0; i < read.ids.size(); ++i) {
      const std::string& token = read.tokens[i];
      const bool is_meant =
          token == " " || token == Vocabulary::kSpecialTexts[Vocabulary::kUnknown];
      if (read.ids[i] == Vocabulary::kUnknown && !is_meant) unknown_.add(token);
    }
  }

  /// Returns logits of the next token. Special tokens other than the end get -infinity.
  ///
  /// returns float [V]
  at::Tensor logits_after(const std::vector<int32_t>& ids) {
    const at::NoGradGuard no_gradient;
    const at::Tensor hidden = model_.hidden(batch_of_one(ids), {});
    at::Tensor logits = model_.logits(hidden.select(1, hidden.size(1) - 1)).select(0, 0);
    for (const int32_t never : {Vocabulary::kPadding, Vocabulary::kStart, Vocabulary::kUnknown})
      logits[never] = -std::numeric_limits<float>::infinity();
    return logits;
  }

  int64_t most_tokens(int64_t given) const {
    const int64_t learned = data_.value("max_tokens", int64_t{0});
    const bool is_stream = data_.value("protocol", "") == "stream";
    int64_t whole = learned > 0 ? learned
                    : is_stream ? data_.value("stream_length", kUsualTokens)
                                : given + kUsualTokens;
    if (options_.tokens > 0) whole = given + options_.tokens;
    whole = std::min(whole, most_places_);
    return std::max<int64_t>(0, whole - given);
  }

  std::string text_of(const std::string& given, const std::vector<int32_t>& ids) const {
    const bool has_words = data_.value("unit", "word") == "word";
    std::string text = given;
    for (const int32_t id : ids) {
      if (has_words && !text.empty()) text += ' ';
      text += files_.vocabulary.text(id);
    }
    return text;
  }

  const DecoderFiles files_;
  const GenerateOptions options_;
  const Json& data_;
  const int64_t most_places_;
  DecoderLanguageModel model_;
};

class TranslationGenerator : public Generator {
 public:
  explicit TranslationGenerator(DecoderFiles files)
      : files_(std::move(files)),
        text_{files_.config.at("data").value("lowercase", false), files_.is_tokenized,
              &files_.vocabulary, files_.pieces},
        model_(read_options<TranslationModelOptions>(files_.config.at("model")),
               static_cast<int64_t>(files_.vocabulary.size()), /*seed=*/0) {
    load_decoder(*files_.weights, model_);
    const Json search = files_.config.value("search", Json::object());
    beam_.beams = search.value("beams", beam_.beams);
    beam_.length_penalty = search.value("length_penalty", beam_.length_penalty);
    lengths_.length_factor = search.value("length_factor", lengths_.length_factor);
    lengths_.length_extra = search.value("length_extra", lengths_.length_extra);
  }

  std::vector<std::string> lines(const std::vector<std::string>& given, uint64_t) override {
    std::vector<std::string> found;
    for (const std::string& line : given) found.push_back(translation_of(line));
    return found;
  }

 private:
  std::string translation_of(const std::string& line) {
    const at::NoGradGuard no_gradient;
    for (const std::string& word : text_.unknown_words(line)) unknown_.add(word);
    std::vector<int32_t> ids = text_.ids(line);
    if (ids.empty()) return "";
    ids.push_back(Vocabulary::kEnd);
    const at::Tensor source = batch_of_one(ids);
    const EncodedSource encoded = model_.encoded(source, at::ones_like(source, at::kBool), {});
    const auto decoder = make_translation_decoder(model_, encoded, {});
    const int64_t longest = longest_found(static_cast<int64_t>(ids.size()), lengths_);
    return text_.text(beam_search(*decoder, {longest}, with_special_tokens(beam_)).front().tokens);
  }

  const DecoderFiles files_;
  const TranslationLines text_;
  TranslationModel model_;
  BeamOptions beam_;
  TranslationTaskOptions lengths_;
};

}  // namespace

void UnknownTokens::add(const std::string& token) {
  constexpr size_t kMostKept = 5;
  ++count;
  if (different.insert(token).second && first.size() < kMostKept) first.push_back(token);
}

std::unique_ptr<Generator> make_generator(DecoderFiles files, const GenerateOptions& options) {
  if (files.kind == DecoderKind::language_model)
    return std::make_unique<LanguageModelGenerator>(std::move(files), options);
  return std::make_unique<TranslationGenerator>(std::move(files));
}

}  // namespace rethink
