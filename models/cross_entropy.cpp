#include "models/cross_entropy.h"

#include <ATen/ATen.h>

#include "models/precision.h"

namespace rethink {

at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& targets,
                         at::Reduction::Reduction reduction, int64_t ignored,
                         double label_smoothing) {
  return at::cross_entropy_loss(widened(logits), targets, {}, reduction, ignored, label_smoothing);
}

}  // namespace rethink
