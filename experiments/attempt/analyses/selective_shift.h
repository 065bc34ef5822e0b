// The contextual mapping in the proof of SparseBERT's Theorem 1 (section 3.2 and appendix A.2.2),
// run as attention: hard-max over the other positions' scores, never over the own one. Exact: all
// numbers are integers, multiples of a part of delta.
#pragma once

#include <cstdint>
#include <vector>

namespace rethink {

/// 128 bits, with overflow checked: the values grow as delta^-(3n+2)d.
using Exact = __int128;

/// The grid of n tokens of d numbers 0, delta, ..., 1 - delta. A token Z_i is named by its level
/// l_i / delta = Z_i u / delta, u = (1, delta^-1, ..., delta^-(d-1)): 0, ..., delta^-d - 1.
struct ShiftGrid {
  int64_t tokens = 3;         // n >= 2; the theorem has n > 2
  int64_t width = 1;          // d
  int64_t inverse_delta = 4;  // 1 / delta

  /// delta^-d: levels of a token, and layers of the selective shift. Throws TrialError beyond 2^20.
  int64_t levels() const;
  /// What delta is in Exact: b = l +- delta/2 and means over ties of other tokens are whole, too.
  Exact unit() const { return Exact{2} * (tokens - 1) * (tokens - 1); }
  /// Of the two layers that shift all: (delta^-d - 1)(delta^-nd + delta^-d + 1), which is the
  /// paper's where it names it (n = 3, d = 1).
  Exact global_factor() const;
};

/// One input on its way through the layers.
class SelectiveShift {
 public:
  /// levels: of each token, from 0.
  SelectiveShift(const ShiftGrid& grid, const std::vector<int64_t>& levels);

  /// Z_i u of each token [units].
  std::vector<Exact> values() const;
  /// The layer of one l: Z + delta^-d (psi(Z; l - delta/2) - psi(Z; l + delta/2)). Throws
  /// TrialError when 128 bits do not hold it, as all layers do.
  void shift(int64_t level);
  /// A layer that shifts every positive token: Z + Delta psi(Z; 0).
  void shift_all();

 private:
  /// psi(Z; b), its first coordinate: the mean value of those other tokens whose score
  /// (Z_i u - b)(Z_j u) is greatest.
  std::vector<Exact> head(Exact b) const;
  void add(const std::vector<Exact>& change, Exact factor);

  ShiftGrid grid_;
  std::vector<std::vector<Exact>> tokens_;  // [n][d], units
};

}  // namespace rethink
