// SparseBERT's study of the importance of cells of the attention matrix (section 3.1): a learned
// probability P = sigmoid(alpha) for every cell, one matrix per head, shared by all layers.
//
//   additive        softmax(scale Q K^T + c (P - 1)) V      equations 5 and 6, "renormalised"
//   multiplicative  (P * softmax(scale Q K^T)) V            equation 4
//
// With P = 1 everywhere both forms equal `dense`. alpha is symmetric: only its upper triangle is
// learned, and the lower triangle mirrors it. Where the paper is silent, the values are those of
// the released code: alpha starts normal with standard deviation 1e-3, and c is 10,000. c (P - 1)
// is about -5000 at first and only its small differences matter, so it stays in float32.
#include <ATen/ATen.h>

#include "models/attention/shared_mask.h"

namespace rethink {
namespace {

struct ImportanceOptions {
  std::string form = "additive";
  double constant = 10000.0;
  bool symmetric = true;
  double deviation = 1e-3;
  int64_t length = 128;

  void fields(Fields& field) {
    field("form", form,
          "how P is applied: scores get -c(1-P), or softmax's weights are multiplied by P")
        .one_of({"additive", "multiplicative"});
    field("constant", constant, "c of the additive form").above(0);
    field("symmetric", symmetric, "share parameters so that P[i,j] = P[j,i]").shapes();
    field("deviation", deviation, "standard deviation of alpha's normal initial values").min(0);
    field("length", length, "longest text [tokens]; P is [length, length]").min(1).shapes();
  }
};

class Importance : public SharedMask {
 public:
  Importance(const ImportanceOptions& options, int64_t heads) : options_(options) {
    const at::Tensor first = at::empty({heads, options.length, options.length});
    alpha_ = register_parameter("alpha", first.normal_(0, options.deviation));
  }

  void refresh(PhiloxKey, Recorder*) override {
    acts_ = is_additive() ? (probability() - 1.0) * options_.constant : probability();
  }

  void apply(const AttentionCall& call, AttendOptions& options) override {
    (is_additive() ? options.bias : options.factor) = cropped(acts_, call);
  }

  std::map<std::string, at::Tensor> artifacts() const override {
    return {{"importance", probability().detach()}};
  }

 private:
  bool is_additive() const { return options_.form == "additive"; }

  /// float [H,n,n]
  at::Tensor probability() const {
    if (!options_.symmetric) return alpha_.sigmoid();
    return (alpha_.triu() + alpha_.triu(1).transpose(1, 2)).sigmoid();
  }

  const ImportanceOptions options_;
  at::Tensor alpha_;  // float [H,n,n]
  at::Tensor acts_;   // float [H,n,n], of this pass: bias of the scores, or factor of the weights
};

RETHINK_REGISTERED = attentions().add<ImportanceOptions>(
    {.name = "importance",
     .summary =
         "a learned probability for every cell, shared by the layers (SparseBERT, section 3.1)",
     .facts = {.weights = "projections",
               .exceptions = exceptions_of_masks(),
               .leaves = {"importance"},
               .learns_scores = true}},
    [](const ImportanceOptions& options, const AttentionSite& site) {
      return std::make_shared<SharedMaskAttention>(
          site, shared_mask(site, "importance", write_options(options),
                            [&] { return std::make_shared<Importance>(options, site.heads); }));
    });

}  // namespace
}  // namespace rethink
