// How wrong an operator may be, for the tests and the self-check: against float64 at most twice as
// wrong as plain LibTorch in the same dtype. Plain LibTorch is sometimes exact by chance, so a few
// roundings of the largest number are free; that slack follows the numbers, whatever their size.
#pragma once

#include <ATen/ATen.h>

#include <limits>

namespace rethink {

/// What is free, as a share of the largest number. float32: four roundings; the most that was ever
/// needed is 2.3, without AVX2. bfloat16: no more, since its sums are kept in float32. float64 is
/// measured against itself, so plain LibTorch has no error there: 32 roundings, needed were 9.3.
inline double free_share(at::ScalarType dtype) {
  return dtype == at::kDouble ? 32.0 * std::numeric_limits<double>::epsilon()
                              : 4.0 * std::numeric_limits<float>::epsilon();
}

/// Largest absolute difference; NaN when one of them has a NaN that the other has not, or both.
inline double largest_difference(const at::Tensor& a, const at::Tensor& b) {
  if (a.numel() == 0) return 0.0;
  return (a.detach().cpu().to(at::kDouble) - b.detach().cpu().to(at::kDouble))
      .abs()
      .max()
      .item<double>();
}

/// What max|ours - exact| may be. `plain` is plain LibTorch's result in the dtype of ours, `exact`
/// the same in float64.
inline double allowed_error(const at::Tensor& plain, const at::Tensor& exact) {
  if (exact.numel() == 0) return 0.0;
  const double largest = exact.abs().max().item<double>();
  return 2.0 * largest_difference(plain, exact) + free_share(plain.scalar_type()) * largest;
}

/// What the gradients are taken against: fixed numbers in [-1, 1], the first of them not 0, since a
/// result that is one number has no other.
inline at::Tensor fixed_upstream(const at::Tensor& result) {
  return at::arange(result.numel(), at::kDouble).mul(0.7).add(1.0).sin().view(result.sizes());
}

}  // namespace rethink
