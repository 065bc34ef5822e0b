// A3's sweeps: rows that are in several tables run once, and a row runs the configuration in its name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/json.h"
#include "tests/e2e/shipped_sweeps.h"

namespace rethink {
namespace {

class ShippedA3Sweeps : public ShippedSweeps {};

/// l[1-3] is h3 and P{3}. Rows without triplet heads are the same in all tables.
TEST_P(ShippedA3Sweeps, A3RunsSharedRowsOnce) {
  for (const auto& [profile, layers, seeds] :
       {std::tuple("small", "6", 2u), std::tuple("verdict", "6", 5u),
        std::tuple("paper", "12", 3u)}) {
    const std::set<std::string> tasks = {"MRPC", "STS-B"};
    const auto ids_of = [&](const Json& trials, const std::string& axis, const std::string& label) {
      std::set<std::string> ids;
      for (const Json& trial : trials) {
        const Json& labels = trial.at("labels");
        if (labels.value(axis, "") == label && tasks.contains(labels.at("task")))
          ids.insert(trial.at("id"));
      }
      return ids;
    };
    const Json by_layers = trials("a3/layers", profile), by_heads = trials("a3/heads", profile),
               by_permutations = trials("a3/permutations", profile);
    const auto none = ids_of(by_layers, "layers", "none");
    EXPECT_EQ(none.size(), 2 * seeds) << profile;
    EXPECT_EQ(none, ids_of(by_heads, "heads", "none"));
    EXPECT_EQ(none, ids_of(by_permutations, "permutations", "none"));
    EXPECT_THAT(ids_of(trials("a3/depth", profile), "model.layers", layers),
                testing::IsSupersetOf(none));
    const auto lowest = ids_of(by_layers, "layers", "l[1-3]");
    EXPECT_EQ(lowest.size(), 2 * seeds) << profile;
    EXPECT_EQ(lowest, ids_of(by_heads, "heads", "h3"));
    EXPECT_EQ(lowest, ids_of(by_permutations, "permutations", "P{3}"));
  }
}

/// BERT-base and BERT-A3 of the GLUE results are rows of the ablations, like the whole encoder of Figure 5.
TEST_P(ShippedA3Sweeps, A3DecidesItsTablesByTheSameRuns) {
  std::set<std::string> of_ablations, of_others;
  for (const char* sweep : {"a3/layers", "a3/heads", "a3/permutations"})
    for (const Json& trial : trials(sweep, "verdict")) of_ablations.insert(trial.at("id"));
  EXPECT_EQ(of_ablations.size(), 5 * 2 * 5);  // rows, tasks, seeds
  for (const char* sweep : {"a3/glue", "a3/depth"}) {
    for (const Json& trial : trials(sweep, "verdict"))
      if (trial.at("job") == "finetune") of_others.insert(trial.at("id"));
  }
  EXPECT_EQ(of_others.size(), 3 * 2 * 5);
  EXPECT_THAT(of_ablations, testing::IsSupersetOf(of_others));
}

/// The preset's learning rate is still open, so nothing runs before the pilots have chosen a rate.
TEST_P(ShippedA3Sweeps, A3IsRefusedUntilItsRatesAreChosen) {
  for (const char* sweep : {"a3/layers", "a3/heads", "a3/permutations", "a3/glue", "a3/depth"}) {
    const ProgramResult plan = run_program(
        {.words = {kPrograms / "rethink", "plan", sweep, "--profile", "verdict", "--data",
                   folder_ / "data"},
         .input = "",
         .folder = folder_.path(),
         .environment = {{"RETHINK_PROGRAMS", kPrograms}, {"XDG_CACHE_HOME", folder_ / "cache"}}});
    EXPECT_EQ(plan.status, 2) << sweep;
    EXPECT_THAT(plan.error, testing::HasSubstr("may not run yet: it waits for the learning rate of "
                                               "each row, which the pilot chooses (`rethink run "))
        << sweep;
  }
  for (const char* sweep : {"a3/gate", "a3/depth_time", "a3/speed"})
    EXPECT_FALSE(trials(sweep, "verdict").empty()) << sweep;
}

/// The data for choosing rates are held out of train, on seeds that are not reported.
TEST_P(ShippedA3Sweeps, A3ChoosesItsRatesOnUnreportedData) {
  std::set<std::string> configurations;
  for (const char* sweep : {"a3/layers", "a3/heads", "a3/permutations"}) {
    for (const Json& trial : trials(sweep, "pilot")) {
      EXPECT_GE(trial.at("seed"), 100);
      EXPECT_EQ(trial.at("config").at("data").at("holdout"), 0.1);
      EXPECT_EQ(trial.at("config").at("evaluate").at("splits"), Json({"holdout"}));
      configurations.insert(trial.at("config").dump() + trial.at("seed").dump());
    }
  }
  EXPECT_EQ(configurations.size(), 5 * 3 * 2 * 3);  // rows, rates, tasks, seeds
}

/// The sweep a3/released writes its settings out, so that one arm has dense attention.
TEST_P(ShippedA3Sweeps, A3AsReleasedIsAPresetOfFineTuning) {
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
  size_t same = 0;
  for (const Json& shipped : trials("a3/released", "gpu")) {
    if (shipped.at("stage") != "finetune" || shipped.at("labels").at("arm") != "BERT-A3") continue;
    EXPECT_EQ(shipped.at("config"), config);
    ++same;
  }
  EXPECT_EQ(same, 3u) << "a trial for each seed";
}

/// Returns the slides' layers in a label such as "l[1-3]" or "l{1,3}", of 12, as layers of an encoder of `of` layers.
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

/// Returns the entry of each value of an axis; nothing for "none".
std::map<std::string, Json> triplets_by(const Json& trials, const std::string& axis) {
  std::map<std::string, Json> found;
  for (const Json& trial : trials) {
    const std::string label = trial.at("labels").value(axis, "none");
    const Json& at = trial.at("config").at("model").at("attention").at("at");
    if (label != "none") found[label] = at.at(0);
  }
  return found;
}

/// Layer k of 12 is layer ceil(k/2) of 6, both in the run and in the table's label. Rows with equal layers of 6 are merged into a single row.
TEST_P(ShippedA3Sweeps, TripletLayersMatchTheRowNames) {
  std::set<std::set<int64_t>> of_six;
  for (const auto& [profile, depth] : {std::pair("small", 6), std::pair("paper", 12)}) {
    const auto rows = triplets_by(trials("a3/layers", profile), "layers");
    for (const auto& [label, triplet] : rows) {
      const auto layers = triplet.at("layers").get<std::set<int64_t>>();
      EXPECT_EQ(layers, layers_named(label, depth)) << label;
      if (depth == 6) {
        EXPECT_TRUE(of_six.insert(layers).second) << label;
      } else {
        EXPECT_TRUE(of_six.contains(layers_named(label, 6))) << label;
      }
    }
    EXPECT_EQ(rows.size(), depth == 12 ? 17u : 11u);
  }
  const Yaml table = read_yaml(fs::path(RETHINK_SOURCE_DIR) / "plots/tables/a3/layers.yaml");
  size_t tested = 0;
  const Yaml& labels = *table.find("rows")->items.at(0).find("labels");
  for (const std::string& key : labels.keys()) {
    const std::string& text = labels.find(key)->scalar;
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

/// "h6" has six triplet heads of twelve, "P{2,3}" has the slides' second and third permutation.
TEST_P(ShippedA3Sweeps, HeadsAndPermutationsMatchTheRowNames) {
  const std::vector<std::string> names = {"next", "next_two", "random", "reverse", "swap"};
  for (const char* profile : {"small", "paper"}) {
    const auto heads = triplets_by(trials("a3/heads", profile), "heads");
    EXPECT_EQ(heads.size(), 4u);
    for (const auto& [label, triplet] : heads)
      EXPECT_EQ(triplet.at("triplet_heads"), std::stoi(label.substr(1))) << label;
    const auto permutations = triplets_by(trials("a3/permutations", profile), "permutations");
    EXPECT_EQ(permutations.size(), 14u);
    for (const auto& [label, triplet] : permutations) {
      Json named = Json::array();
      for (const char c : label) {
        if (std::isdigit(static_cast<unsigned char>(c)) != 0)
          named.push_back(names.at(static_cast<size_t>(c - '1')));
      }
      EXPECT_EQ(triplet.at("permutations"), named) << label;
    }
  }
}

/// A grid over the shipped rows' cases, as --set makes it. Trials that are rows already are the same, and the others
/// are new rows of A3's own table.
TEST_P(ShippedA3Sweeps, AGridOverLayersHeadsAndPermutationsHasRowsInA3sTable) {
  const std::string grid =
      "stages.finetune.grid={model.attention.at.0.layers: [[1, 2], [5, 6]], "
      "model.attention.at.0.permutations: [[random], [next]], "
      "model.attention.at.0.triplet_heads: [3, 6]}";
  const auto run = [&](const std::string& command, const std::string& format) {
    return run_program(
        {.words = {kPrograms / "rethink", command, "a3/heads", "--profile", "small", "--format",
                   format, "--data", folder_ / "data", "--set", "stages.finetune.only.heads=[h3]",
                   "--set", grid},
         .input = "",
         .folder = folder_.path(),
         .environment = {{"RETHINK_PROGRAMS", kPrograms}, {"XDG_CACHE_HOME", folder_ / "cache"}}});
  };
  const ProgramResult plan = run("plan", "json");
  ASSERT_EQ(plan.status, 0) << plan.error;
  const std::string axis = "model.attention.at.0.";
  std::set<std::string> planned, of_six_heads;
  const Json trials_of_grid = parse_json(plan.output, "plan").at("trials");
  for (const Json& trial : trials_of_grid) {
    if (trial.at("stage") != "finetune") continue;
    planned.insert(trial.at("id"));
    const Json& labels = trial.at("labels");
    if (labels.at(axis + "triplet_heads") == "6" && labels.at(axis + "layers") == "[1, 2]" &&
        labels.at(axis + "permutations") == "[random]")
      of_six_heads.insert(trial.at("id"));
  }
  EXPECT_EQ(planned.size(), 2 * 2 * 2 * 2 * 2);  // with tasks and seeds
  std::set<std::string> shipped;
  for (const Json& trial : trials("a3/heads", "small")) {
    if (trial.at("labels").value("heads", "") == "h6") shipped.insert(trial.at("id"));
  }
  EXPECT_EQ(of_six_heads, shipped);
  const std::string table = run("table", "csv").output;
  for (const char* layers : {"[1, 2]", "[5, 6]"}) {
    for (const char* permutation : {"[random]", "[next]"}) {
      for (const char* heads : {"3", "6"})
        EXPECT_THAT(table,
                    testing::HasSubstr(fmt::format(
                        "a3/heads,small,\"h3, layers={}, permutations={}, triplet_heads={}\"",
                        layers, permutation, heads)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, ShippedA3Sweeps, testing::ValuesIn(real_schemas()),
                         [](const auto&) { return "OfTheRealWorker"; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ShippedA3Sweeps);

}  // namespace
}  // namespace rethink
