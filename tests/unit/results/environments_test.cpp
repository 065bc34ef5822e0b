#include "results/records/environments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "core/store_files/accepted_code.h"
#include "results/store/rebuild.h"
#include "results/upkeep/check_store.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The start event of an attempt that LibTorch computes. `build`: null before builds were recorded.
Json computing_start(int64_t attempt, const Json& build, const std::string& processor = "EPYC") {
  Json event = start_event(attempt, 0);
  event.update({{"host", "ada"}, {"libtorch", "2.11.0"}, {"processor", processor}});
  if (!build.is_null()) event["numeric_build"] = build;
  return event;
}

class Environments : public testing::Test {
 protected:
  TrialMaker done(const std::string& name, const std::vector<Json>& events) {
    std::vector<Json> all = events;
    all.push_back(end_event("done"));
    return TrialMaker(folder_.path(), name).attempt(1, all).result(1);
  }
  std::vector<std::string> builds() {
    rebuild(folder_.path());
    const StoreCheck found = check_store(folder_.path(), /*hashes=*/true);
    EXPECT_THAT(found.problems, IsEmpty());
    return found.builds;
  }
  const TempFolder folder_;
};

TEST_F(Environments, AreOfTheAttemptThatIsDone) {
  TrialMaker(folder_.path(), "a")
      .attempt(1, {computing_start(1, "0123"), end_event("interrupted")})
      .attempt(2, {computing_start(2, "4567"), end_event("done")})
      .result(2);
  rebuild(folder_.path());
  Store store(folder_.path(), Store::Access::read);
  const auto found = read_environments(store, {id_of("a"), id_of("b")});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.at(id_of("a")).facts.at("numeric_build"), "4567");
  EXPECT_FALSE(found.at(id_of("a")).facts.contains("host"));
  EXPECT_FALSE(found.at(id_of("a")).inexact);
}

TEST_F(Environments, AcceptedCodeDiffersInNothing) {
  const auto of_code = [&](const std::string& name, const std::string& code) {
    Json start = computing_start(1, "0123");
    start["code"] = {{"attention/topk", code}};
    done(name, {start});
  };
  of_code("a", "1");
  of_code("b", "2");
  of_code("c", "3");
  EXPECT_THAT(builds(), ElementsAre(HasSubstr("done trials differ in code of attention/topk:")));
  accept(folder_.path(), {"attention/topk", "1", "2"});
  EXPECT_THAT(builds(), ElementsAre(HasSubstr("done trials differ in code of attention/topk:")));
  accept(folder_.path(), {"attention/topk", "2", "3"});
  EXPECT_THAT(builds(), IsEmpty());
  accept(folder_.path(), {"attention/topk", "3", "1"});  // the change was taken back
  EXPECT_THAT(builds(), IsEmpty());
}

TEST_F(Environments, OfOneBuildAndMachineNeedNoRemark) {
  done("a", {computing_start(1, "0123")});
  done("b", {computing_start(1, "0123")});
  EXPECT_THAT(builds(), IsEmpty());
}

TEST_F(Environments, OfSeveralBuildsAreReported) {
  done("a", {computing_start(1, "0123")});
  done("b", {computing_start(1, "4567", "Xeon")});
  EXPECT_THAT(builds(), ElementsAre(HasSubstr("done trials differ in build, processor")));
}

TEST_F(Environments, OfResumesAreReported) {
  const Json event = inexact_event({{"numeric_build", "0123"}}, {{"numeric_build", "4567"}});
  done("a", {computing_start(1, "4567"), event});
  EXPECT_THAT(
      builds(),
      ElementsAre("1 done trial resumed from a checkpoint made with another build: the last "
                  "bits may differ from an undisturbed run's"));
}

TEST_F(Environments, OfAnOlderStoreAreReadableAndUnknown) {
  done("a", {computing_start(1, nullptr)});
  done("b", {computing_start(1, nullptr)});
  done("c", {computing_start(1, "0123")});
  EXPECT_THAT(builds(),
              ElementsAre(HasSubstr("2 done trials are of a version that did not record")));
}

TEST_F(Environments, OfTrialsWithoutLibTorchAreNotMissed) {
  done("a", {start_event(1, 0)});
  EXPECT_THAT(builds(), IsEmpty());
}

}  // namespace
}  // namespace rethink
