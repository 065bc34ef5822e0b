#include "results/database/sql_functions.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/yaml/written_values.h"
#include "results/statistics/statistics.h"

namespace rethink {

namespace {

using SqlFunction = void (*)(sqlite3_context*, int, sqlite3_value**);
using FinishAggregate = void (*)(sqlite3_context*);

/// A plain function, or an aggregate of `step` and `finish`. SQLite may call it from a view in a
/// foreign store (restrict_schema() in connection.h).
void add_sql_function(SQLite::Database& database, const char* name, int arguments,
                      SqlFunction function, SqlFunction step, FinishAggregate finish) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  const int code = sqlite3_create_function_v2(database.getHandle(), name, arguments, kFlags,
                                              nullptr, function, step, finish, nullptr);
  if (code != SQLITE_OK) throw SQLite::Exception(database.getHandle(), code);
}

std::string text_in(sqlite3_value* value) {
  // SQLite prints 15 digits of a number, which may read back as another number.
  if (sqlite3_value_type(value) == SQLITE_FLOAT)
    return fmt::format("{}", sqlite3_value_double(value));
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text ? std::string(text, static_cast<size_t>(sqlite3_value_bytes(value))) : "";
}

ValueType type_called(const std::string& name) {
  if (name == "integer" || name == "real") return ValueType::number;
  if (name == "true" || name == "false") return ValueType::boolean;
  if (name == "null") return ValueType::null;
  if (name == "label") return ValueType::label;
  return name == "text" ? ValueType::text : ValueType::compound;
}

/// Nothing if the trial has no such value.
std::optional<RecordedValue> recorded_in(sqlite3_value* value, sqlite3_value* type) {
  if (sqlite3_value_type(type) == SQLITE_NULL) return std::nullopt;
  const std::string name = text_in(type);
  const ValueType kind = type_called(name);
  const bool is_named = kind == ValueType::boolean || kind == ValueType::null;
  return RecordedValue{is_named ? name : text_in(value), kind};
}

bool holds_for(const RecordedValue& recorded, const std::string& sign,
               const WrittenValue& written) {
  if (sign == "=" || sign == "==") return same_value(recorded, written);
  if (sign == "!=") return !same_value(recorded, written);
  const std::partial_ordering order = order_of(recorded, written);
  if (sign == "<") return order < 0;
  if (sign == "<=") return order <= 0;
  return sign == ">" ? order > 0 : order >= 0;
}

void value_is(sqlite3_context* context, int, sqlite3_value** given) {
  const std::optional<RecordedValue> recorded = recorded_in(given[0], given[1]);
  if (!recorded) return sqlite3_result_null(context);
  const WrittenValue written{text_in(given[3]), sqlite3_value_int(given[4]) != 0};
  sqlite3_result_int(context, holds_for(*recorded, text_in(given[2]), written));
}

void label_type(sqlite3_context* context, int, sqlite3_value** given) {
  // Without a label, the option's own type counts.
  if (sqlite3_value_type(given[0]) == SQLITE_NULL) return sqlite3_result_value(context, given[2]);
  const RecordedValue label = typed_label(text_in(given[0]), recorded_in(given[1], given[2]));
  const bool is_typed = label.type != ValueType::label;
  const std::string name = is_typed ? text_in(given[2]) : "label";
  sqlite3_result_text(context, name.c_str(), -1, SQLITE_TRANSIENT);
}

/// A copy of a value that outlives its row.
struct FreeValue {
  void operator()(sqlite3_value* value) const { sqlite3_value_free(value); }
};
using Different = std::map<std::string, std::unique_ptr<sqlite3_value, FreeValue>>;

/// SQLite's memory for one group: a pointer, null before the first row.
Different*& different_of(sqlite3_context* context) {
  return *static_cast<Different**>(sqlite3_aggregate_context(context, sizeof(Different*)));
}

void step_each(sqlite3_context* context, int, sqlite3_value** given) {
  Different*& values = different_of(context);
  if (!values) values = new Different;  // deleted by finish_each(), which SQLite always calls
  if (sqlite3_value_type(given[0]) == SQLITE_NULL) return;
  const std::string text = text_in(given[0]);
  auto& kept = (*values)[text.empty() ? "''" : text];
  if (!kept) kept.reset(sqlite3_value_dup(given[0]));
}

void finish_each(sqlite3_context* context) {
  const std::unique_ptr<Different> values(different_of(context));
  if (!values || values->empty()) return sqlite3_result_null(context);
  if (values->size() == 1) return sqlite3_result_value(context, values->begin()->second.get());
  std::string all;
  for (const auto& [text, value] : *values) all += (all.empty() ? "" : ", ") + text;
  sqlite3_result_text(context, all.c_str(), static_cast<int>(all.size()), SQLITE_TRANSIENT);
}

/// As text, numbers would be compared letter by letter: "9" above "10".
void number_or_text(sqlite3_context* context, int, sqlite3_value** given) {
  sqlite3_value_numeric_type(given[0]);  // converts the value if nothing is lost
  sqlite3_result_value(context, given[0]);
}

}  // namespace

void register_values(SQLite::Database& database) {
  const auto add = [&](const char* name, int arguments, SqlFunction function) {
    add_sql_function(database, name, arguments, function, nullptr, nullptr);
  };
  add("value_is", 5, value_is);
  add("label_type", 3, label_type);
  add("number_or_text", 1, number_or_text);
  add_sql_function(database, "each_value", 1, nullptr, step_each, finish_each);
}

// The functions of statistics.h as SQL aggregates.

