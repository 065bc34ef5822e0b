// The one rule by which a value that somebody writes is compared with a value on record: in --where,
// `when`, `exclude`, `--only`, and the selectors of tables, figures and `why`.
//
//   on record            written 1, 1.0 or 1e0     written "1" (quoted)      written word
//   number 1             same                      another value             another value
//   text "1"             1: same (see below)       same                      another value
//   text "1layer"        another value             another value             same as 1layer alone
//   label, not typed     same number or same text  same text                 same text
//
// An option gives a plain word its type, as in a sweep file: `tag: 1` of a text option is the text
// "1". So a plain 1 is compared with text as text (1.0 is then another value), with a number as a
// number. Quotes make text, and text is never a number. A label keeps its text alone; its type is
// that of the option that it sets, where the trial has that option, else it can be either.
#pragma once

#include <compare>
#include <optional>
#include <string>

namespace rethink {

/// As it stands in a file or on a command line; `quoted`: '1' or "1", without the quotes.
struct WrittenValue {
  std::string text;
  bool quoted = false;
};

enum class ValueType { number, text, boolean, null, compound, label };

/// A value of a configuration, or a label of a trial. `text` of a number reads back to that number.
struct RecordedValue {
  std::string text;
  ValueType type = ValueType::label;
};

/// The label `text` with the type of `option`, the value that the trial has under the same name; a
/// label of no option, or of one with another value (a case that is named as one), stays untyped.
RecordedValue typed_label(const std::string& text, const std::optional<RecordedValue>& option);

/// Letters of another case make another value: `Star` and `star` may be two arms.
bool same_value(const RecordedValue& recorded, const WrittenValue& written);

/// Numbers with numbers, text with text; unordered where one is a number and the other is not.
std::partial_ordering order_of(const RecordedValue& recorded, const WrittenValue& written);

/// The number that `text` is; none where it is none. Wide enough for every 64-bit integer and every
/// double, so that none is taken for its neighbour.
std::optional<long double> number_in(const std::string& text);

/// 'a word', "a word" or a word, as a value on a command line.
WrittenValue written_value(const std::string& word);

}  // namespace rethink
