// `rethink completion bash|zsh`: a script for the shell. It asks `rethink completion words -- WORD...` what
// may stand in the last word's place, so that it never falls behind the program.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "app/driver/command.h"

namespace rethink {
namespace {

constexpr const char* kBash = R"sh(_rethink() {
  local IFS=$'\n'
  COMPREPLY=($(rethink completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _rethink rethink
)sh";

constexpr const char* kZsh = R"sh(#compdef rethink
_rethink() {
  local -a found
  found=(${(f)"$(rethink completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then compadd -Q -a found; else _files; fi
}
compdef _rethink rethink
)sh";

/// Names of the .yaml files below PATH/`folder`, without ending, over all paths.
std::set<std::string> names_below(const CommandContext& context, const std::string& folder) {
  std::set<std::string> names;
  for (const std::filesystem::path& path : context.paths) {
    const std::filesystem::path root = path / folder;
    if (!std::filesystem::is_directory(root)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".yaml") continue;
      names.insert(std::filesystem::relative(entry.path(), root).replace_extension().string());
    }
  }
  return names;
}

std::set<std::string> option_names(const Command& command) {
  po::options_description own;
  command.declare(own);
  std::set<std::string> names = {"--store", "--data", "--path", "--out", "--quiet", "--help"};
  for (const auto& option : own.options()) names.insert("--" + option->long_name());
  return names;
}

/// What may stand as the last of `words`; the words before it are complete.
std::set<std::string> candidates(const CommandContext& context, const std::vector<std::string>& words) {
  if (words.size() <= 1) {
    const std::vector<std::string> names = commands().names();
    return {names.begin(), names.end()};
  }
  const std::shared_ptr<Command> command = commands().make(words[0], Json::object());
  if (words.back().starts_with("-")) return option_names(*command);
  // What a command takes is said by its usage line: "SWEEP...", "TABLE ROW COLUMN", "NAME".
  const std::string takes = command->positional();
  if (takes.starts_with("SWEEP")) return names_below(context, "experiments/sweeps");
  if (takes.starts_with("TABLE")) return names_below(context, "plots/tables");
  if (takes.starts_with("FIGURE")) return names_below(context, "plots/figures");
  return {};
}

class Completion : public Command {
 public:
  std::string positional() const override { return "bash|zsh"; }
  void declare(po::options_description&) const override {}

  int run(const CommandContext& context, const po::variables_map& given) override {
    std::vector<std::string> words = arguments_of(given);
    const std::string what = words.empty() ? "" : words[0];
    if (what == "bash" || what == "zsh") {
      std::cout << (what == "bash" ? kBash : kZsh);
      return kDone;
    }
    if (what != "words") throw ConfigError("rethink completion: got '" + what + "', expected bash or zsh");
    words.erase(words.begin());
    const std::string beginning = words.empty() ? "" : words.back();
    for (const std::string& word : candidates(context, words)) {
      if (word.starts_with(beginning)) std::cout << word << "\n";
    }
    return kDone;
  }
};

const bool registered =
    add_command<Completion>("completion", "a script for bash or zsh that completes words");

}  // namespace
}  // namespace rethink
