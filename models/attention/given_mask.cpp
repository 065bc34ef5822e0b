// Attention under a mask from another trial, the input `mask`: the pruned P of an importance study
// (SparseBERT, section 3.4, Figures 3 and 7), or a mask that DAM learned (section 4.2), which stays
// fixed during fine-tuning:
//   softmax(S) V with S = Q K^T / sqrt(E), and S[i,j] = -inf where M[h,i,j] = 0.
// One mask per head h, the same in all layers.
#include "core/json.h"
#include "models/attention/shared_mask.h"

namespace rethink {
namespace {

RETHINK_REGISTERED = attentions().add<NoFields>(
    {.name = "given_mask",
     .summary = "dense attention under the mask of the stage that `needs: {mask: STAGE}` names "
                "(SparseBERT, sections 3.4 and 4.2)",
     .facts = {.weights = "projections",
               .exceptions = exceptions_of_masks(),
               .reads = {"mask"},
               .leaves = {"mask"}}},
    [](const NoFields&, const AttentionSite& site) {
      if (site.given_mask == nullptr) {
        throw ConfigError(
            "missing-need",
            "attention 'given_mask' takes the mask of another stage: write needs: {mask: STAGE}");
      }
      if (site.given_mask->heads != site.heads) {
        throw ConfigError("conflicting-values", "attention 'given_mask': the mask has " +
                                                    std::to_string(site.given_mask->heads) +
                                                    " heads, the model " +
                                                    std::to_string(site.heads));
      }
      return std::make_shared<SharedMaskAttention>(
          site, shared_mask(site, "given_mask", Json::object(),
                            [&] { return std::make_shared<ByteMask>(*site.given_mask); }));
    });

}  // namespace
}  // namespace rethink
