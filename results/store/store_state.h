// Members of a Store, for the files that implement it.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <optional>
#include <type_traits>
#include <unordered_map>

#include "core/files/file.h"
#include "results/database/database_error.h"
#include "results/database/schema.h"
#include "results/database/statement.h"
#include "results/database/wait_for_writers.h"
#include "results/store/store.h"

namespace rethink {

/// A leaf of the trials' configurations: its first value, and whether trials differ in it.
struct ConfigurationKey {
  std::string value;
  bool varies = false;
};

struct Store::State {
  std::filesystem::path folder, path;
  Access access;
  WriterWait wait;  // before the database, which calls it
  std::optional<SQLite::Database> database;
  std::unordered_map<const char*, SQLite::Statement> statements;  // by the address of their literal
  OwnViews views = OwnViews::with_driver;
  std::map<std::string, ConfigurationKey> keys;
  bool keys_changed = false;   // the view `runs` lacks a column
  bool keys_replaced = false;  // a trial's configuration was replaced: `keys` may have too many
  bool in_transaction = false;
  bool counts_writes = false;  // for the store's own database, not a new one without readers
  int64_t writes = 0;          // the count of write_count.h
  FileDescriptor write_count;  // the file beside the database
};

/// A transaction around several statements, or a part of the open transaction.
class WriteScope {
 public:
  explicit WriteScope(Store& store) : store_(store), own_(!store.state_->in_transaction) {
    if (own_) store_.begin();
  }
  ~WriteScope() {
    if (own_ && !done_) store_.rollback();
  }
  WriteScope(const WriteScope&) = delete;
  WriteScope& operator=(const WriteScope&) = delete;
  void done() {
    if (own_) store_.commit();
    done_ = true;
  }

 private:
  Store& store_;
  bool own_;
  bool done_ = false;
};

/// Runs a statement that gives no rows and leaves it ready for the next use. Throws as
/// throw_database_error.
inline void run_once(const Store& store, SQLite::Statement& statement) {
  try {
    statement.exec();
    statement.reset();
  } catch (const SQLite::Exception& error) {
    throw_database_error(store.state_->path, error, store.folder());
  }
}

template <typename... Values>
SQLite::Statement& Store::prepared(const char* sql, const Values&... values) const {
  SQLite::Statement& statement = prepared(sql);
  bind_values(statement, values...);
  return statement;
}

template <typename... Values>
void Store::run(const char* sql, const Values&... values) {
  SQLite::Statement& statement = prepared(sql);
  int index = 0;
  const auto bind = [&](const auto& value) {
    if constexpr (std::is_same_v<decltype(value), const std::string&>)
      statement.bindNoCopy(++index, value);  // which outlives the run
    else
      bind_value(statement, ++index, value);
  };
  (bind(values), ...);
  run_once(*this, statement);
}

}  // namespace rethink
