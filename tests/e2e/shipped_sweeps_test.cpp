// The trials of every sweep of this repository, in every profile: ids and labels, in the golden files
// tests/golden/sweeps/FOLDER_NAME.txt. A stage with many trials has a hash of them. A change of a sweep,
// a preset, a default or of a trial's identity changes these files. Data sets are stand-ins, so the ids
// differ from those of real stores. RETHINK_UPDATE_GOLDEN=1 writes the files.
#include "tests/e2e/shipped_sweeps.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/files/hash.h"
#include "core/json.h"
#include "core/system/process.h"
#include "core/yaml/yaml.h"
#include "tests/support/golden.h"

namespace rethink {
namespace {

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

/// A stage with at most this many trials is listed; a larger one has a hash.
constexpr size_t kListed = 60;

/// Returns the trials stage by stage, in the plan's order.
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
    if (!fs::exists(goldens / golden_name(sweep)) && !std::getenv("RETHINK_UPDATE_GOLDEN")) {
      ADD_FAILURE() << sweep << " has no golden file; RETHINK_UPDATE_GOLDEN=1 writes it";
      continue;
    }
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

/// The heads of both files say that common trials of two figures are trained once.
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
      const bool is_left_out = stage == "mt" && profile == "verdict";
      EXPECT_EQ(of_rates.empty(), is_left_out) << profile << " " << stage;
      if (is_left_out) continue;
      // Either set of trials may have fewer seeds.
      EXPECT_TRUE(std::ranges::includes(of_rates, of_arms) ||
                  std::ranges::includes(of_arms, of_rates))
          << profile;
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

/// Table 3 analyses the models of Table 2.
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
    EXPECT_EQ(study.size(), 2 * of_study.size()) << profile;  // each is analysed once
  }
}

