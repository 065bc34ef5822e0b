#include "experiments/attempt/command/command_options.h"

#include <cctype>

#include "core/json.h"

namespace rethink {

void CommandData::fields(Fields& field) {
  field("file", file, "a file; a relative path leads from the sweep's file").not_hashed();
  field("dir", dir, "a folder, with all that is in it").not_hashed();
  field("name", name, "a published data set that the program fetches itself, such as hf/glue")
      .absent_means(nullptr);
  field("revision", revision, "the commit of the published data set that it fetches")
      .absent_means(nullptr);
}

std::vector<Rule> CommandData::rules() {
  return {exactly_one_of({"file", "dir", "name"},
                         "write {file: PATH}, {dir: PATH} or {name: NAME, revision: COMMIT}"),
          needs("name", "revision", "without its commit the data set may change unseen"),
          needs("revision", "name", "it is the commit of a published data set")};
}

void CommandOptions::fields(Fields& field) {
  field("run", run, "the program and its arguments, word by word: no shell reads them")
      .required()
      .not_empty();
  field(
      "code", code,
      "which files are the program's, such as src/**/*.py; empty: code and lock files among Git's")
      .not_hashed();
  field("code_version", code_version,
        "counts in place of the code's content, where a changed comment shall not train again; 0: "
        "the "
        "content does")
      .min(0);
  field("data", data, "files and folders that it reads, by names of your own");
  field("env", env, "variables of its environment");
  field("pass", pass, "variables that it gets from yours, and that are never stored: HF_TOKEN")
      .not_hashed();
  field("config", config, "its settings, which it reads as JSON from $RETHINK_CONFIG");
  field("metrics", metrics, "what it must report, and whether more or less is better")
      .one_of({"max", "min"});
  field("score", score, "which of these is the trial's score; not set: the first");
  field("nan", nan,
        "what a NaN as the last value of a metric of `metrics` means: ignore; not set: the trial "
        "has diverged")
      .one_of({"ignore"})
      .absent_means(JsonValue::object());
  field("stdout", stdout_patterns,
        "metrics that it prints and does not report, each by a regular expression (RE2) with "
        "{value} and {step}: 'step {step} .* acc={value}'")
      .absent_means(JsonValue::object());
  field("step", step, "the step of a metric of `stdout`: its {step}, or the count of its lines")
      .one_of({"said", "count"})
      .absent_means("said");
  field("terminate", terminate,
        "who gets SIGTERM when it shall stop: its leading process, or all of its processes")
      .one_of({"leader", "tree"})
      .not_hashed();
  field("snapshot", snapshot, "SHA-256 of the code that it runs; written by plan").not_hashed();
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
