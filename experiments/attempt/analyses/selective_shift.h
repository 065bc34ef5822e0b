// The contextual mapping in the proof of SparseBERT's Theorem 1 (section 3.2 and appendix A.2.2),
// computed as attention with hard-max over the scores of the other positions. All numbers are
// integer multiples of a fraction of delta, so results are exact.
#pragma once

#include <cstdint>
#include <vector>

namespace rethink {

/// An integer of 128 bits with checked overflow, since values grow as delta^-(3n+2)d.
using Exact = __int128;

/// The grid of n tokens of d numbers 0, delta, ..., 1 - delta. A token Z_i is named by its level
/// l_i / delta = Z_i u / delta, u = (1, delta^-1, ..., delta^-(d-1)): 0, ..., delta^-d - 1.
struct ShiftGrid {
  int64_t tokens = 3;         // n >= 2; the theorem has n > 2
  int64_t width = 1;          // d
  int64_t inverse_delta = 4;  // 1 / delta

  /// Returns delta^-d: the levels of a token, and the layers of the selective shift. Throws TrialError beyond 2^20.
  int64_t levels() const;
  /// Returns delta in units of Exact, such that b = l +- delta/2 and means over ties are integers.
  Exact unit() const { return Exact{2} * (tokens - 1) * (tokens - 1); }
  /// Returns the factor of the two layers that shift all tokens: (delta^-d - 1)(delta^-nd + delta^-d + 1). It equals
  /// the paper's number for n = 3, d = 1, the only case that the paper gives.
  Exact global_factor() const;
};

/// The state of an input between two layers.
class SelectiveShift {
 public:
  /// `levels` has the level of each token, from 0.
  SelectiveShift(const ShiftGrid& grid, const std::vector<int64_t>& levels);

  /// Returns Z_i u of each token [units].
  std::vector<Exact> values() const;
  /// Applies the layer of level l: Z + delta^-d (psi(Z; l - delta/2) - psi(Z; l + delta/2)). All
  /// layers throw TrialError if 128 bits are too few.
  void shift(int64_t level);
  /// Applies a layer that shifts every positive token: Z + Delta psi(Z; 0).
  void shift_all();

 private:
  /// Returns the first coordinate of psi(Z; b): the mean of the other tokens with the largest score
  /// (Z_i u - b)(Z_j u).
  std::vector<Exact> head(Exact b) const;
  void add(const std::vector<Exact>& change, Exact factor);

  ShiftGrid grid_;
  std::vector<std::vector<Exact>> tokens_;  // [n][d], units
};

}  // namespace rethink
