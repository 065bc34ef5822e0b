#include "experiments/schedule/conditions.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/schedule/overlay.h"

namespace rethink {
namespace {

constexpr size_t kRemembered = 50;

/// "dense, Star"; an empty text can be seen.
std::string shown(std::vector<std::string> values) {
  for (std::string& value : values) {
    if (value.empty()) value = "'' (empty)";
  }
  return joined(values);
}

std::string unknown_name(const std::string& what, const std::string& key,
                         const std::vector<std::string>& axes) {
  return fmt::format("'{}' names '{}', which is no axis or option here{}; axes: {}", what, key,
                     did_you_mean(key, axes), axes.empty() ? "none" : joined(axes));
}

}  // namespace

Conditions::Conditions(const Yaml& given, Problems& problems) {
  if (given.is_list()) {
    for (const Yaml& one : given.items) read_one(one, problems);
  } else if (!given.is_null()) {
    read_one(given, problems);
  }
}

void Conditions::read_one(const Yaml& given, Problems& problems) {
  if (!given.is_map() || given.entries.empty()) {
    problems.add(given.where, "a condition is a map such as {arm: dense} or {arm: [dense, Star]}");
    return;
  }
  All& all = any_of_.emplace_back();
  all.where = given.where;
  for (const Yaml::Entry& entry : given.entries) {
    Term& term = all.terms.emplace_back();
    term.key = entry.key;
    term.where = entry.where;
    if (entry.value.is_list()) {
      for (const Yaml& value : entry.value.items)
        term.values.push_back({written_value(value), value.where});
      if (term.values.empty()) problems.add(entry.where, "no value can be in an empty list");
    } else {
      term.values.push_back({written_value(entry.value), entry.value.where});
    }
  }
}

std::vector<std::string> Conditions::keys() const {
  std::vector<std::string> all;
  for (const All& one : any_of_) {
    for (const Term& term : one.terms) all.push_back(term.key);
  }
  return all;
}

bool Conditions::hold(const Lookup& value_of) {
  asked_ = true;
  bool any = false;
  for (All& all : any_of_) {
    bool every = true;
    // Every term is asked, even when one has failed, so that report_unmet knows them all.
    for (Term& term : all.terms) every = holds(term, value_of) && every;
    all.met = all.met || every;
    any = any || every;
  }
  return any;
}

bool Conditions::holds(Term& term, const Lookup& value_of) {
  const std::optional<RecordedValue> actual = value_of(term.key);
  if (!actual) return false;
  term.known = true;
  bool found = false;
  for (Value& value : term.values) {
    if (!same_value(*actual, value.written)) continue;
    value.met = true;
    found = true;
  }
  const std::string& text = actual->text;
  const bool is_new = std::find(term.seen.begin(), term.seen.end(), text) == term.seen.end();
  if (is_new && term.seen.size() < kRemembered) term.seen.push_back(text);
  return found;
}

void Conditions::report_unknown(const std::string& what,
                                const std::function<bool(const std::string&)>& is_known,
                                const std::vector<std::string>& axes, Problems& problems) const {
  for (const All& all : any_of_) {
    for (const Term& term : all.terms) {
      if (is_known(term.key)) continue;
      problems.add(term.where, [&] { return unknown_name(what, term.key, axes); });
    }
  }
}

void Conditions::report_unmet(const std::string& what, const std::vector<std::string>& known,
                              bool values_too, Problems& problems) const {
  if (!asked_) return;
  for (const All& all : any_of_) {
    bool explained = false;
    for (const Term& term : all.terms) {
      const bool is_axis = std::find(known.begin(), known.end(), term.key) != known.end();
      if (!term.known && is_axis) {
        if (values_too)
          problems.add(term.where, fmt::format("'{}': no trial has the axis '{}'", what, term.key));
        explained = true;
        continue;
      }
      if (!term.known) {
        problems.add(term.where, [&] { return unknown_name(what, term.key, known); });
        explained = true;
        continue;
      }
      for (const Value& value : term.values) {
        if (value.met || !values_too) continue;
        problems.add(value.where, [&] {
          const auto& [text, quoted] = value.written;
          return fmt::format("'{}': no trial has {} = {}{}{}; there is: {}", what, term.key, text,
                             quoted ? ", as text" : "", did_you_mean(text, term.seen),
                             shown(term.seen));
        });
        explained = true;
      }
    }
    if (!all.met && !explained && values_too) {
      problems.add(all.where, fmt::format("'{}': this condition never holds; remove it", what));
    }
  }
}

}  // namespace rethink
