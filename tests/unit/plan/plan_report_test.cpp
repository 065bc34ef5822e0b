#include "experiments/plan/plan_report.h"

#include "core/json.h"
#include "experiments/plan/planned_states.h"
#include "experiments/plan/trial_changes.h"
#include "results/store/ingest.h"
#include "results/store/store.h"
#include "tests/unit/plan/plan_fixture.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

using ::testing::HasSubstr;

class PlanReportTest : public PlanFixture {
 protected:
  PlanReportTest() : store_(folder_ / "store", Store::Access::write) {}

  void put(const Trial& trial, TrialState state) {
    store_.begin();
    store_.put_trial(to_json(trial), state);
    store_.commit();
  }
  PlanReport reported(const std::vector<Plan>& plans,
                      const std::map<std::string, std::string>& again = {}) {
    const StoreFacts known{&store_, states_of(plans, &store_), again};
    return report_plans(plans, sample::schema(), known, 10);
  }
  /// Writes the events of its one attempt.
  void add_events(const Trial& trial, const std::vector<Json>& events) {
    const std::filesystem::path folder = trial_folder(folder_ / "store", trial.id);
    write_text(folder / "attempt-1/events.jsonl", lines_of(events));
    store_.begin();
    ingest_events(store_, folder);
    store_.commit();
  }
  void put_sweep(const Plan& plan) {
    std::vector<SweepMember> members;
    for (const PlannedTrial& planned : plan.trials)
      members.push_back({planned.trial.id, planned.stage, plan.profile, planned.labels});
    store_.begin();
    store_.put_sweep(plan.sweep, plan.profile, members);
    store_.commit();
  }

  Store store_;
};

const char* const kTwo = "sweep: s\nstages: {a: {job: pretrain, grid: {batch: [1, 2]}}}\n";

TEST_F(PlanReportTest, CountsWhatIsThere) {
  const std::vector<Plan> plans = {plan(kTwo)};
  put(plans[0].trials[0].trial, TrialState::done);
  put_sweep(plans[0]);
  const PlanReport report = reported(plans);
  ASSERT_EQ(report.stages.size(), 1u);
  EXPECT_EQ(report.stages[0].states, (TrialCounts{{TrialState::done, 1}}));
  EXPECT_EQ(report.stages[0].to_run, 1u);
  ASSERT_EQ(report.to_run.size(), 1u);
  EXPECT_THAT(report.to_run[0].why, HasSubstr("new: batch 1 -> 2 (against "));
  EXPECT_EQ(report_plans(plans, sample::schema(), {}, 10).to_run.size(), 2u);
}

TEST_F(PlanReportTest, ScalesTheTimeOfDoneTrialsByTheirFlops) {
  std::vector<Plan> plans = {plan(kTwo)};
  for (PlannedTrial& planned : plans[0].trials) {
    Json& config = planned.trial.config;
    config["steps"] = &planned == &plans[0].trials.front() ? 10 : 1000;
    config["batch"] = 4;
    config["max_length"] = 8;
    config["model"]["ffn"] = 64;
  }
  const Trial& small = plans[0].trials[0].trial;
  put(small, TrialState::done);
  AttemptRow attempt;
  attempt.trial = small.id;
  attempt.number = 1;
  attempt.facts = {{"seconds", 2}};
  store_.begin();
  store_.put_attempt(attempt);
  store_.commit();
  EXPECT_DOUBLE_EQ(*reported(plans).stages[0].seconds, 200);
  plans[0].trials[1].trial.config["model"].erase("ffn");
  EXPECT_DOUBLE_EQ(*reported(plans).stages[0].seconds, 2)
      << "by their number where FLOPs are unknown";
}

TEST_F(PlanReportTest, DistinguishesBegunFromPlannedTrials) {
  const std::vector<Plan> plans = {plan(kTwo)};
  const Trial &planned = plans[0].trials[0].trial, &begun = plans[0].trials[1].trial;
  put(planned, TrialState::waiting);
  put(begun, TrialState::ready);
  store_.begin();
  AttemptRow attempt;
  attempt.trial = begun.id;
  attempt.number = 1;
  store_.put_attempt(attempt);
  store_.commit();
  const PlanReport report = reported(plans);
  ASSERT_EQ(report.to_run.size(), 2u);
  EXPECT_EQ(report.to_run[0].why, "was planned before and never started");
  EXPECT_EQ(report.to_run[1].why, "was begun and not finished");
}

