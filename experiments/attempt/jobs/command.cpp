// The job `command`: any program as a trial, with identity, seeds, metrics, kill and resume
// (docs/how_to/command.md).
#include "experiments/attempt/command/command_options.h"
#include "experiments/attempt/command/program_trial.h"
#include "experiments/attempt/job.h"

namespace rethink {
namespace {

class Command : public Job {
 public:
  explicit Command(CommandOptions options) : options_(std::move(options)) {}
  JobOutcome run(JobContext& context) override { return ProgramTrial(options_, context).run(); }

 private:
  const CommandOptions options_;
};

RETHINK_REGISTERED = jobs().add<CommandOptions>(
    {.name = "command",
     .summary = "runs a program of your own, which reports by lines of JSON",
     .facts = {.inputs = {{"init", "weights"}},
               .outputs = {"weights"},
               .metrics = JobMetrics{.always = {},
                                     .in_option = "metrics",
                                     .finals = {{"@last", std::nullopt}, {"@best", std::nullopt}}},
               .runs_program = true}},
    [](const CommandOptions& options) { return std::make_shared<Command>(options); });

}  // namespace
}  // namespace rethink
