#include "results/database/sql_expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/error.h"

namespace rethink {
namespace {

template <typename Word>
std::string list_of_words(const std::vector<Word>& words) {
  std::vector<std::string> list;
  for (const Word word : words) list.push_back(sql_text(word));
  return joined(list);
}

}  // namespace

std::string sql_text(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

std::string sql_text(TrialState state) {
  return sql_text(std::string(to_text(state)));
}

std::string sql_text(AttemptOutcome outcome) {
  return sql_text(std::string(to_text(outcome)));
}

std::string sql_list(const std::vector<TrialState>& states) {
  return list_of_words(states);
}

std::string sql_list(const std::vector<AttemptOutcome>& outcomes) {
  return list_of_words(outcomes);
}

std::string sql_list(bool (*are)(TrialState)) {
  std::vector<TrialState> states;
  std::ranges::copy_if(kTrialStates, std::back_inserter(states), are);
  return sql_list(states);
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

std::string reason_sql() {
  return fmt::format(
      "iif(t.state != {}, t.message, coalesce((SELECT w.text FROM message w WHERE w.trial = t.id "
      "AND w.level = 'warning' ORDER BY w.attempt DESC, w.line DESC LIMIT 1), t.message))",
      sql_text(TrialState::diverged));
}

std::string attempt_reason_sql() {
  return fmt::format(
      "iif(a.outcome != {}, a.message, coalesce((SELECT w.text FROM message w WHERE w.trial = "
      "a.trial AND w.attempt = a.number AND w.level = 'warning' ORDER BY w.line DESC LIMIT 1), "
      "a.message))",
      sql_text(AttemptOutcome::diverged));
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
