// Execution of users' SQL.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "results/store/store.h"

namespace rethink {

/// Rows of text, integers, floats and nulls.
struct QueryResult {
  std::vector<std::string> columns;
  std::vector<std::vector<Json>> rows;
};

/// Runs one read-only statement and returns its rows. Throws ConfigError with SQLite's words and
/// the statement.
QueryResult run_query(Store& store, const std::string& sql);

}  // namespace rethink
