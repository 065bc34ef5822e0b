// The functions of statistics.h as SQL aggregates.
#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <memory>

#include "results/statistics/statistics.h"

namespace rethink {
namespace {

using Values = std::vector<double>;

struct Sample {
  Values first, second;
  bool bad = false;
};

/// What SQLite keeps for one group: a pointer, zero before the first row.
Sample*& sample_of(sqlite3_context* context) {
  return *static_cast<Sample**>(sqlite3_aggregate_context(context, sizeof(Sample*)));
}

/// False when the argument is NULL, or infinite, as exp(1000) is: SQLite reports NaN as infinity.
/// Non-numeric text marks the sample as bad.
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
  return sample.first.empty() ? std::nullopt : std::optional(mean_ci(sample.first));
}

/// For json_extract(bootstrap(x), '$[0]') and for people.
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

using Step = void (*)(sqlite3_context*, int, sqlite3_value**);
using Finish = void (*)(sqlite3_context*);

}  // namespace

void register_statistics(SQLite::Database& database) {
  // Harmless: a view of one's own in a store may call them (distrust.h).
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  const auto add = [&](const char* name, int arguments, Step step, Finish end) {
    const int code = sqlite3_create_function_v2(database.getHandle(), name, arguments, kFlags,
                                                nullptr, nullptr, step, end, nullptr);
    if (code != SQLITE_OK) throw SQLite::Exception(database.getHandle(), code);
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
  add("paired_t", 2, step_pair, finish<of_two<paired_t>>);
  add("paired_permutation", 2, step_pair, finish<of_two<paired_permutation>>);
  add("kendall_tau", 2, step_pair, finish<of_two<kendall_tau>>);
  add("welch", 2, step_two, finish<of_two<welch>>);
}

}  // namespace rethink
