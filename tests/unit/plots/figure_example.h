// A sweep's trials and their results for tests of figures, and functions that read a spec of them.
#pragma once

#include <fmt/format.h>

#include "plots/figure/figure_stages.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {

struct Example {
  Plans plans;
  TrialRecords records;
  Curves curves;
};

inline void add_trial(Example& example, const std::string& arm, const std::string& rate,
                      int64_t seed, double value) {
  PlannedTrial trial;
  trial.trial.id = fmt::format("{}-{}-{}", arm, rate, seed);
  trial.trial.seed = seed;
  trial.stage = "lm";
  trial.labels = {{"arm", arm}, {"rate", rate}};
  example.plans["s.yaml"].trials.push_back(trial);
  TrialRecord record;
  record.state = TrialState::done;
  record.seed = seed;
  record.values = {{"test/ppl@last", value}, {"train/loss", 1.0}};
  example.records[trial.trial.id] = record;
  const double s = static_cast<double>(seed);
  example.curves[trial.trial.id] = {{10, 3.0 + s}, {20, 2.0 + s}};
}

/// Returns the spec of a file spec.yaml with this text. The file is gone when it returns.
inline FigureSpec figure_spec_of(const std::string& text) {
  const SpecFile file(text);
  return read_figure_spec(file.path());
}

/// Makes both stages. `stale`: the note on stale trials.
inline Figure make_figure(const FigureSpec& spec, const FigureGrids& grids,
                          const TrialRecords& records, const Curves& curves,
                          const ArtifactFiles& files = {}, const std::string& stale = "") {
  return captioned_figure(drawn_figure(spec, grids, records, curves, files), spec, grids, stale);
}

inline Figure figure_of(const std::string& text, const Example& made,
                        const std::string& stale = "") {
  const SpecFile file(text);  // kept, since errors of the figure quote its lines
  const FigureSpec spec = read_figure_spec(file.path());
  // The rows of the table underneath are all values of the x axis; only numbers have a position there.
  return make_figure(spec, make_grids(spec, made.plans), made.records, made.curves, {}, stale);
}

}  // namespace rethink::test
