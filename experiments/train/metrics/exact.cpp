// Share of the questions whose answer is exact, once normalised.
#include <numeric>

#include "experiments/train/metric.h"

namespace rethink {
namespace {

class Exact : public Metric {
 public:
  double value(const Outcomes& outcomes) const override {
    const auto& exact = outcomes.exact;
    return std::accumulate(exact.begin(), exact.end(), 0.0) / static_cast<double>(exact.size());
  }
};

RETHINK_REGISTERED = metrics().add<NoFields>(
    {.name = "exact",
     .summary = "share of exact answers (SQuAD; in v2.0 at the threshold that is best for it)",
     .facts = {{"kind", "answers"}, {"direction", "max"}}},
    [](const NoFields&) { return std::make_shared<Exact>(); });

}  // namespace
}  // namespace rethink
