// A plug-in's registered name is its file's path below the registry's folder. This one test finds a
// registration that was forgotten, misspelt, or dropped by the linker. Registries of the driver's
// own rooms are in contract_driver/registry_test.cpp.
#include <algorithm>

#include "core/config/configuration.h"
#include "core/config/schema.h"
#include "experiments/attempt/job.h"
#include "experiments/train/numeric_build.h"
#include "tests/support/registry_files.h"

namespace rethink {
namespace {

bool is_of_the_driver(const std::string& folder) {
  return folder.starts_with("plots/") || folder.starts_with("app/");
}

/// Jobs that need no LibTorch live in a second folder, among files of another kind.
std::set<std::string> jobs_without_libtorch() {
  std::set<std::string> names;
  for (const std::filesystem::path& file : sources_below("experiments/attempt/jobs")) {
    if (text_of_source(file).find("jobs().add<") != std::string::npos) names.insert(file.stem());
  }
  return names;
}

/// Analyses of weights live in a second folder, where LibTorch is.
std::set<std::string> analyses_with_libtorch() {
  std::set<std::string> names;
  for (const std::filesystem::path& file : sources_below("experiments/train/analyses")) {
    if (!has_header(file)) names.insert(file.stem());
  }
  return names;
}

TEST(Registries, AreAllLinkedIntoThisProgram) {
  const auto declared = declared_registries();
  EXPECT_GE(declared.size(), 9u);
  for (const auto& [kind, folder] : declared)
    EXPECT_EQ(registries().count(kind), is_of_the_driver(folder) ? 0u : 1u) << kind;
}

TEST(Registries, NameTheirPluginsAsTheirFiles) {
  for (const auto& [kind, registry] : registries()) {
    std::set<std::string> others;
    if (kind == "job") others = jobs_without_libtorch();
    if (kind == "analysis") others = analyses_with_libtorch();
    expect_named_as_files(*registry, others);
  }
}

TEST(Registries, SayWhatEachPluginAndOptionIsFor) {
  for (const auto& [kind, registry] : registries()) expect_summaries(*registry);
}

/// Light jobs would take a GPU from trials that can use one. `analyze` has analyses of both kinds.
TEST(Registries, SayWhichJobsUseNoGpu) {
  std::set<std::string> expected = jobs_without_libtorch(), said;
  expected.erase("analyze");
  expected.erase("command");  // the program may
  expected.insert("mask");    // reads and writes tensors, computes nothing
  for (const std::string& name : jobs().names()) {
    if (jobs().facts(name).device == "cpu") said.insert(name);
  }
  EXPECT_EQ(said, expected);
}

/// Returns how many options of `fields` may follow the trial's seed; writes the word into each in `config`.
size_t follow_seed(Json& config, const std::vector<Field>& fields) {
  size_t count = 0;
  for (const Field& field : fields) {
    Json inner = Json::object();
    if (const size_t below = follow_seed(inner, field.fields); below > 0) {
      config[field.name] = inner;
      count += below;
    }
    if (!field.may_follow_seed) continue;
    EXPECT_TRUE(field.hashed) << field.name << ": trials of two draws would be one";
    EXPECT_FALSE(field.shapes) << field.name << ": weights of one seed would not fit another";
    config[field.name] = kSeedWord;
    ++count;
  }
  return count;
}

bool names_any(const std::vector<Rule>& rules, const std::vector<SeedOption>& options) {
  return std::ranges::any_of(rules, [&](const Rule& rule) {
    return std::ranges::any_of(options, [&](const SeedOption& option) {
      return std::ranges::find(rule.fields, option.name) != rule.fields.end();
    });
  });
}

/// Expects that no two options share a written name, and that rules and files use this name.
void expect_own_words(const std::vector<Field>& fields, const std::vector<Rule>& rules) {
  for (const Field& field : fields) {
    expect_own_words(field.fields, field.rules);
    if (field.written.empty()) continue;
    EXPECT_EQ(std::ranges::count_if(
                  fields, [&](const Field& other) { return other.is_called(field.written); }),
              1)
        << field.written;
    for (const Rule& rule : rules)
      EXPECT_EQ(std::ranges::count(rule.fields, field.name), 0) << field.name << ": " << rule.why;
  }
}

TEST(Registries, WriteOptionsByWordsThatNoOtherOptionHas) {
  for (const auto& [kind, plugins] : schema_of_this_program("").plugins) {
    for (const auto& [name, plugin] : plugins)
      expect_own_words(plugin.options.fields, plugin.options.rules);
  }
}

/// The driver reads what the worker wrote.
TEST(Registries, AreReadBackFromTheSchema) {
  const Json written = to_json(schema_of_this_program(""));
  EXPECT_EQ(to_json(schema_from_json(written)), written);
}

/// A store can then list the done trials that a change of their code concerns.
TEST(Registries, KnowTheCodeOfEachPluginThatComputes) {
  const SourceHashes sources = numeric_sources();
  const Schema schema = schema_of_this_program("", sources);
  size_t known = 0;
  for (const auto& [kind, plugins] : schema.plugins) {
    for (const auto& [name, plugin] : plugins) {
      // Skips tests, and jobs that compute nothing.
      const auto source = sources.find(plugin.source);
      if (source == sources.end()) continue;
      EXPECT_EQ(plugin.code, source->second) << kind << "/" << name;
      ++known;
    }
  }
  EXPECT_GE(known, 90u);
  EXPECT_FALSE(schema.find("attention", "dense")->code.empty());
  EXPECT_FALSE(schema.find("job", "lm")->code.empty());
  EXPECT_FALSE(schema.find("schedule", "linear")->code.empty()) << "which shares its source";
  EXPECT_EQ(schema.find("dataset", "glue/cola")->code, schema.find("dataset", "glue/rte")->code);
}

/// A plan resolves the word in each option, and the program that trains reads the result.
TEST(Registries, ResolveEveryOptionThatMayFollowTheSeed) {
  const Schema schema = schema_of_this_program("");
  size_t all = 0;
  for (const auto& [kind, plugins] : schema.plugins) {
    for (const auto& [name, plugin] : plugins) {
      Json config = Json::object();
      const size_t declared = follow_seed(config, plugin.options.fields);
      const std::vector<SeedOption> found = seed_options(config, plugin.options, schema);
      EXPECT_EQ(found.size(), declared) << kind << "/" << name;
      EXPECT_FALSE(names_any(plugin.options.rules, found)) << "a rule would compare the word";
      all += declared;
      if (declared == 0) continue;
      const Json read = registries().at(kind)->completed(name, with_seed(config, found, 7));
      for (const SeedOption& option : found) {
        EXPECT_EQ(read.at(option.place), 7) << kind << "/" << name << ": " << option.name;
      }
      EXPECT_THROW(registries().at(kind)->completed(name, config), ConfigError) << "the word";
    }
  }
  EXPECT_GE(all, 3u);
}

}  // namespace
}  // namespace rethink
