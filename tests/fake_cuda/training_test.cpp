// Tests that the released worker trains on fake GPUs: every job, every attention variant, both
// precisions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/golden.h"
#include "tests/support/shell.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

/// A folder with stores, and commands that run in it.
class Machine {
 public:
  explicit Machine(std::string gpus = "H100=GPU-aa1", std::string variables = "")
      : gpus_(std::move(gpus)), variables_(std::move(variables)) {
    std::filesystem::create_directory(folder_ / "report");
  }

  /// Returns the output of the command. Expects the exit code `code`.
  std::string run(const std::string& command, int code = 0) const {
    const std::string home = folder_.path().string();
    const std::string line =
        "unset CUDA_VISIBLE_DEVICES FAKE_CUDA_MIB; cd '" + home + "' && export HOME='" + home +
        "' XDG_CACHE_HOME='" + home +
        "/cache' PATH='" RETHINK_BINARY_DIR "/bin':\"$PATH\" RETHINK_PROGRAMS='" RETHINK_BINARY_DIR
        "/fake_cuda' LD_LIBRARY_PATH='" RETHINK_BINARY_DIR "/noop/fake_nvml' FAKE_GPUS='" +
        gpus_ + "' FAKE_CUDA_REPORT='" + home +
        "/report' RETHINK_DATA='" RETHINK_SOURCE_DIR "/tests/gpu/data' " + variables_ + " && { " +
        command + "\n} 2>&1 </dev/null";
    const ShellResult result = run_shell(line);
    EXPECT_EQ(result.exit_code, code) << command << "\n" << result.output;
    return result.output;
  }

  void write(const std::string& file, const std::string& text) const {
    write_text(folder_ / file, text);
  }

  /// Returns the events of all processes since the last call, with their counts.
  std::map<std::string, int64_t> events() const {
    std::map<std::string, int64_t> counts;
    for (const auto& file : std::filesystem::directory_iterator(folder_ / "report")) {
      std::istringstream lines(read_text(file.path()));
      for (std::string line; std::getline(lines, line);) ++counts[line];
      std::filesystem::remove(file.path());
    }
    return counts;
  }

  /// Returns every number that the store's trials measured, except times and memory.
  std::map<std::string, double> metrics(const std::string& store) const {
    std::istringstream lines(run(
        "rethink query --store " + store +
        " --format csv \"SELECT printf('%s %s %s/%s at %d', s.stage, s.labels, m.split, m.name, "
        "m.step) AS what, printf('%.9g', m.value) AS value FROM metric m JOIN sweep_trial s ON "
        "s.trial = m.trial\""));
    std::map<std::string, double> values;
    std::string line;
    std::getline(lines, line);  // the header
    while (std::getline(lines, line)) {
      const size_t comma = line.rfind(',');
      values[line.substr(0, comma)] = std::strtod(line.c_str() + comma + 1, nullptr);
    }
    return values;
  }

 private:
  const TempFolder folder_;
  const std::string gpus_, variables_;
};

const std::string kProof = RETHINK_SOURCE_DIR "/tests/gpu/sweeps/";
const std::string kOwn = RETHINK_SOURCE_DIR "/tests/fake_cuda/sweeps/";

using Metrics = std::map<std::string, double>;

/// Correlations of nearly equal predictions amplify last bits. The bias of keys shifts all scores
/// of a query equally, so its gradient is only rounding, from which Adam makes whole steps. Only
/// the largest score shows them.
double tolerance_of(const std::string& metric) {
  if (metric.find("/attention_logit_") != std::string::npos) return 1e-2;
  // For single steps, whose loss is the mean of many tokens.
  if (metric.find("/gradient_norm") != std::string::npos) return 1e-4;
  return metric.starts_with("judge ") ? 5e-3 : 1e-5;
}

void expect_equal(const Metrics& got, const Metrics& expected) {
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(got.size(), expected.size());
  for (const auto& [what, value] : expected) {
    const auto found = got.find(what);
    ASSERT_NE(found, got.end()) << what;
    EXPECT_NEAR(found->second, value, tolerance_of(what) * std::max(1.0, std::abs(value))) << what;
  }
}

/// Only training losses: a score can change by a single item.
void expect_near(const Metrics& got, const Metrics& expected) {
  EXPECT_EQ(got.size(), expected.size());
  int losses = 0;
  for (const auto& [what, value] : expected) {
    if (what.find(" train/loss ") == std::string::npos) continue;
    EXPECT_NEAR(got.at(what), value, 0.05 * std::abs(value)) << what;
    ++losses;
  }
  EXPECT_GT(losses, 0);
}

