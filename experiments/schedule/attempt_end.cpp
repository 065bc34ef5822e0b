#include "experiments/schedule/attempt_end.h"

#include "core/file.h"
#include "core/json.h"
#include "core/kill_point.h"
#include "results/folders.h"

namespace rethink {

Json to_json(const AttemptEnding& end) {
  Json json{{"outcome", to_text(end.outcome)}, {"message", end.message},
            {"seconds", end.seconds},          {"new_checkpoint", end.new_checkpoint},
            {"charged", end.charged},          {"forgiven", end.forgiven}};
  if (end.status) json["status"] = *end.status;
  return json;
}

void write_end(const TrialFolder& folder, int64_t number, const AttemptEnding& end) {
  write_file_durably(folder.end(number), to_json(end).dump() + "\n");
}

std::optional<AttemptEnding> read_end(const TrialFolder& folder, int64_t number) {
  const std::optional<Json> json = attempt_end(folder.attempt(number));
  if (!json) return std::nullopt;
  AttemptEnding end;
  end.outcome = outcome_named(json->at("outcome"));
  end.message = json->at("message");
  if (json->contains("status")) end.status = json->at("status").get<int>();
  end.seconds = json->value("seconds", 0.0);
  end.new_checkpoint = json->value("new_checkpoint", false);
  end.charged = json->value("charged", false);
  end.forgiven = json->value("forgiven", false);
  return end;
}

History history_of(const TrialFolder& folder) {
  History history;
  for (const int64_t number : folder.attempts()) {
    const std::optional<AttemptEnding> end = read_end(folder, number);
    if (!end) continue;
    history.seconds += end->seconds;
    history.charged.take(end->outcome, end->new_checkpoint, end->charged);
    if (end->forgiven) history = {};
  }
  return history;
}

void forgive(const TrialFolder& folder) {
  if (!std::filesystem::exists(folder.path())) return;
  if (const auto result = read_result(folder);
      result && result->value("outcome", "") == "diverged") {
    run_again(folder);
  }
  const std::vector<int64_t> numbers = folder.attempts();
  if (!numbers.empty()) {
    if (auto end = read_end(folder, numbers.back())) {
      end->forgiven = true;
      write_end(folder, numbers.back(), *end);
    }
  }
  kill_point("before_state_cleared");
  clear_trial_state(folder.path());
}

}  // namespace rethink
