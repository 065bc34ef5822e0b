#include "tests/support/attempt_store.h"

#include <fmt/format.h>

#include "core/config/schema.h"
#include "core/json.h"
#include "core/store_files/event.h"
#include "core/system/process.h"
#include "experiments/attempt/trial_files.h"

namespace rethink {

Trial AttemptStore::add(const std::string& job, const Json& options, std::optional<int64_t> seed,
                        const Needs& needs) const {
  Trial trial;
  trial.job = job;
  trial.config = jobs().completed(job, options);
  trial.seed = seed;
  trial.needs = needs;
  trial.id = trial_id(trial, schema_of_this_program(""));
  write_trial(folder(trial), trial);
  return trial;
}

AttemptRequest AttemptStore::request(const Trial& trial) const {
  AttemptRequest request;
  request.trial = folder(trial).path();
  request.store = path();
  request.runtime.keep_weights = true;
  return request;
}

int run_attempt_of(const std::filesystem::path& worker, const AttemptRequest& request,
                   const std::map<std::string, std::string>& environment) {
  return run_program({.words = {worker.string(), "attempt", to_json(request).dump()},
                      .input = "",
                      .folder = "",
                      .environment = environment})
      .status;
}

MetricRows metric_rows(const TrialFolder& folder) {
  MetricRows rows;
  std::map<std::string, int64_t> steps;
  for (const int64_t number : folder.attempts()) {
    if (!std::filesystem::exists(folder.events(number))) continue;
    read_events(folder.events(number), 0, [&](const Json& event) {
      if (event.at("event") == "start") {
        std::erase_if(rows, [&](const auto& row) {
          return steps.at(row.first) > event.at("resume_step").get<int64_t>();
        });
      } else if (event.at("event") == "metric") {
        const std::string row =
            fmt::format("{}/{}@{}", event.at("split").get<std::string>(),
                        event.at("name").get<std::string>(), event.at("step").get<int64_t>());
        rows[row] = event.at("value");
        steps[row] = event.at("step");
      }
    });
  }
  return rows;
}

Json lasting_part(const Json& result) {
  Json part = result;
  part.erase("attempt");
  part.erase("events");
  return part;
}

}  // namespace rethink
