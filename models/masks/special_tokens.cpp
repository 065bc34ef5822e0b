// The mask of the cells that the study of importance found important (SparseBERT, section 3.1.2 and
// Figure 2b): neighbours, and the special tokens at both ends of a text, [CLS] and [SEP].
#include <cstdlib>

#include "models/masks/mask.h"

namespace rethink {
namespace {

struct SpecialTokensOptions {
  int64_t window = 1;
  void fields(Fields& field) {
    field("window", window, "neighbours on either side [positions]").min(0);
  }
};

class SpecialTokens : public MaskPattern {
 public:
  explicit SpecialTokens(const SpecialTokensOptions& options) : window_(options.window) {}

  MaskCells cells(int64_t n) const override {
    const auto is_end = [n](int64_t place) { return place == 0 || place == n - 1; };
    return cells_where(n, [&](int64_t query, int64_t key) {
      return is_end(query) || is_end(key) || std::abs(query - key) <= window_;
    });
  }

 private:
  int64_t window_;
};

RETHINK_REGISTERED = masks().add<SpecialTokensOptions>(
    {.name = "special_tokens",
     .summary = "neighbours, and the first and last positions (SparseBERT, Figure 2b)",
     .facts = {.crops = false}},
    [](const SpecialTokensOptions& options) { return std::make_shared<SpecialTokens>(options); });

}  // namespace
}  // namespace rethink