/// These are pretrained once in a store: the base, and on each seed the arms of Table 1 with
/// attention off (6), the masks drawn by hand with their diagonal (7) and without (6), the masks
/// that learn (8), and P. In `verdict` there are four arms of Table 1, six masks drawn by hand,
/// four that learn, and P.
TEST_P(ShippedSweeps, SparseBertPretrainsEachConfigurationOnce) {
  const std::map<std::string, size_t> pretrainings = {
      {"", 1 + 2 * (6 + 7 + 6 + 8 + 1)},
      {"smoke", 1 + 6 + 7 + 6 + 8 + 1},
      {"small", 1 + 2 * (6 + 7 + 6 + 8 + 1)},
      {"verdict", 1 + 5 * (4 + 6 + 4 + 1)},
      // In this profile the base is the dense arm, and each arm of Longformer and BigBird has three draws.
      {"paper", 6 + (7 + 2 * 3) + (6 + 2 * 2) + 8 + 1}};
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

/// Draw k belongs to seed k, in fine-tuning and in pretraining. The profile `paper` pretrains one seed, and lists three
/// draws.
TEST_P(ShippedSweeps, LongformersAndBigBirdsMasksAreDrawnForEachSeed) {
  const std::set<std::string> drawn = {"Longformer", "Longformer (literal)", "BigBird"};
  for (const char* sweep : {"sparsebert/masks", "sparsebert/diag_ablation"}) {
    for (const std::string& profile : profiles_of(sweep)) {
      std::map<int64_t, std::set<int64_t>> draws, fine_tuned;  // by seed
      for (const Json& trial : trials(sweep, profile)) {
        const std::string stage = trial.at("stage"), job = trial.at("job");
        const std::string arm =
            trial.at("labels").value(stage == "pretrain" ? "arm" : "pretrain.arm", "");
        if (!drawn.contains(arm) || (job != "pretrain" && job != "finetune")) continue;
        (job == "pretrain" ? draws : fine_tuned)[trial.at("seed")].insert(
            trial.at(Json::json_pointer("/config/model/attention/mask/seed")).get<int64_t>());
      }
      const bool is_left_out =
          profile == "verdict" && std::string_view(sweep) == "sparsebert/diag_ablation";
      EXPECT_EQ(draws.empty(), is_left_out) << sweep << " " << profile;
      if (is_left_out) continue;
      const int64_t seeds = profile.starts_with("smoke") ? 1 : profile == "verdict" ? 5 : 2;
      std::map<int64_t, std::set<int64_t>> expected, of_three;
      for (int64_t seed = 0; seed < seeds; ++seed) expected[seed] = {seed};
      if (profile == "paper") expected = {{0, {0, 1, 2}}};
      for (int64_t seed = 0; seed < 3; ++seed) of_three[seed] = {0, 1, 2};
      EXPECT_EQ(draws, expected) << sweep << " " << profile;
      EXPECT_EQ(fine_tuned, profile == "paper" ? of_three : expected) << sweep << " " << profile;
    }
  }
}

/// Presets that no shipped sweep uses, or of which sweeps use a part.
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

/// The settings are fairseq's for IWSLT 2014 (transformer_iwslt_de_en and its training command). Another
/// rate leaves all other settings.
TEST_P(ShippedSweeps, TranslationIsFairseqsRecipeByDefault) {
  const fs::path sweep = folder_ / "recipe.yaml";
  write_text(
      sweep,
      "sweep: recipe\nstages:\n"
      "  a: {job: mt, steps: 1, data: {dataset: synthetic_translations}}\n"
      "  b: {job: mt, steps: 1, data: {dataset: synthetic_translations}, optimizer.lr: 2e-3}\n");
  const Json model = {{"encoder_layers", 6},
                      {"layers", 6},
                      {"d_model", 512},
                      {"heads", 4},
                      {"ffn", 1024},
                      {"dropout", 0.3},
                      {"attention_dropout", 0.0},
                      {"activation_dropout", 0.0},
                      {"activation", "relu"},
                      {"shared_embeddings", "all"}};
  const Json optimizer = {{"name", "adamw"}, {"beta1", 0.9},         {"beta2", 0.98},
                          {"eps", 1e-8},     {"weight_decay", 1e-4}, {"decay_vectors", true}};
  const Json schedule = {{"name", "inverse_square_root"}, {"warmup", 4000}};
  const Json search = {
      {"beams", 5}, {"length_penalty", 1.0}, {"length_factor", 1.2}, {"length_extra", 10}};
  const Json evaluation = {{"keep", "best"}};
  std::vector<Json> rates;
  for (const Json& trial : trials(sweep, "")) {
    const Json& config = trial.at("config");
    for (const auto& [part, expected] : {std::pair("model", model),
                                         {"optimizer", optimizer},
                                         {"schedule", schedule},
                                         {"search", search},
                                         {"evaluate", evaluation}}) {
      for (const auto& [option, value] : expected.items())
        EXPECT_EQ(config.at(part).at(option), value) << part << "." << option;
    }
    EXPECT_EQ(config.at("label_smoothing"), 0.1);
    EXPECT_EQ(config.at("batch_tokens"), 4096);
    rates.push_back(config.at("optimizer").at("lr"));
  }
  EXPECT_EQ(rates, (std::vector<Json>{5e-4, 2e-3}));
}

/// The quirks of the code that made the paper's WikiText-2 column (docs/fidelity.md, "Models").
TEST_P(ShippedSweeps, BetsReleasedProtocolHasItsQuirks) {
  const Json expected = {
      {"/data/dataset", "wikitext_2"},
      {"/data/protocol", "lines"},
      {"/data/lowercase", true},
      {"/data/tokenizer/name", "nltk"},
      {"/data/min_characters", 11},
      {"/data/max_tokens", 100},
      {"/data/vocabulary", 30000},
      {"/model/positions", "none"},
      {"/model/layers", 6},
      {"/model/d_model", 300},
      {"/model/heads", 1},
      {"/model/embedding_dropout", 0.0},
      {"/model/activation_dropout", 0.1},
      {"/model/attention_dropout_at_evaluation", true},
      {"/batch", 64},
      {"/shuffle", false},
      {"/buckets", false},
      {"/loss_mean", "positions"},
      {"/clip", 5.0},
      {"/optimizer/name", "adam"},
      {"/optimizer/lr", 0.001},
      {"/optimizer/eps", 0.001},
      {"/optimizer/amsgrad", true},
      {"/evaluate/splits", {"test"}},
      {"/evaluate/metric", "line_perplexity"},
      {"/evaluate/min_test", true},
      {"/evaluate/every", 10000},  // the logs' lowest values are of step 10,000
      {"/evaluate/epoch_ends", true},
      {"/evaluate/keep", "last"},
      {"/schedule/name", "constant"},
  };
  const Json bird_eye = {{"kind", "bird_eye"},
                         {"second_output", true},
                         {"rescale_bias", true},
                         {"hidden_after_output", true},
                         {"rescale_by", "query"}};
  size_t bird_eyes = 0;
  for (const Json& trial : trials("bet/overall_lm_released", "paper")) {
    const Json& config = trial.at("config");
    for (const auto& [place, value] : expected.items())
      EXPECT_EQ(config.at(Json::json_pointer(place)), value) << place;
    const std::string arm = trial.at("labels").value("arm", "");
    if (!arm.starts_with("BET(SF)")) continue;
    const Json& attention = config.at("model").at("attention");
    for (const auto& [option, value] : bird_eye.items())
      EXPECT_EQ(attention.at(option), value) << option;
    EXPECT_EQ(attention.at("diagonal_mask"), arm == "BET(SF)");
    ++bird_eyes;
  }
  EXPECT_EQ(bird_eyes, 2u);
}

/// These profiles are for GPUs, on which float32 uses no tensor cores.
TEST_P(ShippedSweeps, EncodersTrainInBfloat16InTheProfilePaper) {
  size_t trained = 0;
  for (const std::string& sweep : sweep_names()) {
    const std::vector<std::string> profiles = profiles_of(sweep);
    const bool is_of_encoders = sweep.starts_with("sparsebert/") || sweep.starts_with("a3/");
    if (!is_of_encoders || std::ranges::find(profiles, std::string("paper")) == profiles.end())
      continue;
    for (const Json& trial : trials(sweep, "paper")) {
      if (trial.at("job") != "pretrain" && trial.at("job") != "finetune") continue;
      EXPECT_EQ(trial.at("config").at("precision"), "bfloat16")
          << sweep << " " << trial.at("stage");
      ++trained;
    }
  }
  EXPECT_GT(trained, 1000u);
}

TEST_P(ShippedSweeps, BetsReleasedProtocolOnAGpuIsOfTheReleasedLogs) {
  std::map<std::string, std::set<int64_t>> seeds;
  for (const Json& trial : trials("bet/overall_lm_released", "gpu")) {
    EXPECT_EQ(trial.at("config").at("steps"), 10000);
    EXPECT_EQ(trial.at("config").at("precision"), "tf32");
    seeds[trial.at("labels").at("arm")].insert(trial.at("seed").get<int64_t>());
  }
  const std::set<int64_t> three = {0, 1, 2};
  EXPECT_EQ(seeds, (std::map<std::string, std::set<int64_t>>{
                       {"Transformer", three}, {"DiagFreeMask", three}, {"BET(SF)", three}}));
}

INSTANTIATE_TEST_SUITE_P(, ShippedSweeps, testing::ValuesIn(real_schemas()),
                         [](const auto&) { return "OfTheRealWorker"; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ShippedSweeps);

}  // namespace
}  // namespace rethink
