// Fixed attention masks (SparseBERT, ICML 2021, Figure 1), one pattern per file of this folder, and
// the form of all masks, learned masks included: bytes, 1 = may attend.
//
// A mask is a pure function of its options, the number of heads and n. All patterns are
// bidirectional, as encoders are. n is the model's number of positions. For a shorter batch the
// encoder takes the first rows and columns of this mask and makes no other mask. The fact `crops`
// (core/facts/mask_facts.cpp) says whether both are equal. MaskDraw and cells_where are helpers for
// patterns.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/config/registry.h"
#include "core/facts/mask_facts.h"
#include "core/json_fwd.h"
#include "core/yaml/yaml.h"

namespace rethink {

/// One head's mask, u8 [n,n]: 1 where the query (row) may attend to the key (column).
using MaskCells = std::vector<uint8_t>;

class MaskPattern {
 public:
  virtual ~MaskPattern() = default;
  /// Returns the cells, equal for every head, with the diagonal. If n >= 2, each row has a cell
  /// beside the diagonal, except with the fact sees_itself_alone. Requires: n >= 1.
  virtual MaskCells cells(int64_t n) const = 0;
};

using MaskRegistry = Registry<MaskPattern, MaskFacts>;
MaskRegistry& masks();

/// Options of every pattern, beside its own options.
struct MaskCommon {
  bool diagonal = true;
  void fields(Fields& field) {
    field("diagonal", diagonal,
          "keep the diagonal; false removes its n cells (SparseBERT, Table 4)");
  }
};

/// In YAML: mask: {kind: star, diagonal: false}.
using MaskChoice = Choice<"mask", "kind", MaskCommon>;

/// Returns the choice that a YAML map such as {kind: star, diagonal: false} makes, with the checks
/// of a sweep's options. If it adds problems, the result must not be used. `path` is the map's name
/// in messages.
MaskChoice read_mask_choice(const Yaml& given, const std::string& path, Problems& problems);

/// Returns the choice in a checked configuration: {"kind": "star", "diagonal": false}.
MaskChoice mask_choice(const Json& checked);

/// The masks of all heads.
struct Mask {
  int64_t heads = 0, positions = 0;
  std::vector<uint8_t> cells;  // u8 [H,n,n]

  const uint8_t* head(int64_t index) const { return cells.data() + index * positions * positions; }
};

/// Returns the mask of a choice. At n = 1 a mask without its diagonal is empty. Throws ConfigError
/// for an unknown pattern, for wrong options, and if the pattern is only a diagonal and `diagonal`
/// is false. Requires: heads >= 1, n >= 1.
Mask make_mask(const MaskChoice& choice, int64_t heads, int64_t n);

/// Returns the sparsity 1 - |M| / n^2, averaged over heads, which the paper prints as a percentage.
double sparsity(const Mask& mask);

/// Writes an artifact of kind "mask": safetensors with one tensor "mask", u8 [H,n,n]. Equal masks
/// give equal bytes. Not durable, as write_safetensors.
void write_mask(const std::filesystem::path& file, const Mask& mask);
/// Returns the mask in an artifact. Throws ConfigError "PATH: ..." if the tensor is missing or a
/// cell is neither 0 nor 1, and as SafetensorsFile.
Mask read_mask(const std::filesystem::path& file);

/// Returns a mask with 1 where `attends(query, key)` is true.
template <typename Predicate>
MaskCells cells_where(int64_t n, Predicate attends) {
  MaskCells cells(static_cast<size_t>(n * n));
  size_t cell = 0;
  for (int64_t query = 0; query < n; ++query) {
    for (int64_t key = 0; key < n; ++key) cells[cell++] = attends(query, key) ? 1 : 0;
  }
  return cells;
}

/// Random draws of a pattern: Philox keyed by the option `seed`, so that a mask is the same on
/// every machine.
class MaskDraw {
 public:
  /// `pattern` is the pattern's name: two patterns with equal seeds get independent draws.
  MaskDraw(int64_t seed, const std::string& pattern);
  /// Returns an unbiased uniform draw from 0, ..., bound - 1. Requires: bound >= 1.
  int64_t below(int64_t bound);
  /// Returns `count` different draws from 0, ..., bound - 1, in the order drawn. Requires: count <=
  /// bound.
  std::vector<int64_t> distinct(int64_t count, int64_t bound);

 private:
  uint64_t seed_, stream_, counter_ = 0;
};

}  // namespace rethink
