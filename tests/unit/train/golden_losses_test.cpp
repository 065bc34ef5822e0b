#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "core/json.h"
#include "tests/unit/train/attempt_fixture.h"

namespace rethink {
namespace {

/// "step loss" lines of a run, compared with tests/golden/losses/NAME.txt to 1e-5 relative:
/// machines differ in the last bits. RETHINK_UPDATE_GOLDEN=1 writes the file instead.
void expect_golden_losses(const std::string& name, const Json& changes) {
  Json options = tiny_lm({{"steps", 20}, {"log_every", 1}, {"clip", 1.0}});
  options.merge_patch(changes);
  AttemptFixture attempt(options);
  attempt.run();
  const std::filesystem::path file =
      std::filesystem::path(RETHINK_SOURCE_DIR) / "tests/golden/losses" / (name + ".txt");
  const std::map<std::string, double> metrics = attempt.metrics();
  if (std::getenv("RETHINK_UPDATE_GOLDEN")) {
    std::string text;
    for (int step = 1; step <= 20; ++step) {
      text += fmt::format("{} {:.8f}\n", step, metrics.at(fmt::format("train/loss {}", step)));
    }
    write_text(file, text);
    return;
  }
  std::istringstream golden(read_text(file));
  int step = 0, lines = 0;
  for (double loss = 0; golden >> step >> loss; ++lines) {
    const double now = metrics.at(fmt::format("train/loss {}", step));
    EXPECT_NEAR(now, loss, 1e-5 * loss) << name << ", step " << step;
  }
  EXPECT_EQ(lines, 20) << file;
}

TEST(GoldenLosses, StayAsTheyAreForTheTransformer) {
  expect_golden_losses("dense", Json::object());
}

TEST(GoldenLosses, StayAsTheyAreForBirdEyeAttention) {
  expect_golden_losses("bird_eye", {{"model", {{"attention", {{"kind", "bird_eye"}}}}}});
}

TEST(GoldenLosses, StayAsTheyAreForTheReleasedProtocol) {
  expect_golden_losses("released",
                       {{"shuffle", false},
                        {"buckets", false},
                        {"loss_mean", "positions"},
                        {"model", {{"positions", "none"}, {"activation_dropout", 0.1}}},
                        {"optimizer", {{"name", "adam"}, {"eps", 1e-3}, {"amsgrad", true}}}});
}

}  // namespace
}  // namespace rethink