TEST_F(PlanReportTest, ComparesWithTrialsOfTheSameStage) {
  const std::string head = "sweep: s\nstages:\n  train: {job: pretrain, batch: ";
  const std::string tail = "}\n  tail: {job: pretrain, steps: 7, batch: 5}\n";
  const Plan before = plan(head + "1, steps: 3" + tail);
  for (const PlannedTrial& planned : before.trials) put(planned.trial, TrialState::done);
  put_sweep(before);
  const std::vector<Plan> now = {plan(head + "5, steps: 6" + tail)};
  const PlanReport report = reported(now);
  ASSERT_EQ(report.to_run.size(), 1u);
  EXPECT_EQ(report.to_run[0].why, "new: batch 1 -> 5, steps 3 -> 6 (against " +
                                      before.trials[0].trial.id.substr(0, 8) + ")");
}

TEST_F(PlanReportTest, ComparesWithAnotherSweepOnlyWhereThisOneHasNothingAndLittleDiffers) {
  const auto sweep = [&](const std::string& name, const std::string& options) {
    Plan made = plan("sweep: s\nstages: {a: {job: pretrain, " + options + "}}\n");
    made.sweep = name;
    return made;
  };
  const auto add = [&](const Plan& made) {
    put(made.trials[0].trial, TrialState::done);
    put_sweep(made);
    return made.trials[0].trial.id.substr(0, 8);
  };
  const auto why = [&](const std::string& options) {
    return reported({sweep("mine", options)}).to_run.at(0).why;
  };
  const std::string other = add(sweep("other", "batch: 2, steps: 3"));
  EXPECT_EQ(why("batch: 1, steps: 3"),
            "new: batch 2 -> 1 (against " + other + " of another sweep)");
  EXPECT_EQ(why("batch: 1, steps: 4, model.layers: 3, optimizer.lr: 0.1"), "new");
  const std::string own = add(sweep("mine", "batch: 7, steps: 8"));
  EXPECT_EQ(why("batch: 2, steps: 4"), "new: batch 7 -> 2, steps 8 -> 4 (against " + own + ")");
}

TEST_F(PlanReportTest, CountsOtherNeedsAndDataAsDifferences) {
  choices_.data = folder_ / "data";
  write_text(folder_ / "data/a.txt", "old");
  const auto sweep = [&](const std::string& steps, const std::string& batch) {
    return plan("sweep: s\nseeds: [0]\nstages:\n  a: {job: pretrain, grid: {steps: " + steps +
                "}}\n  b: {job: finetune, needs: {init: a}, data: {dataset: text, path: a.txt}, "
                "batch: " +
                batch + "}\n");
  };
  const auto short_id_of = [](const std::string& id) { return id.substr(0, 8); };
  const Plan before = sweep("[3, 4]", "1");
  for (const PlannedTrial& planned : before.trials) put(planned.trial, TrialState::done);
  put_sweep(before);
  std::map<std::string, std::string> by_need;
  for (const PlannedTrial& planned : before.trials) {
    if (planned.stage == "b") by_need[planned.trial.needs.at("init").at(0)] = planned.trial.id;
  }
  const std::vector<Plan> now = {sweep("[3, 4]", "2")};
  const PlanReport report = reported(now);
  ASSERT_EQ(report.to_run.size(), 2u);
  for (const RunReason& reason : report.to_run) {
    const std::string& need = reason.trial->trial.needs.at("init").at(0);
    EXPECT_EQ(reason.why, "new: batch 1 -> 2 (against " + short_id_of(by_need.at(need)) + ")");
  }
  const std::vector<Plan> other_need = {sweep("[5]", "1")};
  EXPECT_THAT(reported(other_need).to_run.back().why, HasSubstr("new: needs other trials than "));
  write_text(folder_ / "data/a.txt", "new");
  const std::vector<Plan> other = {sweep("[5]", "2")};
  const PlannedTrial& planned = other[0].trials.back();
  const std::string why = reported(other).to_run.back().why;
  EXPECT_THAT(why, HasSubstr("new: batch 1 -> 2, contents of data.path "));
  EXPECT_THAT(
      why, HasSubstr(" -> " + short_id_of(planned.trial.data.at("data.path")) + ", needs.init "));
  EXPECT_THAT(why,
              HasSubstr(" -> " + short_id_of(planned.trial.needs.at("init").at(0)) + " (against "));
}

