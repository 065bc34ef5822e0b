// Linear growth to the full learning rate, then linear decline that would reach 0 one step after
// the last (BERT's fine-tuning schedule).
#include <algorithm>
#include <cmath>

#include "experiments/train/schedules.h"

namespace rethink {
namespace {

struct LinearOptions {
  std::optional<int64_t> warmup;
  std::optional<double> warmup_share;

  void fields(Fields& field) {
    field("warmup", warmup, "steps of linear growth from 0 [steps]; null = 0").min(0);
    field("warmup_share", warmup_share, "the same as a share of all steps, rounded down")
        .min(0)
        .max(1);
  }
  static std::vector<Rule> rules() {
    return {
        {"at_most_one", {"warmup", "warmup_share"}, "both say how long the warm-up is: give one"}};
  }
};

class Linear : public Schedule {
 public:
  Linear(const LinearOptions& options, int64_t total) : total_(total) {
    const double share =
        std::floor(options.warmup_share.value_or(0.0) * static_cast<double>(total));
    warmup_ = options.warmup.value_or(static_cast<int64_t>(share));
  }

  double factor(int64_t step) const override {
    if (step <= warmup_) return warmup_factor(step, warmup_);
    const double left = static_cast<double>(total_ - step + 1);
    return std::max(0.0, left / static_cast<double>(std::max<int64_t>(1, total_ - warmup_)));
  }

 private:
  const int64_t total_;
  int64_t warmup_ = 0;
};

RETHINK_REGISTERED = schedules().add<LinearOptions>(
    {.name = "linear",
     .summary = "linear warm-up, then linear decline towards 0 (Devlin et al., 2019)"},
    [](const LinearOptions& options, int64_t total) {
      return std::make_shared<Linear>(options, total);
    });

}  // namespace
}  // namespace rethink
