// The interface of commands, and their common parts: options, exit codes, the check for UTF-8 in
// names, and replacing this process by the worker.
#pragma once

#include <boost/program_options.hpp>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/config/registry.h"
#include "core/config/schema.h"
#include "core/message.h"

namespace rethink {

/// Exit codes of every command.
enum ExitCode {
  kDone = 0,
  kSomeFailed = 1,
  kUserError = 2,
  kMachineError = 3,
  kPilotsWork = 4,  // run --site: pilots still have trials to run
  kInterrupted = 130
};

/// The common options of all commands: --store --data --path --out --quiet.
struct CommandContext {
  std::filesystem::path store = "store";
  std::filesystem::path data;  // --data or RETHINK_DATA; empty = neither
  std::filesystem::path out = "out";
  std::vector<std::filesystem::path>
      paths;  // --path, then the installation's own experiments and plots
  bool quiet = false;
  std::filesystem::path programs;  // the folder that holds rethink, rethink-worker and schema.json
  std::string typed;  // the whole command, for a shell: "rethink reproduce bet --profile small"

  /// Returns the store's folder, or the nearest existing folder above it, which is on the store's disk in both cases.
  std::filesystem::path place_on_disk() const;
  /// Returns schema.json beside the program. Throws MachineError if it is missing or does not
  /// belong to the worker.
  const Schema& schema() const;
};

namespace po = boost::program_options;

/// Returns the options that every command accepts.
po::options_description common_options();

/// A command. Each is one file in commands/ with the command's name.
class Command {
 public:
  virtual ~Command() = default;
  /// Arguments in the command's usage line, such as "SWEEP..."; "" = none.
  virtual std::string positional() const { return ""; }
  /// Declares the command's own options. A positional argument is the option "arguments" (a list of
  /// strings), which exists already when positional() is not empty.
  virtual void declare(po::options_description& options) const = 0;
  /// Returns whether all words after the command's name, except --help, are arguments for another
  /// program.
  virtual bool forwards_words() const { return false; }
  /// Returns the words to parse: a command may complete an option without its value by another option.
  virtual std::vector<std::string> meant_words(std::vector<std::string> words) const {
    return words;
  }
  /// Returns additional text for --help, such as options that another program reads.
  virtual std::string more_help(const CommandContext&) const { return ""; }
  /// Returns whether the command reads trials' folders, not only the database. --store may then not be a snapshot.
  virtual bool needs_folders() const { return false; }
  /// Whether standard output is data for other programs. A file or pipe then gets every byte;
  /// otherwise control characters are shown as text. By default: if --format is neither text nor
  /// plot.
  virtual bool prints_data(const po::variables_map& given) const;
  /// Runs the command. Results go to standard output, messages to standard error. ConfigError and
  /// MachineError become exit codes 2 and 3.
  virtual int run(const CommandContext& context, const po::variables_map& given) = 0;
};

using CommandRegistry = Registry<Command>;
CommandRegistry& commands();

/// Registers a command:
/// `RETHINK_REGISTERED = add_command<Plan>("plan", "which trials would run, and why");`
template <typename C>
bool add_command(const std::string& name, const std::string& summary) {
  return commands().add<NoFields>({.name = name, .summary = summary},
                                  [](const NoFields&) { return std::make_shared<C>(); });
}

/// Throws ConfigError if --store is not a store. A store whose `trials` is a link to an unmounted
/// disk is still a store; its lock reports the link.
void require_trials(const CommandContext& context);

/// Returns the positional arguments, perhaps none.
std::vector<std::string> arguments_of(const po::variables_map& given);

/// Declares --format, text or json; `what` says more about it.
void declare_format(po::options_description& options, const std::string& what = "text or json");
/// Returns whether --format is json. Throws ConfigError if it is neither json nor text.
bool wants_json(const po::variables_map& given);

/// Returns those of the options `names` that were given, such as " --profile small --set lr=1", for
/// a hint that can be copied.
std::string options_as_given(const po::variables_map& given, const std::vector<std::string>& names);

// Options that take a whole number.

/// The numbers that an option accepts.
struct WholeNumbers {
  int64_t least = 0;
  int64_t most = std::numeric_limits<int64_t>::max();
};

/// Returns the value of --NAME, which is declared as text; nothing if it was not given and has no
/// default. Throws ConfigError, which names the option, the value and the expectation, if the value
/// is not a whole number of `allowed`.
std::optional<int64_t> number_given(const po::variables_map& given, const std::string& name,
                                    const WholeNumbers& allowed);

// Names that files of a store could not hold, refused before anything runs.

/// Throws ConfigError if `text` from the source `what` is not UTF-8, since stores and sweeps are
/// JSON, YAML and SQLite, which allow only UTF-8.
void require_utf8(const std::string& what, const std::string& text);

// Commands that need LibTorch are the worker program's.

/// Replaces this process by the worker, whose exit code becomes the command's. Throws MachineError
/// if the worker cannot be started.
[[noreturn]] void become_worker(const CommandContext& context, std::vector<std::string> words);

}  // namespace rethink
