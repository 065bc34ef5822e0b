// Commands on language and translation models: `rethink-worker export` and `generate`.
#pragma once

#include <string>
#include <vector>

namespace rethink {

/// Writes a trial's model as a folder of its own (docs/weights.md): `rethink-worker export WEIGHTS --out DIR [--data
/// DIR] --cache DIR`. Prints the folder. Throws ConfigError for invalid words and weights.
int run_export(const std::vector<std::string>& words);

/// Generates a line for each line: `rethink-worker generate WEIGHTS|DIR [--in FILE] [--prompt TEXT] [--seed N]
/// [--tokens N] [--temperature T] [--data DIR] [--cache DIR]`. Without --in and --prompt it reads standard input and
/// answers each line before it reads the next. Throws ConfigError for invalid words, folders or lines.
int run_generate(const std::vector<std::string>& words);

}  // namespace rethink
