#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/config/value_equality.h"
#include "results/database/sql_functions.h"

namespace rethink {
namespace {

std::string text_in(sqlite3_value* value) {
  // SQLite prints 15 digits of a number, which may read back to another one.
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

/// None where the trial has no such value.
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
  // Without a label, the option's own type.
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

/// What SQLite keeps for one group: a pointer, zero before the first row.
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

/// Text that is a number would be compared letter by letter with other text: "9" above "10".
void number_or_text(sqlite3_context* context, int, sqlite3_value** given) {
  sqlite3_value_numeric_type(given[0]);  // changes the value where nothing is lost
  sqlite3_result_value(context, given[0]);
}

}  // namespace

void register_values(SQLite::Database& database) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  const auto add = [&](const char* name, int arguments,
                       void (*function)(sqlite3_context*, int, sqlite3_value**)) {
    const int code = sqlite3_create_function_v2(database.getHandle(), name, arguments, kFlags,
                                                nullptr, function, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) throw SQLite::Exception(database.getHandle(), code);
  };
  add("value_is", 5, value_is);
  add("label_type", 3, label_type);
  add("number_or_text", 1, number_or_text);
  const int code = sqlite3_create_function_v2(database.getHandle(), "each_value", 1, kFlags,
                                              nullptr, nullptr, step_each, finish_each, nullptr);
  if (code != SQLITE_OK) throw SQLite::Exception(database.getHandle(), code);
}

}  // namespace rethink
