#include "core/config/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/config/configuration.h"
#include "core/config/option_names.h"
#include "core/config/rules.h"
#include "core/config/schema.h"
#include "core/json.h"
#include "core/yaml/written_values.h"

namespace rethink {
namespace {

std::string kind_of(const Yaml& given) {
  switch (given.kind) {
    case Yaml::Kind::null:
      return "nothing";
    case Yaml::Kind::scalar:
      return (given.quoted ? "the text '" : "'") + given.scalar + "'";
    case Yaml::Kind::list:
      return given.items.empty() ? "an empty list" : "a list";
    case Yaml::Kind::map:
      return "a map";
  }
  return "";
}

using FieldList = std::vector<const Field*>;

void append(FieldList& list, const std::vector<Field>& fields) {
  for (const Field& field : fields) list.push_back(&field);
}

/// "layers", "attention.window": the names that a misspelt key is compared with.
std::vector<std::string> names_of(const FieldList& fields, const Schema& schema) {
  std::vector<Field> all;
  for (const Field* field : fields) all.push_back(*field);
  return option_names(all, schema);
}

/// "; 'star' is a mask: write kind: masked, mask: {kind: star}" if exactly one plug-in of this kind
/// takes a plug-in of that name as an option.
std::string other_place_hint(const std::string& name, const Field& field, const Schema& schema) {
  std::vector<std::string> ways;
  for (const std::string& plugin : schema.names(field.registry)) {
    for (const Field& option : schema.find(field.registry, plugin)->options.fields) {
      if (option.type != FieldType::plugin || !schema.find(option.registry, name)) continue;
      ways.push_back(fmt::format("; '{}' is a {}: write {}: {}, {}: {{{}: {}}}", name,
                                 option.registry, field.tag, plugin, option.name, option.tag,
                                 name));
    }
  }
  return ways.size() == 1 ? ways.front() : "";
}

class Checker {
 public:
  /// `of_job`: keys of these options may be axes instead, and a map may name a preset.
  Checker(const Schema& schema, Problems& problems, bool of_job)
      : schema_(schema), problems_(problems), of_job_(of_job) {}

  /// Returns one value of `field`, or `fallback` if nothing is given. `given` may be null.
  Json value(const Yaml* given, const Field& field, const Json& fallback, const OptionPath& path,
             const Position& where) {
    if (!given || given->is_null()) {
      if (given && field.optional) return nullptr;
      if (field.type == FieldType::object && fallback.is_object()) {
        FieldList fields;
        append(fields, field.fields);
        return block(nullptr, fields, fallback, path, where);
      }
      if (fallback.is_null() && !field.optional) report_missing(field, path, where);
      return fallback;
    }
    switch (field.type) {
      case FieldType::boolean:
        return boolean(*given, path);
      case FieldType::integer:
        return integer(*given, field, path);
      case FieldType::real:
        return real(*given, field, path);
      case FieldType::text:
        return text(*given, field, path);
      case FieldType::list:
        return list(*given, field, path);
      case FieldType::object:
        return object(*given, field, fallback, path);
      case FieldType::map:
        return map(*given, field, path);
      case FieldType::value:
        return any_value(*given, path);
      case FieldType::plugin:
        return plugin(*given, field, fallback, path);
    }
    return nullptr;
  }

