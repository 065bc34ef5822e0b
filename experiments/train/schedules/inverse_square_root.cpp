// Linear growth to the full learning rate, then decline with 1/sqrt(step) (Vaswani et al., 2017,
// section 5.3, with the peak as the option instead of the model's width).
#include <algorithm>
#include <cmath>

#include "experiments/train/schedules.h"

namespace rethink {
namespace {

struct InverseSquareRootOptions {
  int64_t warmup = 4000;

  void fields(Fields& field) {
    field("warmup", warmup, "steps of linear growth from 0 to the option's learning rate [steps]")
        .min(1);
  }
};

class InverseSquareRoot : public Schedule {
 public:
  explicit InverseSquareRoot(const InverseSquareRootOptions& options) : warmup_(options.warmup) {}

  double factor(int64_t step) const override {
    if (step <= warmup_) return warmup_factor(step, warmup_);
    return std::sqrt(static_cast<double>(warmup_) / static_cast<double>(step));
  }

 private:
  const int64_t warmup_;
};

RETHINK_REGISTERED = schedules().add<InverseSquareRootOptions>(
    {.name = "inverse_square_root",
     .summary = "linear warm-up, then decline with 1/sqrt(step) (Vaswani et al., 2017)"},
    [](const InverseSquareRootOptions& options, int64_t) {
      return std::make_shared<InverseSquareRoot>(options);
    });

}  // namespace
}  // namespace rethink
