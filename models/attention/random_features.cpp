#include "models/attention/random_features.h"

#include <ATen/ATen.h>

#include <cmath>
#include <numbers>

namespace rethink {
namespace {

/// Returns float64 [n], uniform in (0, 1], from n blocks of Philox starting at block `first`.
at::Tensor uniforms(int64_t n, PhiloxKey key, uint64_t first) {
  at::Tensor all = at::empty({n}, at::kDouble);
  auto* values = all.data_ptr<double>();
  for (int64_t i = 0; i < n; ++i) {
    const PhiloxBlock block = philox(key, first + static_cast<uint64_t>(i));
    const uint64_t bits = (static_cast<uint64_t>(block.word[0]) << 32) | block.word[1];
    values[i] = (static_cast<double>(bits >> 11) + 1.0) * 0x1p-53;
  }
  return all;
}

/// Returns float64 [n], standard normal, by the method of Box and Muller.
at::Tensor normals(int64_t n, PhiloxKey key, uint64_t first) {
  const at::Tensor radius = (-2.0 * uniforms(n, key, first).log()).sqrt();
  const auto next = first + static_cast<uint64_t>(n);
  return radius * (2.0 * std::numbers::pi * uniforms(n, key, next)).cos();
}

}  // namespace

RandomFeatures::RandomFeatures(int64_t count, int64_t width, PhiloxKey key) {
  const int64_t blocks = (count + width - 1) / width, numbers = blocks * width * width;
  const auto drawn = static_cast<uint64_t>(numbers);
  const at::Tensor square = normals(numbers, key, 0).view({blocks, width, width});
  // R's diagonal above 0 makes Q's directions uniform; else the QR's own signs would favour some.
  const auto [q, r] = at::linalg_qr(square);
  const at::Tensor signs = r.diagonal(0, 1, 2).sign().unsqueeze(1);
  const at::Tensor orthogonal = (q * signs).transpose(1, 2);
  const at::Tensor lengths =
      normals(numbers, key, 2 * drawn).view({blocks, width, width}).norm(2, {2}, /*keepdim=*/true);
  directions_ = (orthogonal * lengths).flatten(0, 1).narrow(0, 0, count).t().contiguous();
  phases_ = 2.0 * std::numbers::pi * uniforms(count, key, 4 * drawn);
}

void RandomFeatures::follow(const at::Tensor& x) const {
  directions_ = directions_.to(x.options());
  phases_ = phases_.to(x.options());
}

at::Tensor RandomFeatures::cosine(const at::Tensor& x) const {
  follow(x);
  const double height = std::sqrt(2.0 / static_cast<double>(phases_.numel()));
  return (at::matmul(x, directions_) + phases_).cos() * height;
}

at::Tensor RandomFeatures::positive_exponents(const at::Tensor& x) const {
  follow(x);
  const double share = std::log(static_cast<double>(phases_.numel())) / 2.0;
  return at::matmul(x, directions_) - x.square().sum(-1, /*keepdim=*/true) / 2.0 - share;
}

}  // namespace rethink
