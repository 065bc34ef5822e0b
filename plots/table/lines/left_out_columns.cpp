#include "plots/table/lines/left_out_columns.h"

#include <algorithm>
#include <vector>

namespace rethink {
namespace {

/// A `where` of a mean selects trials, which decide whether the profile has the mean.
bool has_trials_of_its_own(const LineSpec& column) {
  return column.kind != CellKind::published && !(is_derived(column.kind) && column.where.empty());
}

/// The names by which means and claims may refer to the column.
std::vector<std::string> names_of(const LineSpec& column) {
  if (column.axis.text.empty()) return {column.label};
  std::vector<std::string> names = {column.axis.text};
  for (const Word& value : column.order) names.push_back(value.text);
  for (const SpecPair& label : column.labels) names.push_back(label.value.text);
  return names;
}

/// The reason why a column cannot be made; null if it can.
const std::string* why_left_out(const LineSpec& column, const TableSpec& spec,
                                const RefusedSweeps& refused) {
  if (has_trials_of_its_own(column)) {
    const auto sweep = refused.find(column.sweep.value_or(spec.trials.sweep).text);
    if (sweep != refused.end()) return &sweep->second;
  }
  for (const Word& part : column.of) {
    const auto left_out = spec.left_out.find(part.text);
    if (left_out != spec.left_out.end()) return &left_out->second;
  }
  return nullptr;
}

/// Whether a row needs a refused sweep.
bool rows_need(const TableSpec& spec, const RefusedSweeps& refused) {
  return std::ranges::any_of(spec.rows, [&](const LineSpec& row) {
    if (row.sweep) return refused.contains(row.sweep->text);
    return !row.axis.text.empty() && refused.contains(spec.trials.sweep.text);
  });
}

}  // namespace

bool leave_out_columns(TableSpec& spec, const RefusedSweeps& refused) {
  if (rows_need(spec, refused)) return false;
  for (size_t before = spec.columns.size() + 1; spec.columns.size() < before;) {
    before = spec.columns.size();  // a mean may contain other means
    std::erase_if(spec.columns, [&](const LineSpec& column) {
      const std::string* why = why_left_out(column, spec, refused);
      if (!why) return false;
      const std::string reason = *why;
      for (const std::string& name : names_of(column)) spec.left_out.emplace(name, reason);
      return true;
    });
  }
  const auto with_trials = std::ranges::find_if(spec.columns, has_trials_of_its_own);
  if (with_trials == spec.columns.end()) return false;
  if (refused.contains(spec.trials.sweep.text)) spec.trials.sweep = *with_trials->sweep;
  return true;
}

}  // namespace rethink
