#include "app/driver/show/plan_notes/work_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "app/driver/cli/terminal.h"
#include "core/message.h"

namespace rethink {
namespace {

/// The trials to run whose cost is known in one way, with the cost.
struct Known {
  size_t trials = 0;
  double sum = 0;

  void add(size_t more, double value) {
    trials += more;
    sum += value;
  }
};

/// " for 3 of them"; empty if the number is for all.
std::string share_text(size_t trials, size_t of) {
  return trials == of ? "" : fmt::format(" for {} of them", trials);
}

std::string unknown_text(size_t trials, size_t of) {
  return fmt::format("unknown{} until a similar trial is done", share_text(trials, of));
}

std::string time_text(const PlanReport& report, size_t to_run) {
  Known measured, estimated;
  for (const StageReport& stage : report.stages) {
    const size_t known = stage.to_run - stage.unknown;
    if (stage.seconds && known > 0) measured.add(known, *stage.seconds);
    if (stage.flops && stage.unknown > 0) estimated.add(stage.unknown, *stage.flops);
  }
  std::vector<std::string> parts;
  if (measured.trials > 0)
    parts.push_back(fmt::format(
        "{}{}{}, as similar trials took", measured.sum < kLeastEstimate_s ? "" : "about ",
        training_time_text(measured.sum), share_text(measured.trials, to_run)));
  if (estimated.trials > 0)
    parts.push_back(fmt::format("{}{}, estimated from {:.1e} FLOPs at {}, without evaluation",
                                training_time_text(estimated.sum / training_rate(report)),
                                share_text(estimated.trials, to_run), estimated.sum,
                                training_rate_text(report)));
  if (const size_t unknown = to_run - measured.trials - estimated.trials; unknown > 0)
    parts.push_back(unknown_text(unknown, to_run));
  return joined(parts, "; ");
}

std::string disk_text(const PlanReport& report, size_t to_run) {
  Known measured, estimated;
  double checkpoints = 0;
  for (const StageReport& stage : report.stages) {
    const size_t known = stage.to_run - stage.unknown;
    if (stage.bytes && known > 0) measured.add(known, *stage.bytes);
    if (stage.disk && stage.unknown > 0) estimated.add(stage.unknown, stage.disk->weights);
    checkpoints = std::max(checkpoints, stage.checkpoint_bytes.value_or(0));
    if (stage.disk && stage.unknown > 0)
      checkpoints = std::max(checkpoints, stage.disk->checkpoint);
  }
  std::vector<std::string> parts;
  if (measured.trials > 0)
    parts.push_back(fmt::format("about {}{}, as similar trials took", size_text(measured.sum),
                                share_text(measured.trials, to_run)));
  if (estimated.trials > 0)
    parts.push_back(fmt::format("{} of weights{}, estimated from the models' sizes",
                                estimated.sum > 0 ? size_text(estimated.sum) : "nothing",
                                share_text(estimated.trials, to_run)));
  if (const size_t unknown = to_run - measured.trials - estimated.trials; unknown > 0)
    parts.push_back(unknown_text(unknown, to_run));
  if (checkpoints > 0)
    parts.push_back(fmt::format("up to {} of checkpoints a slot", size_text(checkpoints)));
  return joined(parts, "; ");
}

}  // namespace

double training_rate(const PlanReport& report) {
  constexpr double kAssumedFlopsPerS = 1e11;
  return report.rate ? report.rate->flops_per_s : kAssumedFlopsPerS;
}

std::string training_rate_text(const PlanReport& report) {
  return fmt::format("{} {:.1e} FLOP/s", report.rate ? "this store's" : "an assumed",
                     training_rate(report));
}

std::string training_time_text(double seconds) {
  return seconds < kLeastEstimate_s ? "under a minute" : rough_duration_text(seconds);
}

std::string work_text(const PlanReport& report, double free_bytes) {
  const size_t to_run = report.total().to_run;
  return fmt::format("{} to run\n  time of one slot: {}\n  disk: {}; {} are free\n",
                     counted(to_run, "trial"), time_text(report, to_run), disk_text(report, to_run),
                     size_text(free_bytes));
}

}  // namespace rethink
