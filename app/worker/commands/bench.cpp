// `bench lm_step`: one optimisation step of the small language model, as the training loop takes
// it, on one batch of a fixed made-up text. tests/bench/peers/lm_step.py is the same in PyTorch.
#include "app/worker/commands/bench.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>

#include "core/processor.h"
#include "datasets/vocabulary.h"
#include "experiments/attempt/build_id.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/event_log.h"
#include "experiments/train/device.h"
#include "experiments/train/language_model_task.h"
#include "experiments/train/loop.h"

namespace rethink {
namespace {

struct LmStepOptions {
  int64_t steps = 30, warmup = 5, threads = 1;
  int64_t layers = 4, d_model = 128, heads = 1, ffn = 512;
  int64_t vocabulary = 10000, batch = 32, tokens = 100;

  void fields(Fields& field) {
    field("steps", steps, "steps to time").min(1);
    field("warmup", warmup, "steps before").min(0);
    field("threads", threads, "threads of LibTorch").min(1);
    field("layers", layers, "decoder layers").min(1);
    field("d_model", d_model, "width").min(1);
    field("heads", heads, "attention heads").min(1);
    field("ffn", ffn, "width of the feed-forward layer").min(1);
    field("vocabulary", vocabulary, "words").min(10);
    field("batch", batch, "lines in a step").min(1);
    field("tokens", tokens, "tokens of the longest line").min(1);
  }
};

LmStepOptions read_words(const std::vector<std::string>& words) {
  Json json = Json::object();
  for (size_t i = 1; i < words.size(); i += 2) {
    int64_t value = 0;
    const bool is_name = words[i].starts_with("--") && i + 1 < words.size();
    const std::string text = is_name ? words[i + 1] : "";
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!is_name || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
      throw ConfigError(fmt::format("bench lm_step: got '{}', expected --NAME INTEGER", words[i]));
    }
    json[words[i].substr(2)] = value;
  }
  return read_options<LmStepOptions>(json);
}

/// Lines of a length bucket: line r has tokens - r % (tokens / 10) tokens to predict.
class FixedLines : public TokenDataset {
 public:
  explicit FixedLines(const LmStepOptions& options) : vocabulary_(words(options.vocabulary)) {
    for (int64_t row = 0; row < options.batch; ++row) {
      const int64_t length = options.tokens - row % std::max<int64_t>(1, options.tokens / 10);
      for (int64_t j = 0; j <= length; ++j) {
        const int64_t word =
            (row * 7919 + j * 104729 + j * j) % (options.vocabulary - Vocabulary::kSpecials);
        tokens_.push_back(static_cast<int32_t>(Vocabulary::kSpecials + word));
      }
      offsets_.push_back(tokens_.size());
    }
  }

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::vector<std::string> splits() const override { return {"train"}; }
  TokenSequences sequences(const std::string&) const override { return {offsets_, tokens_}; }

 private:
  static std::vector<std::string> words(int64_t count) {
    std::vector<std::string> texts;
    for (int64_t word = Vocabulary::kSpecials; word < count; ++word)
      texts.push_back(fmt::format("w{}", word));
    return texts;
  }

  Vocabulary vocabulary_;
  std::vector<uint64_t> offsets_ = {0};
  std::vector<int32_t> tokens_;
};

std::vector<double> time_steps(const LmStepOptions& options, const std::filesystem::path& folder) {
  Runtime runtime;
  runtime.threads = static_cast<int>(options.threads);
  TrainOptions train;
  train.steps = options.warmup + options.steps;
  train.batch = options.batch;
  train.evaluate.keep = "last";
  ModelOptions model;
  model.layers = options.layers;
  model.d_model = options.d_model;
  model.heads = options.heads;
  model.ffn = options.ffn;
  const at::Device device = prepare_device(runtime, train.precision);
  LanguageModelTask task(std::make_shared<FixedLines>(options), model,
                         {.batching = {.batch = options.batch}}, 0, device);

  const Trial trial;
  const std::atomic<bool> stop = false;
  EventLog events(folder / "events.jsonl");
  CheckpointFolder checkpoints(folder / "checkpoints", events);
  JobContext context{.trial = trial,
                     .runtime = runtime,
                     .inputs = {},
                     .parents = {},
                     .events = events,
                     .checkpoints = checkpoints,
                     .artifacts = folder,
                     .stop = stop,
                     .published = {}};
  Trainer trainer(task, train, device, context);
  task.model().train();
  BatchStream batches(task, {});
  std::vector<double> times_ms;
  for (int64_t step = 0; step < options.warmup + options.steps; ++step) {
    const auto start = std::chrono::steady_clock::now();
    const Batch batch = batches.next().batch;
    trainer.step_once({&batch, 1});
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    if (step >= options.warmup) times_ms.push_back(taken.count());
  }
  return times_ms;
}

int bench_lm_step(const std::vector<std::string>& words) {
  const LmStepOptions options = read_words(words);
  std::string pattern = (std::filesystem::temp_directory_path() / "rethink-bench-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw MachineError("cannot make a temporary folder: " + pattern);
  std::vector<double> times_ms = time_steps(options, pattern);
  std::filesystem::remove_all(pattern);
  std::sort(times_ms.begin(), times_ms.end());
  const size_t count = times_ms.size();
  const double median = (times_ms[(count - 1) / 2] + times_ms[count / 2]) / 2;
  const Json environment = numeric_environment(at::kCPU);
  fmt::print(R"({{"program": "rethink {}", "build": "{}", "processor": {}, "backend": "{} {}", )"
             R"("libtorch": "{}", "threads": {}, "steps": {}, )"
             R"("median_ms": {:.3f}, "p10_ms": {:.3f}, "p90_ms": {:.3f}}})"
             "\n",
             RETHINK_VERSION, own_build_id(), Json(processor_fact("model name")).dump(),
             environment.at("device").get<std::string>(),
             environment.at("cpu_capability").get<std::string>(),
             environment.at("libtorch").get<std::string>(), options.threads, count, median,
             times_ms[count / 10], times_ms[count * 9 / 10]);
  return 0;
}

}  // namespace

int run_bench(const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "--help") {
    fmt::print("WHAT: lm_step, an optimisation step of a small language model\n\nOptions:\n");
    for (const Field& field : describe_options<LmStepOptions>().fields) {
      const std::string name = fmt::format("{} arg (={})", field.name, field.default_value.dump());
      fmt::print("  --{:<28} {}\n", name, field.summary);
    }
    return 0;
  }
  if (words.empty()) return bench_lm_step({"lm_step"});
  if (words[0] == "lm_step") return bench_lm_step(words);
  throw ConfigError(fmt::format(
      "bench: got '{}', expected lm_step, maybe with --steps, --threads, --batch, ...", words[0]));
}

}  // namespace rethink
