// Attention masks that nobody learns, one pattern in each file beside this one (SparseBERT, ICML
// 2021, Figure 1), and the form of every mask, learned ones too: bytes, 1 = may attend.
//
// A mask is a pure function of its options, the heads and n. All patterns look both ways: the
// encoder has no order. n is the model's own number of positions; for a shorter batch the encoder
// takes the first rows and columns of that mask, and does not make another. Whether that is the
// same is each pattern's fact `crops` (core/facts/mask_facts.cpp). MaskDraw and cells_where are for patterns.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/config/registry.h"
#include "core/config/yaml.h"
#include "core/facts/mask_facts.h"
#include "core/json_fwd.h"

namespace rethink {

/// One head's mask, u8 [n,n]: 1 where the query (row) may attend to the key (column).
using MaskCells = std::vector<uint8_t>;

class MaskPattern {
 public:
  virtual ~MaskPattern() = default;
  /// The same for every head, with its diagonal. Each row of two positions and more has a cell
  /// beside the diagonal, but with the fact sees_itself_alone. Requires: n >= 1.
  virtual MaskCells cells(int64_t n) const = 0;
};

using MaskRegistry = Registry<MaskPattern, MaskFacts>;
MaskRegistry& masks();

/// What every pattern has beside its own options.
struct MaskCommon {
  bool diagonal = true;
  void fields(Fields& field) {
    field("diagonal", diagonal,
          "keep the diagonal; false removes its n cells (SparseBERT, Table 4)");
  }
};

/// In YAML: mask: {kind: star, diagonal: false}.
using MaskChoice = Choice<"mask", "kind", MaskCommon>;

/// A map of YAML such as {kind: star, diagonal: false}, checked as a sweep's options are. Adds
/// problems; the result is then not to be used. `path` is what messages call it.
MaskChoice read_mask_choice(const Yaml& given, const std::string& path, Problems& problems);

/// The same of a checked configuration's {"kind": "star", "diagonal": false}.
MaskChoice mask_choice(const Json& checked);

/// The masks of all heads.
struct Mask {
  int64_t heads = 0, positions = 0;
  std::vector<uint8_t> cells;  // u8 [H,n,n]

  const uint8_t* head(int64_t index) const { return cells.data() + index * positions * positions; }
};

/// Throws ConfigError when there is no such pattern, its options do not fit, or it is its diagonal and
/// shall be without. Requires: heads and n are at least 1. At n = 1 a mask without its diagonal is empty.
Mask make_mask(const MaskChoice& choice, int64_t heads, int64_t n);

/// 1 - |M| / n^2, mean over heads: what the paper prints as a percentage.
double sparsity(const Mask& mask);

/// As an artifact of kind "mask" holds it: safetensors with one tensor "mask", u8 [H,n,n]. Equal
/// masks give equal bytes. Not durable, as write_safetensors.
void write_mask(const std::filesystem::path& file, const Mask& mask);
/// Throws ConfigError "PATH: ..." when it holds no such tensor or cells other than 0 and 1, and as
/// SafetensorsFile.
Mask read_mask(const std::filesystem::path& file);

/// The cells for which `attends(query, key)` holds; for patterns.
template <typename Predicate>
MaskCells cells_where(int64_t n, Predicate attends) {
  MaskCells cells(static_cast<size_t>(n * n));
  size_t cell = 0;
  for (int64_t query = 0; query < n; ++query) {
    for (int64_t key = 0; key < n; ++key) cells[cell++] = attends(query, key) ? 1 : 0;
  }
  return cells;
}

/// Random draws of a pattern: Philox by the option `seed`, so that a mask is the same on every machine.
class MaskDraw {
 public:
  /// `pattern`: equal seeds of two patterns give unlike draws.
  MaskDraw(int64_t seed, const std::string& pattern);
  /// Uniform over 0, ..., bound - 1, without bias. Requires: bound >= 1.
  int64_t below(int64_t bound);
  /// `count` of 0, ..., bound - 1, each at most once, in the order drawn. Requires: count <= bound.
  std::vector<int64_t> distinct(int64_t count, int64_t bound);

 private:
  uint64_t seed_, stream_, counter_ = 0;
};

}  // namespace rethink
