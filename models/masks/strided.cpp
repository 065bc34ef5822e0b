// The strided mask of Sparse Transformers (Child et al., 2019; SparseBERT, Figure 1c),
// bidirectional: a position attends to the positions within one stride, and to every stride-th
// position.
//
// SparseBERT names no stride. 4, the square root of Figure 1's n = 16, gives Table 3's 70.4 % and
// Table 4's 71.2 % at n = 128 (4,852 cells); sqrt(128) does not.
#include <cstdlib>

#include "models/masks/mask.h"

namespace rethink {
namespace {

struct StridedOptions {
  int64_t stride = 4;
  void fields(Fields& field) {
    field("stride", stride, "reach on each side, and distance between far positions [tokens]")
        .min(1);
  }
};

class Strided : public MaskPattern {
 public:
  explicit Strided(const StridedOptions& options) : stride_(options.stride) {}

  MaskCells cells(int64_t n) const override {
    return cells_where(n, [this](int64_t query, int64_t key) {
      const int64_t distance = std::abs(query - key);
      return distance <= stride_ || distance % stride_ == 0;
    });
  }

 private:
  int64_t stride_;
};

RETHINK_REGISTERED = masks().add<StridedOptions>(
    {.name = "strided",
     .summary = "neighbours and every stride-th position (SparseBERT, Figure 1c)",
     .facts = {.crops = true}},
    [](const StridedOptions& options) { return std::make_shared<Strided>(options); });

}  // namespace
}  // namespace rethink
