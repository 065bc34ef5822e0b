// `rethink init`: writes a first sweep for a user's program, or a template's program with its
// sweep.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

#include "app/driver/cli/note_report.h"
#include "app/driver/cli/program_templates.h"
#include "app/driver/cli/script_scan.h"
#include "app/driver/command.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/message.h"
#include "core/system/process.h"
#include "core/text.h"
#include "experiments/attempt/command/helper_module.h"
#include "experiments/plan/read/descriptions.h"

namespace rethink {
namespace {

constexpr size_t kMostLine = 300, kMostHelp = 100'000;

enum class OptionKind { one_value, several_values, flag };

/// An option or a positional argument of the program's command line, from its help.
struct ProgramOption {
  std::string flag;  // "--lr"; empty: a positional argument
  std::string key;   // "lr"
  OptionKind kind = OptionKind::one_value;
  std::string default_text;  // empty: the help gives none
  std::string help;
  bool is_required = false;  // a positional argument that the usage does not show in brackets
};

/// "python3" for "train.py"; empty for a file that is run itself.
std::string interpreter_of(const std::filesystem::path& script) {
  const std::string ending = script.extension();
  if (ending == ".py") return "python3";
  if (ending == ".sh") return "sh";
  if (ending == ".jl") return "julia";
  if (ending == ".R") return "Rscript";
  return "";
}

OptionKind option_kind(const std::string& values) {
  if (values.empty()) return OptionKind::flag;
  return values.find(' ') == std::string::npos || values.front() == '{'
             ? OptionKind::one_value
             : OptionKind::several_values;
}

/// Adds more of the help on an option.
void add_help(const std::string& text, ProgramOption& option) {
  option.help += (option.help.empty() || text.empty() ? "" : " ") + text;
}

/// "  --lr LR  the rate (default: 0.001)", "  --betas B [B ...]", "  --verbose"; the text may begin
/// on the next line.
std::vector<ProgramOption> options_in(const std::string& help) {
  static const std::regex option(
      R"(^\s+(?:-\w(?: \S+)?, )?--([A-Za-z][\w-]*)(?:, --[\w-]+)*)"
      R"((?:[ =]((?:[A-Z][A-Z0-9_]*|\{[^}]*\}|<[^>]*>|\[[^\]]*\])(?: \S+)*))?(?:\s\s+(.*))?$)");
  static const std::regex fallback(R"(\((?:.*; ?)?default[:=]? ?([^()]+)\))", std::regex::icase);
  static const std::regex any_option(R"(^\s+-)");
  std::vector<ProgramOption> options;
  std::istringstream lines(help);
  bool is_open = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.size() > kMostLine) continue;  // a help text has no such lines
    line.erase(line.find_last_not_of(" \r") + 1);
    std::smatch parts;
    if (std::regex_match(line, parts, option)) {
      std::string key = parts[1];
      std::ranges::replace(key, '-', '_');
      is_open = key != "help" && key != "version" &&
                std::ranges::find(options, key, &ProgramOption::key) == options.end();
      if (is_open)
        options.push_back({"--" + parts[1].str(), key, option_kind(parts[2]), "", parts[3]});
    } else if (std::regex_search(line, any_option) || line.empty()) {
      is_open = false;
    } else if (is_open) {
      add_help(line.substr(line.find_first_not_of(' ')), options.back());
    }
  }
  for (ProgramOption& one : options) {
    std::smatch parts;
    if (std::regex_search(one.help, parts, fallback) && parts[1] != "None")
      one.default_text = parts[1];
  }
  return options;
}

