// Differentiable Attention Mask (SparseBERT, section 4.1, algorithm 1): one binary mask per head,
// shared by all layers and trained with the model. In training:
//
//   M = GumbelSigmoid(alpha) = sigmoid((alpha + G1 - G2) / tau),  hard: rounded, with the soft
//                                                                 value's gradient
//   softmax(scale Q K^T - c (1 - M)) V                            the "renormalisation" of 3.1
//   loss + lambda * sum of M over heads and cells                 equation 7
//
// The difference G1 - G2 of two Gumbel variables is one logistic variable, drawn by Philox. An
// unstructured mask has an alpha for every cell. A structured mask has an alpha for every distance
// |i - j|, and its first and last row and column are always active (section 4.1: n - 2 parameters).
//
// A hard mask hides its inactive cells completely, as in fine-tuning. The formula would give a row
// without an active cell dense attention, since softmax ignores a constant; a mask that hides
// everything would then cost nothing. `empty_rows: dense` keeps the formula for such rows.
//
// The released code differs (preset `sparsebert_released`): it does not force rows and columns, has
// two logits per distance whose difference is alpha, leaves empty rows dense, and samples in
// evaluations too. Our evaluations take the more probable value of each cell. Temperatures fall
// geometrically, where paper and code are silent.
#include <ATen/ATen.h>

#include <cmath>

#include "models/attention/shared_mask.h"
#include "models/tensors/random.h"

namespace rethink {
namespace {

struct DamOptions {
  bool structured = false;
  bool force_ends = true;
  bool two_logits = false;
  bool hard = true;
  double temperature = 1.0;
  std::optional<double> last_temperature;
  std::optional<int64_t> temperature_steps;
  double penalty = 1e-4;
  double constant = 10000.0;
  double deviation = 1e-3;
  std::string evaluation = "thresholded";
  std::string empty_rows = "hidden";
  int64_t length = 128;

  void fields(Fields& field) {
    field("structured", structured, "cells at the same distance |i - j| share one value").shapes();
    field("force_ends", force_ends,
          "keep the first and last row and column of a structured mask active")
        .shapes();
    field("two_logits", two_logits, "make alpha the difference of two parameters").shapes();
    field("hard", hard, "use a mask of 0 and 1 in the forward pass, and the soft mask's gradients");
    field("temperature", temperature, "tau, the temperature of the Gumbel-sigmoid").above(0);
    field("last_temperature", last_temperature,
          "tau after temperature_steps, approached geometrically; null = constant tau")
        .above(0);
    field("temperature_steps", temperature_steps, "steps until tau is last_temperature [steps]")
        .min(1);
    field("penalty", penalty, "loss per active cell and head").min(0).written("lambda");
    field("constant", constant, "c, which an inactive cell subtracts from a score").above(0);
    field("deviation", deviation, "standard deviation of the normal initial parameters").min(0);
    field("evaluation", evaluation,
          "mask in evaluations: the cells with alpha > 0, or a sample as in training")
        .one_of({"thresholded", "sampled"});
    field("empty_rows", empty_rows,
          "a query without an active cell sees nothing, or everything (-c on each key alike)")
        .one_of({"hidden", "dense"})
        .absent_means("hidden");
    field("length", length, "longest text [tokens]; the mask is [length, length]").min(3).shapes();
  }

  static std::vector<Rule> rules() {
    return {needs("last_temperature", "temperature_steps",
                  "say after how many steps the last temperature is reached: temperature_steps"),
            needs("temperature_steps", "last_temperature",
                  "without last_temperature the temperature stays")};
  }
};

/// Returns i64 [n*n], the index of the value of each cell of a structured mask. The value of the
/// last index, `active`, is always 1.
at::Tensor distances(int64_t length, int64_t active, bool force_ends) {
  const at::Tensor place = at::arange(length, at::kLong);
  const at::Tensor distance = (place.unsqueeze(1) - place).abs();
  if (!force_ends) return distance.flatten();
  const at::Tensor end = place.eq(0).logical_or(place.eq(length - 1));
  return distance.masked_fill(end.unsqueeze(1).logical_or(end), active).flatten();
}

class Dam : public SharedMask {
 public:
  Dam(const DamOptions& options, int64_t heads) : options_(options), heads_(heads) {
    // Distances n-2 and n-1 occur only in forced cells.
    const int64_t forced = options.structured && options.force_ends ? 2 : 0;
    values_ = options.structured ? options.length - forced : options.length * options.length;
    std::vector<int64_t> sizes = {heads, values_};
    if (options.two_logits) sizes.push_back(2);
    alpha_ = register_parameter("alpha", at::empty(sizes).normal_(0, options.deviation));
    if (options.structured)
      place_ = distances(options.length, options.length - forced, options.force_ends);
  }

