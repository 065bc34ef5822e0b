// Fixture that plans the sweeps of this repository with the real driver and the real worker's
// schema.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/files/file.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "core/system/process.h"
#include "core/yaml/yaml.h"
#include "tests/support/temp_folder.h"

namespace rethink {

namespace fs = std::filesystem;

inline const fs::path kSweeps = fs::path(RETHINK_SOURCE_DIR) / "experiments/sweeps";
inline const fs::path kPrograms = fs::path(RETHINK_BINARY_DIR) / "bin";

/// Plans with the real worker's schema. The test has one case, or none where that worker is not built.
class ShippedSweeps : public testing::TestWithParam<fs::path> {
 protected:
  ShippedSweeps() {
    const Json schema = read_json(GetParam());
    for (const Json& dataset : schema.at("plugins").at("dataset")) {
      for (const Json& split : dataset.at("facts").value("files", Json::object())) {
        for (const std::string file : split) {
          if (fs::path(file).is_relative()) write_text(folder_ / "data" / file, file);
        }
      }
      for (const Json& source : dataset.at("facts").value("sources", Json::array())) {
        for (const Json& file : source.at("files"))
          write_text(folder_ / "data" / file.at("file").get<std::string>(),
                     file.at("file").get<std::string>());
      }
    }
    for (const char* trees : {"wikitext_2.conllu", "multi30k.en.conllu"})
      write_text(folder_ / "data/trees" / trees, trees);
    write_weights_stand_ins();
  }

  /// Writes the files that `rethink import` writes, for the sweeps of A3.
  void write_weights_stand_ins() const {
    const std::map<std::string, int> layers = {
        {"bert_base", 12}, {"distilbert_base", 6}, {"minilm_l6", 6}, {"minilm_l3", 3}};
    for (const auto& [name, count] : layers) {
      const fs::path weights = folder_ / "data/weights" / name;
      write_text(weights / "config.json",
                 Json{{"rethink", {{"model", {{"layers", count}}}}}}.dump());
      write_text(weights / "model.safetensors", name);
    }
  }

  Json trials(const std::string& sweep, const std::string& profile) const {
    return trials_together({sweep}, profile);
  }

  /// Returns the trials of the sweeps in one plan.
  Json trials_together(const std::vector<std::string>& sweeps, const std::string& profile) const {
    std::vector<std::string> words = {kPrograms / "rethink", "plan"};
    words.insert(words.end(), sweeps.begin(), sweeps.end());
    words.insert(words.end(), {"--format", "json", "--data", folder_ / "data"});
    if (!profile.empty()) words.insert(words.end(), {"--profile", profile});
    for (const std::string& stage : waiting_stages(sweeps[0], profile))
      words.insert(words.end(),
                   {"--set", "stages." + stage + ".needs.init={file: weights/minilm_l6}"});
    const ProgramResult plan = run_program(
        {.words = words,
         .input = "",
         .folder = folder_.path(),
         .environment = {{"RETHINK_PROGRAMS", kPrograms}, {"XDG_CACHE_HOME", folder_ / "cache"}}});
    EXPECT_EQ(plan.status, 0) << plan.error;
    return plan.status == 0 ? parse_json(plan.output, sweeps[0]).at("trials") : Json::array();
  }

  /// Returns the stages of the sweep whose initial weights wait for learning rates. The test plans them with given weights.
  static std::vector<std::string> waiting_stages(const std::string& sweep,
                                                 const std::string& profile) {
    if (profile != "verdict") return {};
    if (sweep == "a3/glue") return {"bert_dense", "bert_a3"};
    for (const char* of_rates : {"a3/layers", "a3/heads", "a3/permutations", "a3/depth"}) {
      if (sweep == of_rates) return {"finetune"};
    }
    return {};
  }

  TempFolder folder_;
};

/// "bet/diag_discount", sorted.
inline std::set<std::string> sweep_names() {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(kSweeps)) {
    if (entry.path().extension() == ".yaml")
      names.insert(entry.path().lexically_relative(kSweeps).replace_extension());
  }
  return names;
}

/// Returns no profile and each profile of the sweep.
inline std::vector<std::string> profiles_of(const std::string& sweep) {
  std::vector<std::string> profiles = {""};
  const Yaml document = read_yaml(kSweeps / (sweep + ".yaml"));
  if (const Yaml* given = document.find("profiles")) {
    for (const std::string& name : given->keys()) profiles.push_back(name);
  }
  return profiles;
}

inline std::vector<fs::path> real_schemas() {
  const fs::path schema = kPrograms / "schema.json";
  return fs::exists(schema) ? std::vector{schema} : std::vector<fs::path>{};
}

}  // namespace rethink