TEST_F(PlanReportTest, SaysThatCandidatesChanged) {
  const auto sweep = [&](const std::string& batches, const std::string& by) {
    return plan(
        "sweep: s\nstages:\n  a: {job: pretrain, splits: [dev, test], grid: {batch: " + batches +
        "}}\n  best: {job: select, needs: {from: a}, over: [batch], by: " + by + "}\n");
  };
  const Plan before = sweep("[1, 2]", "dev/score");
  for (const PlannedTrial& planned : before.trials) put(planned.trial, TrialState::done);
  put_sweep(before);
  const std::string id = before.trials.back().trial.id.substr(0, 8);
  const std::vector<Plan> more = {sweep("[1, 2, 3]", "dev/score")};
  EXPECT_EQ(reported(more).to_run.back().why, "new: candidates changed (against " + id + ")");
  const std::vector<Plan> other = {sweep("[1, 2, 3]", "train/loss")};
  EXPECT_EQ(reported(other).to_run.back().why,
            "new: by dev/score -> train/loss, candidates changed (against " + id + ")");
  std::vector<Plan> elsewhere = {sweep("[1, 2, 3]", "dev/score")};
  elsewhere[0].sweep = "o";
  EXPECT_EQ(reported(elsewhere).to_run.back().why, "new");
}

TEST_F(PlanReportTest, SaysWhereTimeAndDiskAreUnknown) {
  const std::vector<Plan> plans = {plan(kTwo)};
  const PlanReport report = reported(plans);
  EXPECT_EQ(report.stages[0].seconds, std::nullopt);
  EXPECT_EQ(report.stages[0].unknown, 2u);
  put(plans[0].trials[0].trial, TrialState::done);
  put(plans[0].trials[1].trial, TrialState::done);
  EXPECT_EQ(reported(plans).total().unknown,
            0u);  // nothing is unknown any more
}

TEST_F(PlanReportTest, ARepetitionCostsTheTrialsTimeAndItsWeights) {
  const std::vector<Plan> plans = {plan(kTwo)};
  const Trial &fast = plans[0].trials[0].trial, &slow = plans[0].trials[1].trial;
  for (const Trial* trial : {&fast, &slow}) {
    put(*trial, TrialState::done);
    add_events(*trial, {start_event(1, 0),
                        {{"event", "checkpoint"}, {"step", 1}, {"bytes", 900}},
                        measurement_event("attempt_s", 1, trial == &slow ? 60 : 2)});
  }
  const PlanReport report = reported(plans, {{slow.id, "its weights are missing"}});
  EXPECT_EQ(report.stages[0].to_run, 1u);
  EXPECT_EQ(report.stages[0].seconds, 60);
  EXPECT_EQ(report.stages[0].bytes, 900);
}

TEST_F(PlanReportTest, SaysWhatShareOfTheTimeIsEvaluation) {
  const std::vector<Plan> plans = {plan(kTwo)};
  const Trial& done = plans[0].trials[0].trial;
  put(done, TrialState::done);
  add_events(done,
             {start_event(1, 0), measurement_event("training_s", 1, 30),
              measurement_event("evaluation_s", 1, 10), measurement_event("attempt_s", 1, 50)});
  const StageReport total = reported(plans).total();
  EXPECT_EQ(total.seconds, 50);
  EXPECT_EQ(total.evaluation_share, 0.25);
}

TEST_F(PlanReportTest, CountsASharedTrialOnce) {
  const Plan one = plan(kTwo);
  const PlanReport report = report_plans({one, one}, sample::schema(), {}, 10);
  EXPECT_EQ(report.total().planned, 4u);
  EXPECT_EQ(report.total().distinct, 2u);
  EXPECT_EQ(report.total().to_run, 2u);
}

