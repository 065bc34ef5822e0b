#include "kernels/philox_dropout/philox_dropout.h"

namespace rethink {

at::Tensor philox_dropout(const at::Tensor& input, double p, PhiloxKey key) {
  return philox_dropout_reference(input, p, key);
}

}  // namespace rethink
