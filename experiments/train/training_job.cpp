#include "experiments/train/training_job.h"

#include "experiments/attempt/event_log.h"
#include "experiments/train/device.h"

namespace rethink {

JobOutcome TrainingJob::run(JobContext& context) {
  try {
    return train(context);
  } catch (const c10::Error& error) {
    rethrow_if_out_of_memory(error);
    throw;
  }
}

Json training_metrics(Json names) {
  names["always"] = {"train/loss"};
  names["splits"] = "evaluate.splits";
  names["finals"] = {{"@last", nullptr}, {"@best", nullptr}, {"@min_test", "evaluate.min_test"}};
  return names;
}

Rule splits_of_the_data_set() {
  return {"declared",
          {"evaluate.splits", "data.dataset"},
          "these are the splits of the data set",
          {"dataset", "splits"}};
}

Rule a_position_for_every_token() {
  return {"at_most",
          {"max_length", "model.max_positions"},
          "every token needs a position: raise model.max_positions, or lower max_length"};
}

void write_train_sizes(size_t used, size_t whole, EventLog& events) {
  events.measurement("train_examples", 0, static_cast<double>(used));
  events.measurement("train_examples_official", 0, static_cast<double>(whole));
}

}  // namespace rethink
