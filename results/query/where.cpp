#include "results/query/where.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "core/trial_state.h"
#include "core/yaml/written_values.h"
#include "results/database/sql_expressions.h"
#include "results/query/recorded_names.h"
#include "results/query/run_query.h"
#include "results/query/trial_prefix.h"

namespace rethink {
namespace {

const std::map<std::string, std::string>& columns() {
  static const std::map<std::string, std::string> known = {
      {"trial", "t.id"},    {"job", "t.job"},         {"state", "t.state"}, {"seed", "t.seed"},
      {"sweep", "s.sweep"}, {"profile", "s.profile"}, {"stage", "s.stage"}};
  return known;
}

bool ends_with_part(const std::string& key, const std::string& part) {
  return key == part || key.ends_with("." + part);
}

/// The value of a configuration key; true and false as words instead of SQLite's 1 and 0.
SqlValue option_value(const std::string& key) {
  const std::string type = fmt::format("json_type(t.configuration, {})", json_path(key));
  return {fmt::format("CASE {0} WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' "
                      "ELSE json_extract(t.configuration, {1}) END",
                      type, json_path(key)),
          type};
}

const std::string kPlacesOfTrials = "FROM trial t LEFT JOIN sweep_trial s ON s.trial = t.id";

bool any_place(Store& store, const std::string& condition) {
  SQLite::Statement row(store.database(),
                        fmt::format("SELECT 1 {} WHERE {} LIMIT 1", kPlacesOfTrials, condition));
  return row.executeStep();
}

/// Numbers first, in order, then text.
std::vector<std::string> values_on_record(Store& store, const SqlValue& value) {
  std::vector<std::string> values;
  const std::string sql =
      fmt::format("SELECT DISTINCT {} AS v {} ORDER BY v", value.sql, kPlacesOfTrials);
  for (const std::vector<Json>& row : run_query(store, sql).rows) {
    if (row[0].is_null()) continue;
    values.push_back(row[0].is_string() ? row[0].get<std::string>() : row[0].dump());
    if (values.back().empty()) values.back() = "''";
  }
  return values;
}

std::string quoted_again(const WrittenValue& value) {
  if (!value.quoted) return value.text;
  const char* mark = value.text.find('"') == std::string::npos ? "\"" : "'";
  return mark + value.text + mark;
}

/// Refuses `name` SIGN `written`, SIGN one of < <= > >=, if trials have values under the name but
/// no value that can be ordered with `written`: numbers and text. Throws ConfigError with the
/// values.
void require_order(Store& store, const std::string& name, const SqlValue& value,
                   const std::string& sign, const WrittenValue& written) {
  const auto holds = [&](const char* one) {
    return fmt::format("value_is({}, {}, '{}', {}, {:d})", value.sql, value.type, one,
                       sql_text(written.text), written.quoted);
  };
  if (any_place(store, fmt::format("{} OR {}", holds("<"), holds(">=")))) return;
  const std::vector<std::string> known = values_on_record(store, value);
  if (known.empty()) return;
  const bool is_number = !written.quoted && number_in(written.text);
  throw ConfigError("invalid-condition",
                    fmt::format("--where: {0} {1} {2} compares with {3}, but no value of {0} is "
                                "{3}; values of {0}: {4}{5}",
                                name, sign, quoted_again(written), is_number ? "a number" : "text",
                                first_names(known, store, "query --by " + for_a_shell(name)),
                                is_number ? fmt::format("; to compare text, write {}{}\"{}\"", name,
                                                        sign, written.text)
                                          : ""));
}

/// SQLite's parser keeps at most 100 unreduced symbols. The SQL around a condition and one
/// comparison take the rest.
constexpr int kDeepestCondition = 60;

constexpr const char* kComparisonSigns[] = {"==", "=", "!=", "<=", "<", ">=", ">"};

class Parser {
 public:
  Parser(const std::string& text, const QueryNames& names) : text_(text), names_(names) {}

  Condition parse() {
    skip_space();
    if (at_ == text_.size()) return {"1", false};
    std::string sql = any_of();
    if (at_ != text_.size()) fail("expected 'and', 'or' or the end");
    return {std::move(sql), speaks_of_sweeps_, std::move(equalities_)};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    constexpr size_t kLongest = 1000;  // in a longer condition, no screen would show the position
    const std::string place =
        text_.size() > kLongest ? "" : fmt::format("\n  {}\n  {}^", text_, std::string(at_, ' '));
    const std::string quoted = text_.size() > kLongest ? "" : with_last_value_in_quotes();
    throw ConfigError(
        "invalid-condition",
        fmt::format(
            "--where: {}, got '{}'{}{}", what, text_.substr(at_, 20), place,
            quoted.empty()
                ? ""
                : fmt::format("\nif that is a part of the value, quote the value: --where {}",
                              for_a_shell(quoted))));
  }