TEST_F(PlanReportTest, SaysWhyATrialIsStale) {
  const std::vector<Plan> plans = {plan(one_stage("    model: {attention: {kind: masked}}\n"))};
  Trial older = plans[0].trials[0].trial;
  older.revisions.clear();
  older.id = trial_id(older, sample::schema());
  put(older, TrialState::done);
  const PlanReport report = reported(plans);
  EXPECT_EQ(report.stages[0].stale, 1u);
  EXPECT_THAT(report.to_run.at(0).why,
              HasSubstr("under another revision: attention/masked 1 -> 2"));
}

TEST_F(PlanReportTest, SaysWhichDataChanged) {
  choices_.data = folder_ / "data";
  write_text(folder_ / "data/a.txt", "new");
  const std::vector<Plan> plans = {plan(one_stage("    data: {dataset: text, path: a.txt}\n"))};
  Trial older = plans[0].trials[0].trial;
  older.data["data.path"] = std::string(64, '0');
  older.id = trial_id(older, sample::schema());
  put(older, TrialState::done);
  EXPECT_THAT(reported(plans).to_run.at(0).why,
              HasSubstr("with other data: data.path was 00000000, is "));
  const auto stale = stale_trials(plans[0], sample::schema(), store_);
  EXPECT_EQ(stale.at(plans[0].trials[0].trial.id), reported(plans).to_run.at(0).why);
  EXPECT_EQ(stale_text(stale), "1 trial is " + reported(plans).to_run.at(0).why);
  // A run that was stopped has recorded the trial and never begun it.
  put(plans[0].trials[0].trial, TrialState::ready);
  EXPECT_EQ(stale_trials(plans[0], sample::schema(), store_), stale);
  EXPECT_EQ(reported(plans).to_run.at(0).why, stale.begin()->second);
  EXPECT_EQ(reported(plans).total().stale, 1u);
  put(plans[0].trials[0].trial, TrialState::done);
  EXPECT_TRUE(stale_trials(plans[0], sample::schema(), store_).empty());
}

TEST_F(PlanReportTest, SaysThatATrialIsStaleWhateverItsUnhashedOptionsSay) {
  choices_.data = folder_ / "data";
  write_text(folder_ / "data/a.txt", "new");
  write_text(folder_ / "data/b.txt", "new");
  const std::string data = "    data: {dataset: text, path: ";
  Trial older = plan(one_stage(data + "a.txt}\n    note: old\n")).trials[0].trial;
  older.data["data.path"] = std::string(64, '0');
  older.id = trial_id(older, sample::schema());
  put(older, TrialState::done);
  const PlanReport now = reported({plan(one_stage(data + "b.txt}\n    note: new\n"))});
  EXPECT_EQ(now.total().stale, 1u);
  EXPECT_THAT(now.to_run.at(0).why, HasSubstr("with other data: data.path was 00000000, is "));
}

TEST_F(PlanReportTest, TreatsAMissingNewOptionAsItsAbsentValue) {
  const std::string masked = "    model: {attention: {kind: masked}}\n";
  Trial older = plan(one_stage(masked)).trials[0].trial;
  older.config.erase("splits");
  older.config["model"].erase("tied");
  older.revisions.clear();
  older.id = trial_id(older, sample::schema());
  put(older, TrialState::done);
  EXPECT_EQ(reported({plan(one_stage(masked))}).total().stale, 1u);
  EXPECT_EQ(reported({plan(one_stage(masked + "    splits: [dev, test]\n"))}).total().stale, 0u);
}

TEST_F(PlanReportTest, ComparesWithTrialsOfRemovedPlugins) {
  const std::vector<Plan> plans = {plan(one_stage("    model: {attention: {kind: masked}}\n"))};
  Trial older = plans[0].trials[0].trial;
  older.config["model"]["attention"] = {{"kind", "gone"}};
  older.revisions.clear();
  older.id = std::string(20, '1');
  put(older, TrialState::done);
  put_sweep(plans[0]);
  EXPECT_EQ(reported(plans).to_run.at(0).why, "new");
}

