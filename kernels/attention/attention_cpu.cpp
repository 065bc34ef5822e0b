// Heads over threads; each head is one core's work (attention_isa.cpp), and the heads whose bias
// gradients add up follow each other on one core, so that results do not depend on how many threads
// there are.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/library.h>

#include <algorithm>

#include "kernels/attention/attention_heads.h"
#include "kernels/attention/attention_ops.h"
#include "kernels/philox_dropout/keep_rule.h"
#include "kernels/simd/threads.h"

namespace rethink {
namespace {

constexpr int64_t kFewestRuns = 8;  // of heads that follow each other: work for this many cores

/// The tensor itself where a head's rows are runs of memory one after the other, else a copy in
/// which they are.
at::Tensor with_rows(const at::Tensor& tensor) {
  const bool rows = tensor.stride(3) == 1 && tensor.stride(2) >= tensor.size(3);
  return rows ? tensor : tensor.contiguous();
}

template <typename T>
HeadTensor<T> head_of(const at::Tensor& tensor, int64_t head) {
  const int64_t heads = tensor.size(1);
  auto* data = static_cast<std::remove_const_t<T>*>(tensor.data_ptr());
  return {data + head / heads * tensor.stride(0) + head % heads * tensor.stride(1),
          tensor.stride(2)};
}

/// What the heads of a call may see.
class Scopes {
 public:
  Scopes(const at::Tensor& query, const at::Tensor& key, const MaybeTensor& key_keep,
         const MaybeTensor& mask, const MaybeTensor& bias)
      : heads_(query.size(1)),
        pairs_(query.size(2) * key.size(2)),
        key_keep_(key_keep),
        mask_(mask),
        bias_(bias),
        keys_(static_cast<size_t>(query.size(0)), key.size(2)) {
    if (!key_keep) return;
    for (size_t row = 0; row < keys_.size(); ++row) {
      const uint8_t* keep = kept(static_cast<int64_t>(row));
      while (keys_[row] > 0 && keep[keys_[row] - 1] == 0) --keys_[row];
    }
  }

  template <typename T>
  HeadScope<T> of(int64_t head) const {
    const int64_t row = head / heads_;
    return {keys_[static_cast<size_t>(row)], key_keep_ ? kept(row) : nullptr,
            mask_ ? mask_->const_data_ptr<uint8_t>() + at(*mask_, head) : nullptr,
            bias_ ? bias_->const_data_ptr<T>() + at(*bias_, head) : nullptr};
  }

 private:
  const uint8_t* kept(int64_t row) const {
    const auto* keep = static_cast<const uint8_t*>(key_keep_->const_data_ptr());
    return keep + row * key_keep_->size(1);
  }
  int64_t at(const at::Tensor& shared, int64_t head) const {
    return shared.size(0) == 1 ? 0 : head % heads_ * pairs_;
  }