  /// The condition with quotes around the last value and the text that may continue the value: up
  /// to the next ' and ', ' or ', in a list the next comma, or the bracket that closes an earlier
  /// one. Empty if the mistake cannot be missing quotes.
  std::string with_last_value_in_quotes() const {
    if (!value_at_ || at_ == text_.size() || text_[*value_at_] == '\'' || text_[*value_at_] == '"')
      return "";
    size_t end = *value_at_;
    for (int depth = 0; end < text_.size(); ++end) {
      const std::string_view rest = std::string_view(text_).substr(end);
      if (rest.starts_with(" and ") || rest.starts_with(" or ") || (in_list_ && rest[0] == ','))
        break;
      depth += rest[0] == '(' ? 1 : rest[0] == ')' ? -1 : 0;
      if (depth < 0) break;
    }
    if (at_ >= end) return "";
    const std::string value = text_.substr(*value_at_, end - *value_at_);
    // `a=1 b=2` lacks an 'and'.
    if (value.find_first_of("=<>") != std::string::npos) return "";
    const char* mark = value.find('"') == std::string::npos    ? "\""
                       : value.find('\'') == std::string::npos ? "'"
                                                               : nullptr;
    if (!mark) return "";
    return text_.substr(0, *value_at_) + mark + value + mark + text_.substr(end);
  }

  WrittenValue value() {
    value_at_ = at_;
    return word("a value");
  }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool take(const std::string& symbol) {
    if (text_.compare(at_, symbol.size(), symbol) != 0) return false;
    at_ += symbol.size();
    skip_space();
    return true;
  }

  static bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80) ||
           std::string_view("._-+/@*:%").find(c) != std::string::npos;
  }

  bool take_word(const std::string& word) {
    const size_t end = at_ + word.size();
    if (text_.compare(at_, word.size(), word) != 0 || (end < text_.size() && in_word(text_[end])))
      return false;
    return take(word);
  }

