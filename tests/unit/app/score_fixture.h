// Fixture with a store of trials that have predictions of GLUE's test sets, and with the two commands
// that send these predictions and import the answer.
#pragma once

#include <gmock/gmock.h>

#include "core/error.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "core/store_files/trial_folder.h"
#include "results/folders/outside_scores.h"
#include "tests/support/throws_code.h"
#include "tests/unit/app/command_fixture.h"

namespace rethink {

class ScoreFixture : public CommandTest {
 protected:
  ScoreFixture() {
    programs_ = folder_of_programs();
    for (const char* arm : {"dense", "star"}) {
      for (int64_t seed = 0; seed < 2; ++seed) {
        add_trained(arm, "CoLA", seed, {{"test", "CoLA.tsv"}});
        add_trained(arm, "MNLI", seed,
                    {{"test", "MNLI-m.tsv"}, {"test_mismatched", "MNLI-mm.tsv"}});
      }
    }
    sweep_.profile = "small";
    finish();
  }

  /// Adds a done trial of glue/TASK with these predictions, each the text "ARM TASK SEED SPLIT". The
  /// trial was trained with `options`, and continues from `parent` unless that is "".
  std::string add_trained(const std::string& arm, const std::string& task, int64_t seed,
                          const std::map<std::string, std::string>& files,
                          const Json& options = Json::object(), const std::string& parent = "") {
    std::string dataset = "glue/" + task;
    for (char& letter : dataset) letter = static_cast<char>(std::tolower(letter));
    const std::string name = "a" + std::to_string(++count_);
    Json config = options;
    config["data"] = {{"dataset", dataset}, {"test", !files.empty()}};
    TrialMaker trial(folder_.path(), name, config);
    if (!parent.empty()) trial.needs("init", {parent});
    trial.seed(seed).attempt(1, {start_event(1, 0), end_event("done")}).result(1);
    Json result = trial.result_json();
    for (const auto& [split, file] : files) {
      const std::string text = fmt::format("{} {} {} {}", arm, task, seed, split);
      write_text(trial.folder() / "artifacts" / file, text);
      result["artifacts"].push_back({{"name", file},
                                     {"kind", "prediction_file"},
                                     {"file", "artifacts/" + file},
                                     {"sha256", sha256_hex(text)},
                                     {"bytes", text.size()},
                                     {"facts", {{"split", split}}}});
    }
    trial.set_result(result);
    sweep_.members.push_back({trial.id(), "finetune", "small", {{"arm", arm}, {"task", task}}});
    return ids_[arm + task + std::to_string(seed)] = trial.id();
  }

  /// Adds a select that chose the dense trials of CoLA, and one that has not chosen yet.
  void add_selects() {
    TrialMaker done(folder_.path(), "b1", Json::object()), waiting(folder_.path(), "b2");
    Json seeds = Json::array();
    for (const char* seed : {"0", "1"}) {
      seeds.push_back(
          {{"seed", std::stoi(seed)}, {"trial", ids_.at(std::string("denseCoLA") + seed)}});
    }
    done.seed(nullptr)
        .attempt(1,
                 {start_event(1, 0), {{"event", "selected"}, {"seeds", seeds}}, end_event("done")})
        .result(1);
    waiting.seed(nullptr);
    sweep_.members.push_back({done.id(), "best", "small", {{"arm", "dense"}, {"task", "CoLA"}}});
    sweep_.members.push_back({waiting.id(), "best", "small", {{"arm", "dense"}, {"task", "RTE"}}});
    finish();
  }

  CommandAnswer submitted(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"score", "submission", "s", (out_ / "sent").string()};
    words.insert(words.end(), more.begin(), more.end());
    return answer(words);
  }
  CommandAnswer imported(const std::string& text) const {
    write_text(out_ / "scores.yaml", text);
    return answer({"score", "import", (out_ / "scores.yaml").string()});
  }
  void expect_code(const std::string& text, const std::string& code) const {
    EXPECT_THAT([&] { imported(text); }, ThrowsCode(code)) << text;
  }
  void expect_refused(const std::string& text, const std::string& message) const {
    EXPECT_THAT([&] { imported(text); },
                testing::ThrowsMessage<ConfigError>(testing::HasSubstr(message)))
        << text;
  }
  std::map<std::string, OutsideScore> scores_of(const std::string& trial) const {
    return newest_scores(*read_outside_scores(trial_folder(folder_.path(), ids_.at(trial))));
  }

  const std::string head_ =
      "from: gluebenchmark.com\ndate: 2026-11-20\nsweep: s\nprofile: small\nstage: finetune\n";
  std::map<std::string, std::string> ids_;  // "denseCoLA0": trial
  int count_ = 0;
  const TempFolder out_;
};

}  // namespace rethink