TEST_F(PlanReportTest, NamesOnlyOptionsOfTheIdentity) {
  const Plan before = plan(one_stage("    note: old\n    batch: 1\n"));
  put(before.trials[0].trial, TrialState::done);
  put_sweep(before);
  EXPECT_EQ(reported({plan(one_stage("    note: new\n    batch: 2\n"))}).to_run.at(0).why,
            "new: batch 1 -> 2 (against " + before.trials[0].trial.id.substr(0, 8) + ")");
}

TEST_F(PlanReportTest, KnowsTheTimeOfATrialFromItsOtherSeeds) {
  const Trial done = plan(one_stage("")).trials[0].trial;
  put(done, TrialState::done);
  add_events(done, {start_event(1, 0), measurement_event("attempt_s", 1, 60)});
  PlanChoices choices = choices_;
  choices.seeds = {5, 6};
  EXPECT_EQ(reported({plan(one_stage(""), choices)}).total().seconds, 120);
  EXPECT_EQ(reported({plan(one_stage("    steps: 9\n"), choices)}).total().seconds, std::nullopt);
}

TEST_F(PlanReportTest, CountsApartWhatWaitsForATrialThatFailed) {
  const std::vector<Plan> plans = {
      plan("sweep: s\nseeds: [0]\nstages:\n  a: {job: pretrain}\n"
           "  b: {job: finetune, needs: {init: a}}\n  c: {job: finetune, needs: {init: b}, batch: "
           "2}\n")};
  const auto trial = [&](size_t i) { return plans[0].trials.at(i).trial; };
  put(trial(0), TrialState::failed);
  put(trial(1), TrialState::waiting);
  StageReport total = reported(plans).total();
  EXPECT_EQ(total.in(TrialState::blocked), 2u);
  EXPECT_EQ(total.to_run, 0u);
  put(trial(0), TrialState::waiting);
  put(trial(1), TrialState::blocked);
  total = reported(plans).total();
  EXPECT_EQ(total.in(TrialState::blocked), 0u);
  EXPECT_EQ(total.to_run, 3u);
}

TEST_F(PlanReportTest, CountsCancelledTrialsAsARunDoes) {
  const std::vector<Plan> plans = {
      plan("sweep: s\nseeds: [0]\nstages:\n  a: {job: pretrain}\n"
           "  b: {job: finetune, needs: {init: a}}\n")};
  const Plan& planned = plans[0];
  const std::string& a = planned.trials.at(0).trial.id;
  // The sweep has cancelled a trial whose rows and folder were removed.
  store_.begin();
  store_.put_sweep(Sweep{planned.sweep, planned.profile, {}, {{a, "a", "", {}}}, {a}});
  store_.commit();
  StageReport total = reported(plans).total();
  EXPECT_EQ(total.in(TrialState::cancelled), 1u);
  EXPECT_EQ(total.in(TrialState::blocked), 1u);
  EXPECT_EQ(total.to_run, 0u);
  // A sweep that wants a cancelled trial again runs it.
  put_sweep(planned);
  put(planned.trials.at(0).trial, TrialState::cancelled);
  total = reported(plans).total();
  EXPECT_EQ(total.in(TrialState::cancelled), 0u);
  EXPECT_EQ(total.to_run, 2u);
}

TEST(Changes, NameWhatDiffers) {
  const Json before = Json::parse(R"({"a": {"b": 1, "c": 2}, "d": [1]})");
  const Json after = Json::parse(R"({"a": {"b": 1, "c": 3}, "e": true})");
  EXPECT_EQ(text_of(changes_between(before, after), 5),
            "a.c 2 -> 3, d [1] -> nothing, e nothing -> true");
  EXPECT_EQ(text_of(changes_between(before, after), 1), "a.c 2 -> 3 and 2 more");
  EXPECT_TRUE(changes_between(before, before).empty());
  // Members of a map that was empty.
  EXPECT_EQ(text_of(changes_between({{"a", Json::object()}}, {{"a", {{"b", 1}}}}), 5),
            "a.b nothing -> 1");
  EXPECT_EQ(text_of(changes_between({{"a", {{"b", 1}}}}, {{"a", Json::object()}}), 5),
            "a.b 1 -> nothing");
  EXPECT_EQ(text_of(changes_between({{"a", Json::object()}}, Json::object()), 5),
            "a {} -> nothing");
}

}  // namespace
}  // namespace rethink
