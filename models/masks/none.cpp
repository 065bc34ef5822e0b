// Every position attends to every other. Without its diagonal this is the arm "no diag-attention"
// of SparseBERT's Tables 1 and 2.
#include "models/masks/mask.h"

namespace rethink {
namespace {

class None : public MaskPattern {
 public:
  MaskCells cells(int64_t n) const override {
    return MaskCells(static_cast<size_t>(n * n), uint8_t{1});
  }
};

RETHINK_REGISTERED = masks().add<NoFields>(
    {.name = "none",
     .summary = "full attention; {diagonal: false} is SparseBERT's no diag-attention",
     .facts = {.crops = true}},
    [](const NoFields&) { return std::make_shared<None>(); });

}  // namespace
}  // namespace rethink
