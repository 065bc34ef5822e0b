#include "app/worker/bench.h"

#include <fmt/format.h>

#include <map>

#include "app/worker/cuda_plugin.h"
#include "core/config/check.h"
#include "core/config/schema.h"
#include "core/json.h"
#include "core/yaml/yaml.h"

namespace rethink {
namespace {

std::map<std::string, Benchmark>& benchmarks() {
  static std::map<std::string, Benchmark> all;
  return all;
}

/// "--NAME VALUE ..." as the options of the benchmark, complete and checked.
Json benchmark_options(const std::string& what, const std::vector<std::string>& words,
                       const OptionsSchema& options) {
  Problems problems;
  Yaml given;
  given.kind = Yaml::Kind::map;
  for (size_t i = 0; i < words.size(); i += 2) {
    if (!words[i].starts_with("--") || i + 1 == words.size())
      throw ConfigError("wrong-arguments",
                        fmt::format("bench {}: got '{}', expected --NAME VALUE", what, words[i]));
    Yaml value = parse_yaml_of_flag(words[i + 1], words[i], problems);
    given.entries.push_back({words[i].substr(2), value.where, value});
  }
  Json json = check_options(given, options, Schema(), "", problems);
  problems.throw_if_any();
  return json;
}

void print_help() {
  for (const auto& [name, benchmark] : benchmarks()) {
    fmt::print("WHAT: {}, {}\n\nOptions:\n", name, benchmark.summary);
    for (const Field& field : benchmark.options.fields) {
      const std::string word =
          fmt::format("{} VALUE (={})", field.name, field.default_value.dump());
      fmt::print("  --{:<28} {}\n", word, field.summary);
    }
    fmt::print("\n");
  }
}

}  // namespace

bool add_benchmark(const std::string& name, Benchmark benchmark) {
  benchmarks()[name] = std::move(benchmark);
  return true;
}

int run_bench(const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "--help") {
    print_help();
    return 0;
  }
  const std::string what = words.empty() ? "lm_step" : words[0];
  const auto found = benchmarks().find(what);
  if (found == benchmarks().end()) {
    std::vector<std::string> names;
    for (const auto& [name, benchmark] : benchmarks()) names.push_back(name);
    throw ConfigError(
        "wrong-arguments",
        fmt::format(
            "bench: got '{}', expected one of {}, optionally with --steps, --threads, --batch, "
            "...",
            what, fmt::join(names, ", ")));
  }
  const size_t first = words.empty() ? 0 : 1;
  const Benchmark& benchmark = found->second;
  const Json options = benchmark_options(
      what, {words.begin() + static_cast<ptrdiff_t>(first), words.end()}, benchmark.options);
  if (options.at("device") == "cuda") open_cuda_plugin();
  benchmark.run(options);
  return 0;
}

}  // namespace rethink
