#include "plots/table/kinds/word_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "plots/table/notes.h"

namespace rethink {
namespace {

// The analysis attended_tokens leaves for each trial: sentences, and the tokens to which each layer
// of a language model attended.

struct AttendedSentence {
  // Position and weight, highest weight first.
  using Attended = std::vector<std::pair<size_t, double>>;

  std::vector<std::string> tokens;
  std::set<size_t> unknown;                   // positions of tokens that the vocabulary lacks
  size_t target = 0;                          // position of the predicted token; above 0
  std::vector<std::vector<Attended>> layers;  // [layer][position], without the last position
};

AttendedSentence sentence_of(const Json& json) {
  return {json.at("tokens"), json.at("unknown"), json.at("target"), json.at("layers")};
}

/// Throws ConfigError unless every position is in the sentence.
void check(const AttendedSentence& sentence) {
  const size_t places = sentence.tokens.size();
  const auto refuse = [](const std::string& what) { throw ConfigError("wrong-file", what); };
  if (sentence.target == 0 || sentence.target >= places)
    refuse(fmt::format("target {} of {} tokens", sentence.target, places));
  for (const auto& layer : sentence.layers) {
    if (layer.size() + 1 != places)
      refuse(fmt::format("a layer of {} places for {} tokens", layer.size(), places));
    for (const AttendedSentence::Attended& attended : layer) {
      for (const auto& [place, weight] : attended) {
        if (place >= places) refuse(fmt::format("place {} of {} tokens", place, places));
      }
    }
  }
}

/// Throws ConfigError "PATH: ..." for a file of another form, MachineError if the file cannot be
/// read.
std::vector<AttendedSentence> read_attended_tokens(const std::filesystem::path& file) {
  const Json json = read_json(file);
  std::vector<AttendedSentence> sentences;
  try {
    for (const Json& one : json.at("sentences")) {
      sentences.push_back(sentence_of(one));
      check(sentences.back());
    }
  } catch (const std::exception& error) {  // from nlohmann or from the checks above
    throw ConfigError("wrong-file",
                      fmt::format("{}: {}; expected a file of the analysis attended_tokens",
                                  file.string(), error.what()));
  }
  return sentences;
}

using Sentences = std::vector<AttendedSentence>;

/// The contents that were read for one column's trials.
struct Model {
  std::map<int64_t, Sentences> by_seed;
  std::string lack;  // why a seed, or every seed, has no words