/// Returns "--set stages.STAGE.SETTING" for each stage.
std::string for_stages(const std::vector<std::string>& stages, const std::string& setting) {
  std::string words;
  for (const std::string& stage : stages) words += " --set stages." + stage + "." + setting;
  return words;
}

/// Runs the sweep on the CPU, and in both precisions on the fake GPU.
void compare_with_the_cpu(const std::string& sweep, const std::string& words = "") {
  const Machine machine;
  const std::string run = "rethink run '" + sweep + "' -q" + words;
  machine.run(run + " --store cpu --device cpu");
  machine.run(run + " --store float32 --device cuda");
  EXPECT_FALSE(machine.events().empty());
  machine.run(run + " --store bfloat16 --device cuda --profile bfloat16");
  const Metrics expected = machine.metrics("cpu");
  expect_equal(machine.metrics("float32"), expected);
  expect_near(machine.metrics("bfloat16"), expected);
}

TEST(FakeCudaJobs, GiveTheNumbersOfTheCpu) {
  compare_with_the_cpu(kProof + "jobs.yaml", for_stages({"lm", "mt", "pretrain", "label", "judge",
                                                         "choose", "answer", "tag"},
                                                        "steps=10"));
}

TEST(FakeCudaVariants, GiveTheNumbersOfTheCpu) {
  compare_with_the_cpu(kProof + "variants.yaml",
                       for_stages({"lm", "hints", "encoder", "search", "under"}, "steps=6"));
}

TEST(FakeCudaRest, GivesTheNumbersOfTheCpu) {
  compare_with_the_cpu(kOwn + "rest.yaml");
}

TEST(FakeCudaBenchmarks, MeasureTheMemoryOfTensorsAlone) {
  const Machine machine;
  machine.run("rethink run '" + kOwn + "rest.yaml' --only timed --device cuda -q --store store");
  const std::string peak = machine.run(
      "rethink query --store store --format csv \"SELECT value FROM measurement WHERE name = "
      "'peak_tensors_mib'\" | tail -n 1");
  EXPECT_GT(std::strtod(peak.c_str(), nullptr), 0) << peak;
  EXPECT_LT(std::strtod(peak.c_str(), nullptr), 10) << "a CUDA context takes hundreds";
}

TEST(FakeCudaBenchmarks, Run) {
  const Machine machine;
  for (const std::string what : {"attention", "encoder_step", "lm_step", "mt_step", "beam_search"})
    machine.run("rethink bench " + what + " --device cuda --steps 1 --warmup 0 --batch 2");
}

TEST(FakeCudaInterruption, IsResumedWithTheSameBits) {
  const Machine machine;
  const std::string said = machine.run("rethink selftest --chaos 3 --sweep '" + kProof +
                                       "chaos.yaml' --profile short --device cuda");
  EXPECT_NE(said.find("0 lost, 0 doubled, bit-equal"), std::string::npos) << said;
  const std::string run = "rethink run '" + kOwn +
                          "rest.yaml' --only stream --device cuda -q "
                          "--set stages.stream.steps=600 --slots 1 --store ";
  machine.run(run + "quiet");
  machine.run(run +
                  "stopped & pid=$!; for i in $(seq 400); do grep -qs loss "
                  "stopped/trials/*/attempt-1/events.jsonl && break; sleep 0.05; done; kill -INT "
                  "$pid; wait $pid",
              130);
  machine.run(run + "stopped");
  EXPECT_FALSE(machine.metrics("quiet").empty());
  EXPECT_EQ(machine.metrics("stopped"), machine.metrics("quiet"));
}

