// Masks of a window along the diagonal, global positions and random keys: the common form of
// Longformer's and BigBird's masks.
#pragma once

#include <string>

#include "models/masks/mask.h"

namespace rethink {

struct WindowGlobal {
  int64_t window = 1;   // keys on each side of the query [tokens]
  int64_t globals = 2;  // random positions that attend to all and that all attend to
  int64_t random = 0;   // random keys of each query, drawn with repetition from all n
  int64_t seed = 0;
  std::string pattern;  // name of the pattern, part of the random key

  /// Returns the cells of a drawn mask whose sparsity is typical, since SparseBERT prints one
  /// sparsity for such a mask. Of up to 64 draws, the result is the first whose number of cells is
  /// one of the three integers nearest to the expectation, else the nearest draw. Requires: n >= 1.
  MaskCells cells(int64_t n) const;
  /// Returns the expected number of cells of a draw.
  double expected_cells(int64_t n) const;
};

}  // namespace rethink
