#include "app/driver/show/plan_notes/program_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/config/schema.h"
#include "experiments/plan/plan.h"
#include "tests/support/note_codes.h"
#include "tests/unit/plan/plan_fixture.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ProgramNotesTest : public PlanFixture {
 protected:
  /// The plan of a program with this text and these words of `run`.
  Plan planned(const std::string& text, const std::string& more_words,
               const std::string& more_lines = "") {
    write_text(folder_ / "train.py", text);
    write_text(folder_ / "own.yaml",
               "sweep: own\nseeds: [0, 1]\nstages:\n  train:\n    job: command\n"
               "    run: [python3, train.py" +
                   more_words +
                   "]\n    code: [\"*.py\"]\n    config: {fixed: 1}\n"
                   "    grid: {config.lr: [0.1, 0.3]}\n" +
                   more_lines);
    return make_plan(folder_ / "own.yaml", choices_, schema_);
  }
  std::vector<std::string> unread(const std::string& text, const std::string& more_words = "",
                                  const std::string& more_lines = "") {
    return codes_of(notes_on_unread_settings(planned(text, more_words, more_lines), schema_));
  }

  const Schema schema_ = schema_of_this_program("");
};

TEST_F(ProgramNotesTest, NameSeedsAndSettingsThatNothingReads) {
  EXPECT_THAT(unread("print(1)\n"), ElementsAre("unread-seed", "unread-setting"));
  EXPECT_THAT(unread("print(1)\n", ", \"{seed}\""), ElementsAre("unread-setting"));
  EXPECT_THAT(unread("print(1)\n", ", \"{config.lr}\""), ElementsAre("unread-seed"));
  EXPECT_THAT(unread("print(1)\n", ", \"{config.fixed}\""),
              ElementsAre("unread-seed", "unread-setting"));
  EXPECT_THAT(unread("print(1)\n", ", \"{config}\", \"{seed}\""), IsEmpty());
  EXPECT_THAT(unread("print(1)\n", "", "    env: {A: \"{config.lr} {seed}\"}\n"), IsEmpty());
}

TEST_F(ProgramNotesTest, FollowTheContractInTheCode) {
  EXPECT_THAT(unread("seed = os.environ['RETHINK_SEED']\n"), ElementsAre("unread-setting"));
  EXPECT_THAT(unread("open(os.environ['RETHINK_CONFIG'])\n"), ElementsAre("unread-seed"));
  EXPECT_THAT(unread("print(os.environ['RETHINK_EVENTS'])\n"),
              ElementsAre("unread-seed", "unread-setting"));
  EXPECT_THAT(unread("os.environ['RETHINK_' + name]\n"), IsEmpty());
  EXPECT_THAT(unread("import rethink\nrethink.config()\n"), ElementsAre("unread-seed"));
  EXPECT_THAT(unread("import rethink as r\nr.config(), r.seed()\n"), IsEmpty());
  EXPECT_THAT(unread("config, seed = 1, 2\n"), ElementsAre("unread-seed", "unread-setting"));
  // The helper module itself reads both.
  write_text(folder_ / "rethink.py", "RETHINK_SEED RETHINK_CONFIG\n");
  EXPECT_THAT(unread("import rethink\nrethink.log(1)\n"),
              ElementsAre("unread-seed", "unread-setting"));
}

TEST_F(ProgramNotesTest, SayNothingOfAnUnknownProgram) {
  write_text(folder_ / "train.py", "print(1)\n");
  write_text(folder_ / "own.yaml",
             "sweep: own\nseeds: [0, 1]\nstages:\n  train: {job: command, run: [sh, -c, other], "
             "code: [train.py]}\n");
  EXPECT_THAT(notes_on_unread_settings(make_plan(folder_ / "own.yaml", choices_, schema_), schema_),
              IsEmpty());
}

TEST_F(ProgramNotesTest, NameASweepWithoutMetrics) {
  EXPECT_THAT(codes_of(notes_on_missing_metrics(planned("", ""), schema_)),
              ElementsAre("no-metrics"));
  EXPECT_THAT(notes_on_missing_metrics(planned("", "", "    metrics: {dev/acc: max}\n"), schema_),
              IsEmpty());
}

TEST_F(ProgramNotesTest, AreForEachJobThatRunsAProgram) {
  Plan plan = planned("print(1)\n", "");
  Schema schema = schema_;
  schema.plugins["job"]["program"] = *schema_.find("job", "command");
  for (PlannedTrial& trial : plan.trials) trial.trial.job = "program";
  EXPECT_THAT(codes_of(notes_on_unread_settings(plan, schema)),
              ElementsAre("unread-seed", "unread-setting"));
  EXPECT_THAT(codes_of(notes_on_missing_metrics(plan, schema)), ElementsAre("no-metrics"));
}

}  // namespace
}  // namespace rethink
