#include "experiments/plan/gpu_memory.h"

#include "core/activation_bytes.h"
#include "core/json.h"
#include "experiments/plan/model_shape.h"

namespace rethink {

std::optional<GpuMemory> estimated_gpu_memory(const Json& config, bool learns_scores) {
  const std::optional<ModelShape> model = model_shape(config);
  if (!model) return std::nullopt;
  PassShape pass{.layers = model->layers,
                 .cross_layers = model->cross_layers,
                 .d_model = model->d_model,
                 .heads = model->heads,
                 .ffn = model->ffn,
                 .rows = model->rows,
                 .tokens = model->tokens,
                 .predicted = model->predicted,
                 .vocabulary = model->vocabulary,
                 .in_bfloat16 = config.value("precision", "") == "bfloat16"};
  const double without = activation_bytes(pass);
  pass.learns_bias = learns_scores;
  const double with = activation_bytes(pass);
  // Weights, gradients and two moments in float32, and copies in bfloat16.
  constexpr double kBytesOfParameter = 18, kBytesOfContext = 600 << 20;
  return GpuMemory{with + kBytesOfParameter * weights_of_model(*model) + kBytesOfContext,
                   with - without};
}

}  // namespace rethink
