#include "experiments/run/pilots/store_pilots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "core/json.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

/// A shell script on PATH stands for Slurm's squeue and counts its calls.
class StorePilotsTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path squeue = folder_ / "bin/squeue";
    write_text(squeue, "#!/bin/sh\necho >>'" + (folder_ / "calls").string() +
                           "'\nfor n in 1 2 3; do echo $n RUNNING None; done\n");
    std::filesystem::permissions(squeue, std::filesystem::perms::owner_all);
    setenv("PATH", ((folder_ / "bin").string() + ":" + old_path_).c_str(), 1);
  }
  void TearDown() override { setenv("PATH", old_path_.c_str(), 1); }

  size_t calls() const {
    const std::string text = read_text(folder_ / "calls");
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  TempFolder folder_;
  const std::string old_path_ = std::getenv("PATH");
};

TEST_F(StorePilotsTest, OneQuestionToTheQueueIsEnoughForAllSubmissions) {
  const Site site{.name = "a100", .engine = "slurm"};
  for (const char* job : {"1", "2", "3", "4"})
    PilotSet::make(folder_ / "store").record_jobs({job}, to_json(site));
  StorePilots pilots;
  EXPECT_EQ(pilots.look(folder_ / "store").size(), 3u);  // the queue has forgotten job 4
  EXPECT_EQ(pilots.look(folder_ / "store").size(), 3u);
  EXPECT_EQ(calls(), 1u);
}

}  // namespace
}  // namespace rethink
