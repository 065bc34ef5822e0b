#include "models/sinusoids.h"

#include <ATen/ATen.h>

namespace rethink {
namespace {

at::Tensor sinusoids(int64_t positions, int64_t width, const at::TensorOptions& like) {
  const auto doubles = at::TensorOptions().dtype(at::kDouble);
  const at::Tensor channel = at::arange(width, doubles);
  const at::Tensor even = channel - channel.remainder(2);
  const at::Tensor angle_TD = at::arange(positions, doubles).unsqueeze(1) *
                              at::pow(10000.0, -even / static_cast<double>(width));
  return at::where(channel.remainder(2) == 0, angle_TD.sin(), angle_TD.cos()).to(like);
}

}  // namespace

at::Tensor Sinusoids::rows(int64_t first, int64_t tokens, const at::TensorOptions& like) {
  const int64_t needed = first + tokens;
  if (!table_.defined() || table_.size(0) < needed || table_.device() != like.device() ||
      table_.dtype() != like.dtype()) {
    table_ = sinusoids(needed, width_, like);
  }
  return table_.slice(0, first, needed);
}

}  // namespace rethink