/// "positional arguments:", then "  data   folder of the corpus" or "  {train,eval}"; click writes
/// "Arguments:". The text may begin on the next line. `usage: p.py [-h] data [out]` shows `out` to
/// be optional.
std::vector<ProgramOption> positional_arguments_in(const std::string& help) {
  static const std::regex title(R"(^(positional arguments|arguments):\s*$)", std::regex::icase);
  static const std::regex argument(R"(^  ([A-Za-z{<\[][^\s]*)(?: \.\.\.)?(?:\s\s+(.*))?$)");
  const std::string usage = help.substr(0, help.find("\n\n"));
  std::vector<ProgramOption> arguments;
  std::istringstream lines(help);
  bool is_inside = false;
  for (std::string line; std::getline(lines, line);) {
    std::smatch parts;
    if (line.size() > kMostLine) continue;
    line.erase(line.find_last_not_of(" \r") + 1);
    if (line.empty() || line[0] != ' ') {
      is_inside = std::regex_match(line, title);
    } else if (is_inside && std::regex_match(line, parts, argument)) {
      const std::string name = parts[1];
      const bool is_choice = name[0] == '{';
      std::string key = is_choice ? "choice" : "";
      for (const char c : is_choice ? std::string() : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) key += c;
        if (c == '-' || c == '_') key += '_';
      }
      while (std::ranges::count(arguments, key, &ProgramOption::key) > 0) key += '_';
      const bool is_optional = usage.find("[" + name) != std::string::npos &&
                               usage.find(" " + name) == std::string::npos;
      ProgramOption& one = arguments.emplace_back();
      one.key = key;
      one.help = is_choice ? name : "";
      one.is_required = !is_optional;
      add_help(parts[2], one);
    } else if (is_inside && !arguments.empty()) {
      add_help(line.substr(line.find_first_not_of(' ')), arguments.back());
    }
  }
  return arguments;
}

/// The user's program, which is read once.
struct Script {
  std::filesystem::path path;
  std::string text;  // of script_text()
  bool is_python() const { return path.extension() == ".py"; }
};

/// Whether the program seems to have --help; otherwise it would run completely.
bool has_help(const std::string& text) {
  return std::ranges::any_of(
      std::vector<std::string>{"argparse", "--help", "click", "typer", "docopt", "optparse", "tyro",
                               "absl", "getopt", "ArgParse"},
      [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

struct ProgramHelp {
  std::string text;     // empty: none
  std::string trouble;  // "failed: No module named 'torch'"; empty: none
};

/// The last line of a program's output that is not blank.
std::string last_line_of(const std::string& output) {
  const size_t end = output.find_last_not_of(" \r\n");
  if (end == std::string::npos) return "";
  const size_t before = output.find_last_of("\r\n", end);
  const size_t begin = before == std::string::npos ? 0 : before + 1;
  return one_line(output.substr(begin, std::min(end + 1 - begin, kMostLine)));
}

/// The program's output for --help, if the program seems to have this option.
ProgramHelp help_of(const Script& script) {
  constexpr int kPatience_s = 10, kTimedOut = 124, kKilled = 137;
  if (!has_help(script.text)) return {};
  std::vector<std::string> words = {"timeout", "-k", "2", std::to_string(kPatience_s)};
  const std::string interpreter = interpreter_of(script.path);
  if (!interpreter.empty()) words.push_back(interpreter);
  words.push_back(interpreter.empty() ? std::filesystem::absolute(script.path).string()
                                      : script.path.string());
  words.push_back("--help");
  try {
    const ProgramResult said = run_program({.words = std::move(words)});
    if (said.status == 0) return {said.output.substr(0, kMostHelp), ""};
    if (said.status == kTimedOut || said.status == kKilled)
      return {"", fmt::format("gave no answer in {} s", kPatience_s)};
    const std::string reason = last_line_of(said.error.empty() ? said.output : said.error);
    return {"", reason.empty() ? fmt::format("failed with exit code {}", said.status)
                               : "failed: " + reason};
  } catch (const MachineError& error) {
    return {"", std::string("failed: ") + error.what()};
  }
}

/// A plain YAML word, in quotes if necessary.
std::string yaml_word(const std::string& text) {
  static const std::regex plain(R"([A-Za-z0-9_./+-]+)");
  if (std::regex_match(text, plain)) return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return quoted + "\"";
}

/// Whether the script imports the helper module from a copy beside it (docs/how_to/command.md).
bool has_copied_helper(const Script& script) {
  return is_file_there(std::filesystem::path(script.path).replace_filename(kHelperModule)) &&
         imports_helper_module(script.text);
}

/// The advice if the script imports the helper module and its Python does not find it; else "".
std::string advice_on_missing_helper(const Script& script) {
  const std::string python = interpreter_of(script.path);
  if (!script.is_python() || has_copied_helper(script) || !imports_helper_module(script.text) ||
      finds_helper_module(python))
    return "";
  return fmt::format("{} imports the module rethink, which {} does not find: {}\n",
                     script.path.string(), python, advice_on_helper_module(python));
}

/// The metrics that the script seems to report, as "dev/acc", in the script's order: arguments of
/// the helper's log(), lines of JSON that the script writes itself, and the argument `metric` of a
/// function of its own. Names that are composed at
/// run time are not found.
std::vector<std::string> metrics_in(const std::string& text) {
  static const std::regex reported(
      R"(\\?["']metric\\?["']\s*:\s*\\?["']([\w./-]+)\\?["'])"
      R"(|\bmetric\s*=\s*["']([\w.-]+/[\w./-]+)["'])"
      R"(|["']((?:dev|val|valid|validation|eval|test|train)/[\w./-]+)["']\s*:)"
      R"(|\blog\(\s*[\w.+ ]+,\s*([A-Za-z]\w*)\s*=)");
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.size() > kMostLine) continue;  // data, and too long for a regular expression
    for (std::sregex_iterator found(line.begin(), line.end(), reported), end; found != end;
         ++found) {
      for (size_t group = 1; group < found->size(); ++group) {
        std::string name = (*found)[group];
        if (name.empty()) continue;
        if (name.find('/') == std::string::npos) name = "run/" + name;
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      }
    }
  }
  return names;
}

