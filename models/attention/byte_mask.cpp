#include "models/attention/byte_mask.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace rethink {

ByteMask::ByteMask(const Mask& mask)
    : cells_(at::empty({mask.heads, mask.positions, mask.positions}, at::kByte)) {
  std::copy(mask.cells.begin(), mask.cells.end(), cells_.mutable_data_ptr<uint8_t>());
}

void ByteMask::apply(const AttentionCall& call, AttendOptions& options) {
  const auto device = call.query_input.device();
  at::Tensor& part = parts_[{call.query_offset, call.query_input.size(1)}];
  const bool fits =
      part.defined() && part.device() == device && part.size(2) == call.key_input.size(1);
  if (!fits) part = cropped(cells_, call).contiguous().to(device);
  options.mask = part;
}

}  // namespace rethink
