// Functions that our SQL has beyond SQLite's own: the rule of core/config/written_values.h, and the
// statistics of statistics.h as aggregates.
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

/// SQL aggregates over numbers, NULL left out, NULL when there are too few: mean sd sem ci95 median
/// iqm bootstrap_low bootstrap_high, with two arguments paired_t paired_permutation welch
/// kendall_tau (rows where one side is NULL count for welch only), and two texts: mean_ci,
/// "0.512 ± 0.013", and bootstrap, the JSON list of both bounds, "[0.499, 0.525]".
void register_statistics(SQLite::Database& database);

}  // namespace rethink