/// The score of a script with these metrics: the first that is not of the training; empty without
/// metrics.
std::string likely_score(const std::vector<std::string>& metrics) {
  const auto is_of_training = [](const std::string& name) { return name.starts_with("train/"); };
  const auto found = std::ranges::find_if_not(metrics, is_of_training);
  return found != metrics.end() ? *found : metrics.empty() ? "" : metrics.front();
}

/// "min" for a loss or a time, else "max", judged by the metric's name.
std::string likely_direction(const std::string& metric) {
  static const std::regex smaller(
      R"((^|[/_.-])(loss|err|error|ppl|perplexity|nll|bits|bpb|bpc|mae|mse|rmse|wer|cer|ter|time|seconds|ms|latency|entropy)($|[_.-]))",
      std::regex::icase);
  return std::regex_search(metric, smaller) ? "min" : "max";
}

/// The best score of printed metrics: of dev before the others, of the training last, and an accuracy
/// before a loss, which is often the training's.
std::string likely_printed_score(const std::vector<PrintedMetric>& printed) {
  const auto rank = [](const PrintedMetric& one) {
    const std::string split = one.name.substr(0, one.name.find('/'));
    const int of_split = split == "dev" ? 0 : split == "test" ? 2 : split == "train" ? 3 : 1;
    return std::pair(of_split, likely_direction(one.name) == "min");
  };
  const auto best = std::ranges::min_element(printed, {}, rank);
  return best == printed.end() ? "" : best->name;
}

