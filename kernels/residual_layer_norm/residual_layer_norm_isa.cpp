#include "kernels/residual_layer_norm/residual_layer_norm_rows.h"
#include "kernels/simd/philox.h"
#include "kernels/simd/vector.h"

namespace rethink::RETHINK_ISA {
namespace {

void fill_row_bits(const NormRule& rule, int64_t row, uint16_t* bits) {
  if (rule.keep_threshold == 0) return;
  const int64_t blocks = blocks_of(rule.columns);
  fill_keep_bits(rule.key, static_cast<uint64_t>(row * blocks), 0, 1, blocks, bits);
}

template <typename T>
Vector<T> dropped(const NormRule& rule, const Vector<T>& values, const uint16_t* bits) {
  if (rule.keep_threshold == 0) return values;
  return values * keep_factors<T>(bits, rule.keep_threshold, static_cast<T>(rule.keep_scale));
}

template <typename T>
void forward(const NormRule& rule, const NormForward<T>& call) {
  const int64_t columns = rule.columns;
  for (int64_t row = call.begin; row < call.end; ++row) {
    const int64_t at = row * columns;
    fill_row_bits(rule, row, call.bits);
    Vector<T> total = {};
    for (int64_t i = 0; i < columns; i += kLanes<T>) {
      const Vector<T> input =
          dropped<T>(rule, load_part(call.input + at + i, columns - i), call.bits + i);
      const Vector<T> sum = load_part(call.residual + at + i, columns - i) + input;
      store_part(call.sum + at + i, sum, columns - i);
      total += sum;
    }
    const T mean = sum_of<T>(total) / static_cast<T>(columns);
    Vector<T> squares = {};
    for (int64_t i = 0; i < columns; i += kLanes<T>) {
      Vector<T> centred = load_part(call.sum + at + i, columns - i) - mean;
      if (columns - i < kLanes<T>) centred *= ones_part<T>(columns - i);
      squares += centred * centred;
    }
    const double variance = static_cast<double>(sum_of<T>(squares)) / static_cast<double>(columns);
    const T inverse = static_cast<T>(1.0 / __builtin_sqrt(variance + rule.epsilon));
    for (int64_t i = 0; i < columns; i += kLanes<T>) {
      const Vector<T> normal = (load_part(call.sum + at + i, columns - i) - mean) * inverse;
      const Vector<T> weight = load_part(call.weight + i, columns - i);
      store_part(call.output + at + i, normal * weight + load_part(call.bias + i, columns - i),
                 columns - i);
    }
    call.mean[row] = mean;
    call.inverse[row] = inverse;
  }
}

template <typename T>
void backward(const NormRule& rule, const NormBackward<T>& call) {
  const int64_t columns = rule.columns;
  for (int64_t i = 0; i < columns; ++i) call.weight_grad[i] = 0, call.bias_grad[i] = 0;
  for (int64_t row = call.begin; row < call.end; ++row) {
    const int64_t at = row * columns;
    const T mean = call.mean[row], inverse = call.inverse[row];
    fill_row_bits(rule, row, call.bits);
    Vector<T> grads = {}, products = {};
    for (int64_t i = 0; i < columns; i += kLanes<T>) {
      const int64_t left = columns - i;
      const Vector<T> upstream = load_part(call.output_grad + at + i, left);
      const Vector<T> normal = (load_part(call.sum + at + i, left) - mean) * inverse;
      const Vector<T> grad =
          upstream * load_part(call.weight + i, left);  // zero behind the row's end
      grads += grad;
      products += grad * normal;
      store_part(call.weight_grad + i, load_part(call.weight_grad + i, left) + upstream * normal,
                 left);
      store_part(call.bias_grad + i, load_part(call.bias_grad + i, left) + upstream, left);
    }
    const T mean_grad = sum_of<T>(grads) / static_cast<T>(columns);
    const T mean_product = sum_of<T>(products) / static_cast<T>(columns);
    for (int64_t i = 0; i < columns; i += kLanes<T>) {
      const int64_t left = columns - i;
      const Vector<T> normal = (load_part(call.sum + at + i, left) - mean) * inverse;
      const Vector<T> grad =
          load_part(call.output_grad + at + i, left) * load_part(call.weight + i, left);
      const Vector<T> result = (grad - mean_grad - normal * mean_product) * inverse;
      store_part(call.residual_grad + at + i, result, left);
      store_part(call.input_grad + at + i, dropped<T>(rule, result, call.bits + i), left);
    }
  }
}

}  // namespace

const IsaTable<NormKernels> norm_kernels = {{forward<float>, backward<float>},
                                            {forward<double>, backward<double>}};

}  // namespace rethink::RETHINK_ISA
