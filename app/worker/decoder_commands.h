// Commands on language and translation models: `rethink-worker export` and `generate`.
#pragma once

#include <string>
#include <vector>

namespace rethink {

/// A trial's model as a folder of its own (docs/weights.md): `rethink-worker export WEIGHTS --out DIR [--data DIR]
/// --cache DIR`. Prints the folder. Throws ConfigError for words and weights that it cannot use.
int run_export(const std::vector<std::string>& words);

/// Lines in, lines out: `rethink-worker generate WEIGHTS|DIR [--in FILE] [--prompt TEXT] [--seed N] [--tokens N]
/// [--temperature T] [--data DIR] [--cache DIR]`. Without --in and --prompt lines come from standard input, each answered
/// before the next is read. Throws ConfigError for words, a folder or a line that it cannot use.
int run_generate(const std::vector<std::string>& words);

}  // namespace rethink