  const Sentences* first() const { return by_seed.empty() ? nullptr : &by_seed.begin()->second; }
};

std::vector<Model> read_models(const Table& models, const ArtifactFiles& files,
                               std::string& not_read) {
  std::vector<Model> all;
  for (size_t i = 0; i < models.rows.size(); ++i) {
    const Cell& cell = models.cells[i][0];
    Model& model = all.emplace_back();
    model.lack = cell.text_without_number();
    for (size_t trial = 0; trial < cell.trials.size(); ++trial) {
      const auto file = files.find(cell.trials[trial]);
      if (file == files.end()) continue;
      try {
        // Sentences have no mean, so the first trial of each seed is read.
        const int64_t seed = cell.numbers[trial].seed;
        if (!model.by_seed.contains(seed))
          model.by_seed[seed] = read_attended_tokens(file->second.intact());
      } catch (const std::runtime_error& error) {  // ConfigError, MachineError
        model.lack = "not read";
        if (!not_read.empty()) not_read += "; ";
        not_read += fmt::format("column '{}': {}", models.rows[i].label, error.what());
      }
    }
  }
  return all;
}

AttendedWord word_at(const AttendedSentence& sentence, size_t place, double weight) {
  return {sentence.tokens[place], !sentence.unknown.contains(place), place, weight};
}

/// Null until a trial of the model has the sentence.
const AttendedSentence* find_sentence(const Model& model, int64_t number) {
  const Sentences* sentences = model.first();
  const auto place = static_cast<size_t>(number);
  return sentences && place <= sentences->size() ? &(*sentences)[place - 1] : nullptr;
}

/// From the first model that has the sentence.
const AttendedSentence* find_sentence(const std::vector<Model>& models, int64_t number) {
  for (const Model& model : models) {
    if (const AttendedSentence* found = find_sentence(model, number)) return found;
  }
  return nullptr;
}

/// The rows of the spec, or one per sentence; before any sentence exists, one row for all.
std::vector<WordRowSpec> row_specs(const WordTableSpec& spec, const std::vector<Model>& models) {
  if (!spec.rows.empty()) return spec.rows;
  size_t sentences = 0;
  for (const Model& model : models)
    sentences = std::max(sentences, model.first() ? model.first()->size() : 0);
  if (sentences == 0) return {{.label = "all", .sentence = 1, .layer = {}, .until = ""}};
  std::vector<WordRowSpec> rows;
  for (size_t number = 1; number <= sentences; ++number) {
    WordRowSpec& row = rows.emplace_back();
    row.sentence = static_cast<int64_t>(number);
    row.label = sentence_label(row.sentence);
  }
  return rows;
}

/// One row, or one for each layer of some model.
std::vector<WordRow> word_rows(const WordRowSpec& spec, const std::vector<Model>& models) {
  size_t layers = 0;
  for (const Model& model : models) {
    if (const AttendedSentence* sentence = find_sentence(model, spec.sentence))
      layers = std::max(layers, sentence->layers.size());
  }
  WordRow row;
  row.label = spec.label;
  row.sentence = spec.sentence;
  row.layer = spec.layer.value_or(0);
  if (const AttendedSentence* sentence = find_sentence(models, spec.sentence)) {
    for (size_t place = 0; place < sentence->tokens.size(); ++place)
      row.tokens.push_back(word_at(*sentence, place, 0));
    row.target = sentence->target;
  }
  if (spec.layer || layers == 0) return {row};
  std::vector<WordRow> rows(layers, row);
  for (size_t layer = 1; layer <= layers; ++layer) {
    rows[layer - 1].layer = static_cast<int64_t>(layer);
    rows[layer - 1].label = fmt::format("{}, layer {}", spec.label, layer);
  }
  return rows;
}

/// The words for the target are the tokens to which the token before it attended.
std::vector<AttendedWord> words_of(const AttendedSentence& sentence, size_t layer) {
  std::vector<AttendedWord> words;
  for (const auto& [place, weight] : sentence.layers[layer - 1][sentence.target - 1])
    words.push_back(word_at(sentence, place, weight));
  return words;
}

WordCell word_cell(const WordRow& row, const Model& model) {
  WordCell cell;
  cell.lack = model.lack;
  const auto number = static_cast<size_t>(row.sentence), layer = static_cast<size_t>(row.layer);
  for (const auto& [seed, sentences] : model.by_seed) {
    if (number > sentences.size()) {
      cell.lack = fmt::format("no sentence {}: there are {}", number, sentences.size());
    } else if (layer == 0 || layer > sentences[number - 1].layers.size()) {
      cell.lack =
          fmt::format("no layer {}: there are {}", layer, sentences[number - 1].layers.size());
    } else {
      cell.by_seed[seed] = words_of(sentences[number - 1], layer);
    }
  }
  if (!cell.by_seed.empty()) cell.lack.clear();
  return cell;
}

/// The labels of rows whose sentence, up to its target, differs from the sentence of the paper's
/// words.
std::set<std::string> labels_of_others(const WordTable& table, const WordTableSpec& spec) {
  std::set<std::string> labels;
  for (const WordRow& row : table.rows) {
    std::string text;
    for (size_t place = 0; place <= row.target && row.target > 0; ++place) {
      const AttendedWord& token = row.tokens[place];
      if (!is_start(token)) text += (text.empty() ? "" : " ") + token.word;
    }
    for (const WordRowSpec& of : spec.rows) {
      if (of.label == row.label && !of.until.empty() && row.target > 0 && text != of.until)
        labels.insert(row.label);
    }
  }
  return labels;
}

void fill_paper_words(WordTable& table, const WordTableSpec& spec, const Grid& grid) {
  Problems problems;
  const std::set<std::string> others = labels_of_others(table, spec);
  for (const PaperWords& paper : spec.paper) {
    const std::optional<size_t> column = find_line(grid.rows, paper.column.written());
    const std::string several = trouble_of_several(grid.rows, paper.column.written(), "column");
    if (!several.empty()) {
      problems.add(paper.column.at, "ambiguous-name", "paper: the table " + several);
    } else if (!column && !grid.narrowed()) {
      problems.add(
          paper.column.at, "unknown-column",
          fmt::format("paper: the table has no column '{}'{}; it has: {}", paper.column.text,
                      did_you_mean(paper.column.text, table.columns), joined(table.columns)));
    }
    for (size_t row = 0; column && row < table.rows.size(); ++row) {
      if (table.rows[row].label == paper.row.text && !others.contains(paper.row.text))
        table.cells[row][*column].paper = paper.words;
    }
  }
  problems.throw_if_any();
  if (!others.empty() && !spec.paper.empty())
    table.notes.push_back({"the paper's words are left out where they are of another sentence: " +
                           joined({others.begin(), others.end()})});
}

void note_missing_words(WordTable& table, const Table& models) {
  if (models.num_to_run() > 0) {
    table.notes.push_back(not_complete(
        {not_done_text(models.num_to_run(), models.num_trials(), models.needed.size()),
         models.can_start ? "; run them with: " + models.again.table(table.name, "--run") : ""}));
  }
  const SheetNote needs_data = needs_data_note(models, "columns");
  table.needs_data = needs_data.whole();
  if (!table.needs_data.empty()) table.notes.push_back(not_complete(needs_data));
  SheetNote not_read{table.not_read};
  if (table.not_read.empty()) not_read = not_measured_note(models, "columns");
  table.not_read = not_read.whole();
  if (!table.not_read.empty()) table.notes.push_back(not_complete(not_read));
  for (const SheetNote& note : notes_on_failures(models)) table.notes.push_back(note);
}

/// Other marks that numbers of these trials would get.
void note_marks(WordTable& table, const Table& models) {
  for (size_t i = 0; i < models.rows.size(); ++i) {
    std::set<int64_t> seeds;
    for (const TrialNumber& number : models.cells[i][0].numbers) seeds.insert(number.seed);
    if (seeds.size() < models.cells[i][0].numbers.size())
      table.notes.push_back(
          {fmt::format("{}: of each seed one trial of several", models.rows[i].label)});
    for (const Mark& mark : models.cells[i][0].marks) {
      if (mark.kind > MarkKind::not_planned)
        table.notes.push_back({fmt::format("{}: {}", models.rows[i].label, footnote_text(mark))});
    }
  }
}

using Names = std::set<std::string>;

Names names_in(const std::vector<AttendedWord>& words) {
  Names names;
  for (const AttendedWord& word : words) names.insert(name_of(word));
  return names;
}

size_t num_shared(const Names& some, const Names& others) {
  return static_cast<size_t>(
      std::ranges::count_if(some, [&](const std::string& one) { return others.contains(one); }));
}

/// For each shown word, the number of other seeds with the same word in the same place.
void note_seeds(WordTable& table) {
  std::set<int64_t> shown, all;
  size_t shared = 0, compared = 0;
  for (const std::vector<WordCell>& row : table.cells) {
    for (const WordCell& cell : row) {
      if (cell.by_seed.empty()) continue;
      const auto& [first_seed, first] = *cell.by_seed.begin();
      shown.insert(first_seed);
      for (const auto& [seed, words] : cell.by_seed) {
        all.insert(seed);
        if (seed == first_seed) continue;
        shared += num_shared(names_in(first), names_in(words));
        compared += names_in(first).size();
      }
    }
  }
  if (shown.empty()) return;
  std::string text =
      fmt::format("words of seed {}, each with its share of the attention", fmt::join(shown, ", "));
  if (compared > 0) {
    text += fmt::format("; of {} seeds: {:.0f} % of them are among those of another seed, too",
                        all.size(),
                        100.0 * static_cast<double>(shared) / static_cast<double>(compared));
  }
  table.notes.push_back({text});
}

void note_paper(WordTable& table) {
  std::vector<std::string> parts;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    size_t shared = 0, printed = 0;
    for (const std::vector<WordCell>& row : table.cells) {
      const WordCell& cell = row[column];
      if (cell.by_seed.empty()) continue;
      const Names paper(cell.paper.begin(), cell.paper.end());
      shared += num_shared(paper, names_in(cell.by_seed.begin()->second));
      printed += paper.size();
    }
    if (printed > 0)
      parts.push_back(fmt::format("{} {} of {}", table.columns[column], shared, printed));
  }
  if (!parts.empty())
    table.notes.push_back({"words of the paper that are ours, too: " + joined(parts)});
}

void note_unknown(WordTable& table) {
  const bool any = std::ranges::any_of(table.rows, [](const WordRow& row) {
    return std::ranges::any_of(row.tokens, [](const AttendedWord& token) { return !token.known; });
  });
  if (any)
    table.notes.push_back(
        {"*: the word is not in the vocabulary; the model reads <unk> in its place"});
}

void write_notes(WordTable& table, const Table& models, const WordTableSpec& spec) {
  note_missing_words(table, models);
  table.notes.push_back({choices_text(models.profile, models.settings)});
  note_marks(table, models);
  note_seeds(table);
  note_paper(table);
  note_unknown(table);
  for (const NoteSpec& note : spec.models.notes) {
    if (applies_to_profile(note, models.profile)) table.notes.push_back({note.text});
  }
}

}  // namespace

