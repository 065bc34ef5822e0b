#include "experiments/train/schedules.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace rethink {
namespace {

/// step / warmup while that is below 1, else 1.
double warmup_factor(int64_t step, int64_t warmup) {
  return step >= warmup ? 1.0 : static_cast<double>(step) / static_cast<double>(warmup);
}

struct ConstantOptions {
  int64_t warmup = 0;

  void fields(Fields& field) {
    field("warmup", warmup, "steps of linear increase from 0 [steps]").min(0);
  }
};

/// A constant learning rate after a linear warm-up.
class Constant : public Schedule {
 public:
  Constant(const ConstantOptions& options, int64_t) : warmup_(options.warmup) {}
  double factor(int64_t step) const override { return warmup_factor(step, warmup_); }

 private:
  const int64_t warmup_;
};

struct LinearOptions {
  std::optional<int64_t> warmup;
  std::optional<double> warmup_share;

  void fields(Fields& field) {
    field("warmup", warmup, "steps of linear increase from 0 [steps]; null = 0").min(0);
    field("warmup_share", warmup_share, "warmup as a share of all steps, rounded down")
        .min(0)
        .max(1);
  }
  static std::vector<Rule> rules() {
    return {
        at_most_one_of({"warmup", "warmup_share"}, "both say how long the warm-up is: give one")};
  }
};

/// Linear growth to the full learning rate, then linear decline that would reach 0 one step after
/// the last (BERT's fine-tuning schedule).
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

struct PolynomialOptions {
  double warmup_share = 0.0;
  double power = 0.5;

  void fields(Fields& field) {
    field("warmup_share", warmup_share, "share of all steps with linear increase from 0")
        .min(0)
        .below(1);
    field("power", power, "exponent of the share of training that remains; 1 = linear decrease")
        .above(0);
  }
};

/// Linear growth over a share of the steps, then (1 - progress)^power, which would reach 0 one step
/// after the last. Progress counts from the very first step, as in SparseBERT's released
/// pretraining, so that the two do not meet.
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

struct InverseSquareRootOptions {
  int64_t warmup = 4000;

  void fields(Fields& field) {
    field("warmup", warmup,
          "steps of linear increase from 0 to the optimizer's learning rate [steps]")
        .min(1);
  }
};

/// Linear growth to the full learning rate, then decline with 1/sqrt(step) (Vaswani et al., 2017,
/// section 5.3, with the peak as the option instead of the model's width).
class InverseSquareRoot : public Schedule {
 public:
  InverseSquareRoot(const InverseSquareRootOptions& options, int64_t) : warmup_(options.warmup) {}

  double factor(int64_t step) const override {
    if (step <= warmup_) return warmup_factor(step, warmup_);
    return std::sqrt(static_cast<double>(warmup_) / static_cast<double>(step));
  }

 private:
  const int64_t warmup_;
};

/// `Kind` is made from its options and the total number of steps.
template <typename Kind, typename Options>
bool add_schedule(About<> about) {
  return schedules().add<Options>(std::move(about), [](const Options& options, int64_t total) {
    return std::make_shared<Kind>(options, total);
  });
}

RETHINK_REGISTERED = add_schedule<Constant, ConstantOptions>(
    {.name = "constant", .summary = "constant learning rate after a linear warm-up"});
RETHINK_REGISTERED = add_schedule<Linear, LinearOptions>(
    {.name = "linear",
     .summary = "linear warm-up, then linear decrease to 0 (Devlin et al., 2019)"});
RETHINK_REGISTERED = add_schedule<Polynomial, PolynomialOptions>(
    {.name = "polynomial",
     .summary = "linear warm-up, then (1 - progress)^power (SparseBERT's released pretraining)"});
RETHINK_REGISTERED = add_schedule<InverseSquareRoot, InverseSquareRootOptions>(
    {.name = "inverse_square_root",
     .summary = "linear warm-up, then decrease with 1/sqrt(step) (Vaswani et al., 2017)"});

}  // namespace

ScheduleRegistry& schedules() {
  static ScheduleRegistry registry("schedule", "experiments/train/schedules");
  return registry;
}

}  // namespace rethink
