// The fixed mask of Sparse Transformers (Child et al., 2019; SparseBERT, Figure 1d), bidirectional
// inside a block: a position attends to its own block of `stride` positions, and to the last
// `columns` positions of every block.
//
// SparseBERT names neither number. 4 and 1 give Table 3's 72.7 % and Table 4's 73.4 % at n = 128
// (4,480 cells). The columns are not mirrored into rows.
#include "models/masks/mask.h"

namespace rethink {
namespace {

struct FixedOptions {
  int64_t stride = 4, columns = 1;
  void fields(Fields& field) {
    field("stride", stride, "size of a block [tokens]").min(2);
    field("columns", columns, "last positions of each block to which all positions attend [tokens]")
        .min(1);
  }
  static std::vector<Rule> rules() {
    return {at_most("columns", "stride", "a block has no more columns than positions")};
  }
};

class Fixed : public MaskPattern {
 public:
  explicit Fixed(const FixedOptions& options) : options_(options) {}

  MaskCells cells(int64_t n) const override {
    const auto [stride, columns] = options_;
    const auto attends = [&](int64_t query, int64_t key) {
      return query / stride == key / stride || key % stride >= stride - columns;
    };
    return cells_where(n, attends);
  }

 private:
  FixedOptions options_;
};

RETHINK_REGISTERED = masks().add<FixedOptions>(
    {.name = "fixed",
     .summary = "own block and the last position of every block (SparseBERT, Figure 1d)",
     .facts = {.crops = true}},
    [](const FixedOptions& options) { return std::make_shared<Fixed>(options); });

}  // namespace
}  // namespace rethink