  /// A word, or text in quotes.
  WrittenValue word(const char* what) {
    const size_t begin = at_;
    if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) {
      const size_t end = text_.find(text_[at_], at_ + 1);
      if (end == std::string::npos) fail("a quote that is never closed");
      at_ = end + 1;
      skip_space();
      return {text_.substr(begin + 1, end - begin - 1), /*quoted=*/true};
    }
    while (at_ < text_.size() && in_word(text_[at_])) ++at_;
    if (at_ == begin) fail(fmt::format("expected {}", what));
    WrittenValue found{text_.substr(begin, at_ - begin)};
    skip_space();
    return found;
  }

  /// Reads `part` at the given depth: the number of symbols of the SQL that wait for its end.
  std::string behind(int symbols, std::string (Parser::*part)()) {
    depth_ += symbols;
    if (depth_ > kDeepestCondition)
      fail("nested too deeply, expected fewer brackets and fewer 'not' inside each other");
    std::string sql = (this->*part)();
    depth_ -= symbols;
    return sql;
  }

  std::string any_of() {
    std::string sql = behind(1, &Parser::all_of);  // (
    // Side by side and not nested, since SQLite's parser takes a hundred brackets.
    bool is_one = true;
    for (; take_word("or"); is_one = false) sql += " OR " + behind(3, &Parser::all_of);  // ( x OR
    return is_one ? sql : "(" + sql + ")";
  }

  std::string all_of() {
    std::string sql = behind(1, &Parser::one);
    bool is_one = true;
    for (; take_word("and"); is_one = false) sql += " AND " + behind(3, &Parser::one);
    return is_one ? sql : "(" + sql + ")";
  }

  std::string one() {
    if (take_word("not")) return "NOT " + behind(1, &Parser::one);
    if (!take("(")) return comparison();
    std::string sql = any_of();
    if (!take(")")) fail("expected ')'");
    return sql;
  }

  std::string comparison() {
    value_at_.reset();
    const bool is_first = at_ == 0;
    const std::string name = word("a name").text;
    const SqlValue left = names_.value(name, compared_number(is_first));
    speaks_of_sweeps_ = speaks_of_sweeps_ || names_.of_sweep(name);
    if (take_word("in")) {
      if (!take("(")) fail("expected '(' after in");
      in_list_ = true;
      std::string sql;
      do {
        count_comparison();
        sql += (sql.empty() ? "" : " OR ") + compared(name, left, "=", value());
      } while (take(","));
      if (!take(")")) fail("expected ')'");
      in_list_ = false;
      return "(" + sql + ")";
    }
    count_comparison();
    for (const char* sign : kComparisonSigns) {
      if (take(sign)) return compared(name, left, sign, value());
    }
    fail("expected one of = != < <= > >= in");
  }

  /// The comparison with numbers that follows the name, if there is one; reads nothing.
  QueryNames::Comparison compared_number(bool is_first) const {
    Parser ahead = *this;
    QueryNames::Comparison found;
    try {
      found.with = ahead.number_behind();
    } catch (const ConfigError&) {  // a comparison with an unknown name reports the name instead
    }
    found.is_part = !is_first || ahead.at_ != text_.size();
    return found;
  }

  /// "> 0.5" or "IN (0, 1)"; "" if a value is not a number.
  std::string number_behind() {
    const auto number = [this] {
      const std::string text = word("a value").text;
      if (!is_decimal(text)) fail("expected a number");
      return text;
    };
    if (take_word("in") && take("(")) {
      std::string list = number();
      while (take(",")) list += ", " + number();
      return take(")") ? "IN (" + list + ")" : "";
    }
    for (const char* sign : kComparisonSigns) {
      if (take(sign)) return fmt::format("{} {}", sign, number());
    }
    return "";
  }

  void count_comparison() {
    constexpr size_t kMost = 500;  // SQLite takes expressions of 1,000 parts
    if (++comparisons_ > kMost) fail(fmt::format("more than {} comparisons", kMost));
  }

  /// The first digits of an id are enough, and may look like a number: 12e45678.
  std::string compared_id(const std::string& sign, const std::string& value) const {
    if (sign == "=" || sign == "==" || sign == "!=") {
      names_.require_single_trial(value);
      if (value.empty()) return sign == "!=" ? "1" : "0";  // every id begins with an empty text
      return fmt::format("(substr(t.id, 1, {}) {} {} COLLATE NOCASE)", value.size(), sign,
                         sql_text(value));
    }
    return fmt::format("(t.id {} {} COLLATE NOCASE)", sign, sql_text(value));
  }

  std::string compared(const std::string& name, const SqlValue& value, const std::string& sign,
                       const WrittenValue& written) {
    const bool is_trial = value.sql == columns().at("trial");
    const bool is_order = sign[0] == '<' || sign[0] == '>';
    if (value.sql == columns().at("state") && !is_order) require_state(written.text);
    if (is_order && !is_trial) require_order(names_.store(), name, value, sign, written);
    std::string sql = is_trial
                          ? compared_id(sign, written.text)
                          : fmt::format("value_is({}, {}, {}, {}, {:d})", value.sql, value.type,
                                        sql_text(sign), sql_text(written.text), written.quoted);
    if (sign == "=" || sign == "==") equalities_.push_back({name, sql, written});
    return sql;
  }

  static void require_state(const std::string& state) {
    const std::vector<std::string>& known = trial_state_names();
    if (std::ranges::count(known, state) > 0) return;
    throw ConfigError("unknown-value",
                      fmt::format("--where: got state '{}'{}; expected one of {}", state,
                                  did_you_mean(state, known), joined(known)));
  }

  const std::string& text_;
  const QueryNames& names_;
  size_t at_ = 0, comparisons_ = 0;
  std::optional<size_t> value_at_;  // start of the last value
  bool in_list_ = false;            // of `in`
  int depth_ = 0;
  bool speaks_of_sweeps_ = false;
  std::vector<Equality> equalities_;
};

}  // namespace

QueryNames::QueryNames(Store& store) : store_(store) {
  SQLite::Statement labels(store.database(), "SELECT DISTINCT label FROM label");
  while (labels.executeStep()) labels_.insert(labels.getColumn(0).getString());
  SQLite::Statement keys(store.database(), "SELECT key, varies FROM configuration_key");
  while (keys.executeStep()) keys_[keys.getColumn(0).getString()] = keys.getColumn(1).getInt() != 0;
}

std::vector<std::string> QueryNames::keys_of(const std::string& name) const {
  if (keys_.count(name)) return {name};
  // mask may mean model.attention.mask.kind: the name of the plug-in that was chosen there.
  for (const std::string& end : {name, name + ".kind", name + ".name"}) {
    std::vector<std::string> found;
    for (const auto& [key, varies] : keys_) {
      if (ends_with_part(key, end)) found.push_back(key);
    }
    if (!found.empty()) return found;
  }
  return {};
}

