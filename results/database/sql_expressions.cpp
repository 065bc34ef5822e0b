#include "results/database/sql_expressions.h"

#include <fmt/format.h>

#include <algorithm>

namespace rethink {

std::string sql_text(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

std::string sql_name(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string json_path(const std::string& key) {
  std::string path = "$";
  for (size_t begin = 0; begin <= key.size();) {
    const size_t dot = std::min(key.find('.', begin), key.size());
    path += ".\"" + key.substr(begin, dot - begin) + "\"";
    begin = dot + 1;
  }
  return sql_text(path);
}

std::string counted_state_sql() {
  // A trial that was running when its driver died may have reported this before its result was
  // recorded.
  return "iif(t.state NOT IN ('done', 'diverged') AND EXISTS(SELECT 1 FROM attempt a WHERE a.trial "
         "= t.id AND a.outcome = 'done' AND (t.state != 'running' AND NOT EXISTS(SELECT 1 FROM "
         "trial_record r WHERE r.id = t.id AND r.told = 'running') OR a.number < (SELECT "
         "max(number) FROM attempt b WHERE b.trial = t.id)) AND NOT EXISTS(SELECT 1 FROM attempt d "
         "WHERE "
         "d.trial = t.id AND d.number <= a.number AND d.damaged)), 'done', t.state)";
}

std::string has_kept_result_sql() {
  return "t.state IN ('failed', 'cancelled', 'blocked') AND " + counted_state_sql() + " = 'done'";
}

std::string reason_sql() {
  return "iif(t.state != 'diverged', t.message, coalesce((SELECT w.text FROM message w WHERE "
         "w.trial = t.id AND w.level = 'warning' ORDER BY w.attempt DESC, w.line DESC LIMIT 1), "
         "t.message))";
}

std::string attempt_reason_sql() {
  return "iif(a.outcome != 'diverged', a.message, coalesce((SELECT w.text FROM message w WHERE "
         "w.trial = a.trial AND w.attempt = a.number AND w.level = 'warning' ORDER BY w.line DESC "
         "LIMIT 1), a.message))";
}

std::optional<std::string> curve_of_tail(const std::string& name) {
  if (!name.ends_with(kTail)) return std::nullopt;
  return name.substr(0, name.size() - kTail.size());
}

std::string tail_sql(const std::string& trial, const std::string& split, const std::string& curve) {
  const std::string rows = fmt::format(
      "FROM metric m WHERE m.trial = {} AND m.split = {} AND m.name = {}", trial, split, curve);
  return fmt::format(
      "(SELECT iif(count(*) = count(m.value), avg(m.value), NULL) {0} AND m.step >= 0.9 * (SELECT "
      "max(m.step) {0}))",
      rows);
}

}  // namespace rethink
