// The job `bench`: times one transformer layer of an encoder, forward and backward, and measures
// its memory, for a point of A3's Figure 6. If a trial would exceed its memory limit, or one pass
// its time limit, the trial is done without times and names the limit, so that a curve ends there.
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/json.h"
#include "experiments/attempt/event_log.h"
#include "experiments/attempt/job.h"
#include "experiments/train/device/device.h"
#include "experiments/train/jobs/bench_measures.h"
#include "models/layers.h"
#include "models/options.h"
#include "models/tensors/random.h"

namespace rethink {
namespace {

using MeasuredAttention = Choice<"attention", "kind">;

/// The default sizes are BERT-base's.
struct BenchOptions {
  MeasuredAttention attention{.name = "dense"};
  std::string part = "layer";
  int64_t d_model = 768, heads = 12, ffn = 3072, tokens = 128, batch = 1;
  double dropout = 0.1;
  int64_t warmup = 2, repeats = 9;
  bool beside_dense = false;
  double time_limit = 60, memory_limit = 8;

  void fields(Fields& field) {
    field("attention", attention, "the attention to time");
    field("part", part, "layer: a whole layer; attention: only its attention with the projections")
        .one_of({"layer", "attention"});
    field("d_model", d_model, "width of hidden states").min(1);
    field("heads", heads, "attention heads; divides d_model").min(1);
    field("ffn", ffn, "width of the feed-forward layer's hidden part").min(1);
    field("tokens", tokens, "tokens per sequence, without padding").min(1);
    field("batch", batch, "sequences per pass").min(1);
    field("dropout", dropout,
          "dropout of attention weights and of every sub-layer's output, as in training")
        .min(0)
        .below(1);
    field("warmup", warmup, "forward and backward passes before the timed ones").min(1);
    field("repeats", repeats, "timed passes").min(1);
    field("beside_dense", beside_dense,
          "alternate the passes with passes of dense attention, and report the ratio of both "
          "times, which a busy machine changes little");
    field("time_limit", time_limit, "longest forward or backward pass [s]").above(0);
    field("memory_limit", memory_limit,
          "limit on the memory of tensors on a CPU, weights and gradients included [GiB]; malloc "
          "may hold twice as much; a GPU has its own limit")
        .above(0);
  }

  static std::vector<Rule> rules() {
    std::vector<Rule> all = rules_of_triplets("attention.");
    all.push_back(divides("heads", "d_model",
                          "heads must divide d_model: each head gets d_model / heads channels"));
    return all;
  }
};

/// The limit at which a trial ends without times; the measurement `limit` has the number.
enum class Limit { memory = 1, time = 2 };

struct TimeLimitError : TrialError {
  using TrialError::TrialError;
};

struct PassTimes {
  double forward_ms = 0, backward_ms = 0;
  double both_ms() const { return forward_ms + backward_ms; }
};

/// The timed part with its input and the gradient of its result. Both are as in the middle of a
/// model, so that the input's gradient is computed, too.
class MeasuredPart : public torch::nn::Module {
 public:
  MeasuredPart(const BenchOptions& options, const MeasuredAttention& attention, uint64_t seed)
      : options_(options), seed_(seed) {
    const LayerOptions layer{.ffn = options.ffn,
                             .dropout = options.dropout,
                             .activation = "gelu",
                             .epsilon = kBertEpsilon};
    const AttentionSite site{.d_model = options.d_model,
                             .heads = options.heads,
                             .dropout = options.dropout,
                             .max_positions = options.tokens,
                             .place = AttentionPlace::encoder_self,
                             .shared = &shared_};
    const AttentionChoice choice{attention.name, attention.options, {}};
    layer_ =
        register_module("layer", std::make_shared<TransformerLayer>(
                                     layer, choice, site, InitialWeights{seed, kBertDeviation}));
    for (const auto& [name, state] : shared_) register_module(name, state);
    const auto drawn = [&](const char* name) {
      return seeded_normal(seed, name, {options.batch, options.tokens, options.d_model}, 1.0);
    };
    input_BTD_ = register_parameter("input", drawn("input"));
    upstream_BTD_ = register_buffer("upstream", drawn("upstream"));
  }

  /// Weights get fresh gradients, as after an optimizer's step.
  PassTimes pass(int64_t number) {
    const PhiloxKey key = pass_key(seed_, RandomPurpose::training, number);
    for (const at::Tensor& parameter : parameters()) parameter.mutable_grad().reset();
    at::Tensor output_BTD;
    PassTimes times;
    times.forward_ms = time_ms([&] {
      output_BTD = forward(key);
      wait_for(output_BTD);
    });
    times.backward_ms = time_ms([&] {
      output_BTD.backward(upstream_BTD_);
      wait_for(input_BTD_.grad());
    });
    return times;
  }

 private:
  at::Tensor forward(PhiloxKey key) {
    for (const auto& [name, state] : shared_) state->refresh(key, nullptr);
    if (options_.part == "layer") return layer_->forward({.input = input_BTD_, .pass = key});
    return layer_->attention().forward(
        {.query_input = input_BTD_, .key_input = input_BTD_, .random = key});
  }

