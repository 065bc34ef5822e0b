// Names of trials, and the texts of which these are hashes. A default or an option that changes this
// file changes the names of the stored trials that have it, so all of them would run again. Additions
// such as a new plug-in may come freely. RETHINK_UPDATE_GOLDEN=1 writes the file.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/configuration.h"
#include "core/config/schema.h"
#include "core/json.h"
#include "experiments/attempt/job.h"
#include "experiments/attempt/trial.h"
#include "tests/support/golden.h"

namespace rethink {
namespace {

const Schema& schema() {
  static const Schema own = schema_of_this_program("");
  return own;
}

Trial trial_of(const std::string& job, const Json& options) {
  Trial trial;
  trial.job = job;
  trial.config = jobs().completed(job, options);
  trial.seed = 0;
  trial.revisions = revisions_used(trial.config, schema().find("job", job)->options, schema());
  trial.id = trial_id(trial, schema());
  return trial;
}

Trial lm_with(const Json& changes) {
  Json options{{"steps", 100}, {"data", {{"dataset", "synthetic_language"}}}};
  options.merge_patch(changes);
  return trial_of("lm", options);
}

std::string in_full(const std::string& title, const Trial& trial) {
  return fmt::format("{} {}\n{}\n\n", title, trial.id, identity_text(trial, schema()));
}

/// Returns the trial that has the plug-in, with its defaults, where `options` has the plug-in's
/// options.
std::string by_plugin(const std::string& registry, const std::string& tag,
                      const std::function<Json(Json)>& put) {
  std::string lines;
  for (const std::string& name : find_registry(registry).names()) {
    Json required = Json::object();
    for (const Field& field : find_registry(registry).schema(name).options.fields) {
      if (field.required && field.type == FieldType::text) required[field.name] = "file.txt";
    }
    if (registry == "attention" && name == "masked") required["mask"] = {{"kind", "none"}};
    Json choice = required;
    choice[tag] = name;
    lines += fmt::format("{} {} {} {}\n", registry, name, lm_with(put(choice)).id,
                         canonical_json(find_registry(registry).completed(name, required)));
  }
  return lines + "\n";
}

TEST(TrialIdentities, StayAsTheyAre) {
  Trial with_all = trial_of("noop", {{"steps", 3}, {"tag", "a"}});
  with_all.needs["init"] = {"0123456789abcdef0123"};
  with_all.data["wikitext-2/wiki.test.tokens"] = "abcd";
  with_all.imported["weights"] = "ef01";
  with_all.id = trial_id(with_all, schema());
  std::string text =
      in_full("noop", trial_of("noop", Json::object())) + in_full("noop with all", with_all);
  text += in_full("lm", lm_with(Json::object()));
  text += by_plugin("attention", "kind", [](Json choice) {
    return Json{{"model", {{"attention", std::move(choice)}}}};
  });
  text += by_plugin("dataset", "dataset", [](Json choice) {
    return Json{{"data", std::move(choice)}};
  });
  text += by_plugin("optimizer", "name", [](Json choice) {
    return Json{{"optimizer", std::move(choice)}};
  });
  text += by_plugin("schedule", "name", [](Json choice) {
    return Json{{"schedule", std::move(choice)}};
  });
  for (const char* precision : {"float32", "tf32", "bfloat16"}) {
    text += fmt::format("precision {} {}\n", precision, lm_with({{"precision", precision}}).id);
  }
  EXPECT_THAT(lost_golden_lines("trials.txt", text), testing::IsEmpty());
}

TEST(TrialIdentities, DependOnThePrecision) {
  EXPECT_NE(lm_with({{"precision", "tf32"}}).id, lm_with(Json::object()).id);
  EXPECT_NE(lm_with({{"precision", "bfloat16"}}).id, lm_with({{"precision", "tf32"}}).id);
}

}  // namespace
}  // namespace rethink
