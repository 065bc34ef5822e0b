#include "experiments/train/tasks/predicted_rows.h"

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

}  // namespace rethink
