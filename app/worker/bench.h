// Benchmarks of what the worker does: `rethink-worker bench WHAT [--NAME VALUE]...`.
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

/// Each registers itself, from the bench_*.cpp that has it. Always true.
bool add_benchmark(const std::string& name, Benchmark benchmark);

/// Runs the benchmark that `words` name and prints one line of JSON: backend, versions, median,
/// spread; `--help` lists the options. Throws ConfigError where there is no such one or option.
int run_bench(const std::vector<std::string>& words);

}  // namespace rethink
