#include "kernels/bias_gelu/bias_gelu_rows.h"
#include "kernels/simd/vector.h"

namespace rethink::RETHINK_ISA {
namespace {

constexpr double kDensity = 0.39894228040143267794;  // density of the normal distribution at 0
constexpr double kRootHalf = 0.70710678118654752440;

/// The normal distribution at x: the probability below x, and the density at x.
template <typename T>
struct Normal {
  Vector<T> below, density;
};

/// The probability below -|x| is exp(-x^2/2) times a polynomial in 1 / (1 + |x|/4), fitted to erfc
/// by weighted least squares over 0 <= x <= 13. Its error is at most 4e-9, less than float32's
/// rounding.
inline Normal<float> normal_at(const Vector<float>& x) {
  const Vector<float> size = x < 0.0f ? -x : x;
  const Vector<float> power = exp_of(-0.5f * size * size);
  const Vector<float> t = 1.0f / (1.0f + 0.25f * size);
  Vector<float> p = splat(-0.0915191472f);
  p = p * t + 0.340981007f;
  p = p * t - 0.265247405f;
  p = p * t + 0.278781384f;
  p = p * t + 0.0265295971f;
  p = p * t + 0.111564212f;
  p = p * t + 0.0989103615f;
  const Vector<float> beyond = power * (t * p);
  return {x < 0.0f ? beyond : 1.0f - beyond, power * static_cast<float>(kDensity)};
}

/// float64 is only for checks, where the library's exact bits matter more than speed.
inline Normal<double> normal_at(const Vector<double>& x) {
  Normal<double> normal;
  for (int lane = 0; lane < kLanes<double>; ++lane) {
    normal.below[lane] = 0.5 * __builtin_erfc(-x[lane] * kRootHalf);
    normal.density[lane] = kDensity * __builtin_exp(-0.5 * x[lane] * x[lane]);
  }
  return normal;
}

template <typename T>
void forward(const GeluForward<T>& call) {
  for (int64_t row = call.begin; row < call.end; ++row) {
    const int64_t at = row * call.columns;
    for (int64_t i = 0; i < call.columns; i += kLanes<T>) {
      const int64_t left = call.columns - i;
      const Vector<T> x = load_part(call.input + at + i, left) + load_part(call.bias + i, left);
      const Normal<T> normal = normal_at(x);
      store_part(call.output + at + i, x * normal.below, left);
      store_part(call.derivative + at + i, normal.below + x * normal.density, left);
    }
  }
}

template <typename T>
void backward(const GeluBackward<T>& call) {
  for (int64_t i = 0; i < call.columns; ++i) call.bias_grad[i] = 0;
  for (int64_t row = call.begin; row < call.end; ++row) {
    const int64_t at = row * call.columns;
    for (int64_t i = 0; i < call.columns; i += kLanes<T>) {
      const int64_t left = call.columns - i;
      const Vector<T> grad =
          load_part(call.output_grad + at + i, left) * load_part(call.derivative + at + i, left);
      store_part(call.input_grad + at + i, grad, left);
      store_part(call.bias_grad + i, load_part(call.bias_grad + i, left) + grad, left);
    }
  }
}

}  // namespace

const IsaTable<GeluKernels> gelu_kernels = {{forward<float>, backward<float>},
                                            {forward<double>, backward<double>}};

}  // namespace rethink::RETHINK_ISA
