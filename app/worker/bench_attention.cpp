// `bench attention`: the attention kernel alone, forward and backward, on made-up queries, keys and
// values. tests/bench/peers/attention.py is the same in PyTorch, and takes its steps in turns with
// these.
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/variable.h>

#include <cmath>
#include <utility>

#include "app/worker/bench_steps.h"
#include "core/config/registry.h"
#include "core/config/schema.h"
#include "core/json.h"
#include "experiments/train/device/device.h"
#include "kernels/attention/attention.h"
#include "models/tensors/tensor_file.h"

namespace rethink {
namespace {

struct AttentionBenchOptions {
  TimingOptions timing;
  int64_t batch = 32, heads = 12, tokens = 128, width = 64;
  bool causal = false, padding = false, bias = false, backward = true;
  double hidden = 0.0, dropout = 0.0;
  std::string diagonal = "plain";

  void fields(Fields& field) {
    timing.fields(field);
    field("batch", batch, "sequences").min(1);
    field("heads", heads, "attention heads").min(1);
    field("tokens", tokens, "queries, and keys, of a sequence").min(1);
    field("width", width, "width of a head").min(1).max(512);
    field("causal", causal, "hide later tokens from each token");
    field("padding", padding, "make the last quarter of every other sequence padding");
    field("hidden", hidden, "share of the pairs that a fixed mask hides; 0: no mask")
        .min(0)
        .below(1);
    field("bias", bias, "add a learned bias for each pair and head, and compute its gradient");
    field("dropout", dropout, "dropout of attention weights").min(0).below(1);
    field("diagonal", diagonal, "a token's score with itself: plain, halved, or hidden")
        .one_of({"plain", "halved", "hidden"});
    field("backward", backward, "time the backward pass too");
  }
};

/// The operator on fixed inputs; query, key, value and bias are learned.
class AttentionSteps {
 public:
  explicit AttentionSteps(const AttentionBenchOptions& options)
      : options_(options), device_(options.timing.ready_device()) {
    if (options.timing.precision == "bfloat16") dtype_ = at::kBFloat16;
    at::manual_seed(0);
    make_inputs();
    if (!options.timing.folder.empty()) write(options.timing.folder);
  }

  void step() {
    for (auto& [name, leaf] : leaves_) leaf.mutable_grad().reset();
    const at::AutoGradMode records_gradients(options_.backward);
    ++call_.random.stream;  // other random bits each time, as in training
    result_ = attention(leaves_.at("query"), leaves_.at("key"), leaves_.at("value"), call_);
    if (options_.backward) result_.backward(upstream_);
  }

  double sum() const { return result_.to(at::kDouble).sum().item<double>(); }
  at::Device device() const { return device_; }

 private:
  at::Tensor learned(const std::string& name, at::IntArrayRef sizes, at::ScalarType dtype) {
    inputs_[name] = at::randn(sizes, at::kFloat).to(dtype);
    at::Tensor leaf = inputs_[name].to(device_).requires_grad_(options_.backward);
    leaves_[name] = leaf;
    return leaf;
  }
  at::Tensor fixed(const std::string& name, const at::Tensor& values) {
    inputs_[name] = values;
    return values.to(device_);
  }

  void make_inputs() {
    const int64_t tokens = options_.tokens;
    const std::vector<int64_t> sizes = {options_.batch, options_.heads, tokens, options_.width};
    for (const char* name : {"query", "key", "value"}) learned(name, sizes, dtype_);
    upstream_ = fixed("upstream", at::randn(sizes, at::kFloat).to(dtype_));
    call_.scale = 1.0 / std::sqrt(static_cast<double>(options_.width));
    call_.causal = options_.causal;
    call_.dropout = options_.dropout;
    call_.diagonal_masked = options_.diagonal == "hidden";
    call_.diagonal_rate = options_.diagonal == "halved" ? 0.5 : 1.0;
    const std::vector<int64_t> pairs = {options_.heads, tokens, tokens};
    if (options_.bias) call_.bias = learned("bias", pairs, at::kFloat);
    if (options_.hidden > 0) {
      // Every query sees the first key, since peers give NaN for a query that sees nothing.
      at::Tensor mask = (at::rand(pairs) >= options_.hidden).to(at::kByte);
      mask.select(2, 0).fill_(1);
      call_.mask = fixed("mask", mask);
    }
    if (options_.padding) {
      at::Tensor keep = at::ones({options_.batch, tokens}, at::kBool);
      keep.slice(0, 1, std::nullopt, 2).slice(1, tokens - tokens / 4).fill_(false);
      call_.key_keep = fixed("keep", keep);
    }
  }

  /// The inputs of a peer, and the results that it must reproduce without dropout.
  void write(const std::filesystem::path& folder) {
    const double dropout = std::exchange(call_.dropout, 0.0);
    step();
    call_.dropout = dropout;
    TensorsByName all = inputs_;
    all["result"] = result_;
    if (options_.backward) {
      for (const auto& [name, leaf] : leaves_) all[name + "_gradient"] = leaf.grad();
    }
    std::filesystem::create_directories(folder);
    write_tensors(folder / "attention.safetensors", all, {});
  }

  const AttentionBenchOptions options_;
  const at::Device device_;
  at::ScalarType dtype_ = at::kFloat;
  TensorsByName inputs_, leaves_;  // the peer's on the CPU; ours on the device
  AttentionOptions call_;
  at::Tensor upstream_, result_;
};

void run_attention(const Json& given) {
  auto options = read_options<AttentionBenchOptions>(given);
  options.timing.asked = {{"benchmark", "attention"}, {"options", given}};
  AttentionSteps steps(options);
  print_times(options.timing, {.step = [&] { steps.step(); },
                               .result = [&] { return Json(steps.sum()); },
                               .device = steps.device()});
}

RETHINK_REGISTERED = add_benchmark(
    "attention",
    {"the attention kernel alone", describe_options<AttentionBenchOptions>(), run_attention});

}  // namespace

}  // namespace rethink
