#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/store_files/attempt_end.h"
#include "core/store_files/event.h"
#include "core/store_files/result_file.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

const std::string kTrial = std::string(19, '0') + "a", kWinner = std::string(19, '0') + "b",
                  kOther = std::string(19, '0') + "c";

Json weights(char sha256) {
  return {{"name", "weights"},
          {"kind", "weights"},
          {"bytes", 3},
          {"sha256", std::string(64, sha256)},
          {"facts", Json::object()},
          {"file", "artifacts/weights"},
          {"seed", 0}};
}

Json with(Json object, const std::string& member, const Json& value) {
  object[member] = value;
  return object;
}

class ProvedResult : public testing::Test {
 protected:
  void events(const std::string& trial, int64_t attempt, const std::vector<Json>& events) const {
    std::string text;
    for (const Json& event : events) text += event_line(event);
    write_text(events_file(trial, attempt), text);
  }
  std::filesystem::path events_file(const std::string& trial, int64_t attempt) const {
    return trials_ / trial / ("attempt-" + std::to_string(attempt)) / "events.jsonl";
  }
  /// Returns a result as an attempt of `trial` leaves it.
  Json result(const std::string& trial, int64_t attempt) const {
    const EventSummary said = summarize_events(trials_ / trial, attempt);
    return {{"trial", trial},
            {"seed", 0},
            {"outcome", said.outcome},
            {"attempt", attempt},
            {"events", said.bytes},
            {"metrics", said.metrics},
            {"artifacts", said.artifacts}};
  }
  std::string damage(const std::string& text) const {
    write_text(file_, text);
    const std::string proved = proved_result(file_)->damage;
    const bool has_checksum = stored_result(file_)->has_checksum;
    EXPECT_EQ(result_as_written(file_)->damage, has_checksum ? "" : proved);
    return proved;
  }
  /// Checks `changed` with and without a checksum.
  void expect_damage(const Json& changed, const std::string& damage_text) const {
    EXPECT_EQ(damage(stored_text(changed)), damage_text);
    EXPECT_EQ(damage(changed.dump()), damage_text);
  }

  TempFolder folder_;
  std::filesystem::path trials_ = folder_ / "trials";
  std::filesystem::path file_ = trials_ / kTrial / "result.json";
};

const Json kStart{{"event", "start"}, {"resume_step", 0}};
const Json kEnd{{"event", "end"}, {"outcome", "done"}};
const Json kLoss{
    {"event", "metric"}, {"split", "dev"}, {"name", "loss"}, {"step", 5}, {"value", 0.5}};

TEST_F(ProvedResult, SaysWhatItsEventsSay) {
  EXPECT_FALSE(proved_result(file_));
  events(kTrial, 1, {kStart, kLoss, with(weights('a'), "event", "artifact"), kEnd});
  const Json good = result(kTrial, 1);
  expect_damage(good, "");
  expect_damage(with(good, "metrics", {{"dev/loss", 0.25}}), "metrics: not what its events say");
  expect_damage(with(good, "outcome", "diverged"), "outcome: not what its events say");
  expect_damage(with(good, "events", good.at("events").get<int64_t>() - 1),
                "events: not what its events say");
  for (const auto& [member, value] : std::map<std::string, Json>{{"name", "other"},
                                                                 {"kind", "mask"},
                                                                 {"bytes", 4},
                                                                 {"seed", 1},
                                                                 {"sha256", std::string(64, 'b')},
                                                                 {"file", "artifacts/other"}}) {
    expect_damage(with(good, "artifacts", Json::array({with(weights('a'), member, value)})),
                  "artifacts: not what its events say");
  }
  expect_damage(with(with(good, "artifacts", Json::array()), "metrics", Json::object()),
                "metrics, artifacts: not what its events say");
}

TEST_F(ProvedResult, CountsEventsBeforeTheCheckpointOfALaterAttempt) {
  events(kTrial, 1,
         {kStart, kLoss, with(kLoss, "step", 9), with(weights('b'), "event", "artifact")});
  events(kTrial, 2,
         {{{"event", "start"}, {"resume_step", 5}, {"rests_on", {{"attempt", 1}, {"offset", 0}}}},
          with(weights('a'), "event", "artifact"),
          kEnd});
  const Json good = result(kTrial, 2);
  EXPECT_EQ(good.at("metrics"), (Json{{"dev/loss", 0.5}}));
  EXPECT_EQ(good.at("artifacts"), Json::array({weights('a')}));
  expect_damage(good, "");
}

TEST_F(ProvedResult, AnAttemptThatEndedBeforeItBeganTookNothing) {
  const Json not_begun{{"event", "start"}, {"resume_step", 0}, {"begun", false}};
  events(kTrial, 1, {kStart, kLoss});
  events(kTrial, 2, {not_begun, {{"event", "end"}, {"outcome", "failed"}}});
  events(kTrial, 3,
         {{{"event", "start"}, {"resume_step", 5}, {"rests_on", {{"attempt", 1}, {"offset", 0}}}},
          kEnd});
  const Json good = result(kTrial, 3);
  EXPECT_EQ(good.at("metrics"), (Json{{"dev/loss", 0.5}}));
  expect_damage(good, "");
}

