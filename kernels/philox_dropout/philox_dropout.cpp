#include "kernels/philox_dropout/philox_dropout.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <algorithm>

#include "kernels/philox_dropout/keep_rule.h"
#include "kernels/philox_dropout/philox_dropout_rows.h"
#include "kernels/simd/threads.h"

namespace rethink {

namespace {

using Apply = at::Tensor(const at::Tensor& input, double p, int64_t seed, int64_t stream);

at::Tensor dropped(const at::Tensor& input, double p, int64_t seed, int64_t stream) {
  static const auto operation =
      c10::Dispatcher::singleton().findSchemaOrThrow("rethink::philox_dropout", "").typed<Apply>();
  at::AutoDispatchBelowADInplaceOrView below;
  return operation.call(input, p, seed, stream);
}

struct PhiloxDropout : torch::autograd::Function<PhiloxDropout> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                            double p, int64_t seed, int64_t stream) {
    context->saved_data["p"] = p;
    context->saved_data["seed"] = seed;
    context->saved_data["stream"] = stream;
    return dropped(input, p, seed, stream);
  }

  /// Dropout is linear, so the gradient is dropped by the same numbers, for derivatives of any
  /// order.
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list grads) {
    auto& data = context->saved_data;
    const PhiloxKey key = operator_key(data["seed"].toInt(), data["stream"].toInt());
    return {philox_dropout(grads[0], data["p"].toDouble(), key), {}, {}, {}};
  }
};

TORCH_LIBRARY_FRAGMENT(rethink, m) {
  m.def("philox_dropout(Tensor input, float p, int seed, int stream) -> Tensor");
}

}  // namespace

at::Tensor philox_dropout(const at::Tensor& input, double p, PhiloxKey key) {
  TORCH_CHECK(p >= 0 && p < 1, "dropout's p must be in [0, 1), got ", p);
  const auto dtype = input.scalar_type();
  TORCH_CHECK(dtype == at::kFloat || dtype == at::kDouble || dtype == at::kBFloat16,
              "dropout's input must be float32, float64 or bfloat16, got ", dtype);
  if (p == 0) return input;
  const auto seed = static_cast<int64_t>(key.seed), stream = static_cast<int64_t>(key.stream);
  if (at::GradMode::is_enabled() && input.requires_grad())
    return PhiloxDropout::apply(input, p, seed, stream);
  return dropped(input, p, seed, stream);
}

namespace {

template <typename T>
void drop(const at::Tensor& input, const at::Tensor& output, const KeepRule& rule) {
  const T* from = input.const_data_ptr<T>();
  T* to = output.mutable_data_ptr<T>();
  const int64_t elements = input.numel(), last = input.dim() == 0 ? 1 : input.size(-1);
  // Rows of whole blocks have consecutive counters, so they are one long row.
  const int64_t columns = last % kKeepColumns == 0 ? 1024 : last;
  const int64_t row_blocks = static_cast<int64_t>(keep_blocks(columns));
  const int64_t rows = (elements + columns - 1) / columns;
  at::parallel_for(0, rows, rows_worth_a_thread(columns), [&](int64_t begin, int64_t end) {
    const auto part = [&](int64_t row, int64_t count, int64_t width) {
      dropout_kernels<T>().drop({from + row * columns, to + row * columns, count, width,
                                 static_cast<uint64_t>(row * row_blocks), row_blocks, rule.key,
                                 rule.threshold, rule.scale});
    };
    const int64_t whole = std::min(end, elements / columns);
    part(begin, whole - begin, columns);
    if (end > whole) part(whole, 1, elements - whole * columns);
  });
}

at::Tensor philox_dropout_cpu(const at::Tensor& input, double p, int64_t seed, int64_t stream) {
  if (input.scalar_type() == at::kBFloat16) {
    return philox_dropout_cpu(input.to(at::kFloat), p, seed, stream).to(at::kBFloat16);
  }
  const KeepRule rule = keep_rule(p, operator_key(seed, stream));
  const at::Tensor contiguous = input.contiguous();
  const at::Tensor output = at::empty(input.sizes(), input.options());
  if (input.numel() == 0) return output;
  if (input.scalar_type() == at::kFloat) {
    drop<float>(contiguous, output, rule);
  } else {
    drop<double>(contiguous, output, rule);
  }
  return output;
}

TORCH_LIBRARY_IMPL(rethink, CPU, m) {
  m.impl("philox_dropout", philox_dropout_cpu);
}

}  // namespace

}  // namespace rethink
