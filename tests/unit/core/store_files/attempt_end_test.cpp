#include "core/store_files/attempt_end.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

class AttemptEndTest : public testing::Test {
 protected:
  std::filesystem::path attempt(int number) const {
    const std::filesystem::path folder =
        folder_.path() / "trials" / "0123456789abcdef0123" / ("attempt-" + std::to_string(number));
    std::filesystem::create_directories(folder);
    return folder;
  }

 private:
  const TempFolder folder_;
};

TEST_F(AttemptEndTest, IsReadAsItWasWritten) {
  EXPECT_EQ(read_attempt_end(attempt(1)), std::nullopt);
  const AttemptEnd end{.outcome = AttemptOutcome::killed,
                       .message = "killed by signal 9",
                       .status = 9,
                       .seconds = 1.5,
                       .new_checkpoint = true,
                       .charged = true,
                       .forgiven = true};
  write_attempt_end(attempt(1), end);
  EXPECT_EQ(read_attempt_end(attempt(1)), end);
  EXPECT_EQ(end.facts(), (Json{{"status", 9},
                               {"seconds", 1.5},
                               {"new_checkpoint", true},
                               {"charged", true},
                               {"forgiven", true}}));
}

TEST_F(AttemptEndTest, OfAnotherAttemptCountsAsLost) {
  write_attempt_end(attempt(1), {.outcome = AttemptOutcome::killed, .charged = true});
  std::filesystem::copy_file(attempt(1) / "end.json", attempt(2) / "end.json");
  EXPECT_EQ(read_attempt_end(attempt(2)),
            (AttemptEnd{.message = "its end.json is damaged", .is_damaged = true}));
  EXPECT_TRUE(read_attempt_end(attempt(2))->facts().empty());
}

}  // namespace
}  // namespace rethink
