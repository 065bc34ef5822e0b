#include "models/attention/shared_mask.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/json.h"
#include "models/tensors/transfers.h"

namespace rethink {

SharedMaskAttention::SharedMaskAttention(const AttentionSite& site,
                                         std::shared_ptr<SharedMask> mask)
    : ProjectedAttention(site), mask_(std::move(mask)) {}

at::Tensor SharedMaskAttention::forward(const AttentionCall& call) {
  AttendOptions options{.dropout = dropout()};
  mask_->apply(call, options);
  if (joins_products(call)) {
    const auto [query, key, value] = joined_heads(call.query_input);
    return merged("output", attend(call, query, key, value, options, call.random));
  }
  return merged("output",
                attend(call, heads_of("query", call.query_input), heads_of("key", call.key_input),
                       heads_of("value", call.key_input), options, call.random));
}

std::shared_ptr<SharedMask> shared_mask(const AttentionSite& site, const std::string& name,
                                        const Json& options,
                                        const std::function<std::shared_ptr<SharedMask>()>& make) {
  if (site.place == AttentionPlace::decoder_cross) {
    throw ConfigError(
        "wrong-attention",
        fmt::format(
            "attention '{}' needs self-attention: positions of two texts do not correspond; "
            "choose another kind for site decoder_cross",
            name));
  }
  RETHINK_ASSERT(site.shared != nullptr, name);
  const Json made_with = {{"options", options}, {"heads", site.heads}};
  const auto made = site.shared->find(name);
  if (made == site.shared->end()) {
    const std::shared_ptr<SharedMask> mask = make();
    mask->made_with = made_with;
    site.shared->emplace(name, mask);
    return mask;
  }
  auto mask = std::dynamic_pointer_cast<SharedMask>(made->second);
  RETHINK_ASSERT(mask, name);
  if (mask->made_with != made_with) {
    throw ConfigError("conflicting-values",
                      fmt::format("attention '{}': all layers share one mask, but layer {} has "
                                  "other options or heads than "
                                  "the layers before it",
                                  name, site.layer));
  }
  return mask;
}

std::map<std::string, std::string> exceptions_of_masks() {
  return {{"cross", "places of a text and of another one do not correspond"},
          {"decoding", "a mask is of a whole text, whose length its end alone tells"}};
}

at::Tensor cropped(const at::Tensor& mask, const AttentionCall& call) {
  const int64_t first = call.query_offset, end = first + call.query_input.size(1);
  const int64_t keys = call.key_input.size(1), length = mask.size(1);
  if (std::max(end, keys) > length) {
    throw TrialError(
        "too-long",
        fmt::format("a batch has {} tokens, but the mask is for {}; raise `length` of the "
                    "attention, or cut texts with max_length",
                    std::max(end, keys), length));
  }
  return mask.slice(1, first, end).slice(2, 0, keys);
}

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
    part_ = sent_to(device, cropped(cells_, call).contiguous());
    offset_ = call.query_offset;
  }
  options.mask = part_;
}

}  // namespace rethink
