// Fixture that calls the driver's commands as `main` does, on a store whose folders the test
// writes.
#pragma once

#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

#include "app/driver/command.h"
#include "core/config/schema.h"
#include "core/facts/job_facts.h"
#include "core/facts/metric_facts.h"
#include "core/json.h"
#include "core/message.h"
#include "datasets/scores/labelled_metrics.h"
#include "experiments/attempt/build_id.h"
#include "results/store/rebuild.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {

/// Returns a folder of programs in which this test takes the worker's place, with a schema of metrics
/// and of the job noop. All tests share it, since a command reads the schema once per process.
inline std::filesystem::path folder_of_programs() {
  static const TempFolder folder;
  static const bool is_written = [] {
    Schema schema{.build_id = own_build_id(), .plugins = {}};
    const auto add = [&](const std::string& name, const MetricFacts& facts) {
      schema.plugins["metric"][name] = {
          .registry = "metric", .name = name, .summary = name, .options = {}, .facts = facts};
    };
    for (const LabelledMetric& metric : labelled_metrics())
      add(metric.name, {.kind = "labels", .direction = "max", .least = metric.least, .most = 1});
    add("perplexity", {.kind = "sequences", .direction = "min", .least = 1});
    schema.plugins["job"]["noop"] = {.registry = "job",
                                     .name = "noop",
                                     .summary = "nothing",
                                     .options = {},
                                     .facts = JobFacts{}};
    write_text(folder.path() / "schema.json", to_json(schema).dump());
    std::filesystem::create_symlink("/proc/self/exe", folder.path() / "rethink-worker");
    return true;
  }();
  return is_written ? folder.path() : std::filesystem::path();
}

struct CommandAnswer {
  int code = 0;
  std::string out, err;
};

class CommandTest : public testing::Test {
 protected:
  /// Returns "rethink WORDS --store DIR", as messages print it.
  std::string on_store(const std::string& words) const {
    return store_command(words, folder_.path());
  }
  /// Returns the answer of `rethink WORDS...` on the store, with the plots and sweeps of its own folder.
  CommandAnswer answer(const std::vector<std::string>& words) const {
    CommandContext context;
    context.store = folder_.path();
    context.paths = {folder_.path()};
    context.data = data_;
    context.programs = programs_;
    const std::shared_ptr<Command> command = commands().make(words.at(0), Json::object());
    po::options_description options;
    command->declare(options);
    options.add_options()("arguments", po::value<std::vector<std::string>>())(
        "store", po::value<std::string>())("data", po::value<std::string>())(
        "path", po::value<std::vector<std::string>>()->composing());
    po::positional_options_description positional;
    positional.add("arguments", -1);
    po::variables_map given;
    po::store(po::command_line_parser(std::vector<std::string>(words.begin() + 1, words.end()))
                  .options(options)
                  .positional(positional)
                  .run(),
              given);
    std::ostringstream out, err;
    std::streambuf* const before_out = std::cout.rdbuf(out.rdbuf());
    std::streambuf* const before_err = std::cerr.rdbuf(err.rdbuf());
    CommandAnswer answer;
    try {
      answer.code = command->run(context, given);
    } catch (...) {
      std::cout.rdbuf(before_out);
      std::cerr.rdbuf(before_err);
      throw;
    }
    std::cout.rdbuf(before_out);
    std::cerr.rdbuf(before_err);
    answer.out = out.str();
    answer.err = err.str();
    return answer;
  }

  /// Adds a trial of sweep "s", stage "lm", that is done with this dev/score, or that ended as `outcome`.
  std::string add(const std::string& name, int64_t seed, const Json& config, double score,
                  const std::string& outcome = "done") {
    TrialMaker trial(folder_.path(), name, config);
    trial.seed(seed);
    std::vector<Json> events = {start_event(1, 0), metric_event("score", 5, score)};
    if (outcome == "done") events.push_back(metric_event("score@last", 10, score));
    if (outcome == "diverged") {
      events.push_back({{"event", "message"},
                        {"level", "warning"},
                        {"text", "diverged: the loss is nan at step 7"}});
    }
    events.push_back(end_event(outcome));
    trial.attempt(1, events).result(1, outcome);
    sweep_.members.push_back({trial.id(), "lm", "", {{"rate", config.at("rate").dump()}}});
    return trial.id();
  }

  /// Makes the index of all added trials.
  void finish() {
    sweep_.sweep = std::string("s");  // GCC 12 warns of an assigned "s" (-Wrestrict)
    write_sweep_file(folder_.path(), sweep_);
    rebuild(folder_.path());
  }

  /// Adds rates 1 and 2 with three seeds each. Seeds 1 and 2 of rate 2 diverged.
  void add_two_rates() {
    for (int64_t seed = 0; seed < 3; ++seed) {
      add("a" + std::to_string(seed), seed, {{"rate", 1}, {"steps", 10}},
          1.0 + static_cast<double>(seed));
      add("b" + std::to_string(seed), seed, {{"rate", 2}, {"steps", 10}}, 4.0,
          seed > 0 ? "diverged" : "done");
    }
  }

  const TempFolder folder_;
  std::filesystem::path data_;      // --data; empty: not given
  std::filesystem::path programs_;  // empty: these commands need no schema
  SweepFile sweep_;
};

}  // namespace rethink
