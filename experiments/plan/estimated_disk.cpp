#include "experiments/plan/estimated_disk.h"

#include "core/json.h"
#include "experiments/plan/model_shape.h"

namespace rethink {

std::optional<EstimatedDisk> estimated_disk(const Json& config) {
  constexpr double kBytesOfWeight = 4, kWithMoments = 3;
  const std::optional<ModelShape> shape = model_shape(config);
  if (!shape) return std::nullopt;
  const double weights = kBytesOfWeight * weights_of_model(*shape);
  return EstimatedDisk{weights, kWithMoments * weights};
}

}  // namespace rethink
