#include "experiments/attempt/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "experiments/attempt/attempt_request.h"
#include "experiments/attempt/build_id.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Schema own() {
  return schema_of_this_program("");
}

Trial noop(const Json& options) {
  Trial trial;
  trial.job = "noop";
  trial.config = jobs().completed("noop", options);
  trial.seed = 0;
  trial.id = trial_id(trial, own());
  return trial;
}

TEST(TrialIdentity, IsPinned) {
  // A change must be intended, since every stored trial would get another name.
  EXPECT_EQ(identity_text(noop({{"steps", 3}}), own()),
            "h1\n{\"config\":{\"allocate_mb\":0,\"fail_at\":null,\"sleep_ms\":0,\"steps\":3,"
            "\"tag\":\"\"},"
            "\"job\":\"noop\","
            "\"seed\":0}");
  EXPECT_EQ(noop({{"steps", 3}}).id.size(), 20u);
}

TEST(TrialIdentity, LeavesOutWhatChangesNoNumber) {
  EXPECT_EQ(noop({{"checkpoint_every", 5}}).id, noop({}).id);
  EXPECT_NE(noop({{"tag", "b"}}).id, noop({}).id);
}

TEST(TrialIdentity, DependsOnEverythingElse) {
  const Trial trial = noop({});
  std::vector<Trial> others(5, trial);
  others[0].seed = 1;
  others[1].needs["init"] = {"x"};
  others[2].data["a.txt"] = "sha";
  others[3].imported["init"] = "sha";
  others[4].revisions["job/noop"] = 2;
  for (const Trial& other : others) EXPECT_NE(trial_id(other, own()), trial.id);
  Trial moved = trial;
  moved.imported_paths["init"] = "/elsewhere";
  EXPECT_EQ(trial_id(moved, own()), trial.id);
}

TEST(TrialIdentity, NamesAnUnknownJob) {
  Trial trial = noop({});
  trial.job = "noob";
  EXPECT_THAT([&] { trial_id(trial, own()); },
              ThrowsMessage<ConfigError>(HasSubstr("unknown job 'noob'; did you mean 'noop'?")));
}

TEST(TrialJson, GivesBackTheTrial) {
  Trial trial = noop({});
  trial.needs["init"] = {"a", "b"};
  trial.data["x"] = "y";
  EXPECT_EQ(to_json(trial_from_json(to_json(trial))), to_json(trial));
  EXPECT_THAT(
      [] {
        trial_from_json({{"id", "x"}});
      },
      ThrowsMessage<ConfigError>(HasSubstr("trial.json")));
}

TEST(CheckedTrial, AcceptsItsOwn) {
  EXPECT_EQ(checked_trial(to_json(noop({}))).id, noop({}).id);
}

TEST(CheckedTrial, RefusesWhatAnotherSchemaPlanned) {
  Trial other_id = noop({});
  other_id.id = std::string(20, '0');
  EXPECT_THAT([&] { checked_trial(to_json(other_id)); },
              ThrowsMessage<ConfigError>(HasSubstr("its id is")));
  Trial unknown_option = noop({});
  unknown_option.config["colour"] = 1;
  EXPECT_THAT([&] { checked_trial(to_json(unknown_option)); }, ThrowsCode("other-build"));
  Trial incomplete = noop({});
  incomplete.config.erase("tag");
  EXPECT_THAT([&] { checked_trial(to_json(incomplete)); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("its configuration is not what this worker makes of it")));
  Trial revised = noop({});
  revised.revisions["job/noop"] = 2;
  EXPECT_THAT([&] { checked_trial(to_json(revised)); },
              ThrowsMessage<ConfigError>(HasSubstr("other revisions")));
}

TEST(AttemptRequest, GivesBackTheRequest) {
  AttemptRequest request;
  request.trial = "/s/trials/x";
  request.store = "/s";
  request.runtime.threads = 2;
  request.runtime.checkpoint_every_s = 30;
  request.runtime.stall_s = 1.5;
  request.cores = {0, 3};
  request.gpu = "GPU-1";
  EXPECT_EQ(to_json(request_from_json(to_json(request))), to_json(request));
  EXPECT_THAT([] { request_from_json({{"trial", 1}}); }, ThrowsCode("invalid-json"));
}

TEST(AttemptOutcome, FollowsFromTheStatus) {
  const auto exited = [](AttemptExit code) { return static_cast<int>(code) << 8; };
  EXPECT_EQ(outcome_of(exited(AttemptExit::done), false), AttemptOutcome::done);
  EXPECT_EQ(outcome_of(exited(AttemptExit::diverged), false), AttemptOutcome::diverged);
  EXPECT_EQ(outcome_of(exited(AttemptExit::fenced), false), AttemptOutcome::fenced);
  EXPECT_EQ(outcome_of(exited(AttemptExit::oom), false), AttemptOutcome::oom);
  EXPECT_EQ(outcome_of(exited(AttemptExit::killed), false), AttemptOutcome::killed);
  EXPECT_EQ(outcome_of(exited(AttemptExit::disk_full), false), AttemptOutcome::interrupted);
  EXPECT_EQ(fault_of(exited(AttemptExit::disk_full)), MachineFault::disk_full);
  EXPECT_EQ(fault_of(exited(AttemptExit::interrupted)), MachineFault::none);
  EXPECT_EQ(outcome_of(exited(AttemptExit::disk_error), false), AttemptOutcome::interrupted);
  EXPECT_EQ(fault_of(exited(AttemptExit::disk_error)), MachineFault::disk);
  EXPECT_EQ(outcome_of(exited(AttemptExit::no_resources), false), AttemptOutcome::lost);
  EXPECT_EQ(fault_of(exited(AttemptExit::no_resources)), MachineFault::resources);
  EXPECT_EQ(outcome_of(1 << 8, false), AttemptOutcome::failed);
  EXPECT_EQ(outcome_of(SIGKILL, false), AttemptOutcome::killed);
  EXPECT_EQ(outcome_of(SIGKILL, true), AttemptOutcome::oom);
  EXPECT_EQ(outcome_of(SIGTERM, true), AttemptOutcome::killed);
  EXPECT_EQ(outcome_of(SIGSEGV, false), AttemptOutcome::failed);
}

TEST(BuildId, IsTheLinkersNote) {
  EXPECT_EQ(own_build_id().size(), 40u);
  EXPECT_EQ(own_build_id(), build_id_of("/proc/self/exe"));
  EXPECT_THAT([] { build_id_of("/etc/hostname"); },
              ThrowsMessage<MachineError>(HasSubstr("is not a program")));
}

}  // namespace
}  // namespace rethink
