#include "plots/table/table_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/yaml/yaml.h"
#include "plots/spec_reader.h"
#include "plots/spec_sweeps.h"
#include "plots/table/cells/attention_matrix.h"
#include "plots/table/table_kind.h"
#include "results/statistics/statistics.h"

namespace rethink {
namespace {

constexpr const char* kNumbers = "numbers";  // the kind of a table that names no kind

/// The position after the last digit; 0 without a number.
size_t end_of_number(const std::string& text) {
  return text.find_last_of("0123456789.") + 1;
}

}  // namespace

std::string PaperValue::mark() const {
  return computed ? "computed" : text.substr(end_of_number(text));
}

std::optional<PaperValue> parse_paper_value(const Yaml& text, Problems& problems) {
  const std::optional<double> value =
      text.is_scalar() ? parse_number(text.scalar.substr(0, end_of_number(text.scalar)))
                       : std::nullopt;
  if (!value) {
    problems.add(
        text.where, "invalid-value",
        fmt::format("got '{}', expected the paper's number, such as 54.08 or 54.08*", text.scalar));
    return std::nullopt;
  }
  return PaperValue{*value, text.scalar};
}

const std::vector<SeedTest>& seed_tests() {
  static const std::vector<SeedTest> tests = {
      {"paired_t", "paired t-test over seeds", true, paired_t},
      {"paired_permutation", "paired permutation test over seeds", true, paired_permutation},
      {"student_t", "Student's t-test of two samples over seeds", false, student_t},
      {"welch", "Welch's t-test over seeds", false, welch}};
  return tests;
}

const SeedTest& seed_test(const std::string& kind) {
  const auto found = std::ranges::find(seed_tests(), kind, &SeedTest::kind);
  RETHINK_ASSERT(found != seed_tests().end(), kind);
  return *found;
}

namespace {

const std::vector<std::string> kDirections = {"min", "max", "none"};

Direction spec_direction(const std::string& choice) {
  return direction_named(choice == "none" ? "" : choice);
}

void check_places(const Yaml& given, const std::string& kind, Problems& problems) {
  if (known_place_kinds().contains(kind)) return;
  std::vector<std::string> known;
  for (const auto& [name, number] : known_place_kinds()) known.push_back(name);
  problems.add(given.where, "invalid-value",
               fmt::format("places: got '{}', expected ARTIFACT/KIND, KIND one of {}{}",
                           given.scalar, joined(known), did_you_mean(kind, known)));
}

/// Reads the key that gives a column its kind of cell; at most one such key.
void read_column_kind(SpecReader& reader, LineSpec& line, Problems& problems) {
  const std::pair<const char*, CellKind> named[] = {
      {"metric", CellKind::metric},     {"fact", CellKind::fact},
      {"imported", CellKind::imported}, {"measurement", CellKind::measurement},
      {"mean_of", CellKind::mean_of},   {"ratio", CellKind::ratio},
      {"places", CellKind::places},     {"ratio_if_even", CellKind::ratio_if_even}};
  for (const auto& [key, kind] : named) {
    const Yaml* given = reader.take(key);
    if (!given) continue;
    if (line.kind)
      problems.add(given->where, "conflicting-keys",
                   fmt::format("a column is of one kind, but has '{}' too", key));
    line.kind = kind;
    line.value_at = given->where;
    if (is_derived(kind)) {
      line.of = reader.words(key);
    } else if (kind == CellKind::measurement) {
      line.value = ValueName{"", given->scalar};
    } else if (kind == CellKind::imported) {
      line.value = ValueName{"imported", given->scalar};
    } else {
      line.value = parse_value_name(*given, problems);
    }
    if (kind == CellKind::places && line.value) check_places(*given, line.value->name, problems);
  }
  if (line.kind == CellKind::metric && line.value) line.value = final_value(*line.value);
  if (line.kind == CellKind::mean_of && line.of.empty())
    problems.add(line.at, "invalid-value",
                 "mean_of: expected an axis of columns, or a list of their labels");
  if (line.kind == CellKind::ratio_if_even && line.of.size() != 3) {
    problems.add(
        line.at, "invalid-value",
        fmt::format("ratio_if_even: got {} labels, expected three columns: attention of tokens to "
                    "themselves, the same if attention were uniform, attention to earlier tokens",
                    line.of.size()));
  }
  if (line.kind == CellKind::ratio && line.of.size() != 2) {
    problems.add(line.at, "invalid-value",
                 fmt::format("ratio: got {} labels, expected two: [numerator, denominator]",
                             line.of.size()));
  }
}

LineSpec read_line(const Yaml& given, bool column, Problems& problems) {
  SpecReader reader(given, column ? "column" : "row", problems);
  LineSpec line = read_line_trials(reader);
  line.published = reader.optional_text("published");
  if (column) {
    read_column_kind(reader, line, problems);
    const std::string direction = reader.choice("direction", kDirections, "");
    if (!direction.empty()) line.direction = spec_direction(direction);
    line.decimals = reader.integer("decimals", 0);
    line.scale = read_scale(reader);
    line.unplanned = reader.optional_text("unplanned");
    line.from = reader.words("from");
    if (line.scale != 1 && (!line.of.empty() || line.published))
      problems.add(line.at, "misplaced-key", "scale goes with a column that has a value of trials");
    if (!line.from.empty() && !line.of.empty())
      problems.add(line.at, "misplaced-key", "from goes with a column that has a value of trials");
    if (line.published && (line.kind || !line.axis.text.empty() || !line.where.empty()))
      problems.add(line.at, "misplaced-key",
                   "a published column has only the paper's numbers, and a label");
    if (line.published) line.kind = CellKind::published;
  }
  reader.finish();
  require_axis_or_label(line, given, column ? "column" : "row", problems);
  return line;
}

TestSpec read_test(const Yaml& given, Problems& problems) {
  SpecReader reader(given, "test", problems);
  TestSpec test;
  test.at = given.where;
  if (const Yaml* baseline = given.find("baseline")) {
    test.at = baseline->where;
    if (baseline->is_list() && baseline->items.empty())
      problems.add(test.at, "invalid-value", "baseline: expected a row's label, or several");
  }
  reader.require("baseline");
  test.baselines = reader.words("baseline");
  std::vector<std::string> kinds;
  for (const SeedTest& known : seed_tests()) kinds.push_back(known.kind);
  kinds.emplace_back(kPairedBootstrap);
  test.kind = reader.choice("kind", kinds, test.kind);
  test.correction = reader.choice("correction", {"holm", "none"}, test.correction);
  test.alpha = reader.number("alpha").value_or(test.alpha);
  if (test.alpha <= 0 || test.alpha >= 1)
    problems.add(given.where, "invalid-value", "alpha: expected a number between 0 and 1");
  reader.finish();
  return test;
}

/// One test as a map, or a list of two tests that differ in kind and share the baseline of Δ.
std::vector<TestSpec> read_tests(const Yaml* given, Problems& problems) {
  if (!given) return {};
  if (!given->is_list()) return {read_test(*given, problems)};
  if (given->items.empty() || given->items.size() > kTestMarks.size())
    problems.add(given->where, "invalid-value",
                 fmt::format("test: got {} tests, expected 1 or 2", given->items.size()));
  std::vector<TestSpec> tests;
  for (const Yaml& item : given->items) {
    tests.push_back(read_test(item, problems));
    const TestSpec &first = tests.front(), &last = tests.back();
    if (tests.size() == 1 || last.baselines.empty()) continue;
    if (texts_of(last.baselines) != texts_of(first.baselines))
      problems.add(last.at, "conflicting-values",
                   fmt::format("baseline: both tests need the same one, {}",
                               joined(texts_of(first.baselines))));
    if (last.kind == first.kind)
      problems.add(item.where, "conflicting-values",
                   fmt::format("kind: both tests are {}", first.kind));
  }
  return tests;
}

std::vector<PaperEntry> read_paper_entries(const Yaml* given, Problems& problems) {
  std::vector<PaperEntry> all;
  if (!given) return all;
  if (!given->is_map())
    problems.add(given->where, "invalid-value", "paper: expected {ROW: {COLUMN: value}}");
  for (const Yaml::Entry& row : given->entries) {
    if (!row.value.is_map())
      problems.add(row.value.where, "invalid-value", "paper: expected {ROW: {COLUMN: value}}");
    for (const Yaml::Entry& column : row.value.entries) {
      const std::optional<PaperValue> value = parse_paper_value(column.value, problems);
      if (value) all.push_back({word_of_key(row), word_of_key(column), *value});
    }
  }
  return all;
}

/// A table without `columns` has one: its metric.
LineSpec metric_column(const TableSpec& spec, const Position& table) {
  LineSpec column;
  column.at = spec.metric ? spec.metric_at : table;
  column.label = spec.metric ? spec.metric->text() : "";
  return column;
}

/// Whether the table says of at least one of its columns what is better.
bool has_direction(const TableSpec& spec) {
  const auto of_column = [&](const LineSpec& column) {
    return column.direction.value_or(Direction::unknown) != Direction::unknown;
  };
  return spec.direction != Direction::unknown || std::ranges::any_of(spec.columns, of_column);
}

void check_columns(const TableSpec& spec, Problems& problems) {
  for (const LineSpec& column : spec.columns) {
    if (!column.kind && !spec.metric && !spec.metric_at.line) {  // a wrong metric was reported
      problems.add(column.at, "missing-key",
                   "neither this column nor the table has a metric; add metric: SPLIT/NAME");
    }
  }
}

}  // namespace

ValueName final_value(ValueName name) {
  if (name.name.find('@') == std::string::npos) name.name += "@last";
  return name;
}

ValueName value_named(const std::string& text) {
  const size_t slash = text.find('/');
  return {text.substr(0, slash), text.substr(slash + 1)};
}

std::optional<ValueName> parse_value_name(const Yaml& text, Problems& problems) {
  const size_t slash = text.scalar.find('/');
  if (!text.is_scalar() || slash == 0 || slash == std::string::npos ||
      slash + 1 == text.scalar.size()) {
    problems.add(text.where, "invalid-value",
                 fmt::format("got '{}', expected a name like test/perplexity@best", text.scalar));
    return std::nullopt;
  }
  return value_named(text.scalar);
}

void read_trials(SpecReader& reader, TableSpec& spec) {
  spec.trials.sweep = reader.word("sweep").value_or(Word{});
  spec.trials.stage = reader.word("stage").value_or(Word{});
  spec.trials.where = reader.value_pairs("where");
  spec.over = reader.texts("over");
}

void read_values(SpecReader& reader, TableSpec& spec, Problems& problems) {
  if (const Yaml* metric = reader.take("metric")) {
    spec.metric = parse_value_name(*metric, problems);
    spec.metric_at = metric->where;
  }
  spec.percent = reader.boolean("percent", false);
  spec.spread = reader.choice("spread", {"sd", "sem", "ci95"}, spec.spread);
  spec.wanted_seeds = reader.integer("seeds", 1).value_or(spec.wanted_seeds);
  static const std::vector<std::string> known = {"candidates", "parameters", "training tokens",
                                                 "device"};
  for (const Word& word : reader.words("differ")) {
    spec.differ.push_back(word.text);
    if (std::find(known.begin(), known.end(), word.text) != known.end()) continue;
    problems.add(word.at, "unknown-name",
                 fmt::format("differ: got '{}'{}; known: {}", word.text,
                             did_you_mean(word.text, known), joined(known)));
  }
}

LineSpec read_line_trials(SpecReader& reader) {
  LineSpec line;
  line.at = reader.where();
  line.axis = reader.word("axis").value_or(Word{});
  line.order = reader.values("order");
  line.labels = reader.pairs("labels");
  line.others = reader.text("others");
  line.label = reader.text("label");
  line.where = reader.value_pairs("where");
  line.sweep = reader.word("sweep");
  line.stage = reader.word("stage");
  if (line.axis.text.empty() && !(line.order.empty() && line.labels.empty() && line.others.empty()))
    reader.problem(line.at, "order, labels and others go with an axis");
  if (!line.others.empty() && line.others.find("{}") == std::string::npos)
    reader.problem(line.at,
                   fmt::format("others: got '{}', expected a text with {{}} in the value's "
                               "place, such as rate {{}}",
                               line.others));
  return line;
}

LineSpec read_plain_line(const Yaml& given, const std::string& what, Problems& problems) {
  SpecReader reader(given, what, problems);
  LineSpec line = read_line_trials(reader);
  reader.finish();
  require_axis_or_label(line, given, what, problems);
  return line;
}

LineSpec artifact_column(const std::string& artifact, const Position& at) {
  LineSpec column;
  column.at = column.value_at = at;
  column.label = "artifact";
  column.kind = CellKind::fact;
  column.value = ValueName{artifact, "bytes"};
  return column;
}

void require_axis_or_label(const LineSpec& line, const Yaml& given, const std::string& what,
                           Problems& problems) {
  if (given.is_map() && line.axis.text.empty() == line.label.empty())
    problems.add(given.where, "conflicting-keys",
                 fmt::format("a {} has either an axis or a label", what));
}

std::vector<NoteSpec> read_notes(SpecReader& reader, const std::vector<std::string>& keys,
                                 Problems& problems) {
  std::vector<NoteSpec> notes;
  const Yaml* given = reader.take("notes");
  if (!given) return notes;
  if (given->is_scalar()) return {{given->scalar}};
  if (!given->is_list()) problems.add(given->where, "invalid-value", "notes: expected a list");
  for (const Yaml& item : given->items) {
    NoteSpec& note = notes.emplace_back();
    if (item.is_scalar()) {
      note.text = item.scalar;
      continue;
    }
    SpecReader parts(item, "note", problems);
    note.text = parts.required_text("text");
    for (const std::string& key : keys) {
      if (std::vector<Word> lines = parts.words(key); !lines.empty()) note.lines[key] = lines;
    }
    note.profiles = parts.words("profiles");
    parts.finish();
  }
  return notes;
}

const TableSpec& TableFile::spec() const {
  return kind ? kind->spec() : numbers;
}

TableFile read_table_file(const std::filesystem::path& file,
                          const std::vector<std::filesystem::path>& paths) {
  Problems problems;
  const Yaml document = read_yaml(file, problems);
  if (!paths.empty()) check_sweeps_named(document, paths, problems);
  const Yaml* kind = document.find("kind");
  const std::vector<std::string> kinds = table_kinds().names();
  if (!kind || !kind->is_scalar() || std::ranges::count(kinds, kind->scalar) == 0)
    return {read_table_spec(document, file, problems), nullptr};
  const std::shared_ptr<TableKind> made = table_kinds().make(kind->scalar, Json::object());
  made->read(document, file, problems);
  problems.throw_if_any();
  return {{}, made};
}

TableSpec read_table_spec(const Yaml& document, const std::filesystem::path& file,
                          Problems& problems) {
  SpecReader reader(document, "table", problems);
  TableSpec spec;
  spec.file = file;
  spec.name = reader.name_of_spec("table");
  std::vector<std::string> kinds = table_kinds().names();
  kinds.insert(kinds.begin(), kNumbers);
  if (const std::string kind = reader.choice("kind", kinds, kNumbers); kind != kNumbers) {
    Problems().refuse(
        document.find("kind")->where, "no-numbers",
        fmt::format("table {} is of {}: `table` prints it, but there is no number in it", spec.name,
                    kind));
  }
  spec.title = reader.text("title");
  read_trials(reader, spec);
  read_values(reader, spec, problems);
  if (spec.metric) spec.metric = final_value(*spec.metric);
  for (const Yaml* row : reader.maps("rows", "[{axis: task}]"))
    spec.rows.push_back(read_line(*row, false, problems));
  for (const Yaml* column : reader.maps("columns", "[{axis: task}]"))
    spec.columns.push_back(read_line(*column, true, problems));
  const size_t before = problems.added();
  spec.direction = spec_direction(reader.choice("direction", kDirections, ""));
  spec.tests = read_tests(reader.take("test"), problems);
  if (!spec.tests.empty() && !has_direction(spec) && problems.added() == before) {
    problems.add(spec.tests.front().at, "missing-key",
                 "a test needs to know what is better; add direction: min or max to the table or "
                 "to a column");
  }
  spec.decimals = reader.integer("decimals", 0);
  spec.paper = read_paper_entries(reader.take("paper"), problems);
  spec.notes = read_notes(reader, {"rows", "columns"}, problems);
  for (const char* key : {"sweep", "stage", "rows"}) reader.require(key);
  reader.finish();
  if (spec.columns.empty()) spec.columns = {metric_column(spec, document.where)};
  check_columns(spec, problems);
  problems.throw_if_any();
  return spec;
}

TableSpec read_table_spec(const std::filesystem::path& file) {
  Problems problems;
  const Yaml document = read_yaml(file, problems);
  return read_table_spec(document, file, problems);
}

std::vector<Word> sweeps_of(const std::vector<const TableSpec*>& specs) {
  std::map<std::string, Word> sweeps;
  for (const TableSpec* spec : specs) {
    sweeps.try_emplace(spec->trials.sweep.text, spec->trials.sweep);
    for (const std::vector<LineSpec>* lines : {&spec->rows, &spec->columns}) {
      for (const LineSpec& line : *lines) {
        if (line.sweep) sweeps.try_emplace(line.sweep->text, *line.sweep);
      }
    }
  }
  std::vector<Word> words;
  for (const auto& [path, word] : sweeps) words.push_back(word);
  return words;
}

std::vector<Word> sweeps_of(const TableSpec& spec) {
  return sweeps_of(std::vector{&spec});
}

double scale_of(const TableSpec& spec, CellKind kind) {
  return spec.percent && kind == CellKind::metric ? 100 : 1;
}

const std::string* find_pair(const SpecPairs& pairs, const std::string& key) {
  for (const SpecPair& pair : pairs) {
    if (pair.key.text == key) return &pair.value.text;
  }
  return nullptr;
}

}  // namespace rethink
