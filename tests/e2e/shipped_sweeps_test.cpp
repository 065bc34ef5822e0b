// The trials of every sweep of this repository, in every profile: ids and labels, as golden files
// tests/golden/sweeps/FOLDER_NAME.txt, of stages with many trials a hash of these. A change of a
// sweep, a preset, a default or of what a trial's identity is shows here. Data sets are stand-ins,
// so the ids are not those of real stores. RETHINK_UPDATE_GOLDEN=1 writes the files; a sweep
// without one is not compared.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/hash.h"
#include "core/json.h"
#include "core/process.h"
#include "core/yaml.h"
#include "tests/support/golden.h"

namespace rethink {
namespace {

namespace fs = std::filesystem;

const fs::path kSweeps = fs::path(RETHINK_SOURCE_DIR) / "experiments/sweeps";
const fs::path kPrograms = fs::path(RETHINK_BINARY_DIR) / "bin";

/// Plans with the real worker's schema; the test has one case, or none where that is not built.
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

  /// What `rethink import` writes, for the sweeps of A3.
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

  /// In one plan.
  Json trials_together(const std::vector<std::string>& sweeps, const std::string& profile) const {
    std::vector<std::string> words = {kPrograms / "rethink", "plan"};
    words.insert(words.end(), sweeps.begin(), sweeps.end());
    words.insert(words.end(), {"--format", "json", "--data", folder_ / "data"});
    if (!profile.empty()) words.insert(words.end(), {"--profile", profile});
    const ProgramResult plan = run_program(
        {.words = words,
         .input = "",
         .folder = folder_.path(),
         .environment = {{"RETHINK_PROGRAMS", kPrograms}, {"XDG_CACHE_HOME", folder_ / "cache"}}});
    EXPECT_EQ(plan.status, 0) << plan.error;
    return plan.status == 0 ? parse_json(plan.output, sweeps[0]).at("trials") : Json::array();
  }

  TempFolder folder_;
};

/// "bet/diag_discount", sorted.
std::set<std::string> sweep_names() {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(kSweeps)) {
    if (entry.path().extension() == ".yaml")
      names.insert(entry.path().lexically_relative(kSweeps).replace_extension());
  }
  return names;
}

/// None, and each that the sweep has.
std::vector<std::string> profiles_of(const std::string& sweep) {
  std::vector<std::string> profiles = {""};
  const Yaml document = read_yaml(kSweeps / (sweep + ".yaml"));
  if (const Yaml* given = document.find("profiles")) {
    for (const std::string& name : given->keys()) profiles.push_back(name);
  }
  return profiles;
}

std::string golden_name(std::string sweep) {
  std::replace(sweep.begin(), sweep.end(), '/', '_');
  return "sweeps/" + sweep + ".txt";
}

std::string line_of(const Json& trial) {
  std::string line = trial.at("id").get<std::string>() + " " + trial.at("stage").get<std::string>();
  for (const auto& [axis, label] : trial.at("labels").items())
    line += fmt::format(" {}={}", axis, label.get<std::string>());
  if (!trial.at("seed").is_null()) line += fmt::format(" seed={}", trial.at("seed").dump());
  return line + "\n";
}

/// Trials of a stage; of one with more there is a hash.
constexpr size_t kListed = 60;

/// The trials stage by stage, as the plan has them.
std::string text_of(const Json& trials) {
  std::string text;
  for (size_t first = 0; first < trials.size();) {
    const std::string stage = trials[first].at("stage");
    size_t end = first;
    std::string lines;
    while (end < trials.size() && trials[end].at("stage") == stage) lines += line_of(trials[end++]);
    const size_t count = end - first;
    text += count <= kListed
                ? lines
                : fmt::format("{} {}: {} trials\n", sha256_hex(lines).substr(0, 20), stage, count);
    first = end;
  }
  return text;
}

TEST_P(ShippedSweeps, PlanTheTrialsThatTheyPlanned) {
  const fs::path goldens = fs::path(RETHINK_SOURCE_DIR) / "tests/golden";
  std::set<std::string> known;
  for (const std::string& sweep : sweep_names()) {
    known.insert(golden_name(sweep));
    if (!fs::exists(goldens / golden_name(sweep)) && !std::getenv("RETHINK_UPDATE_GOLDEN"))
      continue;
    std::string text;
    for (const std::string& profile : profiles_of(sweep)) {
      text += profile.empty() ? "no profile\n" : "\nprofile " + profile + "\n";
      text += text_of(trials(sweep, profile));
    }
    EXPECT_EQ(text, golden(golden_name(sweep), text)) << sweep;
  }
  for (const auto& entry : fs::directory_iterator(goldens / "sweeps")) {
    const std::string name = "sweeps/" + entry.path().filename().string();
    EXPECT_THAT(known, testing::Contains(name)) << "no sweep has this golden file; remove it";
  }
}

