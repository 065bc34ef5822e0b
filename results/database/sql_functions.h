// Additional functions of our SQL: the rule of core/yaml/written_values.h, and the statistics of
// statistics.h as aggregates.
#pragma once

namespace SQLite {
class Database;
}

namespace rethink {

/// Adds functions that return NULL for values that a trial lacks:
///   value_is(value, type, sign, written, quoted)   whether the comparison holds
///   label_type(label, option, type)                type of a label: the type of the option with
///                                                  its name
///   number_or_text(value)                          a number if the text is a number
///   each_value(value)                              aggregate: the only value of a group, or a text
///                                                  that lists its different values
/// `type` is json_type()'s word for a value; value_is() also accepts 'label': number or text.
void register_values(SQLite::Database& database);

/// Adds SQL aggregates over numbers. They skip NULL and return NULL for too few values: mean sd sem
/// ci95 median iqm bootstrap_low bootstrap_high; with two arguments paired_t paired_permutation
/// welch kendall_tau (only welch uses rows in which one side is NULL); and two texts: mean_ci,
/// "0.512 ± 0.013", and bootstrap, the JSON list of both bounds, "[0.499, 0.525]".
void register_statistics(SQLite::Database& database);

}  // namespace rethink
