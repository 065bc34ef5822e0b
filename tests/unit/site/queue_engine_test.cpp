// The engines of queues with a queue of files: a job is a folder, and shell scripts stand for the queue's commands. The
// real Slurm is in tests/slurm.
#include "experiments/site/queue_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/error.h"
#include "experiments/site/sites_file.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class QueueEngineTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_ / "bin");
    std::filesystem::create_directories(folder_ / "logs");
    old_path_ = std::getenv("PATH");
    setenv("PATH", ((folder_ / "bin").string() + ":" + old_path_).c_str(), 1);
    program("squeue", "cat queue");
    program("scancel", "echo $* >>cancelled");
    program("scontrol", "echo $* >>requeued");
    write_text(folder_ / "queue", "");
  }
  void TearDown() override {
    setenv("PATH", old_path_.c_str(), 1);
    unsetenv("SLURM_CPU_BIND");
  }

  /// A script on PATH that is run in the folder.
  void program(const std::string& name, const std::string& script) {
    const std::filesystem::path file = folder_ / "bin" / name;
    write_text(file, "#!/bin/sh\ncd '" + folder_.path().string() + "'\necho $0 $* >>calls\n" +
                         script + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  std::unique_ptr<Engine> engine(const std::string& options = "") {
    write_text(folder_ / "sites.yaml", "a100:\n  engine: slurm\n  ask_every: 100s\n" + options);
    return make_engine(site_named("a100", folder_ / "sites.yaml"));
  }
  PilotCommand pilot() const {
    return {.words = {"/opt/it's/rethink", "pilot"}, .logs = folder_ / "logs", .name = "rethink s"};
  }
  std::string refusal(const std::string& options) {
    try {
      engine(options)->submit(pilot(), 1);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no error";
  }
  size_t calls() const {
    const std::string text = read_text(folder_ / "calls");
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  TempFolder folder_;
  std::string old_path_;
};

TEST_F(QueueEngineTest, SubmitsAScriptThatBecomesThePilot) {
  program(
      "sbatch",
      "for word; do echo \"$word\"; done >words; cat >script; env >environment; echo '7;cluster'");
  setenv("SLURM_CPU_BIND", "quiet,mask_cpu:0x1", 1);
  setenv("SBATCH_ACCOUNT", "lab", 1);
  EXPECT_THAT(
      engine("  sbatch: ['--comment=two words', --time=4:00:00]\n  setup: module load cuda\n"
             "  wrap: apptainer exec $HOME/i.sif\n")
          ->submit(pilot(), 1),
      ElementsAre("7"));
  EXPECT_EQ(read_text(folder_ / "words"),
            "--parsable\n--requeue\n--job-name=rethink s\n--comment=two words\n--time=4:00:00\n"
            "--output=" +
                (folder_ / "logs/%j.log").string() + "\n--open-mode=append\n");
  EXPECT_THAT(read_text(folder_ / "script"),
              AllOf(HasSubstr("#!/bin/bash\nexport RETHINK_JOB=$SLURM_JOB_ID\n"),
                    HasSubstr("\nmodule load cuda\nexec apptainer exec $HOME/i.sif "
                              "'/opt/it'\\''s/rethink' pilot\n")));
  EXPECT_THAT(read_text(folder_ / "environment"),
              AllOf(HasSubstr("SBATCH_ACCOUNT=lab"), Not(HasSubstr("SLURM_CPU_BIND"))));
  unsetenv("SBATCH_ACCOUNT");
}

TEST_F(QueueEngineTest, ABriefJobAsksForLittleTime) {
  program("sbatch", "echo $* >words; cat >/dev/null; echo 7");
  PilotCommand brief = pilot();
  brief.brief = true;
  engine("  sbatch: [--time=4:00:00]\n")->submit(brief, 1);
  EXPECT_THAT(read_text(folder_ / "words"), HasSubstr("--time=4:00:00 --time=2 --output"));
}

TEST_F(QueueEngineTest, ARefusalNamesTheLineOfTheOption) {
  program("sbatch", "echo 'sbatch: error: Invalid --time specification' >&2; exit 1");
  const std::string options = "  sbatch:\n    - --partition=gpu\n    - --time=soon\n";
  EXPECT_THAT(
      refusal(options),
      AllOf(HasSubstr("sites.yaml:6:7: error: site 'a100': the queue refuses the job: sbatch: "
                      "error: Invalid --time specification; correct"),
            HasSubstr("\n      - --time=soon\n")));
  program("sbatch", "echo 'sbatch: error: invalid partition specified: gpu' >&2; exit 1");
  EXPECT_THAT(refusal(options), HasSubstr("sites.yaml:5:7: "));
  program("sbatch",
          "echo 'sbatch: error: Requested node configuration is not available' >&2; exit 1");
  EXPECT_THAT(refusal(options), HasSubstr("sites.yaml:1:1: "));
}

TEST_F(QueueEngineTest, AnUnreachableQueueIsNotAMistakeOfTheSite) {
  program("sbatch", "echo 'sbatch: error: Unable to contact slurm controller' >&2; exit 1");
  EXPECT_THROW(engine()->submit(pilot(), 1), MachineError);
  EXPECT_THAT(refusal(""), HasSubstr("try again later"));
  std::filesystem::remove(folder_ / "bin/sbatch");
  setenv("PATH", "/usr/bin:/bin", 1);
  if (std::filesystem::exists("/usr/bin/sbatch")) return;
  EXPECT_THAT(refusal(""), HasSubstr("on a login node"));
}

TEST_F(QueueEngineTest, WhatWasSubmittedBeforeAnErrorIsCancelled) {
  program("sbatch", "cat >/dev/null; [ ! -e once ] || exit 1; touch once; echo 7");
  EXPECT_ANY_THROW(engine()->submit(pilot(), 2));
  EXPECT_EQ(read_text(folder_ / "cancelled"), "7\n");
}

TEST_F(QueueEngineTest, ReadsStatesWithOneCallAndAsksSeldom) {
  write_text(folder_ / "queue",
             "7 RUNNING None\n8 PENDING (ReqNodeNotAvail, May be reserved)\n9 TIMEOUT None\n"
             "10 FROZEN None\n");
  const auto queue = engine();
  auto states = queue->states({"7", "8", "9", "10", "11"});
  EXPECT_EQ(states["7"].state, JobState::running);
  EXPECT_EQ(states["8"].state, JobState::pending);
  EXPECT_EQ(states["8"].reason, "(ReqNodeNotAvail, May be reserved)");
  EXPECT_EQ(states["9"].state, JobState::ended);
  EXPECT_EQ(states["9"].reason, "TIMEOUT");
  EXPECT_EQ(states["10"].state, JobState::unknown);  // a state of a later Slurm
  EXPECT_EQ(states["11"].state, JobState::ended);    // the queue has forgotten it
  queue->states({"7", "8"});
  queue->states({"9"});
  EXPECT_EQ(calls(), 1u);
  queue->states({"12"});  // nothing is known of a new job
  EXPECT_EQ(calls(), 2u);
  EXPECT_EQ(queue->states({"9"})["9"].reason, "TIMEOUT");  // also of jobs that ended before
  EXPECT_EQ(calls(), 2u);
}

TEST_F(QueueEngineTest, AQueueThatDoesNotAnswerDecidesNothing) {
  program("squeue",
          "echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2; "
          "exit 1");
  const auto queue = engine();
  const JobStatus status = queue->states({"7"}).at("7");
  EXPECT_EQ(status.state, JobState::unknown);
  EXPECT_THAT(status.reason, HasSubstr("Unable to contact"));
  EXPECT_EQ(queue->states({"8"}).at("8").state, JobState::unknown);
  EXPECT_EQ(calls(), 1u);  // not asked again at once
  program("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
  EXPECT_EQ(engine()->states({"7"}).at("7").state, JobState::ended);
}

TEST_F(QueueEngineTest, OnlyARunningJobGoesBackIntoTheQueue) {
  program("squeue", "echo COMPLETING");
  EXPECT_FALSE(engine()->requeue("7"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "requeued"));
  program("squeue", "echo RUNNING");
  EXPECT_TRUE(engine()->requeue("7"));
  EXPECT_EQ(read_text(folder_ / "requeued"), "requeue 7\n");
}

TEST_F(QueueEngineTest, TheEndOfAJobIsWhatItsScriptFoundOut) {
  setenv("RETHINK_JOB", "7", 1);
  EXPECT_EQ(engine()->end_time("7"), std::nullopt);
  setenv("RETHINK_JOB_END", "1795951486", 1);
  EXPECT_EQ(engine()->end_time("7"), 1795951486);
  EXPECT_EQ(engine()->end_time("8"), std::nullopt);
  unsetenv("RETHINK_JOB");
  unsetenv("RETHINK_JOB_END");
}

TEST_F(QueueEngineTest, AnotherQueueIsDescribedByItsCommands) {
  program("put", "cat >script; echo job 41 >&2; echo 41");
  program("list", "echo \"41.host R\"; echo \"42.host Q\"");
  program("drop", "echo $* >dropped");
  write_text(folder_ / "sites.yaml",
             "pbs:\n"
             "  engine: commands\n"
             "  submit: put -N {name}\n"
             "  states: 'list {jobs} | awk ''{split($1, id, \".\"); print id[1], $2 == \"R\" ? "
             "\"running\" : \"pending\"}'''\n"
             "  cancel: drop {jobs}\n"
             "  job: ${PBS_JOBID%%.*}\n");
  const auto queue = make_engine(site_named("pbs", folder_ / "sites.yaml"));
  EXPECT_THAT(queue->submit(pilot(), 1), ElementsAre("41"));
  EXPECT_THAT(read_text(folder_ / "script"),
              AllOf(HasSubstr("export RETHINK_JOB=${PBS_JOBID%%.*}\n"),
                    HasSubstr("/logs/\"$RETHINK_JOB.log\" 2>&1\n")));
  auto states = queue->states({"41", "42", "43"});
  EXPECT_EQ(states["41"].state, JobState::running);
  EXPECT_EQ(states["42"].state, JobState::pending);
  EXPECT_EQ(states["43"].state, JobState::ended);
  queue->cancel({"41", "42"});
  EXPECT_EQ(read_text(folder_ / "dropped"), "41 42\n");
  program("list", "exit 1");
  EXPECT_EQ(make_engine(site_named("pbs", folder_ / "sites.yaml"))->states({"41"}).at("41").state,
            JobState::unknown);
}

}  // namespace
}  // namespace rethink
