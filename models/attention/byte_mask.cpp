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
  const bool fits = part_.defined() && part_.device() == device && offset_ == call.query_offset &&
                    part_.size(1) == call.query_input.size(1) &&
                    part_.size(2) == call.key_input.size(1);
  if (!fits) {
    part_ = cropped(cells_, call).contiguous().to(device);
    offset_ = call.query_offset;
  }
  options.mask = part_;
}

}  // namespace rethink
