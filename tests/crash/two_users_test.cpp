// A store that two users of a group share, and files that one of them may not touch. As root the programs
// run as two other users; else only modes and groups are checked.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <iostream>
#include <map>

#include "results/folders/foreign_parts.h"
#include "tests/crash/driver.h"

namespace rethink {
namespace {

constexpr const char* kAda = "63001";
constexpr const char* kBob = "63002";
constexpr gid_t kGroup = 63000;

class TwoUsers : public DriverTest {
 protected:
  TwoUsers() {
    write_text(folder_ / "s.yaml",
               "sweep: s\nseeds: [0]\nstages:\n  a: {job: noop, steps: 2, grid: {tag: [x, y]}}\n");
    if (geteuid() == 0 && chown(folder_.path().c_str(), 0, kGroup) != 0) ADD_FAILURE();
    chmod(folder_.path().c_str(), 02775);
  }

  /// Runs a shell command in the test's folder as `user` if we are root; else as ourselves.
  ProgramResult as(const std::string& user, const std::string& command) const {
    ProgramRun run;
    if (geteuid() == 0)
      run.words = {"setpriv", "--reuid", user, "--regid", user, "--groups", std::to_string(kGroup)};
    run.words.insert(run.words.end(), {"sh", "-c", command});
    run.folder = folder_.path();
    const std::string home = (folder_ / ("home" + user)).string();
    run.environment = {{"RETHINK_PROGRAMS", programs_.string()},
                       {"PATH", kRethink.parent_path().string() + ":/usr/bin:/bin"},
                       {"HOME", home},
                       {"XDG_CACHE_HOME", home}};
    return run_program(run);
  }
  void expect_done(const std::string& user, const std::string& command) const {
    const ProgramResult result = as(user, command);
    EXPECT_EQ(result.status, 0) << user << ": " << command << "\n" << result.output << result.error;
  }
  /// Returns why a second user is impossible here; empty if one is possible.
  std::string why_alone() const {
    if (geteuid() != 0) return "only root can run a program as another user";
    const ProgramResult result = as(kBob, "rethink --version");
    return result.status == 0 ? "" : "another user cannot start the programs: " + result.error;
  }

  /// Runs trials until each has every folder that a trial may have.
  void run_with_all_folders() const {
    expect_done(kAda,
                "umask 022; rethink run s.yaml --quiet; "
                "for t in store/trials/*; do mkdir -p $t/artifacts $t/checkpoints; "
                "touch $t/attempt-1/log; done");
  }

