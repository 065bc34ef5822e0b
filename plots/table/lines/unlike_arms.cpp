#include "plots/table/lines/unlike_arms.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "core/config/check.h"
#include "core/error.h"
#include "core/json.h"

namespace rethink {
namespace {

constexpr const char* kCandidates = "candidates";

/// The facts that arms should share, from each trial of a cell that records them. A diverged trial
/// gives no value and ended before the others.
std::set<std::string> common_facts(const MeasuredCell& cell, const CellTrials& planned,
                                   const TrialRecords& records, const std::string& what) {
  std::set<std::string> facts;
  if (what == kCandidates) {
    for (const PlannedTrial* trial : planned) {
      const auto groups = trial->trial.config.find(kCandidatesOption);
      facts.insert(
          fmt::format("{}", groups == trial->trial.config.end() ? size_t{1} : groups->size()));
    }
  }
  for (const std::string& trial : cell.trials) {
    const TrialRecord* record = find_record(records, trial);
    if (!record || record->state == TrialState::diverged) continue;
    const auto value = record->measurements.find(what);
    if (what == "device" && !record->device.empty()) facts.insert(record->device);
    if (value != record->measurements.end()) facts.insert(fmt::format("{:.0f}", value->second));
  }
  return facts;
}

/// Whether other rows are compared with this one.
bool is_baseline(const TableLines& table, size_t row) {
  return std::ranges::any_of(
      table.rows, [&](const TableRow& other) { return other.baseline == table.rows[row].label; });
}

/// Trials that have not run may add facts to the other cell, but cannot remove any.
bool are_unlike(const MeasuredCell& a, const std::set<std::string>& of_a, const MeasuredCell& b,
                const std::set<std::string>& of_b) {
  if (of_a.empty() || of_b.empty() || of_a == of_b) return false;
  std::vector<std::string> both;
  std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                        std::back_inserter(both));
  if (both.empty()) return true;
  return (both.size() < of_a.size() && !b.waits()) || (both.size() < of_b.size() && !a.waits());
}

/// Names of the differences between the environments of the cells' trials. Differences within the
/// first cell have their own mark. A different device explains all others, and has its own remark.
std::vector<std::string> other_environment(const MeasuredCell& cell,
                                           const MeasuredCell& reference) {
  SeenEnvironments both = cell.environments;
  both.add(reference.environments);
  std::vector<std::string> names = both.mixed();
  if (std::ranges::count(names, "device") > 0) return {};
  const std::vector<std::string> own = cell.environments.mixed();
  std::erase_if(names, [&](const std::string& name) { return std::ranges::count(own, name) > 0; });
  return names;
}

}  // namespace

void mark_unlike_arms(MeasuredTable& table, const TableSpec& spec, const Grid& grid,
                      const TrialRecords& records) {
  std::vector<std::pair<const char*, std::string>> common = {{kCandidates, "candidates"},
                                                             {measured::kParameters, "parameters"},
                                                             {measured::kTokens, "training tokens"},
                                                             {"device", "device"}};
  std::erase_if(common, [&](const auto& one) {
    return std::find(spec.differ.begin(), spec.differ.end(), one.second) != spec.differ.end();
  });
  for (size_t row = 0; row < table.rows.size(); ++row) {
    for (size_t column = 0; column < table.columns.size(); ++column) {
      MeasuredCell& cell = table.cells[row][column];
      for (const auto& [what, name] : common)
        cell.arm_facts.emplace_back(name,
                                    common_facts(cell, grid.trials[row][column], records, what));
    }
  }
  for (size_t column = 0; column < table.columns.size(); ++column) {
    for (size_t row = 0; row < table.rows.size(); ++row) {
      MeasuredCell& cell = table.cells[row][column];
      const size_t reference = table.baseline_of(row).value_or(is_baseline(table, row) ? row : 0);
      if (row == reference) continue;
      for (const std::string& text :
           unlike_texts(cell, table.cells[reference][column], table.rows[reference].label))
        cell.marks.push_back({MarkKind::unlike, text});
    }
  }
}

std::vector<std::string> unlike_texts(const MeasuredCell& cell, const MeasuredCell& other,
                                      const std::string& name) {
  std::vector<std::string> texts;
  if (cell.kind != CellKind::metric || other.kind != CellKind::metric) return texts;
  for (size_t i = 0; i < std::min(cell.arm_facts.size(), other.arm_facts.size()); ++i) {
    const auto& [what, ours] = cell.arm_facts[i];
    const std::set<std::string>& theirs = other.arm_facts[i].second;
    if (!are_unlike(cell, ours, other, theirs)) continue;
    texts.push_back(fmt::format("{}: {} against {} of {}", what,
                                joined({ours.begin(), ours.end()}, " and "),
                                joined({theirs.begin(), theirs.end()}, " and "), name));
  }
  const std::vector<std::string> others = other_environment(cell, other);
  if (!others.empty())
    texts.push_back(
        fmt::format("ran with another {} than '{}'", joined(others, " and another "), name));
  return texts;
}

}  // namespace rethink
