#include "app/driver/show/plan_notes/work_text.h"

#include <gmock/gmock.h>

namespace rethink {
namespace {

using testing::HasSubstr;

constexpr double kFree = 5e9;

StageReport measured() {
  StageReport stage;
  stage.to_run = 20;
  stage.seconds = 720;
  stage.bytes = 40e6;
  stage.checkpoint_bytes = 3e6;
  return stage;
}

StageReport estimated() {
  StageReport stage;
  stage.to_run = stage.unknown = 4;
  stage.flops = 3.6e14;
  stage.disk = EstimatedDisk{.weights = 1.2e9, .checkpoint = 7.2e9};
  return stage;
}

StageReport unknown() {
  StageReport stage;
  stage.to_run = stage.unknown = 2;
  return stage;
}

PlanReport report_of(std::vector<StageReport> stages) {
  PlanReport report;
  report.stages = std::move(stages);
  return report;
}

TEST(WorkText, SaysWhatIsMeasuredEstimatedAndUnknown) {
  EXPECT_EQ(
      work_text(report_of({measured(), estimated(), unknown()}), kFree),
      "26 trials to run\n"
      "  time of one slot: about 12 min for 20 of them, as similar trials took; 60 min for 4 "
      "of them, estimated from 3.6e+14 FLOPs at an assumed 1.0e+11 FLOP/s, without "
      "evaluation; unknown for 2 of them until a similar trial is done\n"
      "  disk: about 40 MB for 20 of them, as similar trials took; 1.2 GB of weights for 4 of "
      "them, estimated from the models' sizes; unknown for 2 of them until a similar trial is "
      "done; up to 7.2 GB of checkpoints a slot; 5.0 GB are free\n");
}

TEST(WorkText, OmitsCountsIfAllTrialsAreAlike) {
  EXPECT_EQ(work_text(report_of({unknown()}), kFree),
            "2 trials to run\n"
            "  time of one slot: unknown until a similar trial is done\n"
            "  disk: unknown until a similar trial is done; 5.0 GB are free\n");
  PlanReport report = report_of({estimated()});
  report.stages[0].disk->weights = 0;
  report.rate = MeasuredRate{.flops_per_s = 3.6e12, .most_flops = 1e12};
  EXPECT_EQ(work_text(report, kFree),
            "4 trials to run\n"
            "  time of one slot: 2 min, estimated from 3.6e+14 FLOPs at this store's 3.6e+12 "
            "FLOP/s, without evaluation\n"
            "  disk: nothing of weights, estimated from the models' sizes; up to 7.2 GB of "
            "checkpoints a slot; 5.0 GB are free\n");
}

TEST(WorkText, PromisesNothingBelowAMinute) {
  StageReport stage = measured();
  stage.seconds = 59;
  EXPECT_THAT(work_text(report_of({stage}), kFree),
              HasSubstr("time of one slot: under a minute, as similar trials took\n"));
  stage.seconds = 60;
  EXPECT_THAT(work_text(report_of({stage}), kFree), HasSubstr("about 60 s, as similar"));
  EXPECT_EQ(training_time_text(20), "under a minute");
}

}  // namespace
}  // namespace rethink
