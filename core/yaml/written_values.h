// Values that people write: which texts are numbers, when a written value equals a recorded one, and an
// index of values by text or number.
//
// This is the only rule that compares a value that a user writes with a recorded value: in --where,
// `when`, `exclude`, `--only`, and the selectors of tables, figures and `why`.
//
//   on record            written 1, 1.0 or 1e0     written "1" (quoted)      written word
//   number 1             same                      another value             another value
//   text "1"             1: same (see below)       same                      another value
//   text "1layer"        another value             another value             same as 1layer alone
//   label, not typed     same number or same text  same text                 same text
//
// An option gives a plain word its type, as in a sweep file: `tag: 1` of a text option is the text "1". So a plain 1 is
// compared with text as text (1.0 is then another value), and with a number as a number. Quotes make text, and text is
// never a number. A label is stored as text. Its type is the type of the option that it sets. If the trial lacks this
// option, the label matches numbers and text.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rethink {

/// A value as written in a file or on a command line. `quoted` means '1' or "1", stored without the
/// quotes.
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

/// Returns the label `text` with the type of `option`, the trial's value of the same name. The
/// label stays untyped without such an option, or if the option's value differs, as in a case with
/// the name of an option.
RecordedValue typed_label(const std::string& text, const std::optional<RecordedValue>& option);

/// Returns whether the values are equal. Case matters: `Star` and `star` may be two arms.
bool same_value(const RecordedValue& recorded, const WrittenValue& written);

/// Compares numbers with numbers and text with text. A number and a text are unordered.
std::partial_ordering order_of(const RecordedValue& recorded, const WrittenValue& written);

/// Returns the number that `text` means, or nothing. The type holds every 64-bit integer and every
/// double exactly.
std::optional<long double> number_in(const std::string& text);

/// Returns the value of a word on a command line: 'a word', "a word" or a word.
WrittenValue written_value(const std::string& word);

/// Returns whether `text` has only digits, at least one.
bool is_digits(std::string_view text);
/// Whether `digits` looks like an octal number: 010.
bool has_leading_zero(std::string_view digits);
/// Whether `text` is a number, in the options of a sweep and in values that are compared:
/// -?digits[.digits][e[+-]digits], or with either side of the point left out. Not "+1", "0x10",
/// "1_000", ".nan" or "007".
bool is_decimal(std::string_view text);

/// An index that finds values that may equal a given value, without comparing all of them.
class ValueIndex {
 public:
  void add(const std::string& text, size_t id);
  /// Returns the ids whose text or number equals that of `text`, in the order of `add`. Types and
  /// quotes are ignored; same_value decides among these ids.
  const std::vector<size_t>& like(const std::string& text) const;

 private:
  std::map<long double, std::vector<size_t>> of_number_;
  std::unordered_map<std::string, std::vector<size_t>> of_word_;  // texts that are not numbers
};

}  // namespace rethink