TEST_F(ProvedResult, IsNotBlamedForDamagedEvents) {
  events(kTrial, 1, {kStart, kLoss, kEnd});
  const Json good = result(kTrial, 1);
  std::string text = read_text(events_file(kTrial, 1));
  text.replace(text.find("0.5"), 3, "0.6");
  write_text(events_file(kTrial, 1), text);
  expect_damage(good, "");
  std::filesystem::remove_all(events_file(kTrial, 1).parent_path());
  EXPECT_EQ(damage(stored_text(good)), "");
  EXPECT_EQ(damage(good.dump()), "attempt: there is no such attempt") << "it may say another";
}

TEST_F(ProvedResult, ASelectListsItsWinner) {
  events(kWinner, 1, {kStart, with(weights('a'), "event", "artifact"), kEnd});
  write_text(trials_ / kWinner / "result.json", stored_text(result(kWinner, 1)));
  const Json seeds = Json::array({{{"seed", 0}, {"trial", kWinner}}});
  const Json score{
      {"event", "metric"}, {"split", "select"}, {"name", "score"}, {"step", 0}, {"value", 0.5}};
  events(kTrial, 1,
         {kStart,
          {{"event", "selected"}, {"labels", Json::array()}, {"tied", 1}, {"seeds", seeds}},
          score,
          kEnd});
  const Json selected{{"group", 0}, {"labels", Json::array()}, {"by", "dev/loss"}, {"score", 0.5},
                      {"tied", 1},  {"seeds", seeds}};
  const std::string file = "../" + kWinner + "/artifacts/weights";
  const Json good = with(with(result(kTrial, 1), "selected", selected), "artifacts",
                         Json::array({with(weights('a'), "file", file)}));
  expect_damage(good, "");
  const std::string other = "selected: not what its events say";
  expect_damage(with(good, "selected", with(selected, "score", 0.25)), other);
  expect_damage(with(good, "selected", with(selected, "tied", 2)), other);
  Json changed = with(good, "selected",
                      with(selected, "seeds", Json::array({{{"seed", 0}, {"trial", kOther}}})));
  expect_damage(changed, other);
  changed = good;
  changed.erase("selected");
  EXPECT_THAT(damage(stored_text(changed)), testing::HasSubstr("selected"));
  // The winner may have been repeated, with other bytes of its weights.
  changed = with(good, "artifacts", Json::array({with(weights('b'), "file", file)}));
  EXPECT_EQ(damage(stored_text(changed)), "");
  EXPECT_EQ(damage(changed.dump()), "artifacts: not what its events say");
}

TEST_F(ProvedResult, IsOfTheSeedThatItsTrialHas) {
  events(kTrial, 1, {kStart, kLoss, kEnd});
  const Json good = result(kTrial, 1);
  const std::filesystem::path plan = trials_ / kTrial / "trial.json";
  write_text(plan, stored_text({{"id", kTrial}, {"seed", 0}, {"config", Json::object()}}));
  expect_damage(good, "");
  expect_damage(with(good, "seed", 1), "seed: not what its trial.json says");
  expect_damage(with(with(good, "seed", Json()), "metrics", Json::object()),
                "seed: not what its trial.json says; metrics: not what its events say");
  write_text(plan, "{");
  expect_damage(with(good, "seed", 1), "");
}

TEST_F(ProvedResult, IsOfNoAttemptThatTheDriverSawFail) {
  events(kTrial, 1, {kStart, kLoss});
  events(kTrial, 2, {kStart, kLoss, kEnd});
  const Json good = result(kTrial, 2);
  const auto ended = [&](AttemptOutcome outcome) {
    write_attempt_end(events_file(kTrial, 1).parent_path(), {.outcome = outcome});
  };
  ended(AttemptOutcome::killed);
  expect_damage(good, "");
  expect_damage(with(good, "attempt", 1), "attempt: not what its end.json says");
  // The events of this attempt were damaged, too.
  ended(AttemptOutcome::lost);
  expect_damage(with(good, "attempt", 1), "");
}

TEST_F(ProvedResult, ChoseAmongItsTrialsCandidates) {
  const Json seeds = Json::array({{{"seed", 0}, {"trial", kWinner}}});
  events(kTrial, 1,
         {kStart,
          {{"event", "selected"}, {"labels", Json::array()}, {"tied", 1}, {"seeds", seeds}},
          kEnd});
  const auto trial = [&](const std::string& first, const std::string& second) {
    const Json groups = Json::array({{{"labels", Json::array()}, {"trials", {first}}},
                                     {{"labels", Json::array()}, {"trials", {second}}}});
    write_text(trials_ / kTrial / "trial.json",
               stored_text({{"id", kTrial},
                            {"seed", Json()},
                            {"config", {{"by", "dev/loss"}, {"groups", groups}}}}));
  };
  const Json selected{{"group", 1}, {"labels", Json::array()}, {"by", "dev/loss"}, {"score", 0.5},
                      {"tied", 1},  {"seeds", seeds}};
  const Json good = with(with(result(kTrial, 1), "selected", selected), "seed", Json());
  const auto damage_with = [&](const std::string& member, const Json& value) {
    return damage(stored_text(with(good, "selected", with(selected, member, value))));
  };
  trial(kOther, kWinner);
  EXPECT_EQ(damage(stored_text(good)), "");
  const std::string other = "selected: not what its trial.json says";
  EXPECT_EQ(damage_with("by", "dev/score"), other);
  for (const int group : {0, 2}) EXPECT_EQ(damage_with("group", group), other);
  // A candidate that is a select has its own winners.
  trial(kOther, kOther);
  EXPECT_EQ(damage_with("group", 0), "");
}

}  // namespace
}  // namespace rethink