  void refresh(PhiloxKey random, Recorder* record) override {
    if (place_.defined()) place_ = place_.to(alpha_.device());
    const bool samples = is_training() || options_.evaluation == "sampled";
    const at::Tensor mask = whole(samples ? sampled(random) : thresholded());
    const bool hides = (options_.hard || !samples) && options_.empty_rows == "hidden";
    active_ = hides ? mask.detach().to(at::kByte) : at::Tensor();
    bias_ = hides && !mask.requires_grad() ? at::Tensor() : (mask - 1.0) * options_.constant;
    if (record == nullptr) return;
    record->add_loss("mask_penalty", mask.sum() * options_.penalty);
    record->numbers["mask_sparsity"] = 1.0 - mask.detach().mean();
  }

  void apply(const AttentionCall& call, AttendOptions& options) override {
    if (active_.defined()) options.mask = cropped(active_, call);
    if (bias_.defined()) options.bias = cropped(bias_, call);
    // A mask of zeros and ones gives every visible key the bias 0.
    options.bias_is_exact = active_.defined();
  }

  /// Returns the mask of algorithm 1: the more probable value of each cell.
  std::map<std::string, at::Tensor> artifacts() const override {
    return {{"mask", whole(thresholded()).to(at::kByte)}};
  }

 private:
  /// Returns float [H,N], log(p / (1-p)) where p is the probability that a value is 1.
  at::Tensor logits() const {
    return options_.two_logits ? alpha_.select(2, 0) - alpha_.select(2, 1) : alpha_;
  }

  at::Tensor thresholded() const { return (logits().detach() > 0).to(at::kFloat); }

  at::Tensor sampled(PhiloxKey random) const {
    const at::Tensor noise =
        logistic_noise({heads_, values_}, derived(random, 0), alpha_.options().device());
    const at::Tensor soft = ((logits() + noise) / temperature(step_of(random))).sigmoid();
    if (!options_.hard) return soft;
    const at::Tensor rounded = (soft.detach() > 0.5).to(soft.scalar_type());
    return rounded + (soft - soft.detach());
  }

  /// Spreads values over cells, float [H,N] -> [H,n,n], by one gather if cells share values.
  at::Tensor whole(const at::Tensor& values) const {
    at::Tensor all = values;
    if (options_.structured) {
      if (options_.force_ends) all = at::cat({values, at::ones_like(values.slice(1, 0, 1))}, 1);
      all = all.index_select(1, place_);
    }
    return all.view({heads_, options_.length, options_.length});
  }

  double temperature(int64_t step) const {
    if (!options_.last_temperature) return options_.temperature;
    const double share =
        std::min(1.0, static_cast<double>(step) / static_cast<double>(*options_.temperature_steps));
    return options_.temperature *
           std::pow(*options_.last_temperature / options_.temperature, share);
  }

  const DamOptions options_;
  const int64_t heads_;
  int64_t values_ = 0;
  at::Tensor alpha_;  // float [H,N], with two_logits [H,N,2]
  at::Tensor place_;  // i64 [n*n]
  // Of this pass, [H,n,n]: the mask as u8 if it hides cells, else as a float bias, also for gradients.
  at::Tensor active_, bias_;
};

RETHINK_REGISTERED = attentions().add<DamOptions>(
    {.name = "dam",
     .summary = "a binary mask that is learned with the model (SparseBERT, section 4.1)",
     .revision = 2,
     .facts = {.weights = "projections",
               .exceptions = exceptions_of_masks(),
               .leaves = {"mask"},
               .learns_scores = true}},
    [](const DamOptions& options, const AttentionSite& site) {
      return std::make_shared<SharedMaskAttention>(
          site, shared_mask(site, "dam", write_options(options),
                            [&] { return std::make_shared<Dam>(options, site.heads); }));
    });

}  // namespace
}  // namespace rethink