namespace {

using Values = std::vector<double>;

struct Sample {
  Values first, second;
  std::optional<int> decimals = {};  // of the text
  bool bad = false;
};

/// SQLite's memory for one group: a pointer, null before the first row.
Sample*& sample_of(sqlite3_context* context) {
  return *static_cast<Sample**>(sqlite3_aggregate_context(context, sizeof(Sample*)));
}

/// Returns false if the argument is NULL, or infinite like exp(1000): SQLite reports NaN as
/// infinity. Non-numeric text marks the sample as bad.
bool take(sqlite3_value* argument, Sample& sample, double& number) {
  const int type = sqlite3_value_numeric_type(argument);
  if (type == SQLITE_NULL || std::isinf(sqlite3_value_double(argument))) return false;
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) sample.bad = true;
  number = sqlite3_value_double(argument);
  return !sample.bad;
}

Sample& started(sqlite3_context* context) {
  Sample*& sample = sample_of(context);
  if (!sample) sample = new Sample;  // deleted by finish(), which SQLite always calls
  return *sample;
}

void step_one(sqlite3_context* context, int, sqlite3_value** arguments) {
  Sample& sample = started(context);
  double number = 0;
  if (take(arguments[0], sample, number)) sample.first.push_back(number);
}

/// The second argument is the number of decimals in the text.
void step_with_decimals(sqlite3_context* context, int count, sqlite3_value** arguments) {
  constexpr int kMostDecimals = 15;
  step_one(context, count, arguments);
  started(context).decimals = std::clamp(sqlite3_value_int(arguments[1]), 0, kMostDecimals);
}

void step_pair(sqlite3_context* context, int, sqlite3_value** arguments) {
  Sample& sample = started(context);
  double first = 0, second = 0;
  const bool has_first = take(arguments[0], sample, first),
             has_second = take(arguments[1], sample, second);
  if (!has_first || !has_second) return;
  sample.first.push_back(first);
  sample.second.push_back(second);
}

void step_two(sqlite3_context* context, int, sqlite3_value** arguments) {
  Sample& sample = started(context);
  double number = 0;
  if (take(arguments[0], sample, number)) sample.first.push_back(number);
  if (take(arguments[1], sample, number)) sample.second.push_back(number);
}

using Number = std::optional<double> (*)(const Sample&);

template <Number number>
void finish(sqlite3_context* context) {
  const std::unique_ptr<Sample> sample(sample_of(context));
  if (!sample) return sqlite3_result_null(context);
  if (sample->bad) return sqlite3_result_error(context, "statistics need numbers, got text", -1);
  const std::optional<double> value = number(*sample);
  value ? sqlite3_result_double(context, *value) : sqlite3_result_null(context);
}

std::optional<std::string> mean_ci_text(const Sample& sample) {
  return sample.first.empty() ? std::nullopt
                              : std::optional(mean_ci(sample.first, sample.decimals));
}

/// A form for json_extract(bootstrap(x), '$[0]') and for people.
std::optional<std::string> bootstrap_text(const Sample& sample) {
  const std::optional<Interval> interval = bootstrap(sample.first);
  return interval ? std::optional(fmt::format("[{}, {}]", interval->low, interval->high))
                  : std::nullopt;
}

using Text = std::optional<std::string> (*)(const Sample&);

template <Text text>
void finish_text(sqlite3_context* context) {
  const std::unique_ptr<Sample> sample(sample_of(context));
  if (!sample) return sqlite3_result_null(context);
  if (sample->bad) return sqlite3_result_error(context, "statistics need numbers, got text", -1);
  const std::optional<std::string> result = text(*sample);
  if (!result) return sqlite3_result_null(context);
  sqlite3_result_text(context, result->c_str(), -1, SQLITE_TRANSIENT);
}

template <double (*function)(std::span<const double>)>
std::optional<double> of_some(const Sample& sample) {
  return sample.first.empty() ? std::nullopt : std::optional(function(sample.first));
}

template <std::optional<double> (*function)(std::span<const double>)>
std::optional<double> of_one(const Sample& sample) {
  return function(sample.first);
}

template <std::optional<double> (*function)(std::span<const double>, std::span<const double>)>
std::optional<double> of_two(const Sample& sample) {
  return function(sample.first, sample.second);
}

template <double Interval::*bound>
std::optional<double> of_bootstrap(const Sample& sample) {
  const std::optional<Interval> interval = bootstrap(sample.first);
  return interval ? std::optional((*interval).*bound) : std::nullopt;
}

}  // namespace

void register_statistics(SQLite::Database& database) {
  const auto add = [&](const char* name, int arguments, SqlFunction step, FinishAggregate end) {
    add_sql_function(database, name, arguments, nullptr, step, end);
  };
  add("mean", 1, step_one, finish<of_some<mean>>);
  add("sd", 1, step_one, finish<of_one<standard_deviation>>);
  add("sem", 1, step_one, finish<of_one<standard_error>>);
  add("ci95", 1, step_one, finish<of_one<confidence95>>);
  add("median", 1, step_one, finish<of_some<median>>);
  add("iqm", 1, step_one, finish<of_some<iqm>>);
  add("bootstrap_low", 1, step_one, finish<of_bootstrap<&Interval::low>>);
  add("bootstrap_high", 1, step_one, finish<of_bootstrap<&Interval::high>>);
  add("bootstrap", 1, step_one, finish_text<bootstrap_text>);
  add("mean_ci", 1, step_one, finish_text<mean_ci_text>);
  add("mean_ci", 2, step_with_decimals, finish_text<mean_ci_text>);
  add("paired_t", 2, step_pair, finish<of_two<paired_t>>);
  add("paired_permutation", 2, step_pair, finish<of_two<paired_permutation>>);
  add("kendall_tau", 2, step_pair, finish<of_two<kendall_tau>>);
  add("welch", 2, step_two, finish<of_two<welch>>);
}

}  // namespace rethink
