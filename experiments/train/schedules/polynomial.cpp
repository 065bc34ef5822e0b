// Linear growth over a share of the steps, then (1 - progress)^power, which would reach 0 one step
// after the last. Progress counts from the very first step, as in SparseBERT's released
// pretraining, so that the two do not meet.
#include <cmath>

#include "experiments/train/schedules.h"

namespace rethink {
namespace {

struct PolynomialOptions {
  double warmup_share = 0.0;
  double power = 0.5;

  void fields(Fields& field) {
    field("warmup_share", warmup_share, "share of all steps with linear growth from 0")
        .min(0)
        .below(1);
    field("power", power, "of what is left of training; 1 = linear decline").above(0);
  }
};

class Polynomial : public Schedule {
 public:
  Polynomial(const PolynomialOptions& options, int64_t total)
      : options_(options), total_(static_cast<double>(total)) {}

  double factor(int64_t step) const override {
    const double at = static_cast<double>(step), progress = at / total_;
    if (progress < options_.warmup_share) return progress / options_.warmup_share;
    return std::pow((total_ - at + 1.0) / total_, options_.power);
  }

 private:
  const PolynomialOptions options_;
  const double total_;
};

RETHINK_REGISTERED = schedules().add<PolynomialOptions>(
    {.name = "polynomial",
     .summary = "linear warm-up, then (1 - progress)^power (SparseBERT's released pretraining)"},
    [](const PolynomialOptions& options, int64_t total) {
      return std::make_shared<Polynomial>(options, total);
    });

}  // namespace
}  // namespace rethink