  /// Returns all fields of one map; `flawed_` gets the fields that rules cannot compare. `tag` is a
  /// key that was already read.
  Json block(const Yaml* given, const FieldList& fields, const Json& fallback,
             const OptionPath& path, const Position& where, const std::string& tag = "") {
    Json complete = Json::object();
    std::vector<std::string> flawed;
    for (const Field* field : fields) {
      const size_t before = problems_.added() - of_rules_;
      const Yaml::Entry* entry = entry_of(given, *field);
      const auto found = fallback.find(field->name);
      const Json& inner_fallback = found != fallback.end() ? *found : field->default_value;
      complete[field->name] = value(entry ? &entry->value : nullptr, *field, inner_fallback,
                                    {&path, entry ? entry->key : field->name_in_files()}, where);
      // A value that breaks a rule has the right type, so other rules may still compare it.
      if (problems_.added() - of_rules_ > before) flawed.push_back(field->name);
    }
    const size_t before = problems_.added();
    if (given) report_unknown(*given, fields, path, tag);
    // The user may have meant any missing option by an unknown key.
    if (problems_.added() > before) {
      for (const Field* field : fields) {
        if (!entry_of(given, *field)) flawed.push_back(field->name);
      }
    }
    flawed_ = std::move(flawed);
    return complete;
  }

  /// Rules between the fields of the last block.
  void check(const std::vector<Rule>& rules, const Json& complete, const Yaml& given) {
    const size_t before = problems_.added();
    check_rules(rules, {complete, &given, given.where, flawed_}, schema_, problems_);
    of_rules_ += problems_.added() - before;
  }

 private:
  /// The entry of an option, by either of its names; null if there is none.
  const Yaml::Entry* entry_of(const Yaml* given, const Field& field) {
    if (!given) return nullptr;
    const Yaml::Entry* found = nullptr;
    for (const Yaml::Entry& entry : given->entries) {
      if (!field.is_called(entry.key)) continue;
      if (found)
        problems_.add(entry.where, "duplicate-key",
                      fmt::format("'{}' is another name of '{}', which is given too; "
                                  "remove one of them",
                                  entry.key, found->key));
      else
        found = &entry;
    }
    return found;
  }

  void wrong(const Yaml& given, const OptionPath& path, const std::string& expected) {
    problems_.add(given.where, "invalid-value",
                  fmt::format("'{}': got {}, expected {}", path.text(), kind_of(given), expected));
  }

  /// A list or map was given where one value is needed.
  void wrong_value(const Yaml& given, const OptionPath& path, const std::string& expected) {
    std::string hint;
    if (of_job_ && given.is_list()) {
      hint = fmt::format(
          "; only an axis takes a list of values: write it below 'grid', or type "
          "--set 'stages.STAGE.grid.{}=[...]'",
          path.text());
    }
    if (of_job_ && given.is_scalar() && !given.quoted &&
        given.scalar.find(',') != std::string::npos)
      hint = "; several values of an axis are a list, [0.3, 0.5]";
    wrong(given, path, expected + hint);
  }

  /// Describes values of these types; "" for other types, which have a summary.
  static std::string expected_of(FieldType type) {
    switch (type) {
      case FieldType::boolean:
        return "true or false";
      case FieldType::integer:
        return "an integer";
      case FieldType::real:
        return "a number";
      case FieldType::text:
        return "a text";
      case FieldType::list:
        return "a list, [...]";
      case FieldType::map:
        return "a map, {NAME: VALUE}";
      case FieldType::value:
        return "a value";
      case FieldType::plugin:
      case FieldType::object:
        break;
    }
    return "";
  }

  void report_missing(const Field& field, const OptionPath& path, const Position& where) {
    std::string text =
        field.summary.empty()  // one of the planner's own words, whose key is in the file
            ? fmt::format("'{}' has no value; expected {}", path.text(), expected_of(field.type))
            : fmt::format("'{}' is missing: {}", path.text(), field.summary);
    if (!field.choices.empty()) text += "; one of " + joined(field.choices);
    if (field.type == FieldType::plugin)
      text += fmt::format("; write {}: {{{}: NAME}} with one of {}", field.name, field.tag,
                          joined(schema_.names(field.registry)));
    problems_.add(where, "missing-key", text);
  }

