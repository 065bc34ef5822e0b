#include "app/driver/show/bug_report.h"

#include <gtest/gtest.h>

namespace rethink {
namespace {

TEST(BugReport, ReplacesWholeNamesTheLongestFirst) {
  const std::map<std::string, std::string> names = {
      {"/home/ada", "~"}, {"/home/ada/runs", "STORE"}, {"ada", "USER"}, {"box", "HOST"}};
  EXPECT_EQ(without_names("/home/ada/runs/trials at /home/ada by ada@box, not adam's boxes", names),
            "STORE/trials at ~ by USER@HOST, not adam's boxes");
  EXPECT_EQ(without_names("/home/adam/x canada ada-2 ada", names),
            "/home/adam/x canada ada-2 USER");
  EXPECT_EQ(without_names("", names), "");
}

}  // namespace
}  // namespace rethink
