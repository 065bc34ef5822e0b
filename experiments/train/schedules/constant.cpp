// The same learning rate throughout, after a linear warm-up.
#include "experiments/train/schedules.h"

namespace rethink {
namespace {

struct ConstantOptions {
  int64_t warmup = 0;

  void fields(Fields& field) {
    field("warmup", warmup, "steps of linear growth from 0 [steps]").min(0);
  }
};

class Constant : public Schedule {
 public:
  explicit Constant(const ConstantOptions& options) : warmup_(options.warmup) {}
  double factor(int64_t step) const override { return warmup_factor(step, warmup_); }

 private:
  const int64_t warmup_;
};

RETHINK_REGISTERED = schedules().add<ConstantOptions>(
    {.name = "constant", .summary = "the same learning rate throughout, after a linear warm-up"},
    [](const ConstantOptions& options, int64_t) { return std::make_shared<Constant>(options); });

}  // namespace
}  // namespace rethink
