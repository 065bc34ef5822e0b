#include "experiments/attempt/build_id.h"

#include <gtest/gtest.h>

#include "tests/support/golden.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

TEST(CommitOfPrograms, IsInTheFileBesideThem) {
  const TempFolder folder;
  EXPECT_EQ(commit_of(folder.path()), "") << "no file";
  write_text(folder / "rethink.commit", "\n");
  EXPECT_EQ(commit_of(folder.path()), "") << "outside of a checkout";
  write_text(folder / "rethink.commit", "1a2b3c4d5e6f-dirty\n");
  EXPECT_EQ(commit_of(folder.path()), "1a2b3c4d5e6f-dirty");
}

}  // namespace
}  // namespace rethink