/// A text in single quotes of YAML.
std::string in_single_quotes(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

/// The lines of the sweep for metrics that the script only prints.
std::string printed_lines(const std::vector<PrintedMetric>& printed, const std::string& file) {
  const std::string score = likely_printed_score(printed), direction = likely_direction(score);
  std::string text = fmt::format(
      "    # Read from what {} prints. The score in tables is {}; {}: {} is better. More may "
      "follow.\n"
      "    metrics: {{{}: {}}}\n    stdout:\n",
      file, score, direction, direction == "min" ? "less" : "more", yaml_word(score), direction);
  for (const PrintedMetric& one : printed)
    text += fmt::format("      {}: {}\n", yaml_word(one.name), in_single_quotes(one.pattern));
  if (!printed.front().has_step)
    text += "    step: count   # the lines have no step: each is the next\n";
  return text;
}

/// The lines of the sweep that name the score. `score`: the script's score, perhaps empty.
std::string score_lines(const std::string& score, const std::string& file) {
  if (!score.empty()) {
    const std::string direction = likely_direction(score);
    return fmt::format(
        "    # The score in tables, a metric that {} reports; {}: {} is better. More may follow.\n"
        "    metrics: {{{}: {}}}\n",
        file, direction, direction == "min" ? "less" : "more", yaml_word(score), direction);
  }
  return "    # Tables need a score: remove the # and write a metric that the program appends to "
         "$RETHINK_EVENTS,\n"
         "    # with max or min, whichever is better.\n"
         "    # metrics: {dev/acc: max}\n"
         "    # If the program only prints the metric, also:\n"
         "    # stdout: {dev/acc: 'epoch {step} .*acc={value}'}\n";
}

/// Defaults that the help does not show.
void fill_in_defaults(std::vector<ProgramOption>& options,
                      const std::map<std::string, std::string>& defaults) {
  for (ProgramOption& one : options) {
    const auto found = defaults.find(one.key);
    if (one.default_text.empty() && !one.flag.empty() && found != defaults.end())
      one.default_text = found->second;
  }
}

/// The words of `run` and the settings of `config`, and the lines that are commented out.
struct WrittenOptions {
  std::string words, later_words, settings, later_settings, first_key;
};

/// Beside an option that seems to name a file or folder that the program writes.
constexpr const char* kAdviceOnOutput =
    "   # written in a folder that is removed; \"{artifacts}/NAME\" keeps the file";

WrittenOptions written_options(const std::vector<ProgramOption>& options) {
  WrittenOptions written;
  for (const ProgramOption& one : options) {
    const bool is_seed = one.key == "seed" && one.kind == OptionKind::one_value;
    const bool is_known = one.kind == OptionKind::one_value && !one.default_text.empty();
    std::string words = one.flag;
    if (one.kind != OptionKind::flag) {
      words += words.empty() ? "" : ", ";
      words += is_seed ? "\"{seed}\"" : fmt::format("\"{{config.{}}}\"", one.key);
    }
    if (one.is_required) {
      written.words += fmt::format("      {},\n", words);
      written.settings += fmt::format("      {}:   # write a value here{}\n", one.key,
                                      one.help.empty() ? "" : ": " + one.help);
      continue;
    }
    if (is_seed || is_known) {
      written.words +=
          fmt::format("      {},{}\n", words, is_output_key(one.key) ? kAdviceOnOutput : "");
      if (is_seed) continue;
      written.settings += fmt::format("      {}: {}\n", one.key, yaml_word(one.default_text));
      if (written.first_key.empty()) written.first_key = one.key;
      continue;
    }
    const bool is_output = is_output_key(one.key) && one.kind == OptionKind::one_value;
    const std::string advice = is_output          ? kAdviceOnOutput
                               : one.help.empty() ? ""
                                                  : "   # " + one.help;
    written.later_words += fmt::format("      # {},{}\n", words, advice);
    if (one.kind != OptionKind::flag)
      written.later_settings += fmt::format("      # {}: ...\n", one.key);
  }
  return written;
}

std::string sweep_text(const Script& script, const std::vector<ProgramOption>& options,
                       const std::string& score, const std::vector<PrintedMetric>& printed) {
  const std::string name = script.path.stem(), file = script.path.filename();
  std::vector<std::string> program;
  const std::string interpreter = interpreter_of(script.path);
  if (!interpreter.empty()) program.push_back(interpreter);
  program.push_back(interpreter.empty() ? yaml_word("./" + file) : yaml_word(file));
  std::vector<std::string> code = {yaml_word(file)};
  if (script.is_python()) {
    for (const std::string& module : modules_beside(script.path, script.text))
      code.push_back(yaml_word(module));
  } else if (has_copied_helper(script)) {
    code.emplace_back(kHelperModule);
  }
  const WrittenOptions written = written_options(options);
  std::string run = joined(program);
  if (!written.words.empty() || !written.later_words.empty()) run += ",\n" + written.words;
  if (!written.later_words.empty())
    run +=
        "      # Flags, and options without a default: remove the # to pass one, and "
        "write its value in `config`.\n" +
        written.later_words;
  if (run.ends_with('\n')) run += "      ";
  std::string text = fmt::format(
      "# A sweep for `rethink plan {0}.yaml` and `rethink run {0}.yaml`; docs/how_to/command.md "
      "describes all keys.\n"
      "sweep: {3}\nseeds: [0]\nstages:\n  train:\n    job: command\n    run: [{1}]\n    code: "
      "[{2}]   # and what it imports, such as \"src/**/*.py\"\n",
      name, run, joined(code), yaml_word(name));
  if (!written.settings.empty() || !written.later_settings.empty())
    text += (written.settings.empty() ? "    # config:\n" : "    config:\n") + written.settings +
            written.later_settings;
  if (options.empty() && !imports_helper_module(script.text))
    text += fmt::format(
        "    # Options of {0} are words of `run`, with their values in `config`:\n"
        "    # run: [{1}, --lr, \"{{config.lr}}\", --seed, \"{{seed}}\"]\n"
        "    # config: {{lr: 0.1}}\n",
        file, run);
  text += printed.empty() ? score_lines(score, file) : printed_lines(printed, file);
  if (!written.first_key.empty())
    text += fmt::format(
        "    # For several values, delete {0} above and write:\n    # grid: {{config.{0}: "
        "[...]}}\n",
        written.first_key);
  return text;
}

std::vector<std::string> names_of_templates(const CommandContext& context) {
  std::vector<std::string> names;
  for (const auto& [name, folder] : templates_below(context.paths)) names.push_back(name);
  return names;
}

/// Whether a template's file is its sweep. NAME_table.yaml is a table.
bool is_sweep_of_template(const std::filesystem::path& file) {
  return file.extension() == ".yaml" && !file.stem().string().ends_with("_table");
}

/// "attention-lm  a language model in plain PyTorch": a line for each template, from its sweep.
void print_templates(const CommandContext& context) {
  for (const auto& [name, folder] : templates_below(context.paths)) {
    std::string what;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (is_sweep_of_template(entry.path())) what = description_of(entry.path());
    std::cout << fmt::format("{}  {}\n", name, what);
  }
  std::cerr << "next: `rethink init --template NAME FOLDER`\n";
}

/// The Python helper module of this installation. Throws MachineError if it is missing.
std::filesystem::path require_helper_module() {
  std::filesystem::path file = helper_module_file();
  if (!file.empty()) return file;
  throw MachineError(
      "missing-module",
      "the module rethink.py is missing in this installation: install rethink again (make "
      "install)");
}

/// Whether anything has this name, including a link without a target.
bool is_name_taken(const std::filesystem::path& path) {
  return std::filesystem::exists(std::filesystem::symlink_status(path));
}

/// Writes the template's files and the helper into `target`, and prints their paths. If one of them
/// exists, throws ConfigError and writes nothing.
void write_template(const CommandContext& context, const std::string& name,
                    const std::filesystem::path& target) {
  const auto templates = templates_below(context.paths);
  const auto chosen = templates.find(name);
  if (chosen == templates.end()) {
    const std::vector<std::string> names = names_of_templates(context);
    throw ConfigError("unknown-name", fmt::format("--template: unknown template '{}'{}; known: {}",
                                                  name, did_you_mean(name, names), joined(names)));
  }
  std::map<std::filesystem::path, std::string> files;  // contents by path
  std::filesystem::path sweep;
  for (const auto& entry : std::filesystem::directory_iterator(chosen->second)) {
    if (!entry.is_regular_file()) continue;
    const std::filesystem::path file = target / entry.path().filename();
    files[file] = read_file(entry.path());
    if (is_sweep_of_template(file)) sweep = file;
  }
  files[target / kHelperModule] = read_file(require_helper_module());

  if (!target.empty() && is_name_taken(target) && !std::filesystem::is_directory(target))
    throw ConfigError("not-a-folder",
                      target.string() + " is not a folder, expected a folder for the template");
  std::vector<std::string> existing;
  for (const auto& [file, text] : files)
    if (is_name_taken(file)) existing.push_back(file.string());
  if (!existing.empty()) {
    const bool is_one = existing.size() == 1;
    throw ConfigError(
        "file-exists",
        fmt::format(
            "{} already exist{}, and nothing was written; remove {}, or name another folder: "
            "`rethink init --template {} FOLDER`",
            joined(existing), is_one ? "s" : "", is_one ? "it" : "them", name));
  }
  if (!target.empty()) std::filesystem::create_directories(target);
  for (const auto& [file, text] : files) {
    write_file_atomically(file, text);
    std::cout << file.string() << "\n";
  }
  std::cerr << fmt::format(
      "next: `rethink plan {}`; the comment in {} says what the program needs\n",
      for_a_shell(sweep.string()), sweep.string());
}

class Init : public Command {
 public:
  std::string positional() const override { return "SCRIPT|FOLDER"; }
  void declare(po::options_description& options) const override {
    options.add_options()(
        "template", po::value<std::string>()->value_name("NAME"),
        "write a complete program with its sweep into FOLDER (default: the current folder)")(
        "templates", "list the templates; also --template without a name");
  }
  std::vector<std::string> meant_words(std::vector<std::string> words) const override {
    for (size_t i = 0; i < words.size(); ++i) {
      const bool has_name = i + 1 < words.size() && !words[i + 1].starts_with('-');
      if (words[i] == "--template" && !has_name) words[i] = "--templates";
    }
    return words;
  }
  std::string more_help(const CommandContext& context) const override {
    return fmt::format(
        "Runs SCRIPT --help, and writes a sweep of one trial beside SCRIPT, with the ending .yaml. "
        "The\noptions and arguments of SCRIPT are its settings.\n\nTemplates: {}\n\n",
        joined(names_of_templates(context)));
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> words = arguments_of(given);
    if (given.count("templates")) {
      print_templates(context);
      return kDone;
    }
    if (given.count("template")) {
      if (words.size() > 1)
        throw ConfigError("wrong-arguments",
                          "rethink init --template: got several folders, expected one or none");
      write_template(context, given["template"].as<std::string>(), words.empty() ? "" : words[0]);
      return kDone;
    }
    if (words.size() != 1)
      throw ConfigError(
          "wrong-arguments",
          "rethink init: expected one SCRIPT, such as train.py, or --template NAME; templates: " +
              joined(names_of_templates(context)));
    if (!is_file_there(words[0]))
      throw ConfigError(
          "not-a-file",
          fmt::format("{} {}, expected a program of yours, such as train.py", words[0],
                      is_there(words[0]) ? "is not a file" : "does not exist"));
    const std::filesystem::path sweep = std::filesystem::path(words[0]).replace_extension(".yaml");
    if (is_there(sweep))
      throw ConfigError("file-exists", sweep.string() + " already exists; remove it, or edit it");
    const Script script{words[0], script_text(words[0])};
    std::string score = likely_score(metrics_in(script.text));
    std::vector<PrintedMetric> printed;
    if (score.empty() && script.is_python()) printed = printed_metrics_in(script.text);
    if (!printed.empty()) score = likely_printed_score(printed);
    const ProgramHelp help = help_of(script);
    std::vector<ProgramOption> options = positional_arguments_in(help.text);
    std::vector<std::string> to_fill_in;
    for (const ProgramOption& one : options) {
      if (one.is_required) to_fill_in.push_back(one.key);
    }
    std::ranges::move(options_in(help.text), std::back_inserter(options));
    if (script.is_python()) fill_in_defaults(options, argparse_defaults_in(script.text));
    write_file_atomically(sweep, sweep_text(script, options, score, printed));
    std::cout << sweep.string() << "\n";
    if (!help.trouble.empty()) {
      print_note(Note("unknown-options",
                      fmt::format("`{} --help` {}; its options are unknown: a comment in {} shows "
                                  "how to add them",
                                  for_a_shell(words[0]), help.trouble, sweep.string())));
    }
    std::cerr << advice_on_missing_helper(script);
    if (score.empty()) {
      std::cerr << fmt::format(
          "init found no metric that {} reports; tables and figures need one: write its name as "
          "`metrics` in {}\n",
          words[0], sweep.string());
    }
    if (!to_fill_in.empty()) {
      std::cerr << fmt::format(
          "{} takes arguments whose values init does not know: write them as `config` in {}: {}\n",
          words[0], sweep.string(), joined(to_fill_in));
    }
    std::cerr << fmt::format(
        "next: `rethink run {}`; docs/how_to/command.md describes how a program reports "
        "metrics and checkpoints\n",
        for_a_shell(sweep.string()));
    return kDone;
  }
};

RETHINK_REGISTERED = add_command<Init>("init", "write a first sweep for your own program");

}  // namespace
}  // namespace rethink
