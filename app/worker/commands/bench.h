// Benchmarks of what the worker does: `rethink-worker bench WHAT [--NAME VALUE]...`.
#pragma once

#include <string>
#include <vector>

namespace rethink {

/// Runs the benchmark that `words` name and prints one line of JSON: backend, versions, median and
/// spread; `--help` lists the options. Throws ConfigError when there is no such benchmark or option.
int run_bench(const std::vector<std::string>& words);

}  // namespace rethink
