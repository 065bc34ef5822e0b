// rethink: reads sweep files, schedules trials, answers from the store. It does not link LibTorch.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string_view>

#include "app/driver/cli/error_report.h"
#include "app/driver/cli/note_report.h"
#include "app/driver/cli/terminal.h"
#include "app/driver/command.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/files/owner.h"
#include "core/json.h"
#include "core/message.h"
#include "core/system/log.h"
#include "core/system/machine_fault.h"
#include "experiments/attempt/worker_main.h"
#include "results/database/database_error.h"
#include "results/database/database_place.h"
#include "results/store/pilot_changes.h"
#include "results/store/store.h"

namespace rethink {
namespace {

/// Commands before which the index takes in what folders say, besides those that read a snapshot.
const std::set<std::string_view> kReadersOfFolders = {
    "accept", "diff", "export", "generate", "logs", "mask", "plan", "status", "why"};

int print_overview(std::ostream& out) {
  out << "rethink: sweeps of attention variants, from YAML to the papers' tables\n\nUsage: rethink "
         "COMMAND "
         "...\n\n";
  for (const std::string& name : commands().names()) {
    out << fmt::format("  {:<10} {}\n", name, commands().schema(name).summary);
  }
  out << "\n`rethink COMMAND --help` lists a command's options.\n";
  return kDone;
}

CommandContext context_of(const po::variables_map& given) {
  for (const char* option : {"store", "data", "out"}) {
    if (given.count(option) && given[option].as<std::string>().empty())
      throw ConfigError("invalid-argument", fmt::format("--{}: got '', expected a folder", option));
  }
  CommandContext context;
  context.store = given["store"].as<std::string>();
  context.out = given["out"].as<std::string>();
  if (given.count("data")) {
    context.data = given["data"].as<std::string>();
  } else if (const char* folder = std::getenv("RETHINK_DATA")) {
    context.data = folder;
  }
  if (given.count("path")) {
    for (const std::string& path : given["path"].as<std::vector<std::string>>()) {
      if (!std::filesystem::is_directory(path))
        throw ConfigError("invalid-argument",
                          fmt::format("--path: got '{}', expected a folder that exists", path));
      context.paths.emplace_back(path);
    }
  }
  const auto own_folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  // The worker is not beside this program in tests without LibTorch and in tests of another build.
  const char* programs = std::getenv("RETHINK_PROGRAMS");
  context.programs = programs ? std::filesystem::path(programs) : own_folder;
  context.paths.emplace_back(std::filesystem::current_path());
  // Installed: PREFIX/bin beside PREFIX/share/rethink. In a checkout: build/<preset>/bin.
  for (const char* home : {"../share/rethink", "../../.."}) {
    const auto folder = std::filesystem::weakly_canonical(own_folder / home);
    if (std::filesystem::exists(folder / "experiments" / "sweeps")) context.paths.push_back(folder);
  }
  context.quiet = given.count("quiet") > 0;
  if (context.quiet && !std::getenv("RETHINK_LOG")) set_log_level(LogLevel::warning);
  return context;
}

/// Options of earlier versions, and what takes their place.
const std::map<std::string, std::string>& former_options() {
  static const std::map<std::string, std::string> all = {
      {"--executor",
       "; leave it out to run trials on this machine, and give `rethink run SWEEP --site NAME` to "
       "run them elsewhere"}};
  return all;
}

/// "; did you mean '--profile'?" for an unknown option, which may be the beginning of a known one.
std::string option_meant(const std::string& given, const po::options_description& all) {
  const auto former = former_options().find(given);
  if (former != former_options().end()) return former->second;
  std::vector<std::string> known, longer;
  for (const auto& option : all.options()) {
    known.push_back("--" + option->long_name());
    if (known.back().starts_with(given)) longer.push_back("'" + known.back() + "'");
  }
  return longer.empty() ? did_you_mean(given, known)
                        : fmt::format("; did you mean {}?", joined(longer, " or "));
}

/// With `--set KEY VALUE`, VALUE would become an argument, which the command would read as a sweep.
void refuse_blank_for_equals(const std::vector<std::string>& words) {
  std::vector<std::string> all = words;
  all.resize(words.size() + 2);
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string& key = all[i + 1];
    if (words[i] != "--set" || key.empty() || key.find('=') != std::string::npos) continue;
    const std::string& value = all[i + 2];
    const bool has_value = !value.empty() && !value.starts_with("--");
    throw ConfigError(
        "invalid-setting",
        fmt::format("--set: got '{}', expected KEY=VALUE in one word, such as --set {}", key,
                    for_a_shell(key + "=" + (has_value ? value : "VALUE"))));
  }
}

/// Parses the words into options and arguments. Throws ConfigError if `all` does not declare them.
po::variables_map parsed(const std::string& command, const std::vector<std::string>& words,
                         const po::options_description& all,
                         const po::positional_options_description& positional) {
  // The beginning of an option's name is not accepted, since a later version may have two such
  // options.
  constexpr int kStyle =
      po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  po::variables_map given;
  std::string problem;
  try {
    po::store(
        po::command_line_parser(words).options(all).positional(positional).style(kStyle).run(),
        given);
    po::notify(given);
    refuse_blank_for_equals(words);
    return given;
  } catch (const po::unknown_option& error) {
    problem = error.what() + option_meant(error.get_option_name(), all);
  } catch (const po::invalid_command_line_syntax& error) {
    const bool lacks_value = error.kind() == po::invalid_syntax::missing_parameter ||
                             error.kind() == po::invalid_syntax::empty_adjacent_parameter;
    problem = lacks_value
                  ? fmt::format("{0} has no value; write {0} VALUE", error.get_option_name())
                  : error.what();
  } catch (const po::error& error) {
    problem = error.what();
  }
  throw ConfigError("wrong-arguments",
                    fmt::format("rethink {0}: {1}; see `rethink {0} --help`", command, problem));
}

/// Files of a store contain paths in JSON and YAML, which allow only UTF-8.
void require_utf8_names(const std::vector<std::string>& words, const CommandContext& context) {
  for (const std::string& word : words) require_utf8("the command line", word);
  require_utf8("--store", context.store.string());
  require_utf8("--data or RETHINK_DATA", context.data.string());
  require_utf8("the folder of the programs", context.programs.string());
  require_utf8("the current folder", std::filesystem::current_path().string());
}

std::string command_text(const std::string& name, const std::vector<std::string>& words) {
  std::string text = "rethink " + name;
  for (const std::string& word : words) text += " " + for_a_shell(word);
  return text;
}

int run_command(const std::string& name, std::vector<std::string> words, TerminalOutput& output) {
  const std::string typed = command_text(name, words);
  const std::shared_ptr<Command> command = commands().make(name, Json::object());
  po::options_description own("Options"), hidden, all;
  command->declare(own);
  po::positional_options_description positional;
  if (!command->positional().empty()) {
    hidden.add_options()("arguments", po::value<std::vector<std::string>>());
    positional.add("arguments", -1);
  }
  const po::options_description common = common_options();
  all.add(own).add(common).add(hidden);
  const std::vector<std::string> help = {"--help", "-h"};
  if (command->forwards_words() &&
      std::find_first_of(words.begin(), words.end(), help.begin(), help.end()) == words.end())
    words.insert(words.begin(), "--");
  words = command->meant_words(std::move(words));
  const po::variables_map given = parsed(name, words, all, positional);
  if (given.count("help")) {
    std::cout << fmt::format("Usage: rethink {} {}\n\n{}\n\n", name, command->positional(),
                             commands().schema(name).summary)
              << command->more_help(context_of(given));
    if (!own.options().empty()) std::cout << own << "\n";
    std::cout << common;
    return kDone;
  }
  CommandContext context = context_of(given);
  context.typed = typed;
  if (command->needs_folders() || given.count("run")) require_utf8_names(words, context);
  if (command->needs_folders() || !given["store"].defaulted())
    require_store_or_snapshot(context.store);
  if (command->needs_folders() && std::filesystem::is_regular_file(context.store)) {
    const auto& snapshots = commands_that_read_snapshots();
    throw ConfigError(
        "snapshot-given",
        fmt::format(
            "--store: got {}, a snapshot of a database; `{}` needs the folder of the store; "
            "these commands read a snapshot: {}",
            context.store.string(), name, joined({snapshots.begin(), snapshots.end()})));
  }
  const bool reads_numbers = commands_that_read_snapshots().contains(name);
  if (reads_numbers || kReadersOfFolders.contains(name))
    take_in_changes_if_free(std::filesystem::absolute(context.store), name);
  if (command->prints_data(given)) output.pass_data();
  try {
    return command->run(context, given);
  } catch (const std::exception& error) {
    throw_if_database_error(context.store, error);
    throw;
  }
}

/// Moves options before the command behind it.
std::vector<std::string> command_first(const std::vector<std::string>& words) {
  static const std::set<std::string> with_value = {"--store", "--data", "--path", "--out"};
  static const std::set<std::string> alone = {"--quiet", "-q"};
  size_t at = 0;
  while (at < words.size() && words[at].starts_with('-')) {
    const std::string name = words[at].substr(0, words[at].find('='));
    if (name == "--help" || name == "-h" || name == "--version") return {name};
    if (!with_value.count(name) && !alone.count(name)) {
      throw ConfigError(
          "wrong-arguments",
          fmt::format("rethink: got '{}' where a command is expected; before the command only "
                      "--store, --data, "
                      "--path, --out and --quiet may be given; `rethink --help` lists the commands",
                      words[at]));
    }
    at += with_value.count(name) && name == words[at] ? 2 : 1;
  }
  if (at >= words.size()) return {};
  std::vector<std::string> moved{words[at]};
  moved.insert(moved.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at));
  moved.insert(moved.end(), words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
  return moved;
}

int run(const std::vector<std::string>& given, TerminalOutput& output) {
  const std::vector<std::string> words = command_first(given);
  if (words.empty()) return print_overview(std::cerr), kUserError;
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help")
    return print_overview(std::cout);
  if (words[0] == "--version") return run_command("version", {}, output);
  return run_command(words[0], {words.begin() + 1, words.end()}, output);
}

/// Occupies the numbers of closed streams. Otherwise a file of ours could get such a number, and
/// output would be written to it.
void hold_places_of_closed_streams() {
  int place = 0;
  while ((place = open("/dev/null", O_RDONLY)) >= 0 && place <= STDERR_FILENO) continue;
  if (place >= 0) close(place);
}

/// Returns whether standard output is closed, or not open for writing.
bool output_is_closed() {
  return write(STDOUT_FILENO, "", 0) < 0 && errno == EBADF;
}

/// Returns whether the reader of a pipe has ended (`| head`), which is not an error.
bool is_reader_closed() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace
}  // namespace rethink

int main(int count, char** words) {
  const std::string_view first = count > 1 ? words[1] : "";
  if ((first == "serve" && count == 2) || (first == "attempt" && count == 3))
    return rethink::serve_programs(count, words);
  rethink::hold_places_of_closed_streams();
  rethink::report_too_large_files();
  rethink::TerminalOutput output;
  bool as_json = rethink::asks_for_json({words + 1, words + count});
  try {
    as_json = rethink::environment_asks_for_json() || as_json;
    if (as_json) rethink::print_notes_as_json();
    const int code = rethink::run({words + 1, words + count}, output);
    std::cout.flush();
    if (!std::cout && !rethink::is_reader_closed()) {
      if (rethink::output_is_closed())
        throw rethink::MachineError("output-failed", "standard output is closed");
      throw rethink::MachineError(
          "output-failed",
          "standard output took only a part of the answer: its disk may be full, or a limit on "
          "the size of files reached (ulimit -f); give the same command again");
    }
    return code;
  } catch (const std::exception& error) {
    return rethink::report_error(error, as_json);
  }
}
