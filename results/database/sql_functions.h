// The rule of core/config/value_equality.h as SQL.
#pragma once

namespace SQLite {
class Database;
}

namespace rethink {

/// Adds functions, which leave values that a trial does not have at NULL:
///   value_is(value, type, sign, written, quoted)   whether it holds
///   label_type(label, option, type)                type of a label beside the option of its name
///   number_or_text(value)                          text that is a number as a number
///   each_value(value)                              aggregate: the one value of a group; of several
///                                                  different ones text that lists them
/// `type` is json_type()'s word for a value; value_is() takes 'label' too: number or text.
void register_values(SQLite::Database& database);

}  // namespace rethink
