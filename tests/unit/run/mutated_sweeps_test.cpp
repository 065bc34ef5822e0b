// Random mutations of sweep files, and of the configuration of a sweep's imported weights.
// RETHINK_MUTATIONS is their number, RETHINK_SEED selects them.
#include "core/store_files/stored_json.h"
#include "experiments/run/requests.h"
#include "tests/support/mutations.h"
#include "tests/unit/plan/plan_fixture.h"
#include "tests/unit/plan/sample_sweeps.h"

namespace rethink {
namespace {

const std::vector<std::string> kSampleSweeps = {kMasks,
                                                std::string(R"(resources: {threads: 2, device: cpu}
limits: {time: 12h, stall: 30min}
retry: {killed: 1, timeout: 2}
)") + kJoined + "    where: {batch: 2, mask.steps: 20}\n",
                                                R"(sweep: drawn
stages:
  a:
    job: pretrain
    note: "drawn, not counted"
    sizes: &sizes [4, 8]
    random:
      count: 5
      seed: 7
      optimizer.lr: {log: [1e-6, 1]}
      model.dropout: {uniform: [0, 0.5]}
      batch: {integer: [1, 64]}
    zip: {model.layers: *sizes, model.heads: [1, 2]}
    grid: {shuffle: [true, false], epochs: {from: 1, to: 3, step: 1}}
    when: {epochs: [{shuffle: true}]}
)"};

class MutatedSweeps : public PlanFixture {
 protected:
  MutatedSweeps() {
    write_text(folder_ / "experiments/presets/model/bert_mini.yaml",
               "layers: 4\nattention: {dropout: 0.2}\n");
  }
};

TEST_F(MutatedSweeps, ArePlannedAlikeTwiceOrRefusedWithTheirPlace) {
  for (const std::string& sweep : kSampleSweeps) EXPECT_GT(plan(sweep).trials.size(), 1u);
  const auto mutate = [](RandomChoices& choices) {
    return mutated_text(choices.one_of(kSampleSweeps), kSampleSweeps, choices);
  };
  try_mutations(1500, mutate, [&](const std::string& text) {
    std::vector<std::string> first, second;
    const auto planned = [&](std::vector<std::string>& trials) {
      return fault_of_reading(folder_ / "sweep.yaml", ErrorPlace::line,
                              [&] { trials = ids(plan(text)); });
    };
    std::string fault = planned(first);
    if (fault.empty() && !first.empty()) fault = planned(second);
    if (fault.empty() && first != second) fault = "a second plan has other trials";
    return fault;
  });
}

TEST_F(MutatedSweeps, AreUnharmedByMutatedConfigurationsOfImportedWeights) {
  const std::string config = R"({"model_type": "bert", "hidden_size": 32, "rethink": {"model":
{"attention": {"rate": 0.1, "kind": "masked", "mask": {"diagonal": true, "kind": "none"}},
"d_model": 128, "dropout": 0.1, "heads": 2, "layers": 4}}, "vocab_size": 48}
)";
  const std::string sweep = "sweep: s\nstages: {a: {job: finetune, needs: {init: {file: " +
                            (folder_ / "weights").string() + "}}}}\n";
  const auto mutate = [&](RandomChoices& choices) {
    return mutated_text(config, {config}, choices);
  };
  write_text(folder_ / "weights/model.safetensors", "weights");
  write_text(folder_ / "weights/config.json", config);
  EXPECT_EQ(plan(sweep).trials.size(), 1u);
  try_mutations(500, mutate, [&](const std::string& text) {
    write_text(folder_ / "weights/config.json", text);
    return fault_of_reading(folder_ / "sweep.yaml", ErrorPlace::line, [&] { plan(sweep); });
  });
}

TEST(MutatedRequests, AreReadOrRefusedWithTheirFile) {
  Request request;
  request.targets = {"masks.yaml", "bbc82585bffda6ced674"};
  request.profile = "smoke";
  request.only = {"failed", "diverged"};
  request.by = "somebody";
  const std::string sound = request_text(request);
  const auto mutate = [&](RandomChoices& choices) {
    // Half of the texts get a new checksum, since a wrong file may have one, unlike a damaged file.
    const std::string text = mutated_text(sound, {sound}, choices);
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    return json.is_object() && choices.below(2) == 0 ? stored_text(json) : text;
  };
  try_mutations(1000, mutate, [](const std::string& text) {
    return fault_of_reading("requests/1.json", ErrorPlace::file,
                            [&] { request_from(text, "requests/1.json"); });
  });
}

}  // namespace
}  // namespace rethink
