#include "results/query/run_query.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "core/error.h"
#include "core/json.h"
#include "results/database/statement.h"

namespace rethink {
namespace {

constexpr const char* kOnlyReads = "query only reads; the trials' folders are the truth";

Json cell_of(const SQLite::Column& column) {
  if (column.isInteger()) return column.getInt64();
  if (column.isFloat()) return column.getDouble();
  if (column.isNull()) return nullptr;
  return column.getString();
}

/// "; runs has: trial, job, ..." for each table of a statement in which SQLite missed a column.
std::string columns_there_are(SQLite::Database& database, const std::string& problem,
                              const std::string& sql) {
  const std::string words = "no such column: ";
  if (problem.find(words) == std::string::npos) return "";
  const std::string column = problem.substr(problem.find(words) + words.size());
  SQLite::Statement tables =
      statement_of(database,
                   "SELECT m.name, p.name FROM sqlite_master m JOIN "
                   "pragma_table_info(m.name) p WHERE m.type IN ('table', 'view') AND "
                   "instr(lower(?), lower(m.name)) ORDER BY m.name, p.cid",
                   sql);
  std::map<std::string, std::vector<std::string>> columns;
  std::vector<std::string> all;
  while (tables.executeStep()) {
    columns[tables.getColumn(0)].push_back(tables.getColumn(1));
    all.push_back(tables.getColumn(1));
  }
  std::string text = did_you_mean(column.substr(column.rfind('.') + 1), all);
  for (const auto& [table, names] : columns)
    text += fmt::format("; {} has: {}", table, joined(names));
  return text;
}

/// "; there are: attempt, ..." if SQLite missed a table.
std::string tables_there_are(SQLite::Database& database, const std::string& problem) {
  const std::string words = "no such table: ";
  if (!problem.starts_with(words)) return "";
  const std::vector<std::string> names =
      texts_of(database,
               "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name "
               "NOT LIKE 'sqlite_%' ORDER BY name");
  return fmt::format("{}; tables and views: {}", did_you_mean(problem.substr(words.size()), names),
                     joined(names));
}

/// Whether a statement that SQLite refuses would write.
bool is_meant_to_write(const std::string& sql) {
  const size_t first = std::min(sql.find_first_not_of(" \t\n("), sql.size());
  constexpr std::array<std::string_view, 7> kWords = {"alter ",  "create ",  "delete ", "drop ",
                                                      "insert ", "replace ", "update "};
  return std::ranges::any_of(kWords, [&](std::string_view word) {
    return strncasecmp(sql.c_str() + first, word.data(), word.size()) == 0;
  });
}

/// SQLiteCpp would ignore text after the first statement.
void require_one_statement(SQLite::Database& database, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const char* rest = nullptr;
  const int code = sqlite3_prepare_v2(database.getHandle(), sql.c_str(), -1, &statement, &rest);
  const bool empty = code == SQLITE_OK && !statement;
  // SQLite treats this statement as reading, but the statement creates a missing file.
  const size_t first = sql.find_first_not_of(" \t\n(");
  const bool attaches =
      first != std::string::npos && strncasecmp(sql.c_str() + first, "attach", 6) == 0;
  const bool writes = statement && (attaches || !sqlite3_stmt_readonly(statement));
  sqlite3_finalize(statement);
  if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
    throw SQLite::Exception(database.getHandle(), code);
  if (code != SQLITE_OK) {
    const std::string problem = sqlite3_errmsg(database.getHandle());
    throw ConfigError(
        "invalid-sql",
        fmt::format("{}{}{}{}\n  {}",
                    is_meant_to_write(sql) ? kOnlyReads + std::string(". SQLite: ") : "", problem,
                    columns_there_are(database, problem, sql), tables_there_are(database, problem),
                    sql));
  }
  if (empty) throw ConfigError("invalid-sql", "query: there is no statement; give SQL, or --show");
  if (writes) throw ConfigError("invalid-sql", fmt::format("{}\n  {}", kOnlyReads, sql));
  if (std::string(rest).find_first_not_of(" \t\r\n;") != std::string::npos) {
    throw ConfigError("invalid-sql", fmt::format("one statement at a time, got more: '{}'", rest));
  }
}

}  // namespace

QueryResult run_query(Store& store, const std::string& sql) {
  require_one_statement(store.database(), sql);
  QueryResult result;
  try {
    SQLite::Statement statement(store.database(), sql);
    const int count = statement.getColumnCount();
    for (int i = 0; i < count; ++i) result.columns.emplace_back(statement.getColumnName(i));
    while (statement.executeStep()) {
      std::vector<Json>& row = result.rows.emplace_back();
      for (int i = 0; i < count; ++i) row.push_back(cell_of(statement.getColumn(i)));
    }
  } catch (const SQLite::Exception& error) {
    // Other error codes concern the database or the disk and not the query.
    const int code = error.getErrorCode();
    if (code != SQLITE_ERROR && code != SQLITE_TOOBIG && code != SQLITE_MISMATCH) throw;
    throw ConfigError("invalid-sql", fmt::format("{}\n  {}", error.what(), sql));
  }
  return result;
}

}  // namespace rethink
