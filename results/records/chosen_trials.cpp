#include "results/records/chosen_trials.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "results/database/sql_expressions.h"

namespace rethink {
namespace {

/// The index of the name in a list; the list's size if it is missing.
size_t place_in(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<size_t>(std::ranges::find(names, name) - names.begin());
}

/// "part0, part1, ...", `part` of {0}.
std::string numbered(const char* part, size_t count, const char* separator = ", ") {
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += (i ? separator : "") + fmt::format(fmt::runtime(part), i);
  return text;
}

}  // namespace

ChosenTrials::ChosenTrials(Store& store, std::string where, std::vector<std::string> by)
    : store_(store), names_(store), where_(std::move(where)), by_(std::move(by)) {
  if (by_.size() > kMostListed)
    throw ConfigError("too-many", fmt::format("--by: got {} names, expected at most {}", by_.size(),
                                              kMostListed));
}

// Columns have numbers, since SQLite treats two names that differ only in case as equal.
std::string ChosenTrials::value(const std::string& name) {
  if (is_key(name)) return fmt::format("c.b{}", place_in(by_, name));
  names_.sql(name);
  const size_t place = place_in(others_, name);
  if (place == others_.size()) others_.push_back(name);
  return fmt::format("c.x{}", place);
}

bool ChosenTrials::is_key(const std::string& name) const {
  return std::ranges::count(by_, name) > 0;
}

bool ChosenTrials::may_lack_a_key() const {
  return by_.size() > 1 &&
         std::ranges::any_of(by_, [&](const std::string& key) { return names_.of_sweep(key); });
}

std::string ChosenTrials::sql(const std::string& more) const {
  const Condition condition = parse_condition(where_, names_);
  bool sweeps = condition.speaks_of_sweeps;
  std::string columns;
  for (size_t i = 0; i < by_.size(); ++i) {
    sweeps = sweeps || names_.of_sweep(by_[i]);
    columns += fmt::format(", {} AS b{}", names_.sql(by_[i]), i);
  }
  for (size_t i = 0; i < others_.size(); ++i) {
    const std::string value = names_.sql(others_[i]);
    const bool of_sweep = names_.of_sweep(others_[i]);
    sweeps = sweeps || of_sweep;
    columns += of_sweep
                   ? fmt::format(", each_value({0}) AS x{1}, count(DISTINCT {0}) AS m{1}", value, i)
                   : fmt::format(", {} AS x{}", value, i);
  }
  std::string select = fmt::format(
      "SELECT t.id AS trial, t.job AS _job, t.counted AS _state{}{} FROM "
      "counted_trial t{} WHERE {}",
      columns, more, sweeps ? " LEFT JOIN sweep_trial s ON s.trial = t.id" : "", condition.sql);
  if (sweeps) select += " GROUP BY t.id" + (by_.empty() ? "" : ", " + numbered("b{}", by_.size()));
  if (by_.empty()) return fmt::format("WITH chosen AS ({})\n", select);
  std::string kept = numbered("c.b{} IS NOT NULL", by_.size(), " OR ");
  if (may_lack_a_key()) {
    kept = fmt::format(
        "({}) AND NOT EXISTS(SELECT 1 FROM placed d WHERE d.trial = c.trial AND {} AND ({}))", kept,
        numbered("(c.b{0} IS NULL OR c.b{0} IS d.b{0})", by_.size(), " AND "),
        numbered("(c.b{0} IS NULL AND d.b{0} IS NOT NULL)", by_.size(), " OR "));
  }
  return fmt::format("WITH placed AS ({}),\nchosen AS (SELECT * FROM placed c WHERE {})\n", select,
                     kept);
}

std::string ChosenTrials::groups() const {
  return numbered("c.b{}", by_.size());
}

std::string ChosenTrials::named_groups(const std::vector<std::string>& others) const {
  std::string columns;
  for (size_t i = 0; i < by_.size(); ++i) {
    if (std::ranges::count(others, by_[i]) == 0)
      columns += fmt::format("{}c.b{} AS {}", columns.empty() ? "" : ", ", i, sql_name(by_[i]));
  }
  return columns;
}

std::string ChosenTrials::order() const {
  return numbered("CAST(c.b{0} AS REAL), c.b{0}", by_.size());
}

std::optional<ChosenTrials::Ambiguous> ChosenTrials::ambiguous(const std::string& name) {
  if (is_key(name) || !names_.of_sweep(name)) return std::nullopt;
  const std::string column = value(name);
  SQLite::Statement rows(
      store_.database(),
      fmt::format("{}SELECT c.trial, {} FROM chosen c WHERE c.m{} > 1 ORDER BY 1 LIMIT 1", sql(),
                  column, place_in(others_, name)));
  if (!rows.executeStep()) return std::nullopt;
  return Ambiguous{rows.getColumn(0), rows.getColumn(1)};
}

}  // namespace rethink
