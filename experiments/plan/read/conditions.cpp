#include "experiments/plan/read/conditions.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/plan/read/overlay.h"

namespace rethink {
namespace {

constexpr size_t kRemembered = 50;
constexpr size_t kWordBits = 64;

uint64_t bit_of(size_t condition) {
  return uint64_t{1} << (condition % kWordBits);
}

/// "dense, Star"; an empty text is made visible.
std::string shown(std::vector<std::string> values) {
  for (std::string& value : values) {
    if (value.empty()) value = "'' (empty)";
  }
  return joined(values);
}

std::string unknown_name(const std::string& what, const std::string& key,
                         const std::vector<std::string>& axes) {
  return fmt::format("'{}' names '{}', which is not an axis or option here{}; axes: {}", what, key,
                     did_you_mean(key, axes), axes.empty() ? "none" : joined(axes));
}

}  // namespace

Conditions::Conditions(const Yaml& given, Problems& problems) {
  if (given.is_list() && given.items.size() > kMostConditions) {
    problems.refuse(given.where, "too-many",
                    fmt::format("{} conditions in one list, expected at most {}; name several "
                                "values in one condition, {{KEY: [VALUE, ...]}}",
                                given.items.size(), kMostConditions));
  }
  if (given.is_list()) {
    for (const Yaml& one : given.items) read_one(one, problems);
  } else if (!given.is_null()) {
    read_one(given, problems);
  }
  index_values();
}

void Conditions::read_one(const Yaml& given, Problems& problems) {
  if (!given.is_map() || given.entries.empty()) {
    problems.add(given.where, "invalid-condition",
                 "a condition is a map such as {arm: dense} or {arm: [dense, Star]}");
    return;
  }
  All& all = any_of_.emplace_back();
  all.where = given.where;
  for (const Yaml::Entry& entry : given.entries) {
    Term& term = all.terms.emplace_back();
    term.key = place_of_key(entry, problems);
    term.where = entry.where;
    if (entry.value.is_list()) {
      for (const Yaml& value : entry.value.items)
        term.values.push_back({written_value(value), value.where});
      if (term.values.empty())
        problems.add(entry.where, "invalid-condition", "no value can be in an empty list");
    } else {
      term.values.push_back({written_value(entry.value), entry.value.where});
    }
  }
}

size_t Conditions::place_of_key(const Yaml::Entry& entry, Problems& problems) {
  const auto [found, is_new] = place_of_.emplace(entry.key, keys_.size());
  if (is_new) keys_.emplace_back().name = entry.key;
  if (keys_.size() > kMostConditionKeys) {
    problems.refuse(entry.where, "too-many",
                    fmt::format("more than {} different keys in the conditions of one "
                                "list",
                                kMostConditionKeys));
  }
  return found->second;
}

void Conditions::index_values() {
  met_.assign((any_of_.size() + kWordBits - 1) / kWordBits, 0);
  const Bits all(met_.size(), ~uint64_t{0});
  for (Key& key : keys_) key.without = all;
  for (size_t i = 0; i < any_of_.size(); ++i) {
    const std::vector<Term>& terms = any_of_[i].terms;
    for (size_t term = 0; term < terms.size(); ++term) {
      Key& key = keys_[terms[term].key];
      key.without[i / kWordBits] &= ~bit_of(i);
      for (size_t value = 0; value < terms[term].values.size(); ++value) {
        key.index.add(terms[term].values[value].written.text, key.values.size());
        key.values.push_back({i, term, value});
      }
    }
  }
}

std::vector<std::string> Conditions::keys() const {
  std::vector<std::string> all;
  for (const Key& key : keys_) all.push_back(key.name);
  return all;
}

bool Conditions::hold(const Lookup& value_of) {
  asked_ = true;
  if (any_of_.empty()) return false;
  Bits holding(met_.size(), ~uint64_t{0});
  if (const size_t rest = any_of_.size() % kWordBits) holding.back() = bit_of(rest) - 1;
  // Every key is looked up, even if no condition can hold any more, so that report_unmet knows the
  // values.
  for (Key& key : keys_) {
    const std::optional<RecordedValue> actual = value_of(key.name);
    const Bits& allowed = actual ? allowed_at(key, *actual) : key.without;
    for (size_t i = 0; i < holding.size(); ++i) holding[i] &= allowed[i];
  }
  for (size_t i = 0; i < holding.size(); ++i) met_[i] |= holding[i];
  return std::ranges::any_of(holding, [](uint64_t word) { return word != 0; });
}

/// The conditions that a point with this value of `key` can meet.
const Conditions::Bits& Conditions::allowed_at(Key& key, const RecordedValue& actual) {
  key.known = true;
  const std::string text = static_cast<char>('0' + static_cast<int>(actual.type)) + actual.text;
  const auto [found, is_new] = key.allowed.try_emplace(text);
  Bits& allowed = found->second;
  if (is_new) {
    const bool is_seen = std::ranges::find(key.seen, actual.text) != key.seen.end();
    if (key.seen.size() < kRemembered && !is_seen) key.seen.push_back(actual.text);
    for (const size_t id : key.index.like(actual.text)) {
      const ValueAt& at = key.values[id];
      Value& value = any_of_[at.condition].terms[at.term].values[at.value];
      if (!same_value(actual, value.written)) continue;
      value.met = true;
      if (allowed.empty()) allowed = key.without;
      allowed[at.condition / kWordBits] |= bit_of(at.condition);
    }
  }
  return allowed.empty() ? key.without : allowed;
}

void Conditions::report_unknown(const std::string& what,
                                const std::function<bool(const std::string&)>& is_known,
                                const std::vector<std::string>& axes, Problems& problems) const {
  std::vector<bool> known;
  for (const Key& key : keys_) known.push_back(is_known(key.name));
  for (const All& all : any_of_) {
    for (const Term& term : all.terms) {
      if (known[term.key]) continue;
      problems.add(term.where, "unknown-axis",
                   [&] { return unknown_name(what, keys_[term.key].name, axes); });
    }
  }
}

void Conditions::report_unmet(const std::string& what, const std::vector<std::string>& known,
                              bool values_too, Problems& problems) const {
  if (!asked_) return;
  for (size_t i = 0; i < any_of_.size(); ++i) {
    const All& all = any_of_[i];
    bool explained = false;
    for (const Term& term : all.terms)
      explained = report_unmet_term(what, term, known, values_too, problems) || explained;
    const bool is_met = (met_[i / kWordBits] & bit_of(i)) != 0;
    if (!is_met && !explained && values_too)
      problems.add(all.where, "unused-condition",
                   fmt::format("'{}': this condition never holds; remove it", what));
  }
}

/// Whether the term is the reason why its condition never holds.
bool Conditions::report_unmet_term(const std::string& what, const Term& term,
                                   const std::vector<std::string>& known, bool values_too,
                                   Problems& problems) const {
  const Key& key = keys_[term.key];
  const bool is_axis = std::find(known.begin(), known.end(), key.name) != known.end();
  if (!key.known && is_axis) {
    if (values_too)
      problems.add(term.where, "unknown-axis",
                   fmt::format("'{}': no trial has the axis '{}'", what, key.name));
    return true;
  }
  if (!key.known) {
    problems.add(term.where, "unknown-axis", [&] { return unknown_name(what, key.name, known); });
    return true;
  }
  bool explained = false;
  for (const Value& value : term.values) {
    if (value.met || !values_too) continue;
    problems.add(value.where, "unknown-value", [&] {
      const auto& [text, quoted] = value.written;
      return fmt::format("'{}': no trial has {} = {}{}{}; there is: {}", what, key.name, text,
                         quoted ? ", as text" : "", did_you_mean(text, key.seen), shown(key.seen));
    });
    explained = true;
  }
  return explained;
}

}  // namespace rethink
