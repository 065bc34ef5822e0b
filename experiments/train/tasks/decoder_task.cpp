#include "experiments/train/tasks/decoder_task.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/json.h"
#include "models/attention/attention.h"

namespace rethink {

PredictedRows predicted_rows(const at::Tensor& targets_BT, const std::vector<uint32_t>& indices) {
  PredictedRows rows;
  const int64_t* target = targets_BT.const_data_ptr<int64_t>();
  for (int64_t place = 0; place < targets_BT.numel(); ++place) {
    if (target[place] == kNothingToPredict) continue;
    rows.places.push_back(place);
    rows.targets.push_back(target[place]);
    rows.sequences.push_back(indices[static_cast<size_t>(place / targets_BT.size(1))]);
  }
  return rows;
}

void require_mask_for_all(const AttentionChoice& attention, const std::string& key, int64_t tokens,
                          const std::string& whose) {
  const auto check = [&](const std::string& place, const std::string& variant,
                         const Json& options) {
    const Json all = attentions().completed(variant, options);
    if (!all.contains("length") || tokens <= all.at("length").get<int64_t>()) return;
    throw TrialError(
        fmt::format("{} needs a mask for {} tokens, {}.length is {}: set it to {} or "
                    "more",
                    whose, tokens, place, all.at("length").get<int64_t>(), tokens));
  };
  check(key, attention.name, *attention.options);
  for (const auto& entry : attention.common.at) check(key + ".at", entry.name, *entry.options);
}

}  // namespace rethink
