// The largest error that tests and the self-check allow an operator, compared with float64: twice
// the error of plain LibTorch in the same dtype. Plain LibTorch is sometimes exact by chance, so a
// few roundings of the largest number are also allowed. This slack is relative to the numbers'
// size.
#pragma once

#include <ATen/ATen.h>

#include <limits>

namespace rethink {

/// Returns the slack as a share of the largest number. float32: four roundings (2.3 were needed,
/// without AVX2). bfloat16: the same, since its sums are in float32. float64: 64 roundings (33
/// were needed, by a sum of LayerNorm's gradients over rows, without AVX2), since float64 is
/// compared with itself and plain LibTorch then has no error.
inline double free_share(at::ScalarType dtype) {
  return dtype == at::kDouble ? 64.0 * std::numeric_limits<double>::epsilon()
                              : 4.0 * std::numeric_limits<float>::epsilon();
}

/// Returns the largest absolute difference, or NaN if either tensor has a NaN.
inline double largest_difference(const at::Tensor& a, const at::Tensor& b) {
  if (a.numel() == 0) return 0.0;
  return (a.detach().cpu().to(at::kDouble) - b.detach().cpu().to(at::kDouble))
      .abs()
      .max()
      .item<double>();
}

/// Returns the limit of max|ours - exact|. `plain` is plain LibTorch's result in our dtype, and
/// `exact` is its result in float64.
inline double allowed_error(const at::Tensor& plain, const at::Tensor& exact) {
  if (exact.numel() == 0) return 0.0;
  const double largest = exact.abs().max().item<double>();
  return 2.0 * largest_difference(plain, exact) + free_share(plain.scalar_type()) * largest;
}

/// Returns fixed numbers in [-1, 1] that weight a result before gradients are taken. The first
/// number is not 0, since a scalar result has no other.
inline at::Tensor fixed_upstream(const at::Tensor& result) {
  return at::arange(result.numel(), at::kDouble).mul(0.7).add(1.0).sin().view(result.sizes());
}

}  // namespace rethink
