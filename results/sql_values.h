// The rule of core/value_equality.h as SQL.
#pragma once

namespace SQLite {
class Database;
}

namespace rethink {

/// Adds two functions, which leave values that a trial does not have at NULL:
///   value_is(value, type, sign, written, quoted)   whether it holds
///   label_type(label, option, type)                type of a label beside the option of its name
/// `type` is json_type()'s word for a value; value_is() takes 'label' too: number or text.
void register_values(SQLite::Database& database);

}  // namespace rethink
