#include "experiments/plan/gpu_memory.h"

#include <initializer_list>

#include "core/activation_bytes.h"
#include "core/json.h"

namespace rethink {
namespace {

/// The first of the options that is there and above 0; 0 where none is.
int64_t first_number(const Json& config, std::initializer_list<const char*> options) {
  for (const char* option : options) {
    const Json* value = find_path(config, option);
    if (value && value->is_number_integer() && value->get<int64_t>() > 0) return *value;
  }
  return 0;
}

}  // namespace

std::optional<GpuMemory> estimated_gpu_memory(const Json& config, bool learns_scores) {
  PassShape shape{.layers = first_number(config, {"model.layers"}),
                  .d_model = first_number(config, {"model.d_model"}),
                  .heads = first_number(config, {"model.heads"}),
                  .ffn = first_number(config, {"model.ffn"}),
                  .rows = first_number(config, {"batch"}),
                  .tokens = first_number(config, {"max_length", "data.stream_length",
                                                  "data.max_tokens", "data.length"}),
                  .vocabulary = first_number(config, {"vocabulary.size", "data.vocabulary"}),
                  .in_bfloat16 = config.value("precision", "") == "bfloat16"};
  for (const int64_t size :
       {shape.layers, shape.d_model, shape.heads, shape.ffn, shape.rows, shape.tokens}) {
    if (size == 0) return std::nullopt;
  }
  // Encoders predict some tokens of a text, decoders all of them.
  const int64_t masked = first_number(config, {"max_predictions"});
  const bool is_decoder = find_path(config, "model.tied_output") != nullptr;
  shape.predicted = shape.rows * (masked > 0 ? masked : is_decoder ? shape.tokens : 0);
  const double without = activation_bytes(shape);
  shape.learns_bias = learns_scores;
  const double with = activation_bytes(shape);
  const auto width = static_cast<double>(shape.d_model);
  const double parameters =
      static_cast<double>(shape.vocabulary) * width +
      static_cast<double>(shape.layers) * width * (4 * width + 2 * static_cast<double>(shape.ffn));
  // Weights, gradients and two moments in float32, and copies in bfloat16.
  constexpr double kBytesOfParameter = 18, kBytesOfContext = 600 << 20;
  return GpuMemory{with + kBytesOfParameter * parameters + kBytesOfContext, with - without};
}

}  // namespace rethink