bool is_start(const AttendedWord& token) {
  return token.place == 0 && token.word == "<start>";
}

std::string name_of(const AttendedWord& word) {
  if (word.word == ",") return "[comma]";
  return word.word == "." ? "[period]" : word.word;
}

WordTable make_word_table(const WordTableSpec& spec, const Grid& grid, const TrialRecords& records,
                          const ArtifactFiles& files) {
  const Table models = make_table(spec.models, grid, records);
  WordTable table;
  table.name = models.name;
  table.title = models.title;
  table.profile = models.profile;
  table.settings = models.settings;
  static_cast<TrialsToRun&>(table) = models;
  table.num_trials = models.num_trials();
  for (size_t i = 0; i < models.rows.size(); ++i) {
    table.columns.push_back(models.rows[i].label);
    table.trials.push_back(models.cells[i][0].trials);
  }
  const std::vector<Model> read = read_models(models, files, table.not_read);
  for (const WordRowSpec& row : row_specs(spec, read)) {
    for (WordRow& made : word_rows(row, read)) {
      made.is_first = table.rows.empty() || table.rows.back().sentence != made.sentence;
      table.rows.push_back(std::move(made));
      std::vector<WordCell>& cells = table.cells.emplace_back();
      for (const Model& model : read) cells.push_back(word_cell(table.rows.back(), model));
    }
  }
  fill_paper_words(table, spec, grid);
  write_notes(table, models, spec);
  return table;
}

}  // namespace rethink
