// The tokens of given sentences to which a language model attends while it predicts the next token:
// BET's case study, Table 3.
//
// Artifact `attended_tokens`, JSON: {"sentences": [{"text", "tokens": as split by the model's data,
// "unknown": positions of tokens that its vocabulary lacks, "target": position of the predicted
// token, "layers": [layer][position] [[position, weight], ...]}]}. The innermost lists have the
// tokens to which the token at a position attends, the most attended first (decoder_attention.h).
// For a target, the position before it counts.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include "core/files/file.h"
#include "core/json.h"
#include "experiments/attempt/jobs/analyze.h"
#include "experiments/train/analyses/decoder_attention.h"
#include "experiments/train/analyses/trained_decoder.h"
#include "experiments/train/device/device.h"

namespace rethink {
namespace {

struct AttendedSentence {
  std::string text, target;
  int64_t occurrence = 1;

  void fields(Fields& field) {
    field("text", text, "text that the model reads").required();
    field("target", target,
          "the predicted token, in lower case if the data are; '': the last token");
    field("occurrence", occurrence, "which of several equal target tokens, counted from 1").min(1);
  }
};

struct AttendedTokensOptions {
  std::vector<AttendedSentence> sentences;
  int64_t top = 3;

  void fields(Fields& field) {
    field("sentences", sentences, "texts, each with the predicted token").required().not_empty();
    field("top", top, "number of most attended tokens to list [tokens]").min(1);
  }
};

/// Throws ConfigError if there is no such token, or no token before it.
size_t place_of_target(const AttendedSentence& sentence, const std::vector<std::string>& tokens) {
  if (sentence.target.empty()) return tokens.size() - 1;
  int64_t found = 0;
  for (size_t place = 0; place < tokens.size(); ++place) {
    if (tokens[place] != sentence.target || ++found < sentence.occurrence) continue;
    if (place > 0) return place;
    throw ConfigError("invalid-sentence",
                      fmt::format("target '{}': got the first token, which has no token before it; "
                                  "expected a later one of: {}",
                                  sentence.target, fmt::join(tokens, " ")));
  }
  throw ConfigError(
      "invalid-sentence",
      fmt::format("target '{}': occurs {} times, expected at least {}, in: {}", sentence.target,
                  found, sentence.occurrence, fmt::join(tokens, " ")));
}

Json layer_json(const at::Tensor& map, int64_t top) {
  Json places = Json::array();
  for (const std::vector<AttendedToken>& attended : top_attended(map, top)) {
    Json& pairs = places.emplace_back(Json::array());
    for (const AttendedToken& token : attended) pairs.push_back({token.position, token.weight});
  }
  return places;
}

/// Tokens of bytes need not be UTF-8.
std::string text_of(const Json& all) {
  return all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

class AttendedTokens : public Analysis {
 public:
  explicit AttendedTokens(const AttendedTokensOptions& options) : options_(options) {}

  JobOutcome run(JobContext& context) override {
    const at::NoGradGuard no_gradient;
    const at::Device device = prepare_device(context, "float32");
    const auto decoder = load_trained_decoder(context, device);
    Json sentences = Json::array();
    for (size_t index = 0; index < options_.sentences.size(); ++index) {
      if (context.stop) return JobOutcome::interrupted;
      try {
        sentences.push_back(read(options_.sentences[index], *decoder));
      } catch (const ConfigError& error) {
        throw ConfigError(error.code(), fmt::format("analysis.sentences: number {}: {}", index + 1,
                                                    error.what()));
      }
    }
    const std::filesystem::path file = context.artifact_file("attended_tokens.json");
    write_file_atomically(file, text_of({{"sentences", sentences}}));
    context.add_artifact("attended_tokens", "attended_tokens", file);
    return JobOutcome::done;
  }

 private:
  Json read(const AttendedSentence& sentence, TrainedDecoder& decoder) const {
    const ReadText text = decoder.read(sentence.text);
    Json unknown = Json::array(), layers = Json::array();
    for (size_t place = 0; place < text.known.size(); ++place) {
      if (!text.known[place]) unknown.push_back(place);
    }
    for (const at::Tensor& map : text.maps) layers.push_back(layer_json(map, options_.top));
    return {{"text", sentence.text},
            {"tokens", text.tokens},
            {"unknown", unknown},
            {"target", place_of_target(sentence, text.tokens)},
            {"layers", layers}};
  }

  const AttendedTokensOptions options_;
};

RETHINK_REGISTERED = analyses().add<AttendedTokensOptions>(
    {.name = "attended_tokens",
     .summary = "the tokens of given sentences that a language model attends to most, in each "
                "layer (BET, Table 3)",
     .facts = {.reads = {"init"}, .weights_of = "decoder", .leaves = {"attended_tokens"}}},
    [](const AttendedTokensOptions& options) { return std::make_shared<AttendedTokens>(options); });

}  // namespace
}  // namespace rethink