  int64_t heads_, pairs_;
  const MaybeTensor &key_keep_, &mask_, &bias_;
  std::vector<int64_t> keys_;  // [B]: behind them all is padding
};

/// Calls each(head, run, scratch) for every head of the batch. Run part * H + h is the heads h of
/// one of `parts` parts of the batch, in order.
template <typename T, typename Each>
void over_runs(const at::Tensor& query, int64_t parts, int64_t scratch_elements, const Each& each) {
  const int64_t batch = query.size(0), heads = query.size(1);
  if (query.numel() == 0) return;
  at::parallel_for(0, parts * heads, 1, [&](int64_t begin, int64_t end) {
    T* scratch = thread_scratch<T>(scratch_elements);
    for (int64_t run = begin; run < end; ++run) {
      const int64_t part = run / heads;
      for (int64_t row = part * batch / parts; row < (part + 1) * batch / parts; ++row)
        each(row * heads + run % heads, run, scratch);
    }
  });
}

template <typename T>
void run_forward(const HeadRule& rule, const at::Tensor& query, const at::Tensor& key,
                 const at::Tensor& value, const Scopes& scopes,
                 const std::tuple<at::Tensor, at::Tensor>& results) {
  const auto& [output, statistics] = results;
  T* rows = statistics.data_ptr<T>();
  over_runs<T>(query, query.size(0), head_kernels<T>().forward_scratch(rule),
               [&](int64_t head, int64_t, T* scratch) {
                 const int64_t first_row = head * rule.queries;
                 head_kernels<T>().forward(
                     rule, {head_of<const T>(query, head), head_of<const T>(key, head),
                            head_of<const T>(value, head), head_of<T>(output, head),
                            scopes.of<T>(head), rows + 2 * first_row, first_row, scratch});
               });
}

std::tuple<at::Tensor, at::Tensor> attention_forward(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const MaybeTensor& key_keep, const MaybeTensor& mask, const MaybeTensor& bias, double scale,
    bool causal, double diagonal_rate, bool diagonal_masked, double dropout, int64_t seed,
    int64_t stream) {
  if (query.scalar_type() == at::kBFloat16) {
    auto [output, statistics] = attention_forward(
        query.to(at::kFloat), key.to(at::kFloat), value.to(at::kFloat), key_keep, mask, bias, scale,
        causal, diagonal_rate, diagonal_masked, dropout, seed, stream);
    return {output.to(at::kBFloat16), statistics};
  }
  const KeepRule keep = keep_rule(dropout, operator_key(seed, stream));
  const HeadRule rule{query.size(2), key.size(2),     query.size(3), scale,          causal,
                      diagonal_rate, diagonal_masked, keep.key,      keep.threshold, keep.scale};
  const std::tuple<at::Tensor, at::Tensor> results{
      empty_joined(query),
      at::empty({query.size(0), query.size(1), query.size(2), 2}, query.options())};
  const at::Tensor query_rows = with_rows(query), key_rows = with_rows(key),
                   value_rows = with_rows(value);
  const Scopes scopes(query, key, key_keep, mask, bias);
  if (query.scalar_type() == at::kFloat) {
    run_forward<float>(rule, query_rows, key_rows, value_rows, scopes, results);
  } else {
    run_forward<double>(rule, query_rows, key_rows, value_rows, scopes, results);
  }
  return results;
}

struct BackwardTensors {
  at::Tensor grad, query, key, value, statistics;
  at::Tensor query_grad, key_grad, value_grad;
  at::Tensor bias_parts;  // [parts,H,Q,K] zeros, or undefined
};

template <typename T>
void run_backward(const HeadRule& rule, const Scopes& scopes, const BackwardTensors& all) {
  const bool bias = all.bias_parts.defined();
  const int64_t parts = bias ? all.bias_parts.size(0) : all.query.size(0);
  T* bias_grad = bias ? all.bias_parts.data_ptr<T>() : nullptr;
  const T* rows = all.statistics.const_data_ptr<T>();
  over_runs<T>(all.query, parts, head_kernels<T>().backward_scratch(rule),
               [&](int64_t head, int64_t run_index, T* scratch) {
                 const int64_t first_row = head * rule.queries;
                 head_kernels<T>().backward(
                     rule,
                     {head_of<const T>(all.grad, head), head_of<const T>(all.query, head),
                      head_of<const T>(all.key, head), head_of<const T>(all.value, head),
                      scopes.of<T>(head), rows + 2 * first_row, head_of<T>(all.query_grad, head),
                      head_of<T>(all.key_grad, head), head_of<T>(all.value_grad, head),
                      bias ? bias_grad + run_index * rule.queries * rule.keys : nullptr, first_row,
                      scratch});
               });
}

/// Each run's own sum, so that runs need not wait for each other.
at::Tensor bias_parts_for(const at::Tensor& query, const at::Tensor& bias) {
  const int64_t heads = query.size(1);
  const int64_t parts = std::clamp<int64_t>((kFewestRuns + heads - 1) / std::max<int64_t>(heads, 1),
                                            1, std::max<int64_t>(query.size(0), 1));
  return at::zeros({parts, heads, bias.size(1), bias.size(2)}, bias.options());
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> attention_backward(
    const at::Tensor& grad, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& output, const at::Tensor& statistics, const MaybeTensor& key_keep,
    const MaybeTensor& mask, const MaybeTensor& bias, bool bias_grad, double scale, bool causal,
    double diagonal_rate, bool diagonal_masked, double dropout, int64_t seed, int64_t stream) {
  if (query.scalar_type() == at::kBFloat16) {
    auto [query_grad, key_grad, value_grad, bias_sum] = attention_backward(
        grad.to(at::kFloat), query.to(at::kFloat), key.to(at::kFloat), value.to(at::kFloat), output,
        statistics, key_keep, mask, bias, bias_grad, scale, causal, diagonal_rate, diagonal_masked,
        dropout, seed, stream);
    return {query_grad.to(at::kBFloat16), key_grad.to(at::kBFloat16), value_grad.to(at::kBFloat16),
            bias_sum};
  }
  const KeepRule keep = keep_rule(dropout, operator_key(seed, stream));
  const HeadRule rule{query.size(2), key.size(2),     query.size(3), scale,          causal,
                      diagonal_rate, diagonal_masked, keep.key,      keep.threshold, keep.scale};
  const BackwardTensors all{with_rows(grad),
                            with_rows(query),
                            with_rows(key),
                            with_rows(value),
                            statistics,
                            empty_joined(query),
                            empty_joined(key),
                            empty_joined(key),
                            bias_grad ? bias_parts_for(query, *bias) : at::Tensor()};
  const Scopes scopes(query, key, key_keep, mask, bias);
  if (query.scalar_type() == at::kFloat) {
    run_backward<float>(rule, scopes, all);
  } else {
    run_backward<double>(rule, scopes, all);
  }
  at::Tensor bias_sum = at::empty({0}, query.options());
  if (bias_grad) {
    bias_sum = all.bias_parts.sum(0);
    if (bias->size(0) == 1) bias_sum = bias_sum.sum(0, /*keepdim=*/true);
  }
  return {all.query_grad, all.key_grad, all.value_grad, bias_sum};
}

TORCH_LIBRARY_IMPL(rethink, CPU, m) {
  m.impl("attention_forward", attention_forward);
  m.impl("attention_backward", attention_backward);
}

}  // namespace
}  // namespace rethink
