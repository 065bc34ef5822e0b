// BLEU of translations, in percent as everybody gives it.
#include "experiments/train/metric.h"

namespace rethink {
namespace {

class Bleu : public Metric {
 public:
  double value(const Outcomes& outcomes) const override { return outcomes.bleu->value(); }
};

RETHINK_REGISTERED = metrics().add<NoFields>(
    {.name = "bleu",
     .summary = "BLEU [%]: sacreBLEU's, or of text tokenized before multi-bleu's",
     .facts = {{"kind", "translations"},
               {"direction", "max"},
               {"items", {{"sums_of", "bleu_counts"}}}}},
    [](const NoFields&) { return std::make_shared<Bleu>(); });

}  // namespace
}  // namespace rethink
