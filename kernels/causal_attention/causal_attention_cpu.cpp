// Heads over threads; each head is one core's work (causal_attention_isa.cpp), so results do not
// depend on how many threads there are.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/library.h>

#include "kernels/causal_attention/causal_attention_heads.h"
#include "kernels/causal_attention/causal_attention_ops.h"
#include "kernels/philox_dropout/keep.h"
#include "kernels/simd/isa.h"
#include "kernels/simd/scratch.h"

namespace rethink {
namespace {

const HeadKernels& kernels() {
  static const HeadKernels& picked =
      pick_isa(baseline::head_kernels, avx2::head_kernels, avx512::head_kernels);
  return picked;
}

/// The tensor itself where a head's rows are runs of memory one after the other, else a copy in
/// which they are.
at::Tensor with_rows(const at::Tensor& tensor) {
  const bool rows = tensor.stride(3) == 1 && tensor.stride(2) >= tensor.size(3);
  return rows ? tensor : tensor.contiguous();
}

/// float [B,H,T,E] in memory as [B,T,H,E]: what joining the heads again takes for free.
at::Tensor empty_joined(const at::Tensor& like) {
  return at::empty({like.size(0), like.size(2), like.size(1), like.size(3)}, like.options())
      .transpose(1, 2);
}

template <typename T>
HeadTensor<T> head_of(const at::Tensor& tensor, int64_t head) {
  const int64_t heads = tensor.size(1);
  auto* data = static_cast<std::remove_const_t<T>*>(tensor.data_ptr());
  return {data + head / heads * tensor.stride(0) + head % heads * tensor.stride(1),
          tensor.stride(2)};
}

HeadRule rule_of(const at::Tensor& query, double scale, double diagonal_rate, bool diagonal_masked,
                 double dropout, PhiloxKey key) {
  const KeepRule keep = keep_rule(dropout, key);
  return {query.size(2),   query.size(3), scale,          diagonal_rate,
          diagonal_masked, key,           keep.threshold, keep.scale};
}

/// Calls each(head, scratch) for every head of the batch.
template <typename T, typename Each>
void over_heads(const at::Tensor& query, int64_t scratch_elements, const Each& each) {
  const int64_t heads = query.size(2) == 0 ? 0 : query.size(0) * query.size(1);
  at::parallel_for(0, heads, 1, [&](int64_t begin, int64_t end) {
    T* scratch = thread_scratch<T>(scratch_elements);
    for (int64_t head = begin; head < end; ++head) each(head, scratch);
  });
}

template <typename T>
void run_forward(const HeadRule& rule, const at::Tensor& query, const at::Tensor& key,
                 const at::Tensor& value, const at::Tensor& output, const at::Tensor& logsumexp) {
  over_heads<T>(query, kernels().forward_scratch(rule), [&](int64_t head, T* scratch) {
    const HeadForward<T> call{head_of<const T>(query, head),
                              head_of<const T>(key, head),
                              head_of<const T>(value, head),
                              head_of<T>(output, head),
                              logsumexp.data_ptr<T>() + head * rule.tokens,
                              head * rule.tokens,
                              scratch};
    if constexpr (std::is_same_v<T, float>) {
      kernels().forward_float(rule, call);
    } else {
      kernels().forward_double(rule, call);
    }
  });
}

std::tuple<at::Tensor, at::Tensor> forward(const at::Tensor& query, const at::Tensor& key,
                                           const at::Tensor& value, double scale,
                                           double diagonal_rate, bool diagonal_masked,
                                           double dropout, int64_t seed, int64_t offset) {
  if (query.scalar_type() == at::kBFloat16) {
    auto [output, logsumexp] =
        forward(query.to(at::kFloat), key.to(at::kFloat), value.to(at::kFloat), scale,
                diagonal_rate, diagonal_masked, dropout, seed, offset);
    return {output.to(at::kBFloat16), logsumexp};
  }
  const HeadRule rule = rule_of(query, scale, diagonal_rate, diagonal_masked, dropout,
                                {static_cast<uint64_t>(seed), static_cast<uint64_t>(offset)});
  const at::Tensor output = empty_joined(query);
  const at::Tensor logsumexp =
      at::empty({query.size(0), query.size(1), query.size(2)}, query.options());
  const at::Tensor query_rows = with_rows(query), key_rows = with_rows(key),
                   value_rows = with_rows(value);
  if (query.scalar_type() == at::kFloat) {
    run_forward<float>(rule, query_rows, key_rows, value_rows, output, logsumexp);
  } else {
    run_forward<double>(rule, query_rows, key_rows, value_rows, output, logsumexp);
  }
  return {output, logsumexp};
}

struct Gradients {
  at::Tensor query, key, value;
};

template <typename T>
void run_backward(const HeadRule& rule, const at::Tensor& grad, const Gradients& inputs,
                  const at::Tensor& logsumexp, const Gradients& results) {
  over_heads<T>(grad, kernels().backward_scratch(rule), [&](int64_t head, T* scratch) {
    const HeadBackward<T> call{head_of<const T>(grad, head),
                               head_of<const T>(inputs.query, head),
                               head_of<const T>(inputs.key, head),
                               head_of<const T>(inputs.value, head),
                               logsumexp.data_ptr<T>() + head * rule.tokens,
                               head_of<T>(results.query, head),
                               head_of<T>(results.key, head),
                               head_of<T>(results.value, head),
                               head * rule.tokens,
                               scratch};
    if constexpr (std::is_same_v<T, float>) {
      kernels().backward_float(rule, call);
    } else {
      kernels().backward_double(rule, call);
    }
  });
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> backward(
    const at::Tensor& grad, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& output, const at::Tensor& logsumexp, double scale, double diagonal_rate,
    bool diagonal_masked, double dropout, int64_t seed, int64_t offset) {
  if (query.scalar_type() == at::kBFloat16) {
    auto [query_grad, key_grad, value_grad] = backward(
        grad.to(at::kFloat), query.to(at::kFloat), key.to(at::kFloat), value.to(at::kFloat), output,
        logsumexp, scale, diagonal_rate, diagonal_masked, dropout, seed, offset);
    return {query_grad.to(at::kBFloat16), key_grad.to(at::kBFloat16), value_grad.to(at::kBFloat16)};
  }
  const HeadRule rule = rule_of(query, scale, diagonal_rate, diagonal_masked, dropout,
                                {static_cast<uint64_t>(seed), static_cast<uint64_t>(offset)});
  const Gradients inputs{with_rows(query), with_rows(key), with_rows(value)};
  const Gradients results{empty_joined(query), empty_joined(query), empty_joined(query)};
  if (query.scalar_type() == at::kFloat) {
    run_backward<float>(rule, with_rows(grad), inputs, logsumexp, results);
  } else {
    run_backward<double>(rule, with_rows(grad), inputs, logsumexp, results);
  }
  return {results.query, results.key, results.value};
}

TORCH_LIBRARY_IMPL(rethink, CPU, m) {
  m.impl("causal_attention_forward", forward);
  m.impl("causal_attention_backward", backward);
}

}  // namespace
}  // namespace rethink
