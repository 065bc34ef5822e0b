#include "results/query/values_on_record.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/shell_word.h"
#include "core/store_command.h"
#include "results/database/schema.h"
#include "results/query/run_query.h"

namespace rethink {
namespace {

const std::string kPlacesOfTrials = "FROM trial t LEFT JOIN sweep_trial s ON s.trial = t.id";

bool any_place(Store& store, const std::string& condition) {
  SQLite::Statement row(store.database(),
                        fmt::format("SELECT 1 {} WHERE {} LIMIT 1", kPlacesOfTrials, condition));
  return row.executeStep();
}

/// Numbers in order, then text.
std::vector<std::string> values_on_record(Store& store, const SqlValue& value) {
  std::vector<std::string> values;
  const std::string sql =
      fmt::format("SELECT DISTINCT {} AS v {} ORDER BY v", value.sql, kPlacesOfTrials);
  for (const std::vector<Json>& row : run_query(store, sql).rows) {
    if (row[0].is_null()) continue;
    values.push_back(row[0].is_string() ? row[0].get<std::string>() : row[0].dump());
    if (values.back().empty()) values.back() = "''";
  }
  return values;
}

/// The first values; where there are more, with the query that lists all.
std::string first_values(std::vector<std::string> values, const Store& store,
                         const std::string& name) {
  constexpr size_t kMost = 16;
  if (values.size() <= kMost) return values.empty() ? "none" : joined(values);
  const size_t more = values.size() - kMost;
  values.resize(kMost);
  return fmt::format("{} and {} more (`{}` lists all)", joined(values), more,
                     store_command("query --by " + for_a_shell(name), store.folder()));
}

std::string quoted_again(const WrittenValue& value) {
  if (!value.quoted) return value.text;
  const char* mark = value.text.find('"') == std::string::npos ? "\"" : "'";
  return mark + value.text + mark;
}

std::string text_of_no_trial(Store& store, const QueryNames& names, const Equality& wanted) {
  const std::string& text = wanted.value.text;
  if (wanted.name == "trial")
    return fmt::format("no trial's id begins with '{}'; `{}` lists them", text,
                       store_command("status --all", store.folder()));
  const std::vector<std::string> known = values_on_record(store, names.value(wanted.name));
  const std::optional<long double> number = number_in(text);
  const bool is_number_in_quotes =
      wanted.value.quoted && number && std::ranges::any_of(known, [&](const std::string& value) {
        return number_in(value) == number;
      });
  return fmt::format("no trial has {}={}{}; values of {}: {}", wanted.name,
                     quoted_again(wanted.value),
                     is_number_in_quotes ? "; quotes make text: leave them out for the number"
                     : number            ? ""
                                         : did_you_mean(text, known),
                     wanted.name, first_values(known, store, wanted.name));
}

}  // namespace

void require_order(Store& store, const std::string& name, const SqlValue& value,
                   const std::string& sign, const WrittenValue& written) {
  const auto holds = [&](const char* one) {
    return fmt::format("value_is({}, {}, '{}', {}, {:d})", value.sql, value.type, one,
                       sql_text(written.text), written.quoted);
  };
  if (any_place(store, fmt::format("{} OR {}", holds("<"), holds(">=")))) return;
  const std::vector<std::string> known = values_on_record(store, value);
  if (known.empty()) return;
  const bool is_number = !written.quoted && number_in(written.text);
  throw ConfigError(fmt::format(
      "--where: {0} {1} {2} compares with {3}, but no value of {0} is {3}; values of {0}: {4}{5}",
      name, sign, quoted_again(written), is_number ? "a number" : "text",
      first_values(known, store, name),
      is_number ? fmt::format("; to compare text, write {}{}\"{}\"", name, sign, written.text)
                : ""));
}

std::vector<std::string> values_of_no_trial(Store& store, const std::string& where) {
  constexpr size_t kMost = 5;
  const QueryNames names(store);
  const Condition condition = parse_condition(where, names);
  std::vector<std::string> all;
  if (condition.equalities.empty() || any_place(store, condition.sql)) return all;
  for (const Equality& wanted : condition.equalities) {
    if (any_place(store, wanted.sql)) continue;
    const std::string text = text_of_no_trial(store, names, wanted);
    if (std::ranges::count(all, text) == 0) all.push_back(text);
    if (all.size() == kMost) break;
  }
  return all;
}

}  // namespace rethink
