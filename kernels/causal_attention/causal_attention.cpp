#include "kernels/causal_attention/causal_attention.h"

namespace rethink {

at::Tensor causal_attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                            const CausalAttentionOptions& options) {
  return causal_attention_reference(query, key, value, options);
}

}  // namespace rethink