  void report_unknown(const Yaml& given, const FieldList& fields, const OptionPath& path,
                      const std::string& tag) {
    for (const Yaml::Entry& entry : given.entries) {
      const auto is_it = [&](const Field* field) { return field->is_called(entry.key); };
      if (entry.key == tag || std::any_of(fields.begin(), fields.end(), is_it)) continue;
      problems_.add(entry.where, "unknown-key", [&] {
        std::vector<std::string> near = names_of(fields, schema_), known;
        for (const Field* field : fields) known.push_back(field->name_in_files());
        if (!tag.empty()) near.push_back(tag), known.push_back(tag);
        const std::string key = OptionPath{&path, entry.key}.text();
        // In full, as the key is: it may have been written as one key with dots.
        const std::string before = key.substr(0, key.size() - entry.key.size());
        std::string hint = did_you_mean(entry.key, near);
        for (size_t at = 0; (at = hint.find(" '", at)) != std::string::npos;
             at += before.size() + 2)
          hint.insert(at + 2, before);
        return fmt::format("unknown key '{}'{}; known: {}", key, hint, joined(known));
      });
    }
  }

  Json boolean(const Yaml& given, const OptionPath& path) {
    if (given.is_scalar() && !given.quoted && given.scalar == "true") return true;
    if (given.is_scalar() && !given.quoted && given.scalar == "false") return false;
    wrong_value(given, path, "true or false");
    return false;
  }

  /// "2000" for "2e3"; other texts as they are.
  static std::string without_exponent(const std::string& text) {
    const size_t e = text.find_first_of("eE");
    if (e == std::string::npos || e == 0 || !is_digits(text.substr(e - 1, 1))) return text;
    const std::string exponent = text.substr(text.compare(e + 1, 1, "+") == 0 ? e + 2 : e + 1);
    if (!is_digits(exponent) || exponent.size() > 2) return text;
    return text.substr(0, e) + std::string(std::stoul(exponent), '0');
  }

  Json integer(const Yaml& given, const Field& field, const OptionPath& path) {
    const bool may_follow_seed = of_job_ && field.may_follow_seed;
    if (may_follow_seed && given.is_scalar() && !given.quoted && given.scalar == kSeedWord)
      return kSeedWord;
    const std::string plain = without_exponent(given.scalar);
    std::string_view digits = plain;
    if (digits.starts_with('-')) digits.remove_prefix(1);
    if (!given.is_scalar() || given.quoted || !is_digits(digits)) {
      const std::string expected =
          may_follow_seed ? fmt::format("an integer, or {}: the trial's own", kSeedWord)
                          : expected_of(field.type);
      wrong_value(given, path, expected + (given.quoted ? "; remove the quotes" : ""));
      return 0;
    }
    if (has_leading_zero(digits)) {
      wrong(given, path, "an integer; a leading zero looks like octal, remove it");
      return 0;
    }
    int64_t value = 0;
    if (std::from_chars(plain.data(), plain.data() + plain.size(), value).ec != std::errc()) {
      wrong(given, path, "an integer of at most 64 bits");
      return 0;
    }
    check_range(given, field, static_cast<double>(value), path);
    return value;
  }

  Json real(const Yaml& given, const Field& field, const OptionPath& path) {
    if (!given.is_scalar() || given.quoted || !is_decimal(given.scalar)) {
      wrong_value(given, path,
                  given.quoted ? "a number; remove the quotes" : "a number such as 3, 0.5 or 1e-4");
      return 0.0;
    }
    double value = 0;
    std::from_chars(given.scalar.data(), given.scalar.data() + given.scalar.size(), value);
    if (std::from_chars(given.scalar.data(), given.scalar.data() + given.scalar.size(), value).ec !=
        std::errc()) {
      wrong(given, path, "a number that fits in 64 bits");
      return 0.0;
    }
    check_range(given, field, value, path);
    return value;
  }

