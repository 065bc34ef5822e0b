// Checks that names under a key of a spec, such as `paper` or `notes`, are rows or columns of the
// grid.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plots/table/lines/grid.h"

namespace rethink {

/// Returns whether the grid has every line of the spec. A profile may leave out a row or column
/// that the sweep has.
bool has_every_line(const TableSpec& spec, const Grid& grid);

/// Reports, once for each name under a key of the spec, that no line has the name (unless it
/// `may_be_absent`), or that several have it.
class NameCheck {
 public:
  NameCheck(std::string key, const TableWords& words, bool may_be_absent)
      : key_(std::move(key)), words_(words), may_be_absent_(may_be_absent) {}

  Problems problems;

  void check(const Word& name, const std::string& kind, const std::vector<GridLine>& lines);

 private:
  const std::string key_;
  const TableWords& words_;
  const bool may_be_absent_;
  std::set<std::pair<std::string, std::string>> said_;
};

}  // namespace rethink
