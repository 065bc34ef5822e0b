// BigBird's mask without blocks (Zaheer et al., 2020; SparseBERT, Figure 1f and section 4.2): a
// window of 1, two global positions, two random keys per query.
//
// SparseBERT does not say which positions are global, or whether a random key may fall on a cell
// that is already set. Its 93.2 and 93.9 % need 1,120 to 1,122 cells at n = 128. Random positions
// and keys drawn with repetition give 1,121.4 cells on average, nearer than any other reading. Our
// rule repeats a draw that is further off (window_global.h).
#include "models/masks/window_global.h"

namespace rethink {
namespace {

struct BigBirdOptions {
  int64_t window = 1, globals = 2, random = 2, seed = 0;
  void fields(Fields& field) {
    field("window", window, "keys on each side [tokens]").min(1);
    field("globals", globals, "random positions that see all positions and are seen by all").min(0);
    field("random", random, "random keys per query, drawn with repetition").min(0).max(100000);
    field("seed", seed, "seed of the random positions and keys").min(0).may_follow_seed();
  }
};

class BigBird : public MaskPattern {
 public:
  explicit BigBird(const BigBirdOptions& options)
      : parts_{options.window, options.globals, options.random, options.seed, "bigbird"} {}

  MaskCells cells(int64_t n) const override { return parts_.cells(n); }

 private:
  WindowGlobal parts_;
};

RETHINK_REGISTERED = masks().add<BigBirdOptions>(
    {.name = "bigbird",
     .summary = "window, random global positions, random keys (SparseBERT, Figure 1f)",
     .facts = {.crops = false}},
    [](const BigBirdOptions& options) { return std::make_shared<BigBird>(options); });

}  // namespace
}  // namespace rethink