/// What both files promise in their heads: what is the same in two figures is trained once.
TEST_P(ShippedSweeps, DiagDiscountSharesItsCommonTrialsWithTable2) {
  const std::map<std::string, std::string> rate_of = {
      {"Transformer", "1"}, {"Reduced Diag", "0.2"}, {"Magnified Diag", "2"}};
  const std::map<std::string, std::string> sweep_of = {{"lm", "bet/overall_lm"},
                                                       {"mt", "bet/overall_mt"}};
  for (const std::string& profile : profiles_of("bet/diag_discount")) {
    const Json by_rate = trials("bet/diag_discount", profile);
    for (const auto& [stage, sweep] : sweep_of) {
      std::set<std::string> of_rates, of_arms;
      for (const Json& trial : by_rate) {
        const std::string rate = trial.at("labels").at("model.attention.rate");
        for (const auto& [arm, same] : rate_of) {
          if (trial.at("stage") == stage && rate == same)
            of_rates.insert(fmt::format("{} {}", rate, trial.at("id").dump()));
        }
      }
      for (const Json& trial : trials(sweep, profile)) {
        const auto rate = rate_of.find(trial.at("labels").at("arm"));
        if (rate != rate_of.end() && trial.at("labels").value("pair", "De-En") == "De-En")
          of_arms.insert(fmt::format("{} {}", rate->second, trial.at("id").dump()));
      }
      const bool is_left_out = stage == "mt" && profile == "small";
      EXPECT_EQ(of_rates.empty(), is_left_out) << profile << " " << stage;
      if (is_left_out) continue;
      EXPECT_TRUE(std::ranges::includes(of_rates, of_arms))
          << profile;  // with fewer seeds, perhaps
      EXPECT_FALSE(of_arms.empty());
    }
  }
}

TEST_P(ShippedSweeps, LossCurvesTrainWhatTable2Trains) {
  for (const std::string& profile : profiles_of("bet/loss_curves")) {
    std::set<std::string> of_table;
    for (const char* sweep : {"bet/overall_lm", "bet/overall_lm_corpora", "bet/overall_mt"})
      for (const Json& trial : trials(sweep, profile)) of_table.insert(trial.at("id"));
    size_t curves = 0;
    for (const Json& trial : trials("bet/loss_curves", profile)) {
      EXPECT_TRUE(of_table.contains(trial.at("id"))) << profile << trial.dump();
      ++curves;
    }
    EXPECT_EQ(curves % 9, 0) << profile;  // three data sets of three arms
    EXPECT_GT(curves, 0) << profile;
  }
}

/// Table 3 looks into the models of Table 2.
TEST_P(ShippedSweeps, CaseStudyTrainsNothingThatOverallLmDoesNot) {
  for (const std::string& profile : profiles_of("bet/case_study")) {
    std::set<std::string> of_table, of_study;
    const auto add = [](const Json& trial, std::set<std::string>& all) {
      const std::string arm = trial.at("labels").value("arm", "");
      if (trial.at("stage") == "lm" && (arm == "Transformer" || arm == "BET(SF)"))
        all.insert(fmt::format("{} {} {}", arm, trial.at("seed").dump(), trial.at("id").dump()));
    };
    for (const Json& trial : trials("bet/overall_lm", profile)) add(trial, of_table);
    const Json study = trials("bet/case_study", profile);
    for (const Json& trial : study) add(trial, of_study);
    EXPECT_EQ(of_study, of_table) << profile;
    EXPECT_EQ(study.size(), 2 * of_study.size()) << profile;  // each is looked into once
  }
}

/// What is pretrained once in a store: the base, and on each seed the arms of Table 1 (5), the masks
/// drawn by hand with their diagonal (7) and without (6), those that learn (8), and P.
TEST_P(ShippedSweeps, SparseBertPretrainsEachConfigurationOnce) {
  const std::map<std::string, size_t> pretrainings = {
      {"", 1 + 2 * (5 + 7 + 6 + 8 + 1)},
      {"smoke", 1 + 5 + 2 + 2 + 4 + 1},
      {"smoke_all", 1 + 5 + 2 + 2 + 4 + 1},
      {"small", 1 + 2 * (5 + 7 + 6 + 8 + 1)},
      {"paper", 5 + 7 + 6 + 8 + 1}};  // there the base is the dense arm
  for (const auto& [profile, count] : pretrainings) {
    std::set<std::string> ids, configurations;
    const std::vector<std::string> all = {"sparsebert/importance", "sparsebert/glue",
                                          "sparsebert/swag_squad", "sparsebert/pruning",
                                          "sparsebert/masks",      "sparsebert/diag_ablation",
                                          "sparsebert/two_stage"};
    for (const Json& trial : trials_together(all, profile)) {
      if (trial.at("job") != "pretrain") continue;
      ids.insert(trial.at("id"));
      configurations.insert(trial.at("config").dump() + trial.at("seed").dump());
    }
    EXPECT_EQ(ids.size(), count) << profile;
    EXPECT_EQ(configurations.size(), count) << profile;
  }
}