std::string QueryNames::resolved(const std::string& name, const Comparison& comparison) const {
  const std::vector<std::string> keys = keys_of(name);
  if (keys.empty()) refuse(name, comparison);
  if (keys.size() > 1) {
    throw ConfigError("ambiguous-name", fmt::format("'{}' may be {}; give more of its path", name,
                                                    joined(keys, " or ")));
  }
  return keys.front();
}

/// Names similar keys, or the keys in which trials differ if none is similar: a store may have a
/// hundred keys.
void QueryNames::refuse(const std::string& name, const Comparison& comparison) const {
  const std::string text =
      metric_in_condition_text(store_, name, comparison.with, comparison.is_part);
  if (!text.empty()) throw ConfigError("invalid-condition", text);
  std::vector<std::string> known(labels_.begin(), labels_.end()), others;
  for (const auto& [column, sql] : columns()) known.push_back(column);
  for (const auto& [key, varies] : keys_) {
    if (!labels_.count(key)) (varies ? known : others).push_back(key);
  }
  std::vector<std::string> all = known;
  all.insert(all.end(), others.begin(), others.end());
  const std::string meant = did_you_mean(name, all);
  if (!meant.empty())
    throw UnknownName("unknown-name", name, fmt::format("unknown name '{}'{}", name, meant));
  const std::string more =
      others.empty() ? "" : fmt::format(", and {} keys that all trials share", others.size());
  throw UnknownName("unknown-name", name,
                    fmt::format("unknown name '{}'; known: {}{}", name, joined(known), more));
}

std::string QueryNames::sql(const std::string& name) const {
  return value(name).sql;
}

SqlValue QueryNames::value(const std::string& name, const Comparison& comparison) const {
  if (const auto column = columns().find(name); column != columns().end()) {
    const char* type = name == "seed" ? "integer" : "text";
    return {column->second, fmt::format("iif({} IS NULL, NULL, '{}')", column->second, type)};
  }
  if (!labels_.count(name)) return option_value(resolved(name, comparison));
  const std::string label =
      fmt::format("json_extract(s.labels, {})", sql_text("$.\"" + name + "\""));
  // Other sweeps may set the option without an axis; their trials have the option, too.
  const std::vector<std::string> keys = keys_of(name);
  const SqlValue option = keys.size() == 1 ? option_value(keys.front()) : SqlValue{"NULL", "NULL"};
  const std::string type = fmt::format("label_type({}, {}, {})", label, option.sql, option.type);
  return {fmt::format("iif({} = 'label', {}, {})", type, label, option.sql), type};
}

void QueryNames::require_single_trial(const std::string& prefix) const {
  std::string lower = prefix;
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  trial_beginning_with(lower, trials_beginning_with(store_, lower));
}

bool QueryNames::of_sweep(const std::string& name) const {
  const auto column = columns().find(name);
  return column != columns().end() ? column->second.starts_with("s.") : labels_.count(name) > 0;
}

Condition parse_condition(const std::string& text, const QueryNames& names) {
  return Parser(text, names).parse();
}

namespace {

std::string unmatched_value_text(Store& store, const QueryNames& names, const Equality& wanted) {
  const std::string& text = wanted.value.text;
  if (wanted.name == "trial")
    return fmt::format("no trial's id begins with '{}'; `{}` lists them", text,
                       store_command("status --all", store.folder()));
  const std::vector<std::string> known = values_on_record(store, names.value(wanted.name));
  const std::optional<long double> number = number_in(text);
  const bool is_number_in_quotes =
      wanted.value.quoted && number && std::ranges::any_of(known, [&](const std::string& value) {
        return number_in(value) == number;
      });
  return fmt::format(
      "no trial has {}={}{}; values of {}: {}", wanted.name, quoted_again(wanted.value),
      is_number_in_quotes ? "; quotes make text: leave them out for the number"
      : number            ? ""
                          : did_you_mean(text, known),
      wanted.name, first_names(known, store, "query --by " + for_a_shell(wanted.name)));
}

}  // namespace

std::vector<std::string> unmatched_values(Store& store, const std::string& where) {
  constexpr size_t kMost = 5;
  const QueryNames names(store);
  const Condition condition = parse_condition(where, names);
  std::vector<std::string> all;
  if (condition.equalities.empty() || any_place(store, condition.sql)) return all;
  for (const Equality& wanted : condition.equalities) {
    if (any_place(store, wanted.sql)) continue;
    const std::string text = unmatched_value_text(store, names, wanted);
    if (std::ranges::count(all, text) == 0) all.push_back(text);
    if (all.size() == kMost) break;
  }
  return all;
}

}  // namespace rethink
