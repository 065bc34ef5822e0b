// Runs tests/slurm/*.story (tests/support/story.h), each on a separate Slurm cluster (cluster.sh). If no cluster is
// possible here, the tests are skipped with the reason.
//
//   # cluster: MinJobAge=2 ...       more lines for slurm.conf
//   # only in make check-slurm: why  skipped elsewhere: `make test` has three minutes for all of this
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>
#include <utility>

#include "tests/support/shell.h"
#include "tests/support/story.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

const std::string kScripts = RETHINK_SOURCE_DIR "/tests/slurm";
constexpr int kNoCluster = 77, kTimedOut = 124;  // exit codes if no cluster is possible here

/// `make check-slurm` runs every story and skips nothing.
bool is_check_slurm() {
  return std::getenv("RETHINK_CHECK_SLURM") != nullptr;
}

/// Returns VALUE of the line "# KEY: VALUE" in a story; empty if it has none.
std::string note_of(const std::filesystem::path& story, const std::string& key) {
  const std::string text = read_text(story);
  std::smatch found;
  return std::regex_search(text, found, std::regex("(^|\n)# " + key + ": ([^\n]*)"))
             ? found[2].str()
             : "";
}

class SlurmStory : public testing::TestWithParam<std::filesystem::path> {
 protected:
  ~SlurmStory() override { cluster("stop"); }

  int cluster(const std::string& words) {
    const std::string line =
        "RETHINK_CLUSTER='" + folder_.path().string() +
        "/cluster' RETHINK_CLUSTER_SECONDS=" + std::to_string(3 * command_seconds()) +
        " timeout --kill-after=5 120 '" + kScripts + "/cluster.sh' " + words + " 2>&1";
    ShellResult result = run_shell(line);
    said_ = std::move(result.output);
    return result.exit_code;
  }

  TempFolder folder_;
  std::string said_;  // output of the last command on the cluster
};

TEST_P(SlurmStory, HappensAsTold) {
  const std::filesystem::path& story = GetParam();
  if (!is_check_slurm()) {
    const std::string why = note_of(story, "only in make check-slurm");
    if (!why.empty()) GTEST_SKIP() << "make check-slurm tells this story: " << why;
  }
  const int code = cluster("start " + note_of(story, "cluster"));
  if ((code == kNoCluster || code == kTimedOut) && !is_check_slurm())
    GTEST_SKIP() << "no Slurm here: " << said_;
  ASSERT_EQ(code, 0) << said_;
  const std::string cluster = (folder_ / "cluster").string();
  // The daemons that a story starts again live as long as those of the first start.
  tell_story(story,
             {"", "work",
              "export RETHINK_CLUSTER_SECONDS=" + std::to_string(3 * command_seconds()) +
                  " RETHINK_CLUSTER='" + cluster + "' SLURM_CONF='" + cluster +
                  "/slurm.conf' PATH=\"$PATH\":'" + kScripts + "'; "},
             folder_.path());
}

INSTANTIATE_TEST_SUITE_P(, SlurmStory, testing::ValuesIn(stories_below("tests/slurm")),
                         [](const auto& given) { return given.param.stem().string(); });

}  // namespace
}  // namespace rethink
