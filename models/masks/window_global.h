// A window along the diagonal, global positions, random keys: what Longformer's and BigBird's masks
// are made of.
#pragma once

#include <string>

#include "models/masks/mask.h"

namespace rethink {

struct WindowGlobal {
  int64_t window = 1;   // keys to each side of the query [tokens]
  int64_t globals = 2;  // random positions that attend to all and that all attend to
  int64_t random = 0;   // random keys of each query, drawn with repetition from all n
  int64_t seed = 0;
  std::string pattern;  // whose draws these are

  /// SparseBERT prints one sparsity for a mask that is drawn: of up to 64 draws this is the first
  /// whose number of cells is one of the three integers nearest to its expectation, else the one
  /// nearest to it. Requires: n >= 1.
  MaskCells cells(int64_t n) const;
  /// Expectation of the number of cells over all draws.
  double expected_cells(int64_t n) const;
};

}  // namespace rethink
