// SQL statements with the values of their parameters.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/trial_state.h"

namespace rethink {

template <typename T>
void bind_value(SQLite::Statement& statement, int index, const T& value) {
  statement.bind(index, value);
}

/// States and outcomes are stored by their words.
inline void bind_value(SQLite::Statement& statement, int index, TrialState state) {
  statement.bind(index, to_text(state));
}
inline void bind_value(SQLite::Statement& statement, int index, AttemptOutcome outcome) {
  statement.bind(index, to_text(outcome));
}

/// A missing value is NULL.
template <typename T>
void bind_value(SQLite::Statement& statement, int index, const std::optional<T>& value) {
  value ? bind_value(statement, index, *value) : statement.bind(index);
}

/// A list is a JSON array, for json_each.
inline void bind_value(SQLite::Statement& statement, int index,
                       const std::vector<std::string>& list) {
  statement.bind(index, Json(list).dump());
}

/// Binds `values` to the parameters 1, 2, ... in order.
template <typename... Values>
void bind_values(SQLite::Statement& statement, const Values&... values) {
  int index = 0;
  (bind_value(statement, ++index, values), ...);
}

/// Makes `sql` with `values` for its parameters 1, 2, ... in order. Throws SQLite::Exception.
template <typename... Values>
SQLite::Statement statement_of(SQLite::Database& database, const std::string& sql,
                               const Values&... values) {
  SQLite::Statement statement(database, sql);
  bind_values(statement, values...);
  return statement;
}

/// Returns the state in a column with a state's word.
inline TrialState state_at(SQLite::Statement& statement, int column) {
  return trial_state_named(statement.getColumn(column).getString());
}

/// Returns the first column of every row, as text. Throws SQLite::Exception.
template <typename... Values>
std::vector<std::string> texts_of(SQLite::Database& database, const std::string& sql,
                                  const Values&... values) {
  SQLite::Statement query = statement_of(database, sql, values...);
  std::vector<std::string> texts;
  while (query.executeStep()) texts.push_back(query.getColumn(0));
  return texts;
}

/// Returns whether a query has any row. Resets the query for its next use.
template <typename Query>
bool has_row(Query&& query) {
  const bool found = query.executeStep();
  query.reset();
  return found;
}

}  // namespace rethink
