#include "experiments/plan/expand/program_inputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "core/add_once.h"
#include "core/config/options.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/files/named_file.h"
#include "core/files/piped_input.h"
#include "core/message.h"
#include "experiments/attempt/command/command_options.h"
#include "experiments/attempt/command/folder_copy.h"
#include "experiments/attempt/command/helper_module.h"
#include "experiments/attempt/command/output/reported_line.h"
#include "experiments/attempt/command/output/stdout_pattern.h"
#include "experiments/attempt/command/placeholders.h"
#include "experiments/attempt/command/process_tree.h"
#include "experiments/attempt/command/secrets.h"
#include "experiments/plan/read/written_path.h"

namespace rethink {
namespace {

constexpr const char* kSnapshot = "snapshot";

/// "config, seed, config.lr": the names that may be in braces.
std::vector<std::string> known_placeholders(const StageSpec& stage, const Json& config) {
  std::vector<std::string> known = {"config",     "seed",      "gpus", "port",
                                    "checkpoint", "artifacts", "code"};
  for (const auto& [name, value] : config.at("config").items()) known.push_back("config." + name);
  for (const auto& [name, value] : config.at("data").items()) {
    known.push_back("data." + name);
    if (!value.at("name").is_null()) known.push_back("data." + name + kOfRevision);
  }
  for (const Need& need : stage.needs) known.push_back("input." + need.slot);
  return known;
}

bool is_known(const std::string& name, const std::vector<std::string>& known, const Json& config) {
  if (std::ranges::count(known, name)) return true;
  return name.starts_with("config.") && find_path(config.at("config"), name.substr(7));
}

/// The PATH that a trial's program gets.
std::string path_of_programs(const Json& config) {
  if (const auto own = config.at("env").find("PATH"); own != config.at("env").end()) return *own;
  const char* ours = std::getenv("PATH");
  return ours ? ours : "/usr/bin:/bin";
}

/// Programs on `path` whose names begin like `word` and are about as long.
std::vector<std::string> programs_like(const std::string& word, const std::string& path) {
  constexpr size_t kMostLonger = 2;
  std::set<std::string> names;
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
      const std::string name = entry.path().filename();
      const size_t longer = std::max(name.size(), word.size()) - std::min(name.size(), word.size());
      if (!word.empty() && name[0] == word[0] && longer <= kMostLonger) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace

std::map<std::string, std::string> ProgramInputs::add(const StageSpec& stage, Json& config,
                                                      const Place& place, Problems& problems) {
  check_words(stage, config, place, problems);
  std::map<std::string, std::string> hashes;
  const std::filesystem::path folder =
      std::filesystem::current_path() / folder_of_names_in(stage.file);
  if (const CodeSnapshot* code = snapshot(folder, config.at("code"), place("code"), problems)) {
    config[kSnapshot] = code->sha256;
    for (const Json& name : config.at("pass")) hidden_variables_.insert(name.get<std::string>());
    if (config.at("code_version") == 0 && !code->sha256.empty()) hashes["code"] = code->sha256;
    if (runs_here_) {
      check_program(config, *code, place("run"), problems);
      note_missing_helper(config, *code, place("run"));
      note_unset_variables(config, place("pass"));
    }
  }
  for (const auto& [name, data] : config.at("data").items()) {
    if (!data.at("name").is_null()) continue;  // its name and commit are options
    const bool is_file = !data.at("file").is_null();
    const std::string path = data.at(is_file ? "file" : "dir");
    const Position where = place("data." + name);
    try {
      if (is_file ? !is_file_there(path) : !std::filesystem::is_directory(path)) {
        const std::string trouble = is_there(path)
                                        ? is_file ? "is not a file" : "is not a folder"
                                        : "does not exist" + missing_beside(path, data_, where);
        problems.add(where, "missing-data", fmt::format("'data.{}': {} {}", name, path, trouble));
        continue;
      }
      std::string& tree = trees_[path];
      if (!is_file && tree.empty()) tree = sha256_of_tree(path, remembered_if_large());
      hashes["data." + name] = is_file ? hash_of_(path) : tree;
    } catch (const ConfigError& error) {
      problems.add(where, error.code(), error.what());
    }
  }
  return hashes;
}

/// Reading the remembered hash costs as much as hashing a small file.
FileHash ProgramInputs::remembered_if_large() const {
  constexpr uintmax_t kLarge = 1'000'000;
  return [this](const std::filesystem::path& file) {
    return std::filesystem::file_size(file) < kLarge ? time_.hashed(file, sha256_file)
                                                     : hash_of_(file);
  };
}

/// Null after a problem.
const CodeSnapshot* ProgramInputs::snapshot(const std::filesystem::path& folder,
                                            const std::vector<std::string>& patterns,
                                            const Position& where, Problems& problems) {
  const std::string key = folder.string() + "\n" + joined(patterns, "\n");
  const auto known = snapshots_.find(key);
  if (known != snapshots_.end()) return &known->second;
  try {
    return &(snapshots_[key] = code_snapshot(folder, patterns, remembered_if_large()));
  } catch (const ConfigError& error) {
    problems.add(where, error.code(), error.what());
    return nullptr;
  }
}

void ProgramInputs::check_words(const StageSpec& stage, const Json& config, const Place& place,
                                Problems& problems) const {
  const std::vector<std::string> known = known_placeholders(stage, config);
  const auto check = [&](const std::string& word, const Position& where) {
    try {
      for (const std::string& name : placeholders_in(word)) {
        if (is_known(name, known, config)) continue;
        problems.add(where, "unknown-placeholder",
                     fmt::format("there is no placeholder {{{}}}{}; known: {}", name,
                                 did_you_mean(name, known), joined(known)));
      }
    } catch (const ConfigError& error) {
      problems.add(where, error.code(), error.what());
    }
  };
  for (const Json& name : config.at("pass")) {
    if (const std::string problem = problem_of_passed(name); !problem.empty())
      problems.add(place("pass"), "invalid-value", problem);
  }
  for (const Json& word : config.at("run")) check(word, place("run"));
  for (const auto& [name, value] : config.at("env").items()) check(value, place("env." + name));
  const Json& score = config.at("score");
  if (!score.is_null() && !config.at("metrics").contains(score.get<std::string>()))
    problems.add(place("score"), "unknown-metric",
                 fmt::format("'score' is {}, expected one of 'metrics'", score.dump()));
  check_names(config, place, problems);
  check_patterns(config, place, problems);
}

void ProgramInputs::check_program(const Json& config, const CodeSnapshot& code,
                                  const Position& where, Problems& problems) {
  const std::string word = config.at("run").at(0), path = path_of_programs(config);
  if (word.find('{') != std::string::npos || path.find('{') != std::string::npos) return;
  if (word.find('/') == std::string::npos) {
    if (program_on_path(word, path).empty())
      problems.add(where, "missing-program", [&] {
        return fmt::format(
            "'run': got '{}', which is not on PATH here{}; name a program of this "
            "machine, or its file",
            word, did_you_mean(word, programs_like(word, path)));
      });
    return;
  }
  const auto copied = code.files.find(std::filesystem::path(word).lexically_normal());
  const bool is_of_code = !std::filesystem::path(word).is_absolute();
  if (is_of_code && copied == code.files.end()) {
    problems.add(where, "program-not-in-code",
                 fmt::format("'run': got '{}', which is not among the files of `code`: the "
                             "program runs in a copy of these",
                             word));
    return;
  }
  const std::filesystem::path file = is_of_code ? copied->second : std::filesystem::path(word);
  if (!is_file_there(file))
    problems.add(where, "missing-program",
                 fmt::format("'run': got '{}', which does not exist", word));
  else if (access(file.c_str(), X_OK) != 0)
    problems.add(where, "not-executable",
                 fmt::format("'run': got '{}', which may not be executed: `chmod +x {}`, or "
                             "write its interpreter before it, as in [python3, train.py]",
                             word, for_a_shell(file.string())));
}

void ProgramInputs::note_missing_helper(const Json& config, const CodeSnapshot& code,
                                        const Position& where) {
  const std::string python = config.at("run").at(0);
  const bool has_own_path = config.at("env").contains("PYTHONPATH") ||
                            std::ranges::count(config.at("pass"), Json("PYTHONPATH")) > 0;
  const bool is_python = std::filesystem::path(python).filename().string().starts_with("python");
  if (!is_python || has_own_path || !looked_at_.insert(python + "\n" + code.sha256).second) return;
  std::string importing;
  for (const auto& [name, file] : code.files) {
    const std::filesystem::path path = name;
    if (path.filename() == kHelperModule || *path.begin() == "rethink") return;  // a copy
    if (importing.empty() && path.extension() == ".py" && imports_helper_module(read_file(file)))
      importing = name;
  }
  if (importing.empty() || finds_helper_module(python)) return;
  add_once(notes_, Note("missing-helper-module",
                        fmt::format("{} imports the module rethink, which {} does not find: {}",
                                    importing, python, advice_on_helper_module(python)),
                        where));
}

void ProgramInputs::note_unset_variables(const Json& config, const Position& where) {
  for (const Json& name : config.at("pass")) {
    const std::string variable = name;
    if (!std::getenv(variable.c_str()))
      add_once(notes_, Note("unset-variable",
                            fmt::format("'pass': {} is not set here, so the program starts "
                                        "without it",
                                        variable),
                            where));
  }
}

/// Checks the regular expressions for the program's output.
void ProgramInputs::check_patterns(const Json& config, const Place& place, Problems& problems) {
  const Json& patterns = config.at("stdout");
  const bool counts = config.at("step") == "count";
  for (const auto& [name, text] : patterns.items()) {
    const Position where = place("stdout." + name);
    try {
      ReportedMetric metric;
      set_metric_name(name, metric);
      if (StdoutPattern(text.get<std::string>()).has_step() == counts)
        problems.add(where, "invalid-pattern",
                     fmt::format("'stdout.{}': {}", name,
                                 counts ? "has a {step}, and `step: count` counts lines"
                                        : "has no {step}; write it in the place of the step, "
                                          "or `step: count` to count its lines"));
    } catch (const ConfigError& error) {
      problems.add(where, error.code(), fmt::format("'stdout.{}': {}", name, error.what()));
    }
  }
  for (const auto& [name, what] : config.at("nan").items()) {
    if (!config.at("metrics").contains(name))
      problems.add(place("nan." + name), "unknown-metric",
                   fmt::format("'nan': got {}, expected one of 'metrics'", name));
  }
}

/// A branch or a tag moves, and the id would then stand for other data.
void ProgramInputs::check_revision(const std::string& name, const std::string& revision,
                                   const Place& place, Problems& problems) {
  constexpr size_t kSha1 = 40, kSha256 = 64;
  const bool is_hex = revision.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (is_hex && (revision.size() == kSha1 || revision.size() == kSha256)) return;
  problems.add(place("data." + name + ".revision"), "invalid-value",
               fmt::format("'data.{}.revision': got '{}', expected a commit of {} hex digits: a "
                           "branch or a tag may move",
                           name, revision, kSha1));
}

/// Refuses names that events, the environment or a select cannot have.
void ProgramInputs::check_names(const Json& config, const Place& place, Problems& problems) {
  std::map<std::string, std::string> directions;
  const std::string chosen = score_of_program(config);
  for (const auto& [name, direction] : config.at("metrics").items()) {
    const size_t slash = name.find('/');
    const std::string own = name.substr(slash + 1);
    const bool is_named = slash != std::string::npos && slash > 0 && !own.empty();
    if (!is_named)
      problems.add(place("metrics"), "invalid-metric-name",
                   fmt::format("metric '{0}' has no split: write it, and report it, as "
                               "dev/{0} or test/{0}",
                               name));
    if (name.find('@') != std::string::npos)
      problems.add(
          place("metrics"), "invalid-metric-name",
          fmt::format(
              "metric '{}': @ marks final values, such as dev/acc@last; choose a name without @",
              name));
    if (own == "score" && name != chosen)
      problems.add(place("metrics"), "invalid-metric-name",
                   fmt::format("metric '{}' has the name of the score, which is {}", name,
                               chosen.empty() ? "another" : chosen));
    const auto [known, is_new] = directions.emplace(own, direction.get<std::string>());
    if (!is_new && known->second != direction.get<std::string>())
      problems.add(place("metrics"), "conflicting-values",
                   fmt::format("metric '{}' is better when {} in one split and when {} in another",
                               own, known->second, direction.get<std::string>()));
  }
  for (const auto& [name, value] : config.at("env").items()) {
    if (name.empty() || name.find('=') != std::string::npos || name.starts_with("RETHINK_"))
      problems.add(
          place("env." + name), "invalid-value",
          fmt::format("'env': '{}' is not the name of a variable that a sweep may set", name));
  }
  std::map<std::string, std::string> variables;
  for (const auto& [name, value] : config.at("data").items()) {
    std::vector<std::string> names = {name};
    if (!value.at("name").is_null()) {
      names.push_back(name + kOfRevision);
      check_revision(name, value.at("revision").get<std::string>(), place, problems);
    }
    for (const std::string& one : names) {
      const auto [known, is_new] = variables.emplace(program_variable("RETHINK_DATA_", one), one);
      if (!is_new)
        problems.add(place("data." + name), "duplicate-name",
                     fmt::format("'data': {} and {} become the same variable, {}", known->second,
                                 one, known->first));
    }
  }
}

void take_code_version(Yaml& given) {
  for (Yaml::Entry& entry : given.entries) {
    if (entry.key != "code" || given.find("code_version")) continue;
    const Yaml* found = entry.value.find("version");
    if (!found || entry.value.entries.size() != 1) continue;
    const Yaml version = *found;  // a part of the value that it replaces
    entry.key = "code_version";
    entry.value = version;
  }
}

void choose_score(const Yaml& given, Json& config) {
  const Yaml* metrics = given.find("metrics");
  if (!config.at("score").is_null() || config.at("metrics").size() < 2 || !metrics) return;
  if (metrics->is_map() && !metrics->entries.empty())
    config["score"] = metrics->entries.front().key;
}

std::vector<CodeSnapshot> ProgramInputs::code() const {
  std::vector<CodeSnapshot> all;
  for (const auto& [key, snapshot] : snapshots_) {
    if (snapshot.sha256.empty()) continue;
    all.push_back(snapshot);
    all.back().hidden_variables = hidden_variables_;
  }
  return all;
}

}  // namespace rethink
