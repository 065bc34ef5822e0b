#include "results/query/recorded_names.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/message.h"
#include "results/database/sql_expressions.h"
#include "results/database/statement.h"

namespace rethink {

namespace {

/// As in --show: the value at the end of the training, if trials have such a value.
std::string last_name(Store& store, const NamedMetric& metric) {
  const std::string last = metric.name + "@last";
  const bool is_there =
      metric.name.find('@') == std::string::npos &&
      has_row(statement_of(store.database(),
                           "SELECT 1 FROM series WHERE split = ? AND name = ? LIMIT 1",
                           metric.split, last));
  return is_there ? last : metric.name;
}

}  // namespace

std::optional<NamedMetric> named_metric(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  return NamedMetric{text.substr(0, slash), text.substr(slash + 1)};
}

bool any_trial_has(Store& store, const NamedMetric& metric) {
  return has_row(statement_of(
      store.database(),
      "SELECT 1 FROM trial t WHERE EXISTS(SELECT 1 FROM series m WHERE m.trial = t.id AND "
      "m.split = ?1 AND m.name IN (?2, ?2 || '@last')) LIMIT 1",
      metric.split, curve_of_tail(metric.name).value_or(metric.name)));
}

NamedMetric required_metric(Store& store, const std::string& text, const NamedMetric& metric) {
  if (any_trial_has(store, metric)) return metric;
  const std::vector<std::string> known =
      all_names(store, "SELECT DISTINCT split || '/' || name FROM series");
  const std::string plain = text.substr(0, text.find('@'));
  const bool is_plain_known = std::ranges::count(known, plain) > 0;
  throw UnknownName(
      "unknown-metric", text,
      fmt::format(
          "unknown metric '{}'{}; known: {}", text,
          is_plain_known ? fmt::format("; did you mean '{}'?", plain) : did_you_mean(text, known),
          first_names(known, store, "query 'SELECT DISTINCT split, name FROM metric'")));
}

std::string metric_in_condition_text(Store& store, const std::string& name,
                                     const std::string& comparison, bool is_part) {
  const auto is_one_of = [&](const char* table) {
    return has_row(statement_of(
        store.database(), fmt::format("SELECT 1 FROM {} WHERE name = ? LIMIT 1", table), name));
  };
  const std::optional<NamedMetric> metric = named_metric(name);
  const bool is_measurement = !metric && is_one_of("measurement");
  if (!is_measurement && !(metric ? any_trial_has(store, *metric) : is_one_of("metric"))) return "";
  const std::string text = fmt::format(
      "'{0}' is a {1}, and --where and --by take labels, settings and columns only; --show {0} "
      "shows it",
      name, is_measurement ? "measurement" : "metric");
  // The user must quote a name that a shell would interpret.
  if (comparison.empty() || for_a_shell(name) != name || name.ends_with(kTail)) return text;
  const std::string rows =
      fmt::format("query \"SELECT trial, value FROM {} WHERE {}name = '{}' AND value {}\"",
                  is_measurement ? "measurement" : "final",
                  metric ? fmt::format("split = '{}' AND ", metric->split) : "",
                  metric ? last_name(store, *metric) : name, comparison);
  return fmt::format("{}, and SQL compares it{}: {}", text,
                     is_part ? ", without the rest of the condition" : "",
                     store_command(rows, store.folder()));
}

std::vector<std::string> all_names(Store& store, const std::string& sql) {
  return texts_of(store.database(), sql + " ORDER BY 1");
}

std::string first_names(const std::vector<std::string>& names, const Store& store,
                        const std::string& command) {
  constexpr size_t kMost = 16;
  if (names.empty()) return "none";
  const std::string all = fmt::format(" (`{}` lists all)", store_command(command, store.folder()));
  return first_names(names, kMost) + (names.size() > kMost ? all : "");
}

RecordedNames recorded_names(Store& store, const std::vector<std::string>& trials) {
  return {texts_of(store.database(),
                   "SELECT DISTINCT m.name FROM json_each(?1) j JOIN measurement m ON m.trial = "
                   "j.value WHERE m.value IS NOT NULL ORDER BY 1",
                   trials),
          texts_of(store.database(),
                   "SELECT DISTINCT a.name || '/' || f.key FROM json_each(?1) j JOIN artifact a ON "
                   "a.trial = j.value JOIN json_each(json_set(a.facts, '$.bytes', a.bytes)) f "
                   "WHERE f.type IN ('integer', 'real') ORDER BY 1",
                   trials)};
}

}  // namespace rethink
