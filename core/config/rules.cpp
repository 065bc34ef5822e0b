#include "core/config/rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/config/schema.h"
#include "core/json.h"

namespace rethink {
namespace {

/// A value that a rule compares, and its position.
struct Term {
  const Json* value;
  const Yaml* given;  // the value, or the innermost map around it that the user wrote; may be null
};

/// The values at a dotted path; a list gives one value per element.
void collect(const Json& value, const Yaml* given, const std::string& dotted,
             std::vector<Term>& found) {
  if (value.is_array()) {
    for (size_t i = 0; i < value.size(); ++i) {
      const bool is_there = given && given->is_list() && i < given->items.size();
      collect(value[i], is_there ? &given->items[i] : given, dotted, found);
    }
    return;
  }
  if (dotted.empty()) {
    if (!value.is_null()) found.push_back({&value, given});
    return;
  }
  const size_t dot = dotted.find('.');
  const std::string key = dotted.substr(0, dot);
  if (!value.is_object() || !value.contains(key)) return;
  const Yaml* inner = given ? given->find(key) : nullptr;
  collect(value.at(key), inner && !inner->is_null() ? inner : given,
          dot == std::string::npos ? "" : dotted.substr(dot + 1), found);
}

std::string value_text(const Json& value) {
  if (value == "") return "''";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string terms_text(const std::vector<Term>& terms) {
  std::vector<std::string> texts;
  for (const Term& term : terms) texts.push_back(value_text(*term.value));
  return texts.empty() ? "nothing" : joined(texts);
}

class RuleCheck {
 public:
  RuleCheck(const Rule& rule, const CheckedBlock& block, const Schema& schema, Problems& problems)
      : rule_(rule), block_(block), schema_(schema), problems_(problems) {
    for (const std::string& field : rule.fields)
      collect(block.complete, block.given, field, terms_.emplace_back());
  }

  void run() {
    if (!is_meant()) return;
    switch (rule_.kind) {
      case RuleKind::at_most_one:
      case RuleKind::exactly_one:
        return count();
      case RuleKind::divides:
      case RuleKind::at_most:
        return pairs();
      case RuleKind::multiple:
        return multiple();
      case RuleKind::room:
        return room();
      case RuleKind::needs:
        return needs();
      case RuleKind::excludes:
        return excludes();
      case RuleKind::suits:
        return suits();
      case RuleKind::declared:
        return declared();
      case RuleKind::fact:
        return fact();
    }
  }

 private:
  bool is_flawed(const std::string& dotted) const {
    const auto& flawed = block_.flawed;
    return std::find(flawed.begin(), flawed.end(), dotted.substr(0, dotted.find('.'))) !=
           flawed.end();
  }

  bool is_meant() const {
    if (!rule_.each.empty() && is_flawed(rule_.each)) return false;
    for (const std::string& field : rule_.fields) {
      if (is_flawed(field)) return false;
    }
    return std::all_of(rule_.when.begin(), rule_.when.end(), [&](const auto& condition) {
      if (is_flawed(condition.first)) return false;
      const Json* value = find_path(block_.complete, condition.first);
      return value && *value == *condition.second;
    });
  }

  void count() {
    const auto set = std::count_if(terms_.begin(), terms_.end(),
                                   [](const auto& found) { return !found.empty(); });
    if (set == 1 || (set == 0 && rule_.kind == RuleKind::at_most_one)) return;
    std::vector<Term> all;
    std::vector<std::string> got;
    for (size_t i = 0; i < terms_.size(); ++i) {
      if (!terms_[i].empty()) got.push_back(rule_.fields[i] + ": " + terms_text(terms_[i]));
      all.insert(all.end(), terms_[i].begin(), terms_[i].end());
    }
    const std::string said =
        set == 0 ? "give one of " + joined(rule_.fields) : "got " + joined(got);
    problems_.add(place_of(all), "conflicting-values", said + "; " + rule_.why);
  }

  void pairs() {
    for (const Term& first : terms_[0]) {
      for (const Term& second : terms_[1]) {
        if (!fits(*first.value, *second.value)) report_pair(first, second);
      }
    }
  }

  bool fits(const Json& first, const Json& second) const {
    if (rule_.kind == RuleKind::divides)
      return first.get<int64_t>() != 0 && second.get<int64_t>() % first.get<int64_t>() == 0;
    return static_cast<double>(rule_.factor) * first.get<double>() +
               static_cast<double>(rule_.more) <=
           second.get<double>();
  }

  void multiple() {
    if (terms_[1].empty() || terms_[2].empty()) return;
    const int64_t whole = *terms_[1][0].value, parts = *terms_[2][0].value;
    if (parts == 0 || whole % parts != 0) return;  // another rule reports this
    for (const Term& count : terms_[0]) {
      const int64_t product = count.value->get<int64_t>() * (whole / parts);
      if (product % rule_.number == 0) continue;
      problems_.add(
          place_of({terms_[1][0], terms_[2][0], count}), "conflicting-values",
          fmt::format("got {}: {}, {}: {}, {}: {}; {}", rule_.fields[0], value_text(*count.value),
                      rule_.fields[1], whole, rule_.fields[2], parts, rule_.why));
    }
  }

  void room() {
    if (terms_[1].empty() || terms_[2].empty() || terms_[3].empty()) return;
    const int64_t count = *terms_[1][0].value, whole = *terms_[2][0].value,
                  parts = *terms_[3][0].value;
    if (parts == 0 || whole % parts != 0) return;  // another rule reports this
    const int64_t most = count * (whole / parts) / rule_.size;
    if (static_cast<int64_t>(terms_[0].size()) <= most) return;
    std::vector<Term> all = {terms_[1][0]};
    all.insert(all.end(), terms_[0].begin(), terms_[0].end());
    problems_.add(place_of(all), "conflicting-values",
                  fmt::format("got {}: {}, {}: {}, {}: {}, {}: {}; {}: room for {}",
                              rule_.fields[0], terms_text(terms_[0]), rule_.fields[1], count,
                              rule_.fields[2], whole, rule_.fields[3], parts, rule_.why, most));
  }

  void needs() {
    const auto asks = [this](const Term& term) {
      return rule_.value->is_null() || *term.value == *rule_.value;
    };
    const auto answers = [this](const Term& term) {
      return rule_.values.empty() || is_listed(*term.value);
    };
    const auto asking = std::find_if(terms_[0].begin(), terms_[0].end(), asks);
    if (asking == terms_[0].end() || std::any_of(terms_[1].begin(), terms_[1].end(), answers))
      return;
    report(*asking, terms_[1]);
  }

  bool is_listed(const Json& value) const {
    return std::any_of(rule_.values.begin(), rule_.values.end(),
                       [&](const JsonValue& listed) { return *listed == value; });
  }

  void excludes() {
    const auto met = std::find_if(terms_[0].begin(), terms_[0].end(),
                                  [this](const Term& term) { return *term.value == *rule_.value; });
    if (met == terms_[0].end()) return;
    const bool is_fine = std::none_of(terms_[1].begin(), terms_[1].end(),
                                      [this](const Term& term) { return is_listed(*term.value); });
    if (terms_[1].empty() || !is_fine) report(*met, terms_[1]);
  }

  void fact() {
    const auto fact_of = [&](const std::string& name) {
      return schema_.find(rule_.registry, name)->facts.json().value(rule_.fact, Json());
    };
    for (const Term& named : terms_[0]) {
      const std::string name = *named.value;
      if (!schema_.find(rule_.registry, name) || is_listed(fact_of(name))) continue;
      std::vector<std::string> fitting = schema_.names(rule_.registry);
      std::erase_if(fitting, [&](const auto& other) { return !is_listed(fact_of(other)); });
      problems_.add(place_of({named}), "conflicting-values",
                    fmt::format("got {}: {}, whose {} is {}; {}: {}", rule_.fields[0], name,
                                rule_.fact, value_text(fact_of(name)), rule_.why, joined(fitting)));
    }
  }

  void suits() {
    for (const Term& named : terms_[0]) {
      const PluginSchema* plugin = schema_.find(rule_.registry, *named.value);
      const Json exceptions =
          plugin ? plugin->facts.json().value("exceptions", Json::object()) : Json::object();
      if (!exceptions.contains(rule_.exception)) continue;
      problems_.add(place_of({named}), "conflicting-values",
                    fmt::format("got {}: {}; {}: {}", rule_.fields[0], plugin->name, rule_.why,
                                value_text(exceptions.at(rule_.exception))));
    }
  }

  void declared() {
    for (const Term& named : terms_[1]) {
      const PluginSchema* plugin = schema_.find(rule_.registry, *named.value);
      if (!plugin || !plugin->facts.json().contains(rule_.fact)) continue;
      const auto known = plugin->facts.json().at(rule_.fact).get<std::vector<std::string>>();
      for (const Term& term : terms_[0]) {
        const std::string text = *term.value;
        if (std::find(known.begin(), known.end(), text) != known.end()) continue;
        problems_.add(place_of({term}), "invalid-value",
                      fmt::format("'{}': got '{}', expected one of {}{}; {}", rule_.fields[0], text,
                                  joined(known), did_you_mean(text, known), rule_.why));
      }
    }
  }

  void report(const Term& first, const std::vector<Term>& second) {
    std::vector<Term> both = {first};
    both.insert(both.end(), second.begin(), second.end());
    problems_.add(place_of(both), "conflicting-values",
                  fmt::format("got {}: {}, {}: {}; {}", rule_.fields[0], value_text(*first.value),
                              rule_.fields[1], terms_text(second), rule_.why));
  }

  void report_pair(const Term& first, const Term& second) {
    problems_.add(place_of({second, first}), "conflicting-values",
                  fmt::format("got {}: {}, {}: {}; {}", rule_.fields[0], value_text(*first.value),
                              rule_.fields[1], value_text(*second.value), rule_.why));
  }

  /// The position of the last term that the user wrote. A flag such as --set comes first: only
  /// flags have no line. A preset is seldom the mistake, so a position in the block's own file is
  /// preferred.
  Position place_of(const std::vector<Term>& terms) const {
    Position place = block_.where;
    for (const Term& term : terms) {
      if (!term.given || term.given == block_.given) continue;
      const Position& where = term.given->where;
      const bool is_flag = where.line == 0 && !where.file.empty();
      if (is_flag || (where.file == place.file && place.line > 0)) place = where;
    }
    return place;
  }

  const Rule& rule_;
  const CheckedBlock& block_;
  const Schema& schema_;
  Problems& problems_;
  std::vector<std::vector<Term>> terms_;  // of each field
};

void check_each(const Rule& rule, const CheckedBlock& block, const Schema& schema,
                Problems& problems) {
  std::vector<Term> elements;
  collect(block.complete, block.given, rule.each, elements);
  for (const Term& element : elements) {
    Json complete = block.complete;
    for (const auto& [name, value] : element.value->items()) {
      if (!value.is_null()) complete[name] = value;
    }
    const Position where = element.given ? element.given->where : block.where;
    RuleCheck(rule, {complete, element.given, where, block.flawed}, schema, problems).run();
  }
}

}  // namespace

void check_rules(const std::vector<Rule>& rules, const CheckedBlock& block, const Schema& schema,
                 Problems& problems) {
  for (const Rule& rule : rules) {
    if (rule.each.empty())
      RuleCheck(rule, block, schema, problems).run();
    else
      check_each(rule, block, schema, problems);
  }
}

}  // namespace rethink
