// Conditions between the options of a struct, by name, as data: `plan` finds the same mistakes as
// `run` (core/config/rules.h applies them). Each function below makes one kind of condition. The
// message of a broken rule shows the given values, then `why`.
//   static std::vector<Rule> rules() {
//     return {divides("heads", "d_model", "each head gets d_model / heads channels")};
//   }
// Fields may be dotted ("model.heads"); a list within the path means each of its elements. An
// option that is not set breaks only the rules exactly_one_of, needs and excludes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/json_value.h"

namespace rethink {

enum class RuleKind {
  at_most_one,
  exactly_one,
  divides,
  at_most,
  multiple,
  room,
  needs,
  excludes,
  suits,
  declared,
  fact
};

struct Rule {
  RuleKind kind;
  std::vector<std::string> fields;  // in the order of the parameters of the function that makes it
  std::string why;
  std::map<std::string, JsonValue> when{};  // the rule holds only for these values of these fields
  std::string each{};  // a list: the rule holds for each element; its fields precede the block's

  // What some kinds compare with, by the name of the parameter below.
  int64_t factor = 1, more = 0;     // at_most
  int64_t number = 0;               // multiple
  int64_t size = 0;                 // room
  JsonValue value{};                // needs, excludes
  std::vector<JsonValue> values{};  // needs (empty: any), excludes, fact
  std::string registry{};           // suits, declared, fact
  std::string exception{};          // suits
  std::string fact{};               // declared, fact

  /// Returns the same rule, restricted to configurations in which fields have these values.
  Rule only_where(std::map<std::string, JsonValue> given) const;
  /// Returns the same rule for each element of a list. The element's fields precede the block's
  /// fields.
  Rule of_each(std::string list) const;
};

/// Requires that at most one of `fields` is set (not null).
Rule at_most_one_of(std::vector<std::string> fields, std::string why);
Rule exactly_one_of(std::vector<std::string> fields, std::string why);

/// `whole` is a multiple of `divisor`.
Rule divides(std::string divisor, std::string whole, std::string why);

/// field <= limit
Rule at_most(std::string field, std::string limit, std::string why);
/// factor * field + more <= limit
Rule at_most(int64_t factor, std::string field, int64_t more, std::string limit, std::string why);

/// count * whole / parts is a multiple of `number`.
Rule multiple_of(int64_t number, std::string count, std::string whole, std::string parts,
                 std::string why);

/// `list` has at most count * whole / parts / size elements.
Rule has_room_for(std::string list, std::string count, std::string whole, std::string parts,
                  int64_t size, std::string why);

/// Requires that `other` is set if `field` is set.
Rule needs(std::string field, std::string other, std::string why);
/// If `field` is `value` (null: is set), requires that `other` is one of `values` or contains one.
Rule needs_one_of(std::string field, JsonValue value, std::string other,
                  std::vector<JsonValue> values, std::string why);

/// If `field` is `value` or contains it, requires that `other` is set, is not one of `values` and
/// contains none of them.
Rule excludes(std::string field, JsonValue value, std::string other, std::vector<JsonValue> values,
              std::string why);

/// Requires that the plug-in of `registry` named by the field `plugin` lacks this exception.
Rule has_no_exception(std::string plugin, std::string registry, std::string exception,
                      std::string why);

/// Requires that this fact of the plug-in of `registry` named by the field `plugin` is one of `values`.
Rule has_fact(std::string plugin, std::string registry, std::string fact,
              std::vector<JsonValue> values, std::string why);

/// Requires that `field` is in the list that is this fact of the plug-in of `registry` named by the field `plugin`.
Rule is_declared(std::string field, std::string plugin, std::string registry, std::string fact,
                 std::string why);

/// Returns the kind's name in the schema, such as "at_most".
const char* to_text(RuleKind kind);
/// Throws ConfigError for an unknown kind.
RuleKind rule_kind_named(const std::string& word);

}  // namespace rethink