/// l[1-3] is h3 and P{3}, and what has no triplet heads is the same everywhere.
TEST_P(ShippedSweeps, A3RunsWhatIsInSeveralTablesOnce) {
  for (const auto& [profile, layers, seeds] :
       {std::tuple("small", "6", 2u), std::tuple("paper", "12", 3u)}) {
    const auto ids_of = [](const Json& trials, const std::string& axis, const std::string& label) {
      std::set<std::string> ids;
      for (const Json& trial : trials) {
        const Json& labels = trial.at("labels");
        if (labels.value(axis, "") == label && labels.at("task") == "MRPC")
          ids.insert(trial.at("id"));
      }
      return ids;
    };
    const Json by_layers = trials("a3/layers", profile), by_heads = trials("a3/heads", profile),
               by_permutations = trials("a3/permutations", profile);
    const auto none = ids_of(by_layers, "layers", "none");
    EXPECT_EQ(none.size(), seeds) << profile;
    EXPECT_EQ(none, ids_of(by_heads, "heads", "none"));
    EXPECT_EQ(none, ids_of(by_permutations, "permutations", "none"));
    EXPECT_THAT(ids_of(trials("a3/depth", profile), "model.layers", layers),
                testing::IsSupersetOf(none));
    const auto lowest = ids_of(by_layers, "layers", "l[1-3]");
    EXPECT_EQ(lowest, ids_of(by_heads, "heads", "h3"));
    EXPECT_EQ(lowest, ids_of(by_permutations, "permutations", "P{3}"));
  }
}

/// No shipped sweep takes it.
TEST_P(ShippedSweeps, A3AsReleasedIsAPresetOfFineTuning) {
  const fs::path sweep = folder_ / "released.yaml";
  write_text(sweep,
             "sweep: released\nstages:\n  finetune:\n    job: finetune\n    preset: a3_released\n"
             "    needs: {init: {file: weights/bert_base}}\n    data: {dataset: glue/rte}\n");
  const Json trial = trials(sweep, "").at(0);
  const Json config = trial.at("config");
  EXPECT_TRUE(config.at("pad_to_max_length").get<bool>());
  EXPECT_EQ(config.at("max_length"), 128);
  EXPECT_EQ(config.at("batch"), 16);
  EXPECT_EQ(config.at("epochs"), 6);
  EXPECT_EQ(config.at("clip"), 1.0);
  EXPECT_EQ(config.at("optimizer").at("lr"), 3e-5);
  EXPECT_EQ(config.at("optimizer").at("weight_decay"), 0.01);
  EXPECT_EQ(config.at("schedule").at("warmup_share"), 0.0);
  const Json layers = config.at("model").at("attention").at("at").at(0);
  EXPECT_EQ(layers.at("padding"), "seen");
  EXPECT_EQ(layers.at("direction"), "backward");
  EXPECT_EQ(layers.at("layers"), Json({1, 2, 3, 4}));
  EXPECT_EQ(layers.at("triplet_heads"), 3);
  EXPECT_EQ(layers.at("permutations"), Json({"random", "random", "next_two", "swap", "random"}));
  EXPECT_FALSE(config.at("buckets").get<bool>());
}

/// "l[1-3]" or "l{1,3}": the slides' layers of 12, as those of an encoder of so many.
std::set<int64_t> layers_named(const std::string& label, int64_t of) {
  std::vector<int64_t> numbers;
  std::string digits;
  for (const char c : label) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      digits += c;
    } else if (!digits.empty()) {
      numbers.push_back(std::stoll(std::exchange(digits, "")));
    }
  }
  if (label.find('-') != std::string::npos) {
    const int64_t last = numbers.at(1);
    numbers.pop_back();
    while (numbers.back() < last) numbers.push_back(numbers.back() + 1);
  }
  std::set<int64_t> layers;
  for (const int64_t number : numbers) layers.insert((number * of + 11) / 12);
  return layers;
}