  void check_range(const Yaml& given, const Field& field, double value, const OptionPath& path) {
    if (field.minimum &&
        (field.exclusive_minimum ? value <= *field.minimum : value < *field.minimum)) {
      wrong(
          given, path,
          fmt::format("{} {}", field.exclusive_minimum ? "more than" : "at least", *field.minimum));
    }
    if (field.maximum &&
        (field.exclusive_maximum ? value >= *field.maximum : value > *field.maximum)) {
      wrong(
          given, path,
          fmt::format("{} {}", field.exclusive_maximum ? "less than" : "at most", *field.maximum));
    }
  }

  Json text(const Yaml& given, const Field& field, const OptionPath& path) {
    if (!given.is_scalar()) {
      wrong_value(given, path, field.form ? field.form->expected : "text");
      return "";
    }
    if (field.form && !field.form->value_in(given.scalar)) wrong(given, path, field.form->expected);
    const auto& choices = field.choices;
    if (!choices.empty() &&
        std::find(choices.begin(), choices.end(), given.scalar) == choices.end()) {
      wrong(given, path, "one of " + joined(choices) + did_you_mean(given.scalar, choices));
    }
    return given.scalar;
  }

  Json list(const Yaml& given, const Field& field, const OptionPath& path) {
    Json items = Json::array();
    if (!given.is_list()) {
      const bool has_entries = of_job_ && given.is_map() && !given.entries.empty() &&
                               list_index(given.entries.front().key);
      wrong(given, path,
            has_entries ? fmt::format("a list, [...], in which there is an entry {} to change; "
                                      "entries count from 0",
                                      given.entries.front().key)
                        : "a list, [...]");
      return items;
    }
    if (field.not_empty && given.items.empty()) wrong(given, path, "at least one element");
    for (size_t i = 0; i < given.items.size(); ++i) {
      const Yaml& item = given.items[i];
      items.push_back(
          value(&item, field.element(), field.element().default_value, {&path, {}, i}, item.where));
    }
    if (field.any_order) sort_set(items, given, path);
    return items;
  }

  Json map(const Yaml& given, const Field& field, const OptionPath& path) {
    Json values = Json::object();
    if (!given.is_map()) {
      wrong(given, path, expected_of(field.type));
      return values;
    }
    if (field.not_empty && given.entries.empty()) wrong(given, path, "at least one entry");
    for (const Yaml::Entry& entry : given.entries) {
      values[entry.key] = value(&entry.value, field.element(), field.element().default_value,
                                {&path, entry.key}, entry.where);
    }
    return values;
  }

  /// A plain word has the type that it looks like, as in typed options: 1e-3 and 0.001 are the same
  /// number, and so are 256 and 256.0.
  Json any_value(const Yaml& given, const OptionPath& path) {
    if (given.is_map()) {
      Json values = Json::object();
      for (const Yaml::Entry& entry : given.entries)
        values[entry.key] = any_value(entry.value, {&path, entry.key});
      return values;
    }
    if (given.is_list()) {
      Json values = Json::array();
      for (size_t i = 0; i < given.items.size(); ++i)
        values.push_back(any_value(given.items[i], {&path, {}, i}));
      return values;
    }
    if (given.is_null()) return nullptr;
    if (given.quoted) return given.scalar;
    if (given.scalar == "true" || given.scalar == "false") return given.scalar == "true";
    std::string_view digits = given.scalar;
    if (digits.starts_with('-')) digits.remove_prefix(1);
    static const Field kNumber;
    if (is_digits(digits)) return integer(given, kNumber, path);
    if (is_decimal(given.scalar)) return real(given, kNumber, path);
    return given.scalar;
  }

  void sort_set(Json& items, const Yaml& given, const OptionPath& path) {
    std::sort(items.begin(), items.end());
    const auto twice = std::adjacent_find(items.begin(), items.end());
    if (twice != items.end())
      wrong(given, path, "each element once, but " + twice->dump() + " is given twice");
  }

