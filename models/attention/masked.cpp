// Attention under a fixed mask (SparseBERT, Figure 1, Tables 1 to 4). Cells outside the pattern get
// no weight:
//   softmax(S) V with S = Q K^T / sqrt(E), and S[i,j] = -inf where M[i,j] = 0.
// One mask for all heads and layers, as the paper draws it.
//
// The mask is made for `length` tokens. A shorter batch uses its upper left part, as the same batch
// with padding would. Longer texts, such as SQuAD's with 384 tokens, need a larger `length`.
#include "models/attention/shared_mask.h"

namespace rethink {
namespace {

struct MaskedOptions {
  MaskChoice mask;
  int64_t length = 128;

  void fields(Fields& field) {
    // Without a mask the variant would be dense attention under another name.
    field("mask", mask, "which positions attend to which; {kind: none}: all, as dense attention")
        .required();
    field("length", length, "longest text [tokens]; the mask is [length, length]").min(1);
  }
};

RETHINK_REGISTERED = attentions().add<MaskedOptions>(
    {.name = "masked",
     .summary = "dense attention under a fixed mask (SparseBERT, Figure 1, Table 3)",
     .facts = {.weights = "projections", .exceptions = exceptions_of_masks(), .leaves = {"mask"}}},
    [](const MaskedOptions& options, const AttentionSite& site) {
      return std::make_shared<SharedMaskAttention>(
          site, shared_mask(site, "masked", write_options(options), [&] {
            return std::make_shared<ByteMask>(make_mask(options.mask, 1, options.length));
          }));
    });

}  // namespace
}  // namespace rethink
