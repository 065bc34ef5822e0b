#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "results/database/connection.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

struct RestrictedSchema : testing::Test {
  RestrictedSchema() { restrict_schema(database); }
  SQLite::Database database{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
};

TEST_F(RestrictedSchema, DatabasesKeepTheirSchemaFromSql) {
  database.exec("CREATE TABLE t(x); PRAGMA writable_schema = ON");
  EXPECT_THAT([&] { database.exec("UPDATE sqlite_schema SET sql = 'damaged'"); },
              ThrowsMessage<SQLite::Exception>(HasSubstr("may not be modified")));
}

TEST_F(RestrictedSchema, DatabasesCallNoFunctionThatMayDoHarmFromTheirSchema) {
  database.createFunction(
      "harm", 0, /*deterministic=*/true, nullptr,
      [](sqlite3_context* context, int, sqlite3_value**) { sqlite3_result_int(context, 1); });
  database.exec("CREATE VIEW v AS SELECT harm() AS x");
  EXPECT_THAT([&] { database.execAndGet("SELECT x FROM v"); },
              ThrowsMessage<SQLite::Exception>(HasSubstr("unsafe use of harm()")));
}

}  // namespace
}  // namespace rethink
