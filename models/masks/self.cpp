// The mask under which each position attends only to itself, so that attention mixes no tokens. The
// arm "attention off" beside SparseBERT's masks shows what attention is worth: if switching it off
// costs nothing, no mask can be better than another. The paper has no such arm.
#include "models/masks/mask.h"

namespace rethink {
namespace {

class Self : public MaskPattern {
 public:
  MaskCells cells(int64_t n) const override {
    return cells_where(n, [](int64_t query, int64_t key) { return query == key; });
  }
};

RETHINK_REGISTERED =
    masks().add<NoFields>({.name = "self",
                           .summary = "each position sees only itself: attention off",
                           .facts = {.crops = true, .sees_itself_alone = true}},
                          [](const NoFields&) { return std::make_shared<Self>(); });

}  // namespace
}  // namespace rethink
