#include "plots/claim/claim_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/clock.h"
#include "core/json.h"
#include "experiments/plan/read/stage_spec.h"
#include "plots/spec_reader.h"

namespace rethink {
namespace {

/// The largest number of rows and columns in the claims of a file, since each is searched in its
/// table.
constexpr size_t kMostNames = 5000;

/// The position of the value of `key`, or of the map without that key.
const Position& place_of(const Yaml& map, const std::string& key) {
  const Yaml* found = map.find(key);
  return found ? found->where : map.where;
}

std::optional<ClaimUnit> read_unit(const Yaml* given, Problems& problems) {
  if (!given) return std::nullopt;
  SpecReader reader(*given, "unit", problems);
  ClaimUnit unit;
  unit.name = reader.required_text("name");
  unit.times = reader.number("times").value_or(unit.times);
  unit.less = reader.number("less").value_or(unit.less);
  if (unit.times <= 0)
    problems.add(given->where, "invalid-value", "times: expected a number above 0");
  reader.finish();
  return unit;
}

void note_name(const Word& word, ClaimSpec& claim) {
  if (word.quoted) claim.quoted.insert(word.text);
  claim.names_at.emplace(word.text, word.at);
}

/// Names of rows or columns; records their positions, and which are in quotes.
std::vector<std::string> read_names(SpecReader& reader, const std::string& key, ClaimSpec& claim) {
  const Yaml* given = reader.take(key);
  if (given && given->is_list() && given->items.empty())
    reader.problem(given->where, fmt::format("{}: expected a name or a list of names", key));
  const std::vector<Word> words = reader.words(key);
  for (const Word& word : words) note_name(word, claim);
  return texts_of(words);
}

std::string read_name(SpecReader& reader, const std::string& key, ClaimSpec& claim) {
  const std::optional<Word> word = reader.word(key);
  if (word) note_name(*word, claim);
  return word ? word->text : "";
}

/// The text of the key, if the key is given. `what` describes it: "a name".
std::string read_filled(SpecReader& reader, const std::string& key, const std::string& what) {
  const std::optional<Word> word = reader.word(key);
  if (word && word->text.empty())
    reader.problem(word->at, fmt::format("{}: expected {}", key, what));
  return word ? word->text : "";
}

/// The last look of claims.
struct LastLooks {
  std::optional<size_t> of_all;  // [seeds]
  // Last looks of columns, by table and column.
  std::map<std::string, std::map<std::string, LastLook>> of_column;
};

/// Settings of a file for all its claims.
struct FileRules {
  std::vector<Look> looks;
  LastLooks last;
  std::map<std::string, GateSpec> gates;
  std::string fixed;  // the day on which the rules were fixed; empty: not given
  std::map<std::string, std::string> basis;  // as of ClaimSpec
  std::map<std::string, Position> basis_at = {};
};

/// {5: 0.025, 8: 0.025}; the keys ascend.
std::vector<Look> read_looks(SpecReader& reader, const Yaml& given, Problems& problems) {
  std::vector<Look> looks;
  const Yaml* map = reader.take("looks");
  if (map && map->is_map() && map->entries.empty())
    problems.add(map->where, "invalid-value",
                 "looks: expected seeds and alphas, such as {5: 0.025, 8: 0.025}");
  for (const SpecPair& pair : reader.pairs("looks")) {
    const std::optional<double> seeds = parse_number(pair.key.text),
                                alpha = parse_number(pair.value.text);
    if (!seeds || *seeds < kFewestSeeds || *seeds > kMostSeeds || *seeds != std::floor(*seeds)) {
      problems.add(pair.key.at, "invalid-value",
                   fmt::format("looks: got '{}', expected a number of seeds, {} or more",
                               pair.key.text, kFewestSeeds));
    } else if (!alpha || *alpha <= 0 || *alpha > kAlpha) {
      problems.add(pair.value.at, "invalid-value",
                   fmt::format("looks: got '{}', expected an alpha above 0 and at most {}",
                               pair.value.text, kAlpha));
    } else {
      looks.push_back({static_cast<size_t>(*seeds), *alpha});
    }
  }
  std::ranges::sort(looks, {}, &Look::seeds);
  const Position at = place_of(given, "looks");
  for (size_t i = 1; i < looks.size(); ++i) {
    if (looks[i].seeds == looks[i - 1].seeds)
      problems.add(at, "duplicate-value",
                   fmt::format("looks: {} seeds are given twice", looks[i].seeds));
  }
  double sum = 0;
  for (const Look& look : looks) sum += look.alpha;
  if (sum > kAlpha * (1 + 1e-9))
    reader.problem(at, fmt::format("looks: the alphas add up to {:.4g}, expected at most {}: "
                                   "each look may be wrong by chance",
                                   sum, kAlpha));
  return looks;
}

std::optional<size_t> read_seed_count(const Yaml& given, Problems& problems) {
  const std::optional<double> number =
      given.is_scalar() ? parse_number(given.scalar) : std::nullopt;
  if (number && *number >= kFewestSeeds && *number <= kMostSeeds && *number == std::floor(*number))
    return static_cast<size_t>(*number);
  problems.add(given.where, "invalid-value",
               fmt::format("last_look: expected a number of seeds, {} or more, that is one of "
                           "`looks`",
                           kFewestSeeds));
  return std::nullopt;
}

/// A number of seeds for all claims, or a map of tables, each with a map of columns.
LastLooks read_last_looks(const Yaml* given, Problems& problems) {
  LastLooks last;
  if (!given) return last;
  if (!given->is_map()) {
    last.of_all = read_seed_count(*given, problems);
    return last;
  }
  for (const Yaml::Entry& table : given->entries) {
    if (!table.value.is_map() || table.value.entries.empty())
      problems.add(table.value.where, "invalid-value",
                   "last_look: expected {column: number of seeds}");
    for (const Yaml::Entry& column : table.value.entries) {
      if (const auto seeds = read_seed_count(column.value, problems))
        last.of_column[table.key][column.key] = {*seeds, column.where};
    }
  }
  return last;
}

std::map<std::string, GateSpec> read_gates(const Yaml* given, Problems& problems) {
  std::map<std::string, GateSpec> gates;
  if (!given) return gates;
  if (!given->is_map()) problems.add(given->where, "invalid-value", "gates: expected {name: gate}");
  for (const Yaml::Entry& entry : given->entries) {
    SpecReader reader(entry.value, "gate", problems);
    GateSpec gate;
    gate.at = entry.where;
    gate.table = reader.required_text("table");
    gate.table_at = entry.value.find("table") ? entry.value.find("table")->where : entry.where;
    gate.row = reader.required_text("row");
    gate.than = reader.required_text("than");
    if (gate.row == gate.than && !gate.row.empty())
      problems.add(entry.where, "conflicting-keys",
                   fmt::format("gate: row and than are the same, '{}'", gate.row));
    reader.finish();
    gates.emplace(entry.key, std::move(gate));
  }
  return gates;
}

std::string read_fixed(SpecReader& reader, const Yaml& given) {
  const std::string day = reader.text("fixed");
  if (!day.empty() && !is_day(day))
    reader.problem(place_of(given, "fixed"),
                   fmt::format("fixed: got '{}', expected the day on which the rules of this file "
                               "were fixed, as 2026-11-20",
                               day));
  return day;
}

/// {verdict: adapted from dense}.
void read_basis(SpecReader& reader, FileRules& rules) {
  for (const SpecPair& pair : reader.pairs("basis")) {
    if (pair.value.text.empty())
      reader.problem(pair.value.at,
                     fmt::format("basis.{}: expected what its weights began from", pair.key.text));
    rules.basis[pair.key.text] = pair.value.text;
    rules.basis_at[pair.key.text] = pair.key.at;
  }
}

bool takes_look_at(const ClaimSpec& claim, size_t seeds) {
  return std::ranges::find(claim.looks, seeds, &Look::seeds) != claim.looks.end();
}

/// Sets the claim's own last look, else the file's look for all claims. Looks of columns are kept
/// until the tested column is known.
void end_looks(ClaimSpec& claim, const Yaml& given, const Yaml* own, const LastLooks& of_file,
               Problems& problems) {
  const std::optional<size_t> last = own ? read_seed_count(*own, problems) : of_file.of_all;
  const auto columns = of_file.of_column.find(claim.table);
  if (!own && columns != of_file.of_column.end()) claim.last_looks = columns->second;
  std::set<size_t> seeds;
  for (const auto& [column, look] : claim.last_looks) {
    if (claim.columns.empty() || std::ranges::count(claim.columns, column) > 0)
      seeds.insert(look.seeds);
  }
  if (last) seeds.insert(*last);
  for (const size_t one : seeds) {
    if (takes_look_at(claim, one)) continue;
    problems.add(
        place_of(given, "last_look"), "invalid-value",
        fmt::format("the last look of '{}', {} seeds, is not one of `looks`", claim.name, one));
    claim.last_looks.clear();
    return;
  }
  if (last) drop_looks_beyond(*last, claim.looks);
}

/// A claim with its own seeds has its last look at all of them.
void end_looks_with_seeds(ClaimSpec& claim, const Yaml& given, Problems& problems) {
  if (claim.seeds.empty() || claim.looks.empty()) return;
  const size_t seeds = claim.seeds.size();
  if (takes_look_at(claim, seeds)) return drop_looks_beyond(seeds, claim.looks);
  std::vector<std::string> looks;
  for (const Look& look : claim.looks) looks.push_back(std::to_string(look.seeds));
  problems.add(place_of(given, "seeds"), "invalid-value",
               fmt::format("seeds: got {}, expected as many as one of the looks takes: {}", seeds,
                           joined(looks)));
}

/// The keys of tests that compare rows.
void read_pair(SpecReader& reader, const Yaml& given, ClaimSpec& claim, Problems& problems) {
  claim.row = read_names(reader, "row", claim);
  reader.require("row");
  claim.than_column = read_name(reader, "than_column", claim);
  claim.than = read_names(reader, "than", claim);
  const size_t before_value = problems.added();
  claim.than_value = reader.number("than_value");
  const bool has_value = claim.than_value || problems.added() > before_value;
  if (claim.than_column.empty() && !has_value) reader.require("than");
  if (claim.than_value && !(claim.than.empty() && claim.than_column.empty()))
    problems.add(given.where, "conflicting-keys",
                 "than_value replaces than and than_column; remove one of them");
  if (claim.than.empty()) claim.than = claim.row;
  claim.direction = direction_named(reader.choice("direction", {"min", "max"}, ""));
  claim.not_below = read_name(reader, "not_below", claim);
  claim.unit = read_unit(reader.take("unit"), problems);
  if (claim.columns.size() > 1 && !claim.than_column.empty())
    problems.add(given.where, "conflicting-keys",
                 "than_column goes with one column: got a list of columns");
  if (claim.test->has_smallest) {
    const size_t before = problems.added();
    claim.smallest = reader.number("smallest");
    if (problems.added() == before && claim.smallest.value_or(0) < 0)
      problems.add(place_of(given, "smallest"), "invalid-value",
                   "smallest: expected an effect of 0 or more, in the table's units");
  }
  if (!claim.test->has_margin) return;
  const size_t before = problems.added();
  const std::optional<double> margin = reader.number("margin");
  if (problems.added() == before && margin.value_or(0) <= 0) {
    problems.add(place_of(given, "margin"), "invalid-value",
                 fmt::format("{} needs a margin above 0, in the table's units", claim.test->name));
  }
  claim.margin = margin.value_or(0);
}

ClaimSpec read_claim(const Yaml& given, const FileRules& rules, Problems& problems) {
  SpecReader reader(given, "claim", problems);
  ClaimSpec claim;
  claim.at = given.where;
  claim.name = read_filled(reader, "claim", "a name");
  reader.require("claim");
  claim.says = reader.required_text("says");
  claim.source = reader.text("source");
  claim.table = reader.required_text("table");
  claim.table_at = given.find("table") ? given.find("table")->where : given.where;
  claim.columns = read_names(reader, "column", claim);
  std::vector<std::string> names;
  for (const ClaimTest& known : claim_tests()) names.push_back(known.name);
  const std::string test = reader.choice("test", names, "");
  reader.require("test");
  if (const ClaimTest* known = find_claim_test(test)) claim.test = known;
  if (test.empty()) {
    for (const char* key : {"row", "than", "margin", "smallest", "not_below", "than_column",
                            "than_value", "direction", "unit"})
      reader.take(key);  // of some tests
  } else if (claim.compares_rows()) {
    read_pair(reader, given, claim, problems);
  }
  claim.over_heads = reader.choice("over", {"seeds", "heads"}, "seeds") == "heads";
  if (claim.over_heads && (claim.row.size() > 1 || claim.than.size() > 1))
    problems.add(given.where, "conflicting-keys",
                 "over: heads goes with one row: rows have no heads in common");
  if (claim.than_value && (!claim.over_heads || !claim.not_below.empty()))
    problems.add(given.where, "conflicting-keys",
                 "than_value goes with over: heads, and not with not_below");
  const bool has_looks = reader.has("looks");
  claim.looks = read_looks(reader, given, problems);
  if (!has_looks) claim.looks = rules.looks;
  end_looks(claim, given, reader.take("last_look"), rules.last, problems);
  if (const Yaml* seeds = reader.take("seeds")) claim.seeds = read_seeds(*seeds, problems);
  std::ranges::sort(claim.seeds);
  end_looks_with_seeds(claim, given, problems);
  claim.fixed = rules.fixed;
  claim.basis = rules.basis;
  claim.gate = read_filled(reader, "gate", "the name of a gate");
  if (!claim.gate.empty() && !rules.gates.contains(claim.gate))
    problems.add(place_of(given, "gate"), "unknown-gate",
                 fmt::format("gate: there is no gate '{}' in this file", claim.gate));
  reader.finish();
  return claim;
}

}  // namespace

namespace {

/// A last look that no claim uses is a typing mistake. If a claim names no column, its table is
/// checked later.
void check_last_looks(const LastLooks& last, const std::vector<ClaimSpec>& claims,
                      Problems& problems) {
  for (const auto& [table, of_table] : last.of_column) {
    std::vector<std::string> columns;
    bool is_of_table = false, is_of_any = false;
    for (const ClaimSpec& claim : claims) {
      if (claim.table != table) continue;
      is_of_table = true;
      is_of_any = is_of_any || claim.columns.empty();
      columns.insert(columns.end(), claim.columns.begin(), claim.columns.end());
    }
    for (const auto& [column, look] : of_table) {
      if (is_of_any || std::ranges::count(columns, column) > 0) continue;
      problems.add(look.at, "unknown-column",
                   is_of_table
                       ? fmt::format("last_look: no claim on table {} is on a column '{}'{}", table,
                                     column, did_you_mean(column, columns))
                       : fmt::format("last_look: no claim of this file is on a table '{}'", table));
    }
  }
}

}  // namespace

void drop_looks_beyond(size_t seeds, std::vector<Look>& looks) {
  while (looks.back().seeds > seeds) {
    const double alpha = looks.back().alpha;
    looks.pop_back();
    looks.back().alpha += alpha;
  }
}

ClaimsSpec read_claims_spec(const std::filesystem::path& file) {
  Problems problems;
  const Yaml document = read_yaml(file, problems);
  SpecReader reader(document, "file of claims", problems);
  ClaimsSpec spec;
  spec.file = file;
  spec.name = reader.name_of_spec("claims");
  FileRules rules{read_looks(reader, document, problems),
                  read_last_looks(reader.take("last_look"), problems),
                  read_gates(reader.take("gates"), problems),
                  read_fixed(reader, document),
                  {}};
  read_basis(reader, rules);
  spec.gates = rules.gates;
  spec.basis_at = rules.basis_at;
  const Yaml* list = reader.take("list");
  if (list && (!list->is_list() || list->items.empty()))
    problems.add(list->where, "invalid-value", "list: expected a list of claims");
  reader.require("list");
  if (list) {
    for (const Yaml& item : list->items) spec.claims.push_back(read_claim(item, rules, problems));
  }
  std::set<std::string> seen;
  for (const ClaimSpec& claim : spec.claims) {
    if (!seen.insert(claim.name).second)
      problems.add(claim.at, "duplicate-name",
                   fmt::format("claim '{}' is listed twice; rename one of them", claim.name));
  }
  size_t names = 0;
  for (const ClaimSpec& claim : spec.claims)
    names += claim.row.size() + claim.than.size() + claim.columns.size();
  if (names > kMostNames)
    problems.add(list->where, "too-many",
                 fmt::format("list: the claims name {} rows and columns, expected at most {}: "
                             "split the file",
                             names, kMostNames));
  check_last_looks(rules.last, spec.claims, problems);
  for (const auto& [name, gate] : spec.gates) {
    if (std::ranges::find(spec.claims, name, &ClaimSpec::gate) == spec.claims.end())
      problems.add(gate.at, "unused-gate",
                   fmt::format("gates: no claim of this file has the gate '{}'", name));
  }
  reader.finish();
  problems.throw_if_any();
  return spec;
}

std::vector<std::string> columns_named(const ClaimSpec& claim) {
  std::vector<std::string> columns = claim.columns;
  for (const std::string& column : {claim.than_column, claim.not_below}) {
    if (!column.empty()) columns.push_back(column);
  }
  return columns;
}

Json rule_of(const ClaimSpec& claim, const std::map<std::string, GateSpec>& gates) {
  Json rule{{"table", claim.table},
            {"columns", claim.columns},
            {"test", claim.test->name},
            {"row", claim.row},
            {"than", claim.than},
            {"than_column", claim.than_column},
            {"direction", to_text(claim.direction)},
            {"over", claim.over_heads ? "heads" : "seeds"},
            {"margin", claim.margin},
            {"not_below", claim.not_below},
            {"seeds", claim.seeds},
            {"looks", Json::array()}};
  rule["smallest"] = claim.smallest ? Json(*claim.smallest) : Json();
  rule["than_value"] = claim.than_value ? Json(*claim.than_value) : Json();
  for (const Look& look : claim.looks) rule["looks"].push_back({look.seeds, look.alpha});
  rule["fixed"] = claim.fixed;
  rule["gate"] = Json();
  if (!claim.gate.empty()) {
    const GateSpec& gate = gates.at(claim.gate);
    rule["gate"] = {{"table", gate.table}, {"row", gate.row}, {"than", gate.than}};
  }
  return rule;
}

Json rule_of(const GateSpec& gate, const std::string& column) {
  return {{"table", gate.table}, {"row", gate.row}, {"than", gate.than}, {"column", column}};
}

}  // namespace rethink