  Json object(const Yaml& given, const Field& field, const Json& fallback, const OptionPath& path) {
    if (!given.is_map()) {
      wrong(given, path, "a map of options, " + example_of(field));
      return fallback;
    }
    FieldList fields;
    append(fields, field.fields);
    Json complete =
        block(&given, fields, fallback.is_object() ? fallback : Json::object(), path, given.where);
    check(field.rules, complete, given);
    return complete;
  }

  std::string example_of(const Field& field) const {
    std::string example;
    for (const Field& inner : field.fields) {
      const Json& value = inner.default_value;
      if (value.is_primitive() && !value.is_null() && example.empty())
        example = fmt::format("{{{}: {}}}", inner.name, value.dump());
    }
    if (of_job_) example += (example.empty() ? "" : " or ") + std::string("{preset: NAME}");
    return example.empty() ? "{KEY: VALUE}" : "such as " + example;
  }

  Json plugin(const Yaml& given, const Field& field, const Json& fallback, const OptionPath& path) {
    const Yaml* chosen = given.find(field.tag);
    const std::string usual = fallback.is_object() ? fallback.at(field.tag).get<std::string>() : "";
    if (!given.is_map()) {
      const bool is_name = given.is_scalar() && schema_.find(field.registry, given.scalar);
      const std::string example = is_name ? given.scalar : usual.empty() ? "NAME" : usual;
      wrong(given, path, fmt::format("a map such as {{{}: {}}}", field.tag, example));
      return fallback;
    }
    if (chosen && !chosen->is_null() && !chosen->is_scalar()) {
      wrong(*chosen, {&path, field.tag}, "a name");
      return fallback;
    }
    const std::string name = chosen && chosen->is_scalar() ? chosen->scalar : usual;
    const std::vector<std::string> known = schema_.names(field.registry);
    if (name.empty()) {
      problems_.add(
          given.where, "missing-key",
          fmt::format("'{}' is missing: which {}; one of {}", OptionPath{&path, field.tag}.text(),
                      field.registry, joined(known)));
      return fallback;
    }
    const PluginSchema* found = schema_.find(field.registry, name);
    if (!found) {
      const std::string elsewhere = other_place_hint(name, field, schema_);
      problems_.add(
          chosen ? chosen->where : given.where, "unknown-name",
          fmt::format("unknown {} '{}'{}; known: {}", field.registry, name,
                      elsewhere.empty() ? did_you_mean(name, known) : elsewhere, joined(known)));
      return fallback;
    }
    FieldList fields;
    append(fields, found->options.fields);
    append(fields, field.fields);
    Json complete = block(&given, fields, name == usual ? fallback : Json::object(), path,
                          given.where, field.tag);
    complete[field.tag] = name;
    check(found->options.rules, complete, given);
    check(field.rules, complete, given);
    return complete;
  }

  const Schema& schema_;
  Problems& problems_;
  const bool of_job_;
  size_t of_rules_ = 0;              // problems
  std::vector<std::string> flawed_;  // fields of the last block without a usable value
};

}  // namespace

Json check_options(const Yaml& given, const OptionsSchema& options, const Schema& schema,
                   const std::string& prefix, Problems& problems) {
  const OptionPath path{nullptr, prefix};
  if (!given.is_map() && !given.is_null()) {
    problems.add(given.where, "invalid-value",
                 fmt::format("got {}, expected a map of options", kind_of(given)));
    return Json::object();
  }
  FieldList fields;
  append(fields, options.fields);
  // `problems` may already have the same problems of an earlier trial, and would not add them again
  Problems found;
  Checker checker(schema, found, /*of_job=*/true);
  Json complete = checker.block(&given, fields, Json::object(), path, given.where);
  checker.check(options.rules, complete, given);
  problems.take(found);
  return complete;
}

Json check_value(const Yaml& given, const Field& field, const Schema& schema,
                 const std::string& path, Problems& problems) {
  return Checker(schema, problems, /*of_job=*/false)
      .value(&given, field, field.default_value, {nullptr, path}, given.where);
}

}  // namespace rethink
