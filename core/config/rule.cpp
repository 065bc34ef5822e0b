#include "core/config/rule.h"

#include <array>
#include <utility>

#include "core/error.h"

namespace rethink {
namespace {

constexpr std::array<const char*, 11> kWords = {"at_most_one", "exactly_one", "divides", "at_most",
                                                "multiple",    "room",        "needs",   "excludes",
                                                "suits",       "declared",    "fact"};

}  // namespace

Rule Rule::only_where(std::map<std::string, JsonValue> given) const {
  Rule rule = *this;
  rule.when = std::move(given);
  return rule;
}

Rule Rule::of_each(std::string list) const {
  Rule rule = *this;
  rule.each = std::move(list);
  return rule;
}

Rule at_most_one_of(std::vector<std::string> fields, std::string why) {
  return {.kind = RuleKind::at_most_one, .fields = std::move(fields), .why = std::move(why)};
}

Rule exactly_one_of(std::vector<std::string> fields, std::string why) {
  return {.kind = RuleKind::exactly_one, .fields = std::move(fields), .why = std::move(why)};
}

Rule divides(std::string divisor, std::string whole, std::string why) {
  return {.kind = RuleKind::divides,
          .fields = {std::move(divisor), std::move(whole)},
          .why = std::move(why)};
}

Rule at_most(std::string field, std::string limit, std::string why) {
  return at_most(1, std::move(field), 0, std::move(limit), std::move(why));
}

Rule at_most(int64_t factor, std::string field, int64_t more, std::string limit, std::string why) {
  return {.kind = RuleKind::at_most,
          .fields = {std::move(field), std::move(limit)},
          .why = std::move(why),
          .factor = factor,
          .more = more};
}

Rule multiple_of(int64_t number, std::string count, std::string whole, std::string parts,
                 std::string why) {
  return {.kind = RuleKind::multiple,
          .fields = {std::move(count), std::move(whole), std::move(parts)},
          .why = std::move(why),
          .number = number};
}

Rule has_room_for(std::string list, std::string count, std::string whole, std::string parts,
                  int64_t size, std::string why) {
  return {.kind = RuleKind::room,
          .fields = {std::move(list), std::move(count), std::move(whole), std::move(parts)},
          .why = std::move(why),
          .size = size};
}

Rule needs(std::string field, std::string other, std::string why) {
  return needs_one_of(std::move(field), nullptr, std::move(other), {}, std::move(why));
}

Rule needs_one_of(std::string field, JsonValue value, std::string other,
                  std::vector<JsonValue> values, std::string why) {
  return {.kind = RuleKind::needs,
          .fields = {std::move(field), std::move(other)},
          .why = std::move(why),
          .value = std::move(value),
          .values = std::move(values)};
}

Rule excludes(std::string field, JsonValue value, std::string other, std::vector<JsonValue> values,
              std::string why) {
  return {.kind = RuleKind::excludes,
          .fields = {std::move(field), std::move(other)},
          .why = std::move(why),
          .value = std::move(value),
          .values = std::move(values)};
}

Rule has_no_exception(std::string plugin, std::string registry, std::string exception,
                      std::string why) {
  return {.kind = RuleKind::suits,
          .fields = {std::move(plugin)},
          .why = std::move(why),
          .registry = std::move(registry),
          .exception = std::move(exception)};
}

Rule has_fact(std::string plugin, std::string registry, std::string fact,
              std::vector<JsonValue> values, std::string why) {
  return {.kind = RuleKind::fact,
          .fields = {std::move(plugin)},
          .why = std::move(why),
          .values = std::move(values),
          .registry = std::move(registry),
          .fact = std::move(fact)};
}

Rule is_declared(std::string field, std::string plugin, std::string registry, std::string fact,
                 std::string why) {
  return {.kind = RuleKind::declared,
          .fields = {std::move(field), std::move(plugin)},
          .why = std::move(why),
          .registry = std::move(registry),
          .fact = std::move(fact)};
}

const char* to_text(RuleKind kind) {
  return kWords[static_cast<size_t>(kind)];
}

RuleKind rule_kind_named(const std::string& word) {
  for (size_t i = 0; i < kWords.size(); ++i) {
    if (word == kWords[i]) return static_cast<RuleKind>(i);
  }
  throw ConfigError("other-build", "schema: unknown rule '" + word + "'");
}

}  // namespace rethink
