#include "experiments/attempt/command/missing_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A checkout whose folder `own` has a script, of which alone there is a copy.
class MissingCode : public testing::Test {
 protected:
  MissingCode() {
    for (const char* name : {"snapshot", "copy", "checkout/own/data", "checkout/own/package"})
      fs::create_directories(folder_ / name);
    for (const char* name : {"snapshot", "copy", "checkout/own"})
      write_text(folder_ / name / "train.py", "import utils");
    write_text(folder_ / "checkout" / "train.py", "another script of this name");
    for (const char* name : {"utils.py", "data/train.csv", "package/part.py"})
      write_text(folder_ / "checkout" / "own" / name, "");
  }
  std::string advice(const std::string& error) const {
    return advice_on_missing_code(error, folder_ / "copy", folder_ / "snapshot",
                                  folder_ / "checkout");
  }

  const TempFolder folder_;
};

TEST_F(MissingCode, IsAModuleBesideTheScript) {
  EXPECT_EQ(advice("ModuleNotFoundError: No module named 'utils'"),
            "utils.py is beside the program's code but not in `code:`, so its copy lacks it: add "
            "utils.py to `code`");
  EXPECT_THAT(advice("ModuleNotFoundError: No module named 'package'"),
              HasSubstr("add \"package/**/*.py\" to `code`"));
  EXPECT_THAT(advice("ModuleNotFoundError: No module named 'package.part'"),
              HasSubstr("add package/part.py to `code`"));
  EXPECT_EQ(advice("ModuleNotFoundError: No module named 'torch'"), "");
}

TEST_F(MissingCode, IsAFileThatTheScriptReads) {
  for (const std::string error :
       {"FileNotFoundError: [Errno 2] No such file or directory: 'data/train.csv'",
        "cat: data/train.csv: No such file or directory",
        "SystemError: opening file \"data/train.csv\": No such file or directory"})
    EXPECT_THAT(advice(error), HasSubstr("add data/train.csv to `code`, or name it in `data`"))
        << error;
  EXPECT_THAT(advice("python3: can't open file '" + (folder_ / "copy").string() +
                     "/utils.py': [Errno 2] No such file or directory"),
              HasSubstr("add utils.py to `code`"));
  EXPECT_EQ(advice("cat: data/test.csv: No such file or directory"), "");
  EXPECT_EQ(advice("cat: ../own/utils.py: No such file or directory"), "");
}

/// Of a store on a network disk, whose database is elsewhere.
TEST_F(MissingCode, IsNotWhatAStoreHas) {
  fs::remove_all(folder_ / "checkout" / "own");
  write_text(folder_ / "checkout/store/uuid", "0");
  for (const char* name : {"train.py", "utils.py"})
    write_text(folder_ / "checkout/store/trials/a/attempt-1/work" / name, "import utils");
  EXPECT_EQ(advice("ModuleNotFoundError: No module named 'utils'"), "");
}

TEST_F(MissingCode, IsNotWhatTheCopyHas) {
  write_text(folder_ / "copy" / "utils.py", "");
  EXPECT_EQ(advice("ModuleNotFoundError: No module named 'utils'"), "");
  EXPECT_EQ(advice("ValueError: no number"), "");
}

}  // namespace
}  // namespace rethink
