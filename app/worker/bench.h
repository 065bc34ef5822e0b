// Benchmarks of what the worker does: `rethink-worker bench WHAT [--NAME VALUE]...`.
#pragma once

#include <string>
#include <vector>

namespace rethink {

/// Runs the benchmark that `words` name and prints one line of JSON: backend, versions, median,
/// spread; `--help` lists the options. Throws ConfigError where there is no such one or option.
int run_bench(const std::vector<std::string>& words);

}  // namespace rethink
