// Programs as trials under SIGKILL: drivers, zygotes, workers and the programs themselves.
//
// RETHINK_KILLS is the number of processes that each test kills (15 by default); `make check` kills 200 in each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/crash/driver.h"

namespace rethink {
namespace {

/// Adds numbers, and writes a checkpoint of the sum after each fourth step. Children do a part of the work. One of them
/// has a separate session and outlives the step.
constexpr const char* kScript = R"(step=0 sum=0
[ -z "$RETHINK_CHECKPOINT" ] || read -r step sum < "$RETHINK_CHECKPOINT/state"
say() { echo "$1" >> "$RETHINK_EVENTS"; }
while [ $step -lt 12 ]; do
  step=$((step + 1))
  if [ "$1" = group ]; then
    setsid sleep 100 &
    (sleep 0.01; (sleep 0.01; echo $((sum + step)) > sum)) &
    wait $!
    sum=$(cat sum)
  else
    sum=$((sum + step))
    sleep 0.01
  fi
  say "{\"metric\": \"dev/sum\", \"step\": $step, \"value\": $sum}"
  if [ "$1" != anew ] && [ $((step % 4)) = 0 ]; then
    mkdir -p "$RETHINK_SCRATCH/$step" && echo "$step $sum" > "$RETHINK_SCRATCH/$step/state"
    say "{\"checkpoint\": $step, \"path\": \"$RETHINK_SCRATCH/$step\", \"give\": true}"
  fi
done
echo "$sum" > result.txt
say '{"artifact": "result", "path": "result.txt"}'
)";

std::string sweep_of(const std::string& kind) {
  return "sweep: " + kind +
         "\nseeds: [0, 1, 2]\nstages:\n  train:\n    job: command\n    run: [sh, train.sh, " +
         kind +
         "]\n    code: [train.sh]\n    metrics: {dev/sum: max}\n"
         "retry: {killed: 1000}\n";  // the test's kills are not the trials' faults
}

size_t kills() {
  const char* const given = getenv("RETHINK_KILLS");
  return given ? static_cast<size_t>(std::stoul(given)) : 15;
}

/// Returns how many processes have an environment with `text`.
size_t processes_with(const std::string& text) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "environ", std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (all.find(text) != std::string::npos) ++count;
  }
  return count;
}

class CommandKill : public DriverTest, public testing::WithParamInterface<const char*> {};

/// `group`: with children in separate sessions; `anew`: without checkpoints.
TEST_P(CommandKill, LosesAndDoublesNothing) {
  setenv("RETHINK_PROGRAMS", kPrograms.c_str(), /*overwrite=*/1);
  write_text(folder_ / "train.sh", kScript);
  write_text(folder_ / "own.yaml", sweep_of(GetParam()));
  const ChaosReport report = run_chaos({.rethink = kRethink,
                                        .folder = folder_ / "chaos",
                                        .sweep = folder_ / "own.yaml",
                                        .kills = kills(),
                                        .seed = 3});
  EXPECT_EQ(report.kills, kills());
  EXPECT_THAT(report.crashed, testing::IsEmpty()) << read_text(folder_ / "chaos" / "log");
  EXPECT_THAT(report.lost, testing::IsEmpty());
  EXPECT_THAT(report.doubled, testing::IsEmpty());
  EXPECT_THAT(report.different, testing::IsEmpty());
  EXPECT_EQ(processes_with("RETHINK_TRIAL_FOLDER=" +
                           std::filesystem::canonical(folder_ / "chaos").string()),
            0u);
}

INSTANTIATE_TEST_SUITE_P(, CommandKill, testing::Values("plain", "group", "anew"),
                         [](const auto& given) { return std::string(given.param); });

}  // namespace
}  // namespace rethink
