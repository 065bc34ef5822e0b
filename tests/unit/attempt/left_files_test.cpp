#include "experiments/attempt/command/left_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LeftFiles : public testing::Test {
 protected:
  LeftFiles() {
    for (const fs::path& place : {snapshot(), work()}) {
      fs::create_directories(place / "lib");
      write_text(place / "train.py", "");
      write_text(place / "lib" / "model.py", "");
    }
  }
  fs::path snapshot() const { return folder_ / "snapshot"; }
  fs::path work() const { return folder_ / "work"; }
  void save(const fs::path& name) const {
    fs::create_directories((work() / name).parent_path());
    write_text(work() / name, "saved");
  }

  const TempFolder folder_;
};

TEST_F(LeftFiles, AreThoseThatTheCodeDoesNotHave) {
  EXPECT_THAT(files_left_in(work(), snapshot(), {}), IsEmpty());
  for (const char* name : {"model.pkl", "lib/best.pt", "out/last/state.pt"}) save(name);
  EXPECT_THAT(files_left_in(work(), snapshot(), {}),
              ElementsAre("lib/best.pt", "model.pkl", "out/last/state.pt"));
}

TEST_F(LeftFiles, AreNoCachesAndNotReported) {
  for (const char* name : {"lib/__pycache__/model.cpython-312.pyc", "old.pyc", ".cache/one",
                           ".hidden", "map.png", "out/checkpoint-1/state"})
    save(name);
  EXPECT_THAT(files_left_in(work(), snapshot(), {work() / "map.png", work() / "out"}), IsEmpty());
}

TEST_F(LeftFiles, AreCountedWithoutASnapshot) {
  EXPECT_THAT(files_left_in(work(), "", {}), ElementsAre("lib/model.py", "train.py"));
  EXPECT_THAT(files_left_in(folder_ / "missing", "", {}), IsEmpty());
}

}  // namespace
}  // namespace rethink
