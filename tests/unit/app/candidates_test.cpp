#include "app/driver/show/trials/candidates.h"

#include <gmock/gmock.h>

#include "core/json.h"
#include "tests/unit/app/command_fixture.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Fixture with a select stage's trial over the two rates, which chose rate 1.
class CandidatesTest : public CommandTest {
 protected:
  CandidatesTest() {
    add_two_rates();
    Json groups = Json::array();
    for (const std::string rate : {"1", "2"}) {
      Json trials = Json::array();
      for (const char* seed : {"0", "1", "2"})
        trials.push_back(id_of((rate == "1" ? "a" : "b") + std::string(seed)));
      groups.push_back({{"labels", {{{"axis", "rate"}, {"value", rate}}}}, {"trials", trials}});
    }
    TrialMaker trial(folder_.path(), "c1", {{"by", "dev/score"}, {"groups", groups}});
    trial.attempt(1, {start_event(1, 0), end_event("done")}).result(1);
    Json json = trial.json(), seeds = Json::array(), result = trial.result_json();
    json["seed"] = nullptr;
    write_text(trial.folder() / "trial.json", json.dump());
    for (const Json& id : groups[0]["trials"])
      seeds.push_back({{"seed", seeds.size()}, {"trial", id}});
    result["selected"] = {{"group", 0},
                          {"labels", groups[0]["labels"]},
                          {"by", "dev/score"},
                          {"score", 2.0},
                          {"seeds", seeds}};
    trial.set_result(result);
    finish();
  }
};

TEST_F(CandidatesTest, StandWithTheirMeansAndTheWinner) {
  Store store(folder_.path(), Store::Access::read);
  const auto candidates = candidates_of(store, folder_.path(), *store.trial(id_of("c1")));
  ASSERT_TRUE(candidates);
  EXPECT_EQ(candidates->by, "dev/score");
  EXPECT_EQ(candidates->rows.rows, (std::vector<std::vector<Json>>{{"rate=1", 2.0, 3, 0, "yes"},
                                                                   {"rate=2", nullptr, 1, 2, ""}}));
  EXPECT_FALSE(candidates_of(store, folder_.path(), *store.trial(id_of("a0"))));
}

TEST_F(CandidatesTest, AreShownInThePlaceOfTheListOfTheirTrials) {
  const std::string text = answer({"show", id_of("c1")}).out;
  EXPECT_THAT(
      text,
      HasSubstr(
          "Candidates, by their mean dev/score over seeds\ncandidate  mean  n  diverged  chosen"));
  EXPECT_THAT(text, Not(HasSubstr("\"trials\":[")));
  const Json all = Json::parse(answer({"show", id_of("c1"), "--format", "json"}).out);
  EXPECT_EQ(all["candidates"][0]["chosen"], "yes");
  EXPECT_THAT(answer({"why", id_of("c1")}).out, HasSubstr("candidate  mean  n  diverged  chosen"));
}

}  // namespace
}  // namespace rethink