TEST(FakeCudaJoinedBatches, AreRecordedAndKeptByAResume) {
  const Machine machine;
  const std::string run = "rethink run '" + kOwn +
                          "steps.yaml' --only encoder -q --set stages.encoder.accumulate=3 --set "
                          "stages.encoder.log_every=2 --set stages.encoder.steps=";
  machine.run(run + "4 --store cpu --device cpu");
  machine.run(run + "4 --store cuda --device cuda");
  expect_near(machine.metrics("cuda"), machine.metrics("cpu"));
  const auto passes = [&](const std::string& store) {
    return machine.run("rethink query --store " + store +
                       " --format csv \"SELECT DISTINCT value FROM environment WHERE name = "
                       "'batches_of_pass'\" | tail -n +2");
  };
  EXPECT_EQ(passes("cuda"), "3\n");
  EXPECT_EQ(passes("cpu"), "");
  machine.run(run + "60 --store quiet --device cuda");
  // The trial resumes on a GPU with less memory, where a new trial would join fewer batches.
  machine.run(
      run +
          "60 --store stopped --device cuda & pid=$!; for i in $(seq 400); do grep -qs loss "
          "stopped/trials/*/attempt-1/events.jsonl && break; sleep 0.05; done; kill -INT "
          "$pid; wait $pid",
      130);
  machine.run("export FAKE_CUDA_MIB=16; " + run + "4 --store small --device cuda");
  EXPECT_EQ(passes("small"), "2\n");
  // A checkpoint after each step: what a checkpoint brought back goes into the next one.
  machine.run("export FAKE_CUDA_MIB=16; " + run +
              "60 --store stopped --device cuda --set stages.encoder.checkpoint_every=0");
  EXPECT_EQ(passes("stopped"), "3\n");
  EXPECT_EQ(machine.metrics("stopped"), machine.metrics("quiet"));
}

TEST(FakeCudaJoinedBatches, OfEveryJobGiveTheNumbersOfTheCpu) {
  const Machine machine;
  const std::vector<std::string> joined = {"lm", "mt", "label", "judge", "choose", "answer", "tag"};
  std::vector<std::string> all = joined;
  all.push_back("pretrain");
  const std::string run = "rethink run '" + kProof + "jobs.yaml' -q" + for_stages(all, "steps=5") +
                          for_stages(all, "model.dropout=0") + for_stages(joined, "accumulate=3");
  machine.run(run + " --store cpu --device cpu");
  machine.run(run + " --store cuda --device cuda");
  expect_equal(machine.metrics("cuda"), machine.metrics("cpu"));
  EXPECT_EQ(machine.run("rethink query --store cuda --format csv \"SELECT s.stage, e.value FROM "
                        "environment e JOIN sweep_trial s ON s.trial = e.trial WHERE e.name = "
                        "'batches_of_pass' ORDER BY s.stage\" | tail -n +2"),
            "answer,3\nchoose,3\njudge,3\nlabel,3\nlm,3\nmt,3\ntag,3\n");
}

/// The GPUs that three language models got, two at a time.
std::string gpus_used(const Machine& machine, const std::string& words = "") {
  machine.run("rethink run '" + kProof +
              "jobs.yaml' --only lm --seeds 0..2 --device cuda --slots 2 "
              "-q --store store --set stages.lm.steps=10 " +
              words);
  return machine.run(
      "rethink query --store store --format csv \"SELECT DISTINCT json_extract(facts, '$.gpu') AS "
      "gpu FROM attempt ORDER BY gpu\"");
}

TEST(FakeCudaGpus, AreUsedBesideEachOther) {
  EXPECT_EQ(gpus_used(Machine("H100=GPU-aa1;H100=GPU-bb2")), "gpu\nGPU-aa1\nGPU-bb2\n");
}

TEST(FakeCudaGpus, MayBePartsOfOne) {
  EXPECT_EQ(gpus_used(Machine("A100=GPU-aa1+MIG-1f+MIG-2f")), "gpu\nMIG-1f\nMIG-2f\n");
}

TEST(FakeCudaGpus, AreLeftAloneWhereOthersUseThem) {
  const Machine machine("H100=GPU-aa1;H100=GPU-bb2", "FAKE_GPU_USED=used");
  machine.write("used", "GPU-bb2 81000\n");
  EXPECT_EQ(gpus_used(machine, "--set resources.gpu_memory=30GiB"), "gpu\nGPU-aa1\n");
}

TEST(FakeCudaGpus, ThatFallOffTheBusLoseNoTrial) {
  const Machine machine("H100=GPU-aa1;H100=GPU-bb2", "FAKE_GPU_USED=used");
  const std::string run = "rethink run '" + kOwn +
                          "rest.yaml' --only stream --device cuda -q --set stages.stream.steps=300 "
                          "--set resources.checkpoint_every=1s --slots 1 --store ";
  machine.run(run + "quiet");
  const std::string lose =
      " & pid=$!; for i in $(seq 400); do grep -qs loss store/trials/*/attempt-1/events.jsonl && "
      "break; sleep 0.05; done; ";
  machine.run(run + "store" + lose + "echo GPU-aa1 lost > used; wait $pid");
  EXPECT_EQ(machine.metrics("store"), machine.metrics("quiet"));
  const std::string query =
      "rethink query --store store --format csv \"SELECT a.number, a.outcome, a.message LIKE "
      "'%GPU-aa1 (H100) no longer answers%', json_extract(a.facts, '$.gpu') FROM attempt a "
      "ORDER BY a.number\" | tail -n +2";
  EXPECT_EQ(machine.run(query), "1,lost,1,GPU-aa1\n2,done,0,GPU-bb2\n");
}