  /// A GPU is still computing when its operators return; reading a number waits for it.
  static void wait_for(const at::Tensor& result) { result.detach().view(-1)[0].item<float>(); }

  template <typename Work>
  static double time_ms(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  }

  const BenchOptions options_;
  const uint64_t seed_;
  std::map<std::string, std::shared_ptr<SharedAttentionState>> shared_;
  std::shared_ptr<TransformerLayer> layer_;
  at::Tensor input_BTD_, upstream_BTD_;
};

/// Measurements of the passes that count.
struct Measured {
  std::vector<double> forward_ms, backward_ms, both_ms;
  std::vector<double> dense_ms;     // both passes of dense attention on the same input
  std::vector<double> times_dense;  // both_ms over that
  uint64_t peak_bytes = 0;
};

/// Median and quartiles.
void record(const std::string& name, const std::string& unit, const std::vector<double>& values,
            EventLog& events) {
  const Quartiles found = quartiles_of(values);
  events.measurement(name + unit, 0, found.median);
  events.measurement(name + "_low" + unit, 0, found.low);
  events.measurement(name + "_high" + unit, 0, found.high);
}

class BenchJob : public Job {
 public:
  explicit BenchJob(const BenchOptions& options) : options_(options) {}

  JobOutcome run(JobContext& context) override {
    context.events.start(0);
    Measured measured;
    try {
      if (!measure(context, measured)) return JobOutcome::interrupted;
      write(measured, context.events);
    } catch (const OutOfMemoryError& error) {
      end_at(Limit::memory, error.what(), context.events);
    } catch (const TimeLimitError& error) {
      end_at(Limit::time, error.what(), context.events);
    }
    return JobOutcome::done;
  }

 private:
  /// Returns false if the trial must stop. Throws OutOfMemoryError, TimeLimitError.
  bool measure(JobContext& context, Measured& measured) const {
    constexpr double kGibibyte = 1 << 30;
    const at::Device device = prepare_device(context, "float32");
    try {
      const CountedMemory memory(static_cast<uint64_t>(options_.memory_limit * kGibibyte));
      MeasuredPart part(options_, options_.attention, seed_of(context));
      part.to(device);
      pass(part, 0);
      measured.peak_bytes =
          static_cast<uint64_t>(peak_tensor_bytes(device).value_or(int64_t(memory.peak_bytes())));
      return take_passes(context, device, part, measured);
    } catch (const c10::Error& error) {
      rethrow_if_out_of_memory(error);
      throw;
    }
  }

  bool take_passes(JobContext& context, const at::Device& device, MeasuredPart& part,
                   Measured& measured) const {
    std::optional<MeasuredPart> dense;
    if (options_.beside_dense) {
      dense.emplace(options_, MeasuredAttention{"dense", Json::object(), {}}, seed_of(context));
      dense->to(device);
    }
    const int64_t passes = options_.warmup + options_.repeats;
    for (int64_t number = 1; number <= passes; ++number) {
      if (context.stop) return false;
      context.events.tick(number, passes, std::nullopt);
      const PassTimes beside = dense ? pass(*dense, number) : PassTimes();
      const PassTimes times = pass(part, number);
      if (number <= options_.warmup) continue;
      measured.forward_ms.push_back(times.forward_ms);
      measured.backward_ms.push_back(times.backward_ms);
      measured.both_ms.push_back(times.both_ms());
      if (!dense) continue;
      measured.dense_ms.push_back(beside.both_ms());
      measured.times_dense.push_back(times.both_ms() / beside.both_ms());
    }
    return true;
  }

  PassTimes pass(MeasuredPart& part, int64_t number) const {
    const PassTimes times = part.pass(number);
    if (std::max(times.forward_ms, times.backward_ms) <= 1000 * options_.time_limit) return times;
    throw TimeLimitError("time-limit",
                         fmt::format("a pass took {:.3g} s forward and {:.3g} s backward",
                                     times.forward_ms / 1000, times.backward_ms / 1000));
  }

  void write(const Measured& measured, EventLog& events) const {
    record("forward", "_ms", measured.forward_ms, events);
    record("backward", "_ms", measured.backward_ms, events);
    record("both", "_ms", measured.both_ms, events);
    if (options_.beside_dense) {
      record("dense_both", "_ms", measured.dense_ms, events);
      record("times_dense", "", measured.times_dense, events);
    }
    constexpr double kMebibyte = 1 << 20;
    events.measurement("peak_tensors_mib", 0, static_cast<double>(measured.peak_bytes) / kMebibyte);
  }

  static void end_at(Limit limit, const std::string& why, EventLog& events) {
    events.message("info", fmt::format("ends at the {} limit: {}",
                                       limit == Limit::memory ? "memory" : "time", why));
    events.measurement("limit", 0, static_cast<double>(limit));
  }

  static uint64_t seed_of(const JobContext& context) {
    return static_cast<uint64_t>(context.trial.seed.value_or(0));
  }

  const BenchOptions options_;
};

RETHINK_REGISTERED = jobs().add<BenchOptions>(
    {.name = "bench",
     .summary =
         "time a transformer layer, forward and backward, and measure its memory (A3, Figure 6)"},
    [](const BenchOptions& options) { return std::make_shared<BenchJob>(options); });

}  // namespace
}  // namespace rethink
