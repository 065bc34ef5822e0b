#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "app/driver/cli/plan_choices.h"
#include "core/config/schema.h"
#include "tests/support/error_codes.h"
#include "tests/unit/plan/plan_fixture.h"

namespace rethink {
namespace {

/// Whether a sweep is planned anew shows, since its file has changed after the first plan.
class SharedPlansTest : public PlanFixture {
 protected:
  /// A sweep of so many trials.
  std::filesystem::path write_sweep(const std::string& name, int trials) {
    std::string sizes = "1";
    for (int size = 2; size <= trials; ++size) sizes += ", " + std::to_string(size);
    write_text(folder_ / name,
               "sweep: own\nseeds: [0]\nprofiles: {small: {stages.train.config.lr: 2}}\n"
               "stages:\n  train:\n    job: command\n    run: [\"true\"]\n    code: [own.yaml]\n"
               "    config: {lr: 1}\n    grid: {config.size: [" +
                   sizes + "]}\n");
    return folder_ / name;
  }
  size_t trials_of(const std::filesystem::path& file, const PlanChoices& choices) {
    return shared_.plan(file, choices, schema_).trials.size();
  }

  const Schema schema_ = schema_of_this_program("");
  SharedPlans shared_;
};

TEST_F(SharedPlansTest, PlanASweepOnceForEachChoice) {
  const std::filesystem::path file = write_sweep("own.yaml", 2), other = write_sweep("b.yaml", 3);
  PlanChoices small = choices_, of_several = choices_, with_settings = choices_;
  small.profile = "small";
  of_several.of_several = true;
  EXPECT_EQ(trials_of(file, choices_), 2u);
  write_sweep("own.yaml", 5);
  EXPECT_EQ(trials_of(file, choices_), 2u);
  EXPECT_EQ(trials_of(file, of_several), 2u);  // a table of one sweep, a table of two
  EXPECT_EQ(trials_of(other, choices_), 3u);
  EXPECT_EQ(trials_of(file, small), 5u);
  with_settings.settings = {"config.lr=4"};
  EXPECT_EQ(trials_of(file, with_settings), 5u);
  write_sweep("own.yaml", 1);
  EXPECT_EQ(trials_of(file, small), 5u);
  const std::vector<Plan> together = plans_of_sweeps({file, other}, choices_, schema_, shared_);
  EXPECT_EQ(together.at(0).trials.size(), 2u);
}

TEST_F(SharedPlansTest, RefuseASweepTwiceForTheSameReason) {
  write_text(folder_ / "own.yaml", "sweep: own\nstages: {train: {job: comand}}\n");
  const auto refused = [&] {
    return error_codes_of([&] { trials_of(folder_ / "own.yaml", choices_); });
  };
  const std::vector<std::string> codes = refused();
  EXPECT_THAT(codes, testing::Not(testing::IsEmpty()));
  write_sweep("own.yaml", 1);
  EXPECT_EQ(refused(), codes);
}

}  // namespace
}  // namespace rethink
