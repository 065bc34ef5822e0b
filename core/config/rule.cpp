#include "core/config/rule.h"

#include <array>
#include <utility>

#include "core/error.h"

namespace rethink {
namespace {

constexpr std::array<const char*, 11> kWords = {"at_most_one", "exactly_one", "divides", "at_most",
                                                "multiple",    "room",        "needs",   "excludes",
                                                "suits",       "declared",    "fact"};

std::vector<JsonValue> joined_values(std::vector<JsonValue> first,
                                     const std::vector<JsonValue>& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

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
  return {RuleKind::at_most_one, std::move(fields), std::move(why)};
}

Rule exactly_one_of(std::vector<std::string> fields, std::string why) {
  return {RuleKind::exactly_one, std::move(fields), std::move(why)};
}

Rule divides(std::string divisor, std::string whole, std::string why) {
  return {RuleKind::divides, {std::move(divisor), std::move(whole)}, std::move(why)};
}

Rule at_most(std::string field, std::string limit, std::string why) {
  return {RuleKind::at_most, {std::move(field), std::move(limit)}, std::move(why)};
}

Rule at_most(int64_t factor, std::string field, int64_t more, std::string limit, std::string why) {
  return {RuleKind::at_most, {std::move(field), std::move(limit)}, std::move(why), {factor, more}};
}

Rule multiple_of(int64_t number, std::string count, std::string whole, std::string parts,
                 std::string why) {
  return {RuleKind::multiple,
          {std::move(count), std::move(whole), std::move(parts)},
          std::move(why),
          {number}};
}

Rule has_room_for(std::string list, std::string count, std::string whole, std::string parts,
                  int64_t size, std::string why) {
  return {RuleKind::room,
          {std::move(list), std::move(count), std::move(whole), std::move(parts)},
          std::move(why),
          {size}};
}

Rule needs(std::string field, std::string other, std::string why) {
  return needs_one_of(std::move(field), nullptr, std::move(other), {}, std::move(why));
}

Rule needs_one_of(std::string field, JsonValue value, std::string other,
                  std::vector<JsonValue> values, std::string why) {
  return {RuleKind::needs,
          {std::move(field), std::move(other)},
          std::move(why),
          joined_values({std::move(value)}, values)};
}

Rule excludes(std::string field, JsonValue value, std::string other, std::vector<JsonValue> values,
              std::string why) {
  return {RuleKind::excludes,
          {std::move(field), std::move(other)},
          std::move(why),
          joined_values({std::move(value)}, values)};
}

Rule has_no_exception(std::string plugin, std::string registry, std::string exception,
                      std::string why) {
  return {RuleKind::suits,
          {std::move(plugin)},
          std::move(why),
          {std::move(registry), std::move(exception)}};
}

Rule has_fact(std::string plugin, std::string registry, std::string fact,
              std::vector<JsonValue> values, std::string why) {
  return {RuleKind::fact,
          {std::move(plugin)},
          std::move(why),
          joined_values({std::move(registry), std::move(fact)}, values)};
}

Rule is_declared(std::string field, std::string plugin, std::string registry, std::string fact,
                 std::string why) {
  return {RuleKind::declared,
          {std::move(field), std::move(plugin)},
          std::move(why),
          {std::move(registry), std::move(fact)}};
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
