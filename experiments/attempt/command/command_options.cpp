#include "experiments/attempt/command/command_options.h"

#include <cctype>

#include "core/json.h"

namespace rethink {

void CommandData::fields(Fields& field) {
  field("file", file, "a file; a relative path starts at the sweep's file").not_hashed();
  field("dir", dir, "a folder with everything in it").not_hashed();
  field("name", name, "a published data set that the program downloads itself, such as hf/glue")
      .absent_means(nullptr);
  field("revision", revision, "commit of the published data set").absent_means(nullptr);
}

std::vector<Rule> CommandData::rules() {
  return {exactly_one_of({"file", "dir", "name"},
                         "write {file: PATH}, {dir: PATH} or {name: NAME, revision: COMMIT}"),
          needs("name", "revision", "without its commit the data set may change unseen"),
          needs("revision", "name", "it is the commit of a published data set")};
}

void CommandOptions::fields(Fields& field) {
  field("run", run, "the program and its arguments, word by word; no shell reads them")
      .required()
      .not_empty();
  field("code", code,
        "the program's files, such as src/**/*.py; empty: code and lock files that Git lists")
      .not_hashed();
  field("code_version", code_version,
        "a number that counts instead of the code's content, so that a changed comment causes no "
        "new training; 0: the content counts")
      .min(0);
  field("data", data, "files and folders that the program reads, by names of your own");
  field("env", env, "variables of the program's environment");
  field("pass", pass,
        "variables that the program gets from your environment; their values are never stored: "
        "HF_TOKEN")
      .not_hashed();
  field("config", config, "settings that the program reads as JSON from $RETHINK_CONFIG");
  field("metrics", metrics,
        "metrics that the program must report, and whether more or less is better")
      .one_of({"max", "min"});
  field("score", score, "the metric that is the trial's score; not set: the first");
  field("nan", nan,
        "what NaN or an infinite value of a metric of `metrics` means: ignore; not set: the trial "
        "has diverged")
      .one_of({"ignore"})
      .absent_means(JsonValue::object());
  field("stdout", stdout_patterns,
        "metrics that the program prints instead of reporting them, each as a regular expression "
        "(RE2) with {value} and {step}: 'step {step} .* acc={value}'")
      .absent_means(JsonValue::object());
  field("step", step, "step of a metric of `stdout`: its {step}, or the number of its line")
      .one_of({"said", "count"})
      .absent_means("said");
  field("terminate", terminate,
        "which processes get SIGTERM when the trial is stopped: leader (the program's first "
        "process) or tree (all its processes)")
      .one_of({"leader", "tree"})
      .not_hashed();
  field("stop_at", stop_at,
        "step at which the program keeps a checkpoint and exits with 75 ($RETHINK_STOP_AT); the "
        "trial continues when this is raised or removed; not set: runs to its end")
      .min(1)
      .not_hashed();
  field("snapshot", snapshot, "SHA-256 of the program's code; written by plan").not_hashed();
}

std::string score_of_program(const Json& config) {
  const Json& metrics = config.at("metrics");
  if (!config.at("score").is_null()) return config.at("score");
  return metrics.size() == 1 ? metrics.begin().key() : "";
}

std::string program_variable(const std::string& prefix, const std::string& name) {
  std::string variable = prefix;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    variable += std::isalnum(byte) ? static_cast<char>(std::toupper(byte)) : '_';
  }
  return variable;
}

}  // namespace rethink
