#include "app/driver/run/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <deque>

namespace rethink {
namespace {

using testing::ElementsAre;

/// A stream whose text can be read.
class Written {
 public:
  ~Written() {
    std::fclose(stream_);
    std::free(text_);
  }
  operator std::FILE*() { return stream_; }
  std::string text() {
    std::fflush(stream_);
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  size_t size_ = 0;
  std::FILE* stream_ = open_memstream(&text_, &size_);
};

LiveState some_state() {
  LiveState state;
  state.done = 2;
  state.running = 1;
  state.failed = 1;
  state.waiting = 4;
  state.seconds = 75;
  state.eta_s = 600;
  LiveTrial trial;
  trial.title = "train arm=a_long_label seed 0";
  trial.progress.has_ticked = true;
  trial.progress.step = 120;
  trial.progress.of = 400;
  trial.progress.steps_per_s = 12.5;
  trial.progress.loss = 3.25;
  trial.seconds = 9.6;
  state.trials.push_back(trial);
  return state;
}

TEST(Progress, ShowsDoneAndRunningTrialsAndTheTimeLeft) {
  EXPECT_THAT(
      draw(some_state(), 120, 24),
      ElementsAre(
          "[###########...................] 2/8 done, 1 running, 1 failed, 4 waiting, 75 s, "
          "about 10 min left",
          "  train arm=a_long_label seed 0  120/400  12.5 step/s  loss 3.250  9.6 s"));
}

TEST(Progress, OnANarrowTerminalTheTitleGivesWayToTheNumbers) {
  EXPECT_THAT(draw(some_state(), 60, 24),
              ElementsAre("2/8 done, 1 running, 1 failed, 4 waiting, 75 s, about 10 m\u2026",
                          "  train \u2026el seed 0  120/400  12.5 step/s  loss 3.250  9.6 s"));
}

TEST(Progress, TheBarKeepsItsWidth) {
  LiveState state = some_state();
  for (const int columns : {60, 80, 100, 160}) {
    state.eta_s = 600;
    const size_t width = draw(state, columns, 24)[0].find(']');
    state.eta_s = -1;
    state.seconds = 5;
    EXPECT_EQ(draw(state, columns, 24)[0].find(']'), width);
  }
}

TEST(Progress, NumbersStandBelowEachOther) {
  LiveState state = some_state();
  state.trials.push_back(state.trials[0]);
  state.trials[1].title = "train arm=b seed 10";
  state.trials[1].progress.loss = 3;
  state.trials[1].progress.steps_per_s = 8;
  const std::vector<std::string> lines = draw(state, 120, 24);
  EXPECT_EQ(lines[1], "  train arm=a_long_label seed 0  120/400  12.5 step/s  loss 3.250  9.6 s");
  EXPECT_EQ(lines[2], "  train arm=b seed 10            120/400  8.00 step/s  loss 3.000  9.6 s");
}

TEST(Progress, AWideTerminalShowsTitlesWhole) {
  EXPECT_THAT(
      draw(some_state(), 200, 24),
      ElementsAre(
          "[###########...................] 2/8 done, 1 running, 1 failed, 4 waiting, 75 s, "
          "about 10 min left",
          "  train arm=a_long_label seed 0  120/400  12.5 step/s  loss 3.250  9.6 s"));
}

TEST(Progress, ANarrowTerminalCutsLongTitlesAtTheSamePlace) {
  LiveState state = some_state();
  state.trials.push_back(state.trials[0]);
  state.trials[0].title = "train arm=BET(SF) - DiagFreeMask seed 0";
  state.trials[1].title = "train arm=BET(SF) - DiagFreeMask seed 1";
  for (const int columns : {50, 60}) {
    const std::vector<std::string> lines = draw(state, columns, 24);
    ASSERT_EQ(lines.size(), 3u);
    std::string second = lines[2];
    const size_t seed = second.find("d 1");
    ASSERT_NE(seed, std::string::npos) << lines[2];
    second[seed + 2] = '0';
    EXPECT_EQ(lines[1], second) << "they differ in the seed alone";
    EXPECT_THAT(lines[1], testing::HasSubstr("\u2026"));
    const std::string ellipsis = "\u2026";
    size_t bytes_more = 0;
    for (size_t at = lines[1].find(ellipsis); at != std::string::npos;
         at = lines[1].find(ellipsis, at + 1))
      bytes_more += ellipsis.size() - 1;
    EXPECT_LT(lines[1].size() - bytes_more, static_cast<size_t>(columns));
  }
}

TEST(Progress, ANarrowTerminalCutsTitlesWhereTheyStayDistinct) {
  LiveState state = some_state();
  state.trials.push_back(state.trials[0]);
  state.trials[0].title = "lm attention={kind: dense} lr=0.001 seed 0";
  state.trials[1].title = "lm attention={kind: diag_scale, rate: 0.5} lr=0.001 seed 0";
  for (const int columns : {50, 80, 100, 200}) {
    const std::vector<std::string> lines = draw(state, columns, 24);
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_NE(lines[1], lines[2]) << columns;
    EXPECT_LT(columns_of(lines[2]), columns);
  }
  EXPECT_THAT(draw(state, 50, 24)[2], testing::EndsWith("0  120/400  12.5 step/s  9.6 s"));
  EXPECT_THAT(draw(state, 200, 24)[2], testing::HasSubstr("rate: 0.5} lr=0.001 seed 0  120/400"));
}

TEST(Progress, OnANarrowTerminalTheLossGivesWayToWhatTellsTrialsApart) {
  LiveState state = some_state();
  state.trials.push_back(state.trials[0]);
  state.trials[0].title = "lm width=128 rate=0.5 seed 0";
  state.trials[1].title = "lm width=256 rate=0.5 seed 0";
  EXPECT_THAT(draw(state, 62, 24)[2], testing::EndsWith("12.5 step/s  loss 3.250  9.6 s"));
  EXPECT_THAT(draw(state, 52, 24)[2], testing::EndsWith("120/400  12.5 step/s  9.6 s"));
}

TEST(Progress, SaysWhatATrialDoesThatTakesNoStep) {
  LiveState state = some_state();
  state.trials[0].progress.steps_per_s = 0;
  EXPECT_EQ(draw(state, 80, 24)[1],
            "  train arm=a_long_label seed 0  120/400  evaluating   loss 3.250  9.6 s");
  state.trials[0].progress = {};
  EXPECT_EQ(draw(state, 80, 24)[1], "  train arm=a_long_label seed 0  starting  9.6 s");
  state.trials[0].progress.has_ticked = true;  // a program that does not report its progress
  EXPECT_EQ(draw(state, 80, 24)[1], "  train arm=a_long_label seed 0  running  9.6 s");
  state.trials[0].progress.step = 5;
  EXPECT_EQ(draw(state, 80, 24)[1], "  train arm=a_long_label seed 0  step 5  9.6 s");
}

TEST(Progress, SaysThatRunningTrialsAreStopped) {
  LiveState state = some_state();
  state.stopping = true;
  EXPECT_THAT(draw(state, 120, 24)[0], testing::HasSubstr("2/8 done, 1 stopping, 1 failed"));
}

TEST(Progress, CutsTitlesInTheMiddle) {
  EXPECT_EQ(cut_middle("lm arm=\u00e4\u00e4\u00e4\u00e4 seed 0", 12), "lm ar\u2026seed 0");
  EXPECT_EQ(cut_middle("lm arm=\u00e4\u00e4\u00e4\u00e4 seed 0", 12, 9),
            "lm arm=\u00e4\u00e4\u2026 0");
  EXPECT_EQ(cut_middle("short", 12), "short");
  EXPECT_EQ(cut_middle("lm arm=注意力注意力 seed 0", 12), "lm ar\u2026seed 0");
  EXPECT_EQ(cut_middle("注意力注意力", 8), "注\u2026意力");
  EXPECT_EQ(cut_middle("注意力注意力", 12), "注意力注意力");
}

TEST(Progress, CountsDivergedTrialsApartFromFailedOnes) {
  LiveState state = some_state();
  state.diverged = 2;
  EXPECT_THAT(draw(state, 140, 24)[0],
              testing::HasSubstr("2/10 done, 1 running, 1 failed, 2 diverged, 4 waiting"));
  EXPECT_THAT(minute_line(state),
              testing::StartsWith("2/10 done, 1 running, 1 failed, 2 diverged"));
}

TEST(Progress, PrintsTheScoreThatATableShowsByItsName) {
  Written out;
  ProgressDisplay display(ProgressDisplay::Mode::lines, out);
  PlannedTrial trial;
  trial.trial.id = "id";
  trial.stage = "lm";
  trial.trial.seed = 0;
  EndedAttempt left;
  left.outcome = AttemptOutcome::done;
  left.metrics = {{"dev/score@last", 1},
                  {"test/perplexity@best", 140.25},
                  {"test/perplexity@last", 173.775},
                  {"test/score@last", 173.775}};
  display.ended(trial, left, TrialState::done, 0.6);
  EXPECT_EQ(out.text(), "done      id  lm seed 0  0.6 s  test/score@last 173.775\n");
  Written named;
  ProgressDisplay(ProgressDisplay::Mode::lines, named, monotonic_seconds, {}, [](const Trial&) {
    return "test/perplexity@best";
  }).ended(trial, left, TrialState::done, 0.6);
  EXPECT_EQ(named.text(), "done      id  lm seed 0  0.6 s  test/perplexity@best 140.25\n");
}

TEST(Progress, SaysWhatASelectChoseOnATerminalToo) {
  Written out;
  ProgressDisplay display(ProgressDisplay::Mode::live, out);
  PlannedTrial trial;
  trial.trial.id = "id";
  trial.stage = "best";
  EndedAttempt left;
  left.outcome = AttemptOutcome::done;
  display.ended(trial, left, TrialState::done, 0);
  left.chosen = "lr=0.1 (dev/score 0.5)";
  display.ended(trial, left, TrialState::done, 0);
  EXPECT_EQ(out.text(), "done      id  best  0.0 s  chose lr=0.1 (dev/score 0.5)\n");
}

TEST(Progress, WritesALineEachMinuteWhereThereIsNoTerminal) {
  Written out;
  double now_s = 100;
  ProgressDisplay display(ProgressDisplay::Mode::lines, out, [&] { return now_s; });
  Board board;
  std::vector<PlannedTrial> trials(3);
  for (const char* id : {"a", "b", "c"}) {
    PlannedTrial& trial = trials[static_cast<size_t>(*id - 'a')];
    trial.trial.id = id;
    trial.stage = "lm";
    trial.trial.seed = *id - 'a';
    board.add(trial, TrialState::waiting);
  }
  board.connect();
  display.begun(board);
  for (size_t i = 0; i < 2; ++i) {
    board.mark_running(i);
    display.started(trials[i], {});
  }
  now_s = 120;
  Progress progress;
  progress.has_ticked = true;
  progress.of = 40;
  progress.loss = 5.0;
  display.progressed(trials[1], progress);
  display.progressed(trials[0], progress);
  now_s = 140;
  progress.step = 10;
  progress.loss = 4.5;
  progress.steps_per_s = 0.5;
  display.progressed(trials[0], progress);
  now_s = 159;
  display.tick();
  now_s = 160;
  display.tick();
  now_s = 219;
  display.tick();
  now_s = 220;
  display.tick();
  const std::string said = out.text();
  const size_t minutes = said.find("so far");
  EXPECT_EQ(said.substr(minutes),
            "so far    0/3 done, 2 running, 1 waiting, 60 s, about 95 s left; lm seed 0  10/40  "
            "0.500 step/s  loss 4.500\n"
            "so far    0/3 done, 2 running, 1 waiting, 2 min, about 95 s left; lm seed 0  10/40  "
            "0.500 step/s  loss 4.500\n")
      << "a late report does not add to the time left";
}

TEST(Progress, CountsTrialsThatEndedBeforeTheCommandWasResumed) {
  Written out;
  double now_s = 100;
  ProgressDisplay display(ProgressDisplay::Mode::lines, out, [&] { return now_s; },
                          {{TrialState::done, 2}, {TrialState::failed, 1}});
  Board board;
  PlannedTrial trial;
  trial.trial.id = "a";
  board.add(trial, TrialState::waiting);
  board.connect();
  display.begun(board);
  now_s = 160;
  display.tick();
  EXPECT_EQ(out.text(), "so far    2/4 done, 0 running, 1 failed, 1 waiting, 60 s\n");
}

TEST(Progress, SaysFromWhichStepATrialResumes) {
  for (const auto mode : {ProgressDisplay::Mode::lines, ProgressDisplay::Mode::live}) {
    Written out;
    ProgressDisplay display(mode, out);
    PlannedTrial trial;
    trial.trial.id = "id";
    trial.stage = "lm";
    trial.trial.seed = 0;
    Progress progress;
    progress.of = 40;
    const auto text_after = [&](int64_t resume_step, bool is_adopted) {
      is_adopted ? display.adopted(trial) : display.started(trial, {});
      for (const int64_t step : {resume_step + 1, resume_step + 2}) {
        progress.resume_step = resume_step;
        progress.step = step;
        display.progressed(trial, progress);
      }
      return out.text();
    };
    EXPECT_THAT(text_after(0, false), testing::Not(testing::HasSubstr("goes on")));
    EXPECT_THAT(text_after(12, true), testing::Not(testing::HasSubstr("goes on")));
    const std::string told = "goes on   id  lm seed 0 from step 12 of 40\n";
    const std::string text = text_after(12, false);
    EXPECT_THAT(text, testing::EndsWith(told));
    EXPECT_EQ(text.find(told), text.rfind(told)) << "once";
  }
}

/// Returns the output after one minute of a run with trials of these stages; the first is half done.
std::string said_of(const std::vector<std::pair<std::string, double>>& stages_and_expected) {
  Written out;
  double now_s = 0;
  ProgressDisplay display(ProgressDisplay::Mode::lines, out, [&] { return now_s; });
  Board board;
  std::deque<PlannedTrial> trials;
  for (const auto& [stage, expected_s] : stages_and_expected) {
    PlannedTrial& trial = trials.emplace_back();
    trial.trial.id = std::to_string(trials.size());
    trial.stage = stage;
    board.add(trial, TrialState::waiting, {.expected_s = expected_s});
  }
  board.connect();
  display.begun(board);
  board.mark_running(0);
  display.started(trials[0], {});
  Progress progress;
  progress.has_ticked = true;
  progress.of = 40;
  display.progressed(trials[0], progress);
  now_s = 60;
  progress.step = 20;
  display.progressed(trials[0], progress);
  display.tick();
  const std::string said = out.text();
  return said.substr(said.find("so far"));
}

TEST(Progress, ExpectsOfATrialWhatTrialsOfItsStageTake) {
  EXPECT_THAT(said_of({{"base", 0}, {"base", 0}}), testing::HasSubstr("about 3 min left"));
  EXPECT_THAT(said_of({{"base", 0}, {"tune", 6}, {"tune", 6}}),
              testing::HasSubstr("about 72 s left"));
  EXPECT_THAT(said_of({{"base", 0}, {"tune", 0}, {"base", 0}}),
              testing::HasSubstr("over 3 min left"));
}

TEST(Progress, ALineOfAMinuteWithoutAStepHasTheCountsAlone) {
  LiveState state = some_state();
  state.trials[0].progress = {};
  EXPECT_EQ(minute_line(state),
            "2/8 done, 1 running, 1 failed, 4 waiting, 75 s, about 10 min left");
}

TEST(Progress, SaysNothingOfALossOrRateThatIsNotKnown) {
  EXPECT_EQ(progress_text(1, 400, std::nullopt, std::nullopt), "  1/400");
}

TEST(Progress, SaysWhatSomebodyAskedOfTheDriver) {
  Written out;
  ProgressDisplay(ProgressDisplay::Mode::lines, out).notified("cancel by ada");
  ProgressDisplay(ProgressDisplay::Mode::none, out).notified("retry by ada");
  EXPECT_EQ(out.text(), "asked     cancel by ada\n");
}

TEST(Picture, IsWrittenOverAndCutToTheTerminal) {
  Written out;  // no terminal: 80 x 24
  Picture picture(out);
  picture.show({std::string(100, 'x'), "b"});
  picture.show(std::vector<std::string>(30, "c"));
  picture.erase();
  EXPECT_THAT(out.text(), testing::StartsWith(std::string(78, 'x') + "\u2026\x1b[K\nb\x1b[K\n\x1b[J"
                                                                     "\r\x1b[2Ac\x1b[K\n"));
  EXPECT_THAT(out.text(),
              testing::EndsWith("\n... and 8 more lines\x1b[K\n\x1b[J\r\x1b[23A\x1b[J"));
}

TEST(Progress, LeavesTheTerminalALine) {
  LiveState state = some_state();
  state.trials.resize(50, state.trials[0]);
  EXPECT_EQ(draw(state, 80, 10).size(), 9u);
}

TEST(Progress, WritesDurationsAsPeopleSayThem) {
  EXPECT_EQ(duration_text(0.04), "0.0 s");
  EXPECT_EQ(duration_text(48), "48 s");
  EXPECT_EQ(duration_text(720), "12 min");
  EXPECT_EQ(duration_text(11100), "3 h 05 min");
}

}  // namespace
}  // namespace rethink
