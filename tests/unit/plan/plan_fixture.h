// Fixture that plans the text of a sweep against the sample schema.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "experiments/plan/plan.h"
#include "tests/support/error_codes.h"
#include "tests/support/note_codes.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/plan/sample_schema.h"

namespace rethink {

class PlanFixture : public ::testing::Test {
 protected:
  PlanFixture() {
    choices_.paths = {folder_.path()};
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
  }

  Plan plan(const std::string& text, PlanChoices choices) {
    write_text(folder_ / "sweep.yaml", text);
    return make_plan(folder_ / "sweep.yaml", choices, sample::schema());
  }
  Plan plan(const std::string& text) { return plan(text, choices_); }

  Plan plan_set(const std::string& text, const std::vector<std::string>& settings) {
    PlanChoices choices = choices_;
    choices.settings = settings;
    return plan(text, choices);
  }

  Plan plan_profile(const std::string& text, const std::string& profile) {
    PlanChoices choices = choices_;
    choices.profile = profile;
    return plan(text, choices);
  }

  /// Returns the message with which planning `text` fails; "" if it does not fail.
  std::string error(const std::string& text, const PlanChoices& choices) {
    try {
      plan(text, choices);
    } catch (const ConfigError& problem) {
      return problem.what();
    }
    return "";
  }
  std::string error(const std::string& text) { return error(text, choices_); }

  /// Returns the codes of the mistakes that planning `text` reports.
  std::vector<std::string> codes(const std::string& text) {
    return error_codes_of([&] { plan(text, choices_); });
  }
  /// Returns the same with their places: "LINE:COLUMN CODE".
  std::vector<std::string> mistakes(const std::string& text) {
    return mistakes_of([&] { plan(text, choices_); });
  }

  /// Returns the notes on the sweep `text`: "FILE:LINE:COLUMN CODE" of each.
  std::vector<std::string> notes_on(const std::string& text) {
    return placed_codes_of(plan(text).notes);
  }

  static std::vector<std::string> ids(const Plan& plan) {
    std::vector<std::string> all;
    for (const PlannedTrial& planned : plan.trials) all.push_back(planned.trial.id);
    std::sort(all.begin(), all.end());
    return all;
  }

  TempFolder folder_;
  PlanChoices choices_;
};

/// Returns a sweep of one pretrain stage with these further lines, each indented by four.
inline std::string one_stage(const std::string& lines) {
  return "sweep: test/one\nseeds: [0]\nstages:\n  pretrain:\n    job: pretrain\n" + lines;
}

}  // namespace rethink