/// Layer k of 12 is layer ceil(k/2) of 6, in what runs and in what the table says of it.
TEST_P(ShippedSweeps, TripletLayersAreThoseThatTheRowsName) {
  for (const auto& [profile, depth] : {std::pair("paper", 12), std::pair("small", 6)}) {
    std::set<std::string> rows;
    for (const Json& trial : trials("a3/layers", profile)) {
      const std::string label = trial.at("labels").value("layers", "none");
      const Json& attention = trial.at("config").at("model").at("attention");
      if (label == "none" || !rows.insert(label).second) continue;
      EXPECT_EQ(attention.at("at").at(0).at("layers").get<std::set<int64_t>>(),
                layers_named(label, depth))
          << label;
    }
    EXPECT_EQ(rows.size(), depth == 12 ? 17u : 11u);
  }
  const Yaml table = read_yaml(fs::path(RETHINK_SOURCE_DIR) / "plots/tables/a3/layers.yaml");
  size_t tested = 0;
  for (const Yaml& row : table.find("rows")->items) {
    const std::string& text = row.find("label")->scalar;
    const size_t at = text.find(" (of 6: ");
    if (at == std::string::npos) continue;
    std::set<int64_t> said;
    for (const char c : text.substr(at + 8)) {
      if (std::isdigit(static_cast<unsigned char>(c)) != 0) said.insert(c - '0');
    }
    EXPECT_EQ(said, layers_named(text.substr(0, at), 6)) << text;
    ++tested;
  }
  EXPECT_EQ(tested, 11u);
}

/// Presets that no shipped sweep takes, or takes in part.
TEST_P(ShippedSweeps, PresetsOfModelsAndOfTheReleasedDamAreWhatTheySay) {
  const auto model_of = [&](const std::string& model) {
    const fs::path sweep = folder_ / "presets.yaml";
    write_text(sweep, "sweep: presets\nstages:\n  a:\n    job: pretrain\n    steps: 1\n" +
                          ("    model: {" + model + "}\n") +
                          "    data: {dataset: synthetic_documents}\n");
    return trials(sweep, "").at(0).at("config").at("model");
  };
  for (const auto& [preset, layers, d_model, heads, ffn] :
       {std::tuple("bert_base", 12, 768, 12, 3072), std::tuple("bert_small", 4, 512, 8, 2048),
        std::tuple("bert_mini", 4, 256, 4, 1024), std::tuple("bert_tiny", 2, 128, 2, 512)}) {
    const Json model = model_of(std::string("preset: ") + preset);
    EXPECT_EQ(model.at("layers"), layers) << preset;
    EXPECT_EQ(model.at("d_model"), d_model) << preset;
    EXPECT_EQ(model.at("heads"), heads) << preset;
    EXPECT_EQ(model.at("ffn"), ffn) << preset;
  }
  const Json dam =
      model_of("preset: bert_tiny, attention: {preset: sparsebert_released}").at("attention");
  const Json released = {{"kind", "dam"},      {"structured", true},   {"force_ends", false},
                         {"two_logits", true}, {"hard", true},         {"evaluation", "sampled"},
                         {"penalty", 5e-5},    {"empty_rows", "dense"}};
  for (const auto& [option, value] : released.items()) EXPECT_EQ(dam.at(option), value) << option;
}

TEST_P(ShippedSweeps, BirdEyeAsReleasedIsAPresetOfEachJob) {
  for (const auto& [job, dataset, preset, beside] :
       {std::tuple("lm", "synthetic_language", "bet_released", "query"),
        std::tuple("mt", "synthetic_translations", "bet_released_mt", "key")}) {
    const fs::path sweep = folder_ / "presets.yaml";
    write_text(sweep, std::string("sweep: presets\nstages:\n  a:\n    job: ") + job +
                          "\n    steps: 1\n    data: {dataset: " + dataset +
                          "}\n    model: {attention: {preset: " + preset + "}}\n");
    const Json attention = trials(sweep, "").at(0).at("config").at("model").at("attention");
    const Json released = {{"kind", "bird_eye"},          {"second_output", true},
                           {"rescale_bias", true},        {"rescale_by", beside},
                           {"hidden_after_output", true}, {"diagonal_mask", true}};
    for (const auto& [option, value] : released.items())
      EXPECT_EQ(attention.at(option), value) << job << ": " << option;
  }
}

std::vector<fs::path> real_schemas() {
  const fs::path schema = kPrograms / "schema.json";
  return fs::exists(schema) ? std::vector{schema} : std::vector<fs::path>{};
}

INSTANTIATE_TEST_SUITE_P(, ShippedSweeps, testing::ValuesIn(real_schemas()),
                         [](const auto&) { return "OfTheRealWorker"; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ShippedSweeps);

}  // namespace
}  // namespace rethink
