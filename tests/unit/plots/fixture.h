// A made-up sweep of two arms and two tasks, and a store's records of its trials.
#pragma once

#include <fmt/format.h>

#include "plots/table/table.h"
#include "tests/support/golden.h"
#include "tests/support/temp_folder.h"

namespace rethink::test {

inline constexpr const char* kSweep = "sweeps/example.yaml";

inline std::string trial_named(const std::string& arm, const std::string& task, int64_t seed) {
  return fmt::format("{}-{}-{}", arm, task, seed);
}

/// Returns plans of arms dense and star, tasks CoLA and RTE, and seeds 0 to `seeds` - 1.
inline Plans example_plans(int64_t seeds = 3, const std::string& profile = "") {
  Plan plan;
  plan.sweep = "example";
  plan.profile = profile;
  for (const char* arm : {"dense", "star"}) {
    for (const char* task : {"CoLA", "RTE"}) {
      for (int64_t seed = 0; seed < seeds; ++seed) {
        PlannedTrial trial;
        trial.trial.id = trial_named(arm, task, seed);
        trial.trial.seed = seed;
        trial.stage = "finetune";
        trial.labels = {{"arm", arm}, {"task", task}};
        plan.trials.push_back(trial);
      }
    }
  }
  return {{kSweep, plan}};
}

inline TrialRecord done_with(double score, int64_t seed) {
  TrialRecord record;
  record.state = TrialState::done;
  record.outcome = AttemptOutcome::done;
  record.device = "cpu";
  record.seed = seed;
  record.values = {
      {"dev/score@last", score}, {"mask/sparsity", 90 + score}, {"imported/score", score + 0.01}};
  record.measurements = {{"parameters", 1000}, {"tokens_seen", 500}};
  return record;
}

/// Returns records in which star beats dense by 0.02 on both tasks, and seeds differ by 0.01.
inline TrialRecords example_records(int64_t seeds = 3) {
  TrialRecords records;
  for (int64_t seed = 0; seed < seeds; ++seed) {
    const double s = 0.01 * static_cast<double>(seed);
    records[trial_named("dense", "CoLA", seed)] = done_with(0.50 + s, seed);
    records[trial_named("star", "CoLA", seed)] =
        done_with(0.52 + s + (seed == 1 ? 0.001 : 0), seed);
    records[trial_named("dense", "RTE", seed)] = done_with(0.60 + s, seed);
    records[trial_named("star", "RTE", seed)] = done_with(0.62 + s + (seed == 2 ? 0.001 : 0), seed);
  }
  return records;
}

inline const std::string kExampleSpec = R"(table: example/scores
title: Example
sweep: sweeps/example.yaml
stage: finetune
metric: dev/score
rows: {axis: arm, labels: {star: Star}}
columns: [{axis: task}, {label: Avg., mean_of: task}]
direction: max
decimals: 3
test: {baseline: dense}
paper:
  dense: {CoLA: 0.49, RTE: 0.61, Avg.: 0.55}
  Star: {CoLA: 0.51*, RTE: 0.60}
notes: [a note of the spec]
)";

/// Returns the example with a second test, which calls fewer cells different.
inline std::string two_tests_spec() {
  const std::string test = "test: {baseline: dense}";
  std::string text = kExampleSpec;
  return text.replace(text.find(test), test.size(),
                      "test:\n  - {baseline: dense}\n  - {baseline: dense, kind: student_t, "
                      "correction: none, alpha: 0.07}");
}

class SpecFile {
 public:
  explicit SpecFile(const std::string& text) { write_text(path(), text); }
  std::filesystem::path path() const { return folder_ / "spec.yaml"; }

 private:
  TempFolder folder_;
};

/// Metrics of the example's items: dev/score may be an accuracy, so that a test over items is possible.
inline const ItemMetrics kExampleMetrics = {{"accuracy", {}}};

inline Table table_of(const std::string& spec_text, const Plans& plans, const TrialRecords& records,
                      const CommandWords& again = {}) {
  const SpecFile file(spec_text);
  const TableSpec spec = read_table_spec(file.path());
  return make_table(spec, make_grid(spec, plans, again), records, kExampleMetrics);
}

inline Table example_table() {
  return table_of(kExampleSpec, example_plans(), example_records());
}

/// Returns records in which each seed of Star exceeds dense by the same amount on CoLA.
inline TrialRecords records_alike_apart(int64_t seeds = 3) {
  TrialRecords records = example_records(seeds);
  for (int64_t seed = 0; seed < seeds; ++seed) {
    records[trial_named("star", "CoLA", seed)].values["dev/score@last"] =
        records[trial_named("dense", "CoLA", seed)].values["dev/score@last"] + 0.02;
  }
  return records;
}

/// Returns `text` with one `from` replaced.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("the text has no " + from);
  return text.replace(at, from.size(), to);
}

}  // namespace rethink::test
