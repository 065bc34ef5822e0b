// Random mutations of the shipped sweeps, planned with the real jobs and plug-ins. RETHINK_MUTATIONS is
// their number, RETHINK_SEED selects them.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/facts/dataset_facts.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "experiments/plan/plan.h"
#include "tests/support/mutations.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

const std::filesystem::path kSource = RETHINK_SOURCE_DIR;

/// Writes a data folder with every file of a data set and with the weights of A3's sweeps.
void write_data(const Schema& schema, const std::filesystem::path& data) {
  for (const auto& [name, dataset] : schema.plugins.at("dataset")) {
    const auto& facts = dataset.facts.as<DatasetFacts>();
    for (const auto& [split, files] : facts.files) {
      for (const std::string& file : files) {
        if (std::filesystem::path(file).is_relative()) write_text(data / file, file);
      }
    }
    for (const DataSource& source : facts.sources) {
      for (const SourceFile& file : source.files) write_text(data / file.file, file.file);
    }
  }
  for (const char* trees : {"wikitext_2.conllu", "multi30k.en.conllu"})
    write_text(data / "trees" / trees, trees);
  const std::map<std::string, int> layers = {
      {"bert_base", 12}, {"distilbert_base", 6}, {"minilm_l6", 6}, {"minilm_l3", 3}};
  for (const auto& [name, count] : layers) {
    const std::filesystem::path weights = data / "weights" / name;
    write_text(weights / "config.json", Json{{"rethink", {{"model", {{"layers", count}}}}}}.dump());
    write_text(weights / "model.safetensors", name);
  }
}

TEST(MutatedShippedSweeps, ArePlannedAlikeTwiceOrRefusedWithTheirPlace) {
  const std::filesystem::path written =
      std::filesystem::path(RETHINK_BINARY_DIR) / "bin/schema.json";
  if (!std::filesystem::exists(written)) GTEST_SKIP() << "no LibTorch";
  const Schema schema = schema_from_json(read_json(written));
  const TempFolder folder(memory_folder());
  setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
  write_data(schema, folder / "data");
  PlanChoices choices;
  choices.paths = {kSource};
  choices.data = folder / "data";
  const std::vector<std::string> sweeps = yaml_texts_below(kSource / "experiments/sweeps");
  const std::filesystem::path file = folder / "sweep.yaml";
  const auto ids = [&] {
    std::vector<std::string> all;
    for (const PlannedTrial& planned : make_plan(file, choices, schema).trials)
      all.push_back(planned.trial.id);
    return all;
  };
  for (const std::string& sweep : sweeps) {
    write_text(file, sweep);
    EXPECT_EQ(fault_of_reading(file, ErrorPlace::line, [&] { EXPECT_FALSE(ids().empty()); }), "");
  }
  const auto mutate = [&](RandomChoices& random) {
    return mutated_text(random.one_of(sweeps), sweeps, random);
  };
  try_mutations(300, mutate, [&](const std::string& text) {
    write_text(file, text);
    std::vector<std::string> first, second;
    std::string fault = fault_of_reading(file, ErrorPlace::line, [&] { first = ids(); });
    if (fault.empty() && !first.empty())
      fault = fault_of_reading(file, ErrorPlace::line, [&] { second = ids(); });
    if (fault.empty() && first != second) fault = "a second plan has other trials";
    return fault;
  });
}

}  // namespace
}  // namespace rethink
