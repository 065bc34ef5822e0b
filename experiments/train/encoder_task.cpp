#include "experiments/train/encoder_task.h"

#include <ATen/ATen.h>

namespace rethink {

at::Tensor hidden_states(Encoder& encoder, const Batch& batch, PhiloxKey pass, Recorder* record) {
  return encoder.forward({.input_ids = batch.columns.at("input_ids"),
                          .token_type_ids = batch.columns.at("token_type_ids"),
                          .keep = batch.columns.at("keep")},
                         pass, record);
}

double encoder_flops(const Encoder& encoder, const Batch& batch) {
  const at::Tensor& input_ids = batch.columns.at("input_ids");
  return 3.0 * encoder.forward_flops(input_ids.size(0), input_ids.size(1));
}

}  // namespace rethink
