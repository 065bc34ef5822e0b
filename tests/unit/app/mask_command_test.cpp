// `rethink mask` of a trial's mask. For patterns and files see tests/e2e/terminal/masks.story.
#include <gmock/gmock.h>

#include "core/error.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "models/masks/mask.h"
#include "tests/support/throws_code.h"
#include "tests/unit/app/command_fixture.h"

namespace rethink {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class MaskCommandTest : public CommandTest {
 protected:
  /// Adds a done trial with a mask of two heads of two tokens, as an artifact of this kind.
  std::string add_with_mask(const std::string& kind) {
    TrialMaker trial(folder_.path(), "abcd", {{"rate", 1}});
    trial.attempt(1, {start_event(1, 0), end_event("done")}).result(1);
    file_ = trial.folder() / "artifacts" / "mask.safetensors";
    std::filesystem::create_directories(file_.parent_path());
    write_mask(file_, {2, 2, {1, 1, 0, 1, 1, 0, 0, 0}});
    Json result = trial.result_json();
    result["artifacts"].push_back({{"name", "mask"},
                                   {"kind", kind},
                                   {"file", "artifacts/mask.safetensors"},
                                   {"sha256", sha256_file(file_)},
                                   {"bytes", std::filesystem::file_size(file_)},
                                   {"facts", Json::object()}});
    trial.set_result(result);
    sweep_.members.push_back({trial.id(), "lm", "", {}});
    finish();
    return trial.id();
  }

  std::filesystem::path file_;
};

TEST_F(MaskCommandTest, ShowsEachHeadOfTheMaskThatATrialLeft) {
  const std::string id = add_with_mask("mask");
  const CommandAnswer all = answer({"mask", id});
  EXPECT_EQ(all.code, 0);
  EXPECT_EQ(all.out, "trial " + id +
                         ", n = 2: sparsity 50.0 %, mean over 2 heads\n"
                         "head 1: sparsity 25.0 %, 3 of 4 cells\n"
                         "head 2: sparsity 75.0 %, 1 of 4 cells\n");
  EXPECT_EQ(answer({"mask", id.substr(0, 18), "--head", "2", "--format", "csv"}).out, "1,0\n0,0\n");
  EXPECT_EQ(answer({"mask", id, "--format", "csv"}).out, "1,1\n0,1\n");
}

TEST_F(MaskCommandTest, RefusesATrialWithoutAMask) {
  const std::string id = add_with_mask("importance");
  EXPECT_THAT([&] { answer({"mask", id}); }, ThrowsCode("artifact-missing"));
}

TEST_F(MaskCommandTest, NamesTheNearestAncestorWithAMask) {
  const std::string id = add_with_mask("mask");
  TrialMaker step(folder_.path(), "abc1", {{"rate", 1}}),
      last(folder_.path(), "abc2", {{"rate", 1}});
  step.needs("init", {id}).attempt(1, {start_event(1, 0), end_event("done")}).result(1);
  last.needs("init", {step.id()}).attempt(1, {start_event(1, 0), end_event("done")}).result(1);
  finish();
  EXPECT_THAT(
      [&] {
        answer({"mask", last.id()});
      },
      ThrowsMessage<ConfigError>(
          HasSubstr("has no mask; trials of job mask have one, and pretraining trials with "
                    "attention dam, masked or given_mask; it starts from trial " +
                    id + ", which has one: `" + on_store("mask " + id) + "`")));
}

TEST_F(MaskCommandTest, RefusesADamagedOrMissingMask) {
  const std::string id = add_with_mask("mask");
  write_mask(file_, {2, 2, {1, 1, 1, 1, 1, 0, 0, 0}});
  const auto ask = [&] { answer({"mask", id}); };
  EXPECT_THAT(ask, ThrowsMessage<ConfigError>(HasSubstr(
                       "mask.safetensors is damaged; to restore it: " + on_store("rm " + id))));
  EXPECT_THAT(([&] {
                answer({"mask", file_.string()});
              }),
              ThrowsMessage<ConfigError>(HasSubstr("mask.safetensors is damaged; ")));
  std::filesystem::remove(file_);
  EXPECT_THAT(ask, ThrowsMessage<ConfigError>(HasSubstr("mask.safetensors is missing")));
}

TEST_F(MaskCommandTest, AsksForTheStoreOfATrial) {
  EXPECT_THAT([&] { answer({"mask", "0ff0ff"}); }, ThrowsCode("no-store"));
}

TEST_F(MaskCommandTest, TreatsAWordThatIsNotAnIdAsAPattern) {
  add_with_mask("mask");
  EXPECT_THAT(
      [&] {
        answer({"mask", "sta"});
      },
      ThrowsMessage<ConfigError>(HasSubstr("did you mean 'star'?")));
  EXPECT_THAT([&] { answer({"mask", "0ff0ff"}); }, ThrowsMessage<ConfigError>(HasSubstr("0ff0ff")));
}

}  // namespace
}  // namespace rethink
