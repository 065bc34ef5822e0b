// The mask of Star-Transformers (Guo et al., 2019; SparseBERT, Figure 1a): a ring of neighbours,
// and a relay, the first position, that attends to all positions and that all attend to.
//
// At n = 128 the mask has 634 cells: Table 3's 96.1 % and Table 4's 96.9 %. A closed ring also
// links the last position with the first position after the relay. It has 636 cells and the same
// printed digits, so the tables do not show which ring was used. The default is the open ring,
// whose shorter masks are corners of longer ones.
#include <algorithm>

#include "models/masks/mask.h"

namespace rethink {
namespace {

struct StarOptions {
  bool closed = false;
  void fields(Fields& field) {
    field("closed", closed, "link the last position with the first one after the relay");
  }
};

class Star : public MaskPattern {
 public:
  explicit Star(const StarOptions& options) : closed_(options.closed) {}

  MaskCells cells(int64_t n) const override {
    return cells_where(n, [&](int64_t query, int64_t key) {
      const auto [low, high] = std::minmax(query, key);
      return low == 0 || high - low <= 1 || (closed_ && low == 1 && high == n - 1);
    });
  }

 private:
  bool closed_;
};

RETHINK_REGISTERED = masks().add<StarOptions>(
    {.name = "star",
     .summary = "neighbours and the first position (SparseBERT, Figure 1a)",
     .facts = {.crops = true}},
    [](const StarOptions& options) { return std::make_shared<Star>(options); });

}  // namespace
}  // namespace rethink
