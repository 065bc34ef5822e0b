#include "plots/claim.h"

namespace rethink {
namespace {

std::optional<ClaimUnit> read_unit(const Yaml* given, Problems& problems) {
  if (!given) return std::nullopt;
  SpecReader reader(*given, "unit", problems);
  ClaimUnit unit;
  unit.name = reader.required_text("name");
  unit.times = reader.number("times").value_or(unit.times);
  unit.less = reader.number("less").value_or(unit.less);
  if (unit.times <= 0) problems.add(given->where, "times: expected a number above 0");
  reader.finish();
  return unit;
}

/// Names of rows or columns; notes which of them are in quotes.
std::vector<std::string> read_names(SpecReader& reader, const std::string& key, ClaimSpec& claim) {
  const std::vector<Word> words = reader.words(key);
  for (const Word& word : words) {
    if (word.quoted) claim.quoted.insert(word.text);
  }
  return texts_of(words);
}

std::string read_name(SpecReader& reader, const std::string& key, ClaimSpec& claim) {
  const std::optional<Word> word = reader.word(key);
  if (word && word->quoted) claim.quoted.insert(word->text);
  return word ? word->text : "";
}

ClaimSpec read_claim(const Yaml& given, Problems& problems) {
  SpecReader reader(given, "claim", problems);
  ClaimSpec claim;
  claim.at = given.where;
  claim.name = reader.required_text("claim");
  claim.says = reader.required_text("says");
  claim.source = reader.text("source");
  claim.table = reader.required_text("table");
  claim.table_at = given.find("table") ? given.find("table")->where : given.where;
  claim.columns = read_names(reader, "column", claim);
  claim.kind = reader.choice("test", {"better", "not_worse", "rises", "falls"}, "");
  reader.require("test");
  const bool pair = claim.kind == "better" || claim.kind == "not_worse";
  if (pair) {
    claim.row = read_names(reader, "row", claim);
    reader.require("row");
    claim.than_column = read_name(reader, "than_column", claim);
    claim.than = read_names(reader, "than", claim);
    if (claim.than_column.empty()) reader.require("than");
    if (claim.than.empty()) claim.than = claim.row;
    claim.direction = reader.choice("direction", {"min", "max"}, "");
    claim.not_below = read_name(reader, "not_below", claim);
    claim.unit = read_unit(reader.take("unit"), problems);
    if (claim.columns.size() > 1 && !claim.than_column.empty())
      problems.add(given.where, "than_column goes with one column: got a list of columns");
  }
  claim.over_heads = reader.choice("over", {"seeds", "heads"}, "seeds") == "heads";
  if (claim.over_heads && (claim.row.size() > 1 || claim.than.size() > 1))
    problems.add(given.where, "over: heads goes with one row: rows have no heads in common");
  if (claim.kind.empty()) {
    for (const char* key :
         {"row", "than", "margin", "not_below", "than_column", "direction", "unit"})
      reader.take(key);  // of some tests
  }
  if (claim.kind == "not_worse") {
    const size_t before = problems.added();
    const std::optional<double> margin = reader.number("margin");
    if (problems.added() == before && margin.value_or(0) <= 0)
      problems.add(given.where, "not_worse needs a margin above 0, in the table's units");
    claim.margin = margin.value_or(0);
  }
  reader.finish();
  return claim;
}

}  // namespace

ClaimsSpec read_claims_spec(const std::filesystem::path& file) {
  Problems problems;
  const Yaml document = read_yaml(file, problems);
  SpecReader reader(document, "file of claims", problems);
  ClaimsSpec spec;
  spec.file = file;
  spec.name = reader.name_of_spec("claims");
  const Yaml* list = reader.take("list");
  if (list && !list->is_list()) problems.add(list->where, "list: expected a list of claims");
  reader.require("list");
  if (list) {
    for (const Yaml& item : list->items) spec.claims.push_back(read_claim(item, problems));
  }
  reader.finish();
  problems.throw_if_any();
  return spec;
}

}  // namespace rethink
