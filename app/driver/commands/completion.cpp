// `rethink completion bash|zsh`: a script for the shell. It asks `rethink completion words --
// WORD...` for candidates of the last word, so it always fits the program.
#include <iostream>

#include "app/driver/cli/completion_words.h"
#include "app/driver/command.h"
#include "core/error.h"

namespace rethink {
namespace {

constexpr const char* kBash = R"sh(_rethink() {
  local IFS=$'\n'
  COMPREPLY=($("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _rethink rethink
)sh";

constexpr const char* kZsh = R"sh(#compdef rethink
_rethink() {
  local -a found
  found=(${(f)"$("$words[1]" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then compadd -a found; else _files; fi
}
compdef _rethink rethink
)sh";

class Completion : public Command {
 public:
  std::string positional() const override { return "bash|zsh"; }
  bool prints_data(const po::variables_map&) const override { return true; }
  void declare(po::options_description&) const override {}

  int run(const CommandContext& context, const po::variables_map& given) override {
    std::vector<std::string> words = arguments_of(given);
    const std::string what = words.empty() ? "" : words[0];
    if (what == "bash" || what == "zsh") {
      std::cout << (what == "bash" ? kBash : kZsh);
      return kDone;
    }
    if (what != "words")
      throw ConfigError("invalid-argument",
                        "rethink completion: got '" + what + "', expected bash or zsh");
    words.erase(words.begin());
    for (const std::string& word : completion_words(context, words)) std::cout << word << "\n";
    return kDone;
  }
};

RETHINK_REGISTERED =
    add_command<Completion>("completion", "print a completion script for bash or zsh");

}  // namespace
}  // namespace rethink