  std::string mode_and_group(const std::string& name) const {
    struct stat status {};
    if (stat((folder_ / name).c_str(), &status) != 0) return "missing";
    return fmt::format("{:04o} {}", status.st_mode & 07777,
                       geteuid() == 0 ? std::to_string(status.st_gid) : "own");
  }
};

TEST_F(TwoUsers, MayWriteEachOthersFilesByModeAndGroup) {
  expect_done(kAda, "umask 002; rethink run s.yaml --quiet");
  const std::string group = geteuid() == 0 ? std::to_string(kGroup) : "own";
  for (const char* file : {"store/rethink.db", "store/lock", "store/uuid"})
    EXPECT_EQ(mode_and_group(file), "0664 " + group) << file;
  for (const char* name : {"store", "store/trials", "store/sweeps"})
    EXPECT_EQ(mode_and_group(name), "2775 " + group) << name;
}

TEST_F(TwoUsers, WorkOnOneStoreInTurns) {
  if (const std::string why = why_alone(); !why.empty()) GTEST_SKIP() << why;
  expect_done(kAda, "umask 002; rethink run s.yaml --quiet");
  expect_done(kBob, "umask 002; rethink query 'select count(*) from runs'");
  expect_done(kAda, "umask 002; rethink run s.yaml --quiet --set stages.a.steps=3");
  expect_done(kBob, "umask 002; rethink run s.yaml --quiet --set stages.a.steps=4");
  expect_done(kAda, "umask 002; rethink rm s --yes && rethink gc && rethink db check --hashes");
  EXPECT_TRUE(trial_names(folder_ / "store").empty());
}

TEST_F(TwoUsers, CollectWhatPilotsOfTheOtherDid) {
  if (const std::string why = why_alone(); !why.empty()) GTEST_SKIP() << why;
  expect_done(kAda, "umask 002; rethink run s.yaml --quiet");
  for (const std::string umask : {"002", "022"}) {
    const std::string run =
        "rethink run s.yaml --site local --quiet --set stages.a.steps=1" + umask;
    EXPECT_EQ(as(kBob, "umask " + umask + "; " + run).status, 4);
    expect_done(kAda, "umask 002; for look in $(seq 300); do " + run +
                          "; code=$?; [ $code = 4 ] || break; sleep 0.1; done; exit $code");
  }
  expect_done(kAda, "umask 002; rethink db check --hashes");
}

TEST_F(TwoUsers, ReadWhichFileOfTheOtherExcludesThem) {
  if (const std::string why = why_alone(); !why.empty()) GTEST_SKIP() << why;
  expect_done(kAda, "umask 002; rethink run s.yaml --quiet && chmod 644 store/rethink.db");
  const ProgramResult run = as(kBob, "umask 002; rethink run s.yaml --set stages.a.steps=3");
  EXPECT_EQ(run.status, 3);
  EXPECT_NE(run.error.find("rethink.db belongs to user 63001 (mode 0644), and user 63002 may not"),
            std::string::npos)
      << run.error;
  // Rows that cannot leave the database stay in its folder, too.
  const size_t trials = trial_names(folder_ / "store").size();
  const ProgramResult rm = as(kBob, "umask 002; rethink rm s --yes");
  EXPECT_EQ(rm.status, 3);
  EXPECT_NE(rm.error.find("nothing was removed"), std::string::npos) << rm.error;
  EXPECT_EQ(trial_names(folder_ / "store").size(), trials);
  // The command that the message names helps.
  const size_t begin = run.error.find("give `") + 6;
  expect_done(kBob, "umask 002; " + run.error.substr(begin, run.error.find('`', begin) - begin));
  expect_done(kBob, "umask 002; rethink db check --hashes && rethink rm s --yes");
  EXPECT_TRUE(trial_names(folder_ / "store").empty());
}

/// Returns the first command in `text` after `words`.
std::string command_behind(const std::string& text, const std::string& words) {
  const size_t begin = text.find(words + " `");
  if (begin == std::string::npos) return "echo no command: '" + text + "'; false";
  const size_t from = begin + words.size() + 2;
  return text.substr(from, text.find('`', from) - from);
}

TEST_F(TwoUsers, ReadWhatHelpsIfOneOfThemMayNotWrite) {
  if (const std::string why = why_alone(); !why.empty()) GTEST_SKIP() << why;
  expect_done(kAda, "umask 022; rethink run s.yaml --quiet");
  const ProgramResult run = as(kBob, "umask 002; rethink run s.yaml --set stages.a.steps=3");
  EXPECT_EQ(run.status, 3);
  // Bob gets a copy of the store.
  expect_done(kBob, "mkdir -p ~; " + command_behind(run.error, "work on a copy:") +
                        " && rethink run s.yaml --quiet --store ~/store-of-user-63001");
  // Ada lets the group write.
  expect_done(kAda, command_behind(run.error, "have user 63001 run"));
  expect_done(kBob, "umask 002; rethink run s.yaml --quiet --set stages.a.steps=3");
  expect_done(kAda, "umask 002; rethink rm s --yes && rethink gc");
}

TEST_F(TwoUsers, ReadWhichFileIsNotReadable) {
  if (const std::string why = why_alone(); !why.empty()) GTEST_SKIP() << why;
  expect_done(kAda, "umask 022; rethink run s.yaml --quiet");
  const std::string trial = "store/trials/" + trial_names(folder_ / "store").front();
  struct Refusal {
    std::string file, command;
    int status;  // a plan names a trial that it may not read, and continues
  };
  for (const auto& [file, command, status] :
       std::vector<Refusal>{{"store/rethink.db", "rethink status", 3},
                            {"store/lock", "rethink status", 3},
                            {trial + "/result.json", "rethink plan s.yaml", 0},
                            {trial, "rethink plan s.yaml", 0}}) {
    expect_done(kAda, "chmod go-rwx " + file);
    const ProgramResult refused = as(kBob, command);
    EXPECT_EQ(refused.status, status) << file;
    EXPECT_NE(refused.error.find(file + " belongs to user 63001"), std::string::npos)
        << refused.error;
    expect_done(kAda, command_behind(refused.error, "have user 63001 run"));
    expect_done(kBob, command);
  }
}

TEST_F(TwoUsers, ReadWhichFolderRefusesAFile) {
  if (const std::string why = why_alone(); !why.empty()) GTEST_SKIP() << why;
  write_text(folder_ / "f.yaml",
             "sweep: f\nseeds: [0]\nstages:\n  a: {job: noop, steps: 2, fail_at: 1}\n");
  as(kAda, "umask 002; rethink run f.yaml --quiet; chmod g-w store/trials/*/attempt-1");
  const ProgramResult retry = as(kBob, "umask 002; rethink retry f");
  EXPECT_EQ(retry.status, 3);
  expect_done(kAda, command_behind(retry.error, "have user 63001 run"));
  expect_done(kBob, "umask 002; rethink retry f");
}

TEST_F(TwoUsers, ReadThatAFolderIsSticky) {
  if (const std::string why = why_alone(); !why.empty()) GTEST_SKIP() << why;
  expect_done(kAda, "umask 002; rethink run s.yaml --quiet; chmod +t store/trials store");
  const ProgramResult rm = as(kBob, "umask 002; rethink rm s --yes");
  EXPECT_EQ(rm.status, 3);
  expect_done(kAda, command_behind(rm.error, "have user 63001 run"));
  expect_done(kBob, "umask 002; rethink rm s --yes");
}

TEST_F(TwoUsers, FinishARemovalThatOneOfThemMayNotFinish) {
  if (const std::string why = why_alone(); !why.empty()) GTEST_SKIP() << why;
  expect_done(kAda, "umask 002; rethink run s.yaml --quiet");
  const std::string trial = trial_names(folder_ / "store").front();
  const std::filesystem::path trials = folder_ / "store/trials";
  write_text(trials / trial / "attempt-1/of_root/file", "x");
  chmod((trials / trial / "attempt-1/of_root").c_str(), 0755);
  const ProgramResult rm = as(kBob, "umask 002; rethink rm " + trial);
  EXPECT_EQ(rm.status, 3);
  EXPECT_NE(rm.error.find("of_root belongs to root (mode 0755), and you are user 63002"),
            std::string::npos)
      << rm.error;
  EXPECT_EQ(as(kBob, "rethink gc").status, 3);
  std::filesystem::remove_all(trials / (".removed-" + trial) / "attempt-1");
  expect_done(kBob, "rethink gc && ! ls -A store/trials | grep removed");
}

TEST_F(TwoUsers, TreatTheOtherTrialsWhereOneMayNotBeRead) {
  if (geteuid() == 0 && !why_alone().empty()) GTEST_SKIP() << why_alone();
  run_with_all_folders();
  const std::string trial = trial_names(folder_ / "store").front();
  for (const char* part :
       {"", "/attempt-1", "/attempt-1/events.jsonl", "/result.json", "/artifacts"}) {
    const std::string path = "store/trials/" + trial + part;
    expect_done(kAda, "rm -rf merged; chmod 000 " + path);
    for (const char* command :
         {"check", "check --hashes", "merge store --store merged", "rebuild"}) {
      const ProgramResult result = as(kAda, std::string("rethink db ") + command);
      const std::string said = result.output + result.error;
      EXPECT_EQ(result.status, 1) << part << " " << command << ": " << said;
      EXPECT_NE(said.find(path + ": may not be read: "), std::string::npos)
          << part << " " << command << ": " << said;
    }
    EXPECT_EQ(trial_names(folder_ / "merged").size(), 1u) << part;
    expect_done(kAda, "chmod 755 " + path + "; rethink db rebuild; rethink db check --hashes");
  }
}

TEST_F(TwoUsers, LoseNoNumbersByFilesOfWhichNoRowsAreMade) {
  if (geteuid() == 0 && !why_alone().empty()) GTEST_SKIP() << why_alone();
  run_with_all_folders();
  const std::string path = "store/trials/" + trial_names(folder_ / "store").front();
  for (const char* part : {"/artifacts", "/attempt-1/log", "/lock", "/checkpoints"}) {
    expect_done(kAda, "chmod 000 " + path + part);
    const ProgramResult result = as(kAda, "rethink db rebuild");
    EXPECT_EQ((result.output + result.error).find("lost"), std::string::npos) << result.error;
    EXPECT_NE(result.output.find("2 trials"), std::string::npos) << part << result.output;
    expect_done(kAda, "chmod 755 " + path + part + "; rethink db check --hashes");
  }
}

TEST_F(TwoUsers, LeaveADoneTrialDoneThatOneMayNotRead) {
  if (geteuid() == 0 && !why_alone().empty()) GTEST_SKIP() << why_alone();
  run_with_all_folders();
  const std::string trial = trial_names(folder_ / "store").front();
  for (const char* part : {"", "/result.json", "/artifacts"}) {
    expect_done(kAda, "chmod 000 store/trials/" + trial + part);
    const ProgramResult run = as(kAda, "rethink run s.yaml");
    EXPECT_EQ(run.status, 0) << run.error;
    EXPECT_NE(run.error.find(trial + part + ": may not be read: "), std::string::npos) << run.error;
    EXPECT_NE(run.error.find("the trial stays done"), std::string::npos) << run.error;
    EXPECT_NE((run.output + run.error).find("2 of 2 trials done"), std::string::npos)
        << run.output << run.error;
    const ProgramResult plan = as(kAda, "rethink plan s.yaml");
    EXPECT_EQ(plan.status, 0) << plan.error;
    EXPECT_EQ(plan.output.find("to run\n "), std::string::npos) << plan.output;
    EXPECT_NE(plan.error.find(trial + part + ": may not be read: "), std::string::npos)
        << plan.error;
    expect_done(kAda, "chmod 755 store/trials/" + trial + part);
  }
}

TEST_F(TwoUsers, AreNotSharedWithTheRest) {
  if (const std::string why = why_alone(); !why.empty()) GTEST_SKIP() << why;
  expect_done(kAda, "umask 077; rethink run s.yaml --quiet");
  for (const char* command : {"query 'select 1'", "status", "run s.yaml", "plan s.yaml", "db check",
                              "db rebuild", "gc", "rm s --yes", "cancel s", "retry s"}) {
    const ProgramResult result = as(kBob, std::string("rethink ") + command);
    EXPECT_EQ(result.status, 3) << command;
    EXPECT_NE(result.error.find("store belongs to user 63001 (mode 2700), and you are user 63002"),
              std::string::npos)
        << command << ": " << result.error;
  }
}

}  // namespace
}  // namespace rethink