TEST(FakeCudaGpus, ThatAreAllLostLeaveTheTrialReady) {
  const Machine machine("H100=GPU-aa1", "FAKE_GPU_USED=used");
  const std::string run = "rethink run '" + kOwn +
                          "rest.yaml' --only stream --device cuda -q --set stages.stream.steps=300 "
                          "--store store";
  const std::string said = machine.run(
      run +
          " & pid=$!; for i in $(seq 400); do grep -qs loss store/trials/*/attempt-1/events.jsonl "
          "&& break; sleep 0.05; done; echo GPU-aa1 lost > used; wait $pid",
      3);
  EXPECT_NE(said.find("GPU-aa1 (H100) no longer answers"), std::string::npos) << said;
  machine.write("used", "");
  machine.run(run);
}

TEST(FakeCudaGpus, AreSharedAsStatusSays) {
  const Machine machine("H100=GPU-aa1", "CUDA_MPS_PIPE_DIRECTORY=\"$PWD\"");
  const std::string status = machine.run(
      "python3 -c 'import socket, time; daemon = socket.socket(socket.AF_UNIX); "
      "daemon.bind(\"control\"); daemon.listen(); time.sleep(60)' & mps=$!; "
      "until [ -S control ]; do sleep 0.05; done; rethink run '" +
      kOwn +
      "rest.yaml' --only stream --device cuda -q --set stages.stream.steps=600 --store store & "
      "pid=$!; for i in $(seq 400); do rethink status --store store | grep -s ' on GPU' && break; "
      "sleep 0.05; done; kill -INT $pid; wait $pid; kill $mps; wait $mps; true");
  EXPECT_NE(status.find(" on GPU-aa1, by MPS"), std::string::npos) << status;
}

TEST(FakeCudaGpus, ThatAreTooSmallAreNamed) {
  const Machine machine("H100=GPU-aa1", "FAKE_CUDA_MIB=1");
  machine.run("rethink run '" + kProof + "jobs.yaml' --only lm --device cuda -q --store store", 1);
  const std::string state = machine.run("rethink status --store store");
  EXPECT_NE(state.find("CUDA out of memory"), std::string::npos) << state;
}

/// Counts of the work that the host gives to the device, and of the host's waits for it.
struct Work {
  int64_t operators = 0, copies = 0, casts = 0, uploads = 0, waits = 0;
  std::map<std::string, int64_t> by_event;
};

Work work_of(const std::map<std::string, int64_t>& events) {
  Work work;
  work.by_event = events;
  for (const auto& [event, count] : events) {
    std::istringstream words(event);
    std::string kind, from, into;
    words >> kind >> from >> into;
    if (kind == "operator") work.operators += count;
    if (kind == "wait") work.waits += count;
    if (kind == "copy")
      (from == "to" ? work.uploads : from == into ? work.copies : work.casts) += count;
  }
  return work;
}

/// Returns the counts of one part. `more` has `parts` parts more than `fewer`.
std::map<std::string, int64_t> share(const std::map<std::string, int64_t>& more,
                                     const std::map<std::string, int64_t>& fewer, int64_t parts) {
  std::map<std::string, int64_t> shares;
  for (const auto& [event, count] : more) {
    const auto found = fewer.find(event);
    const int64_t difference = count - (found == fewer.end() ? 0 : found->second);
    EXPECT_EQ(difference % parts, 0) << event;
    if (difference != 0) shares[event] = difference / parts;
  }
  return shares;
}

/// Counts the work that the trial of a stage of steps.yaml gives to the device. `words` are settings.
class CountedTrials {
 public:
  explicit CountedTrials(const std::string& variables = "") : machine_("H100=GPU-aa1", variables) {}
  std::map<std::string, int64_t> events(const std::string& stage, const std::string& words) const {
    std::string settings;
    std::istringstream list(words);
    for (std::string word; list >> word;) settings += " --set stages." + stage + "." + word;
    machine_.run("rm -rf store && rethink run '" + kOwn + "steps.yaml' --only " + stage +
                 " --device cuda -q --store store" + settings);
    return machine_.events();
  }
  std::map<std::string, int64_t> step(const std::string& stage, const std::string& words) const {
    return share(events(stage, "steps=4 " + words), events(stage, "steps=2 " + words), 2);
  }
  std::map<std::string, int64_t> evaluation(const std::string& stage) const {
    return share(events(stage, "steps=4 evaluate.every=2"), events(stage, "steps=4"), 1);
  }

