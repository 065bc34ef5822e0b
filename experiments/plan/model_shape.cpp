#include "experiments/plan/model_shape.h"

#include <algorithm>
#include <string>

#include "core/json.h"

namespace rethink {
namespace {

/// Returns 0 if the option is missing, null or 0, which mean "no limit" or "all".
int64_t whole_number_at(const Json& config, const char* path) {
  const Json* value = find_path(config, path);
  return value && value->is_number_integer() ? std::max<int64_t>(0, value->get<int64_t>()) : 0;
}

/// The smaller of two limits; 0 means no limit.
int64_t tighter_limit(int64_t a, int64_t b) {
  return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
}

/// The length of the longest sequence [tokens]; 0 if unknown.
int64_t longest_sequence(const Json& config) {
  if (const int64_t of_job = whole_number_at(config, "max_length")) return of_job;
  const Json* protocol = find_path(config, "data.protocol");
  if (protocol && *protocol == "stream") return whole_number_at(config, "data.stream_length");
  return tighter_limit(whole_number_at(config, "data.max_tokens"),
                       whole_number_at(config, "data.length"));
}

}  // namespace

std::optional<ModelShape> model_shape(const Json& config) {
  const int64_t encoder_layers = whole_number_at(config, "model.encoder_layers"),
                layers = whole_number_at(config, "model.layers");
  ModelShape shape{.layers = encoder_layers + layers,
                   .cross_layers = encoder_layers > 0 ? layers : 0,
                   .d_model = whole_number_at(config, "model.d_model"),
                   .heads = whole_number_at(config, "model.heads"),
                   .ffn = whole_number_at(config, "model.ffn"),
                   .rows = whole_number_at(config, "batch"),
                   .tokens = longest_sequence(config)};
  for (const int64_t size :
       {layers, shape.d_model, shape.heads, shape.ffn, shape.rows, shape.tokens}) {
    if (size == 0) return std::nullopt;
  }
  if (const int64_t of_batch = whole_number_at(config, "batch_tokens"))
    shape.rows = std::max<int64_t>(1, of_batch / shape.tokens);
  // Pretraining predicts some tokens of a text, and a decoder predicts all of them.
  const bool is_decoder = encoder_layers > 0 || find_path(config, "model.tied_output");
  const int64_t of_row = is_decoder ? shape.tokens : whole_number_at(config, "max_predictions");
  shape.predicted = shape.rows * of_row;
  const int64_t of_job = whole_number_at(config, "vocabulary.size");
  shape.vocabulary = of_job > 0 ? of_job : whole_number_at(config, "data.vocabulary");
  return shape;
}

double weights_of_layers(const ModelShape& shape) {
  const auto width = static_cast<double>(shape.d_model), inner = static_cast<double>(shape.ffn);
  const auto attentions = static_cast<double>(shape.layers + shape.cross_layers);
  return attentions * 4 * width * width + static_cast<double>(shape.layers) * 2 * width * inner;
}

double weights_of_model(const ModelShape& shape) {
  return weights_of_layers(shape) +
         static_cast<double>(shape.vocabulary) * static_cast<double>(shape.d_model);
}

}  // namespace rethink
