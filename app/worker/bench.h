// Benchmarks of the worker's operations: `rethink-worker bench WHAT [--NAME VALUE]...`.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"
#include "core/json.h"

namespace rethink {

/// A benchmark: its text in the help, and its function.
struct Benchmark {
  std::string summary;
  OptionsSchema options;
  void (*run)(const Json& options);  // prints JSON, one object a line
};

/// Registers a benchmark, from its bench_*.cpp. Always returns true.
bool add_benchmark(const std::string& name, Benchmark benchmark);

/// Runs the benchmark in `words` and prints one line of JSON: backend, versions, median, spread.
/// `--help` lists the options. Throws ConfigError for an unknown benchmark or option.
int run_bench(const std::vector<std::string>& words);

}  // namespace rethink
