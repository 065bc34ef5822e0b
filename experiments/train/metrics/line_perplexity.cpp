// exp of the mean over lines of (line's negative log-likelihood / line's length): every line weighs
// the same. What BET's released code reports as perplexity; not comparable with the token-weighted
// one.
#include <cmath>

#include "experiments/train/metric.h"

namespace rethink {
namespace {

class LinePerplexity : public Metric {
 public:
  double value(const Outcomes& outcomes) const override {
    double sum = 0.0, lines = 0.0;
    for (const SequenceLoss& sequence : outcomes.losses) {
      if (sequence.tokens == 0) continue;
      sum += sequence.nll / static_cast<double>(sequence.tokens);
      lines += 1.0;
    }
    return std::exp(sum / lines);
  }
};

RETHINK_REGISTERED = metrics().add<NoFields>(
    {.name = "line_perplexity",
     .summary = "exp of the mean over lines of a line's loss per token (BET's released code)",
     .facts = {{"kind", "sequences"},
               {"direction", "min"},
               {"items", {{"mean_over", "items"}, {"shown_as", "exp"}}}}},
    [](const NoFields&) { return std::make_shared<LinePerplexity>(); });

}  // namespace
}  // namespace rethink