 private:
  const Machine machine_;
};

std::string line_of(const std::string& what, const std::map<std::string, int64_t>& events) {
  const Work work = work_of(events);
  std::ostringstream line;
  line << what << ": " << work.operators << " operators, " << work.copies << " copies, "
       << work.casts << " casts, " << work.uploads << " uploads, " << work.waits << " waits\n";
  return line.str();
}

TEST(FakeCudaSteps, WaitOnceAtAPointOfTheirCurves) {
  const CountedTrials trials;
  const auto waits = [&](const std::string& stage, const std::string& words) {
    return work_of(trials.events(stage, "steps=4 " + words)).waits;
  };
  for (const std::string stage : {"encoder", "lm", "mt"}) {
    // Points are before the first step, where a mask is uploaded once and for all, and at steps 2 and 4.
    const int64_t three = waits(stage, "log_every=2");
    EXPECT_EQ(three - waits(stage, "log_every=4"), 1)
        << stage << ": loss and diagnostics of step 2";
    EXPECT_EQ(waits(stage, "log_every=2 diagnose_every=1") - three, 2)
        << stage << ": steps 1 and 3";
  }
}

TEST(FakeCudaSteps, HaveTheirPlaceUnderTheRoof) {
  const Machine machine;
  const std::string said = machine.run("python3 '" RETHINK_SOURCE_DIR
                                       "/tests/bench/gpu_roofline.py' '" RETHINK_BINARY_DIR
                                       "/fake_cuda/rethink-worker' '{\"what\": \"lm_step\", "
                                       "\"layers\": 3, \"batch\": 64, \"tokens\": 10, "
                                       "\"d_model\": 64, \"heads\": 1, \"ffn\": 256, "
                                       "\"vocabulary\": 1000, \"precision\": \"tf32\"}'");
  std::istringstream last(said.substr(said.rfind("lm_step")));
  std::string what;
  double operators = 0, copies = 0, gigabytes = 0, teraflops = 0, milliseconds = 0;
  last >> what >> operators >> copies >> gigabytes >> teraflops >> milliseconds;
  // A layer's weights are 4 64 64 + 2 64 256 numbers, and the output's 64 1000; each of 64 10 tokens meets them once forward
  // and twice backward. Attention has two products of 64 lines forward and five backward.
  const double products = 6 * 640 * (3 * 49152 + 64000) + 3 * 14 * 64 * (64 * 10 * 10);
  EXPECT_NEAR(teraflops, products / 1e12, 1e-3 * teraflops) << said;
  EXPECT_GT(operators, 100) << said;
  EXPECT_GE(milliseconds, 1e3 * gigabytes * 1e9 / 3.35e12 * 0.9) << said;
}

/// RETHINK_UPDATE_GOLDEN=1 writes the numbers anew; if they grow, the commit says why.
TEST(FakeCudaSteps, HaveTheirBudgetOfOperators) {
  const CountedTrials trials;
  std::string found, events;
  const auto add = [&](const std::string& what, const std::map<std::string, int64_t>& counts) {
    found += line_of(what, counts);
    events += what + "\n";
    for (const auto& [event, count] : counts)
      events += "  " + std::to_string(count) + " " + event + "\n";
  };
  const CountedTrials small("FAKE_CUDA_MIB=8");  // each batch then has its own pass
  for (const std::string precision : {"float32", "bfloat16"}) {
    const std::string setting = "precision=" + precision;
    const auto one = trials.step("encoder", setting);
    const auto three = small.step("encoder", setting + " accumulate=3");
    add("encoder of 12 layers, step, " + precision, one);
    add("encoder of 12 layers, each further pass of a step, " + precision, share(three, one, 2));
    add("encoder of 12 layers, step of three joined batches, " + precision,
        trials.step("encoder", setting + " accumulate=3"));
    add("language model of 6 layers, step, " + precision, trials.step("lm", setting));
  }
  add("encoder of 12 layers, step with LAMB", trials.step("encoder", "optimizer.name=lamb"));
  add("translation model of 6 and 6 layers, step", trials.step("mt", ""));
  add("language model of 6 layers, evaluation", trials.evaluation("lm"));
  add("translation model of 6 and 6 layers, evaluation", trials.evaluation("mt"));
  const std::string expected = golden("gpu_steps.txt", found);
  EXPECT_EQ(found, expected) << events;
}

}  // namespace
}  // namespace rethink
