// Full attention without n cells, drawn from all n^2 cells without repetition: the arm "randomly
// dropped" of SparseBERT's Tables 1 and 2.
//
// A draw that would leave a row without a cell beside the diagonal is repeated. At n = 128 that
// never happens. At n = 2 only the diagonal can be dropped. At n = 1 nothing is dropped.

#include "models/masks/mask.h"

namespace rethink {
namespace {

struct RandomDropOptions {
  int64_t seed = 0;
  void fields(Fields& field) {
    field("seed", seed, "seed of the dropped cells").min(0).may_follow_seed();
  }
};

bool has_empty_row(const MaskCells& cells, int64_t n) {
  for (int64_t query = 0; query < n; ++query) {
    int64_t seen = 0;
    for (int64_t key = 0; key < n; ++key)
      seen += query != key ? cells[static_cast<size_t>(query * n + key)] : 0;
    if (seen == 0) return true;
  }
  return false;
}

class RandomDrop : public MaskPattern {
 public:
  explicit RandomDrop(const RandomDropOptions& options) : seed_(options.seed) {}

  MaskCells cells(int64_t n) const override {
    if (n == 1) return {1};
    MaskDraw draw(seed_, "random_drop");
    for (;;) {
      MaskCells cells(static_cast<size_t>(n * n), uint8_t{1});
      for (const int64_t cell : draw.distinct(n, n * n)) cells[static_cast<size_t>(cell)] = 0;
      if (!has_empty_row(cells, n)) return cells;
    }
  }

 private:
  int64_t seed_;
};

RETHINK_REGISTERED = masks().add<RandomDropOptions>(
    {.name = "random_drop",
     .summary =
         "full attention without n random cells (SparseBERT, Tables 1 and 2, randomly dropped)",
     .facts = {.crops = false}},
    [](const RandomDropOptions& options) { return std::make_shared<RandomDrop>(options); });

}  // namespace
}  // namespace rethink
