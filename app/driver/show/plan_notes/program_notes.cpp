#include "app/driver/show/plan_notes/program_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "app/driver/show/plan_notes/stage_notes.h"
#include "core/facts/job_facts.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/json.h"
#include "core/message.h"
#include "experiments/attempt/command/helper_module.h"
#include "experiments/attempt/command/placeholders.h"

namespace rethink {
namespace {

/// Whether the text has the variable, or the beginning "RETHINK_" of a name that it composes.
bool mentions_variable(const std::string& text, const std::string& variable) {
  if (text.find(variable) != std::string::npos) return true;
  const std::string prefix = "RETHINK_";
  for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at + 1)) {
    const char next = at + prefix.size() < text.size() ? text[at + prefix.size()] : ' ';
    if (next < 'A' || next > 'Z') return true;
  }
  return false;
}

/// Adds the values of `config` by key: "optimizer.lr".
void add_values(const Json& config, const std::string& prefix,
                std::map<std::string, std::set<std::string>>& values) {
  for (const auto& [key, value] : config.items()) {
    if (value.is_object() && !value.empty()) {
      add_values(value, prefix + key + ".", values);
    } else {
      values[prefix + key].insert(value.dump());
    }
  }
}

/// The trials of one stage, as far as the notes need them.
struct ProgramStage {
  std::set<int64_t> seeds{};
  std::map<std::string, std::set<std::string>> values{};  // by key of `config`
  std::set<std::string> placeholders{}, words{};
  std::set<std::string> snapshots{};  // SHA-256 of the code
};

void add_trial(const Trial& trial, ProgramStage& stage) {
  if (trial.seed) stage.seeds.insert(*trial.seed);
  add_values(trial.config.at("config"), "", stage.values);
  const auto add_placeholders = [&](const std::string& word) {
    for (const std::string& name : placeholders_in(word)) stage.placeholders.insert(name);
  };
  for (const Json& word : trial.config.at("run")) {
    stage.words.insert(word.get<std::string>());
    add_placeholders(word);
  }
  for (const auto& [name, value] : trial.config.at("env").items()) add_placeholders(value);
  stage.snapshots.insert(trial.config.value("snapshot", ""));
}

/// Whether the words pass the key of `config`, one of its parts, or a part of `config` that has it.
bool passes_key(const ProgramStage& stage, const std::string& key) {
  const std::string name = "config." + key;
  return std::ranges::any_of(stage.placeholders, [&](const std::string& passed) {
    return passed == "config" || passed == name || name.starts_with(passed + ".") ||
           passed.starts_with(name + ".");
  });
}

/// Whether a word names a file of the code: "train.py", "./train.sh", "{code}/train.py".
bool starts_file_of(const CodeSnapshot& code, const std::set<std::string>& words) {
  const std::string in_copy = "{code}/";
  return std::ranges::any_of(words, [&](const std::string& word) {
    const std::string path = word.starts_with(in_copy) ? word.substr(in_copy.size()) : word;
    return code.files.contains(std::filesystem::path(path).lexically_normal().string());
  });
}

/// The mentions of all the stage's code; everything if the program is unknown.
ProgramMentions mentions_of(const ProgramStage& stage, const Plan& plan) {
  ProgramMentions all;
  for (const std::string& sha256 : stage.snapshots) {
    const auto code = std::ranges::find(plan.code, sha256, &CodeSnapshot::sha256);
    if (code == plan.code.end() || !starts_file_of(*code, stage.words)) return {true, true};
    const ProgramMentions here = mentions_in(code->files);
    all.seed |= here.seed;
    all.config |= here.config;
  }
  return all;
}

}  // namespace

ProgramMentions mentions_in(const std::map<std::string, std::filesystem::path>& files) {
  bool imports = false, has_seed = false, has_config = false;
  ProgramMentions found;
  for (const auto& [name, file] : files) {
    const std::filesystem::path path = name;
    if (path.filename() == kHelperModule || *path.begin() == "rethink" || !is_file_there(file))
      continue;
    const std::string text = read_file(file);
    imports |= imports_helper_module(text);
    has_seed |= text.find("seed") != std::string::npos;
    has_config |= text.find("config") != std::string::npos;
    found.seed |= mentions_variable(text, "RETHINK_SEED");
    found.config |= mentions_variable(text, "RETHINK_CONFIG");
  }
  found.seed |= imports && has_seed;
  found.config |= imports && has_config;
  return found;
}

bool runs_program(const std::string& job, const Schema& schema) {
  const PluginSchema* const known = schema.find("job", job);
  return known && known->facts.as<JobFacts>().runs_program;
}

std::vector<Note> notes_on_unread_settings(const Plan& plan, const Schema& schema) {
  std::map<std::string, ProgramStage> stages;
  for (const PlannedTrial& planned : plan.trials)
    if (runs_program(planned.trial.job, schema)) add_trial(planned.trial, stages[planned.stage]);
  std::vector<Note> notes;
  for (const auto& [name, stage] : stages) {
    const bool passes_seed = stage.seeds.size() < 2 || stage.placeholders.contains("seed");
    std::vector<std::pair<std::string, size_t>> keys;  // not passed: key, number of values
    for (const auto& [key, values] : stage.values)
      if (values.size() > 1 && !passes_key(stage, key)) keys.emplace_back(key, values.size());
    if (passes_seed && keys.empty()) continue;
    const ProgramMentions mentions = mentions_of(stage, plan);
    const Position where = stage_position(plan.file, name);
    if (!passes_seed && !mentions.seed)
      notes.push_back(
          Note("unread-seed",
               fmt::format("nothing in `run`, `env` or the code of stage '{}' reads the seed, so "
                           "that its {} seeds have no effect; write \"{{seed}}\" into `run`, "
                           "or read RETHINK_SEED or rethink.seed() in the program",
                           name, stage.seeds.size()),
               where));
    for (const auto& [key, count] : keys) {
      if (mentions.config) break;
      notes.push_back(Note(
          "unread-setting",
          fmt::format("nothing in `run`, `env` or the code of stage '{}' reads config.{}, so that "
                      "its {} values have no effect; write \"{{config.{}}}\" into `run`, or "
                      "read RETHINK_CONFIG or rethink.config() in the program",
                      name, key, count, key),
          where));
    }
  }
  return notes;
}

std::vector<Note> notes_on_missing_metrics(const Plan& plan, const Schema& schema) {
  const bool has_score = std::ranges::any_of(plan.trials, [&](const PlannedTrial& planned) {
    return !runs_program(planned.trial.job, schema) || !planned.trial.config.at("metrics").empty();
  });
  if (plan.trials.empty() || has_score) return {};
  const std::string& stage = plan.trials.back().stage;
  return {Note("no-metrics",
               fmt::format("the sweep names no metric, so that tables and figures have nothing to "
                           "show; write `metrics: {{dev/acc: max}}` into stage '{}', with a metric "
                           "that the program reports",
                           stage),
               stage_position(plan.file, stage))};
}

}  // namespace rethink
