#include "plots/table/kinds/word_forms.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/json.h"
#include "plots/text_format.h"

namespace rethink {
namespace {

constexpr const char* kNoBreak = "\u00a0";  // keeps a word and its weight on one line

/// With a mark, which a note explains, if the model's vocabulary lacks the word.
std::string shown(const AttendedWord& token, const std::string& name) {
  return token.known ? name : name + "*";
}

/// Without the symbol that starts sequences.
std::string sentence_text(const WordRow& row) {
  std::string text;
  for (const AttendedWord& token : row.tokens) {
    if (is_start(token)) continue;
    const std::string word = shown(token, token.word);
    text += (text.empty() ? "" : " ") + (token.place == row.target ? "[" + word + "]" : word);
  }
  return text;
}

SheetBox attended_words_box(const WordCell& cell) {
  SheetBox box;
  if (cell.by_seed.empty()) {
    box.text = cell.lack;
    box.marked = true;
    return box;
  }
  for (const AttendedWord& word : cell.by_seed.begin()->second) {
    box.text += fmt::format("{}{}{}{}", box.text.empty() ? "" : ", ", shown(word, name_of(word)),
                            kNoBreak, fixed(word.weight, 2));
  }
  return box;
}

Sheet word_sheet(const WordTable& table) {
  Sheet sheet;
  sheet.name = table.name;
  sheet.title = table.title;
  sheet.notes = table.notes;
  sheet.headers = {{"", "sentence"}};
  for (const WordRow& row : table.rows) {
    sheet.labels.push_back(row.label);
    sheet.rows.emplace_back(1).front().text = row.is_first ? sentence_text(row) : "";
  }
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const bool has_paper = std::ranges::any_of(
        table.cells, [&](const auto& row) { return !row[column].paper.empty(); });
    sheet.headers.push_back({"", table.columns[column]});
    if (has_paper) sheet.headers.push_back({"", table.columns[column] + ", paper"});
    for (size_t row = 0; row < table.rows.size(); ++row) {
      const WordCell& cell = table.cells[row][column];
      sheet.rows[row].push_back(attended_words_box(cell));
      if (has_paper) sheet.rows[row].emplace_back().text = joined(cell.paper);
    }
  }
  return in_lines(std::move(sheet));
}

/// A line for each word of each seed and of the paper; one line for a cell without words.
std::string word_lines(const WordTable& table, size_t row, size_t column) {
  const WordCell& cell = table.cells[row][column];
  const WordRow& of = table.rows[row];
  const auto word_line = [&](std::vector<std::string> rest) {
    std::vector<std::string> fields = {table.name,
                                       table.profile,
                                       of.label,
                                       fmt::format("{}", of.sentence),
                                       of.layer == 0 ? "" : fmt::format("{}", of.layer),
                                       table.columns[column]};
    fields.insert(fields.end(), rest.begin(), rest.end());
    return csv_line(fields);
  };
  std::string out;
  if (!cell.lack.empty()) out += word_line({"ours", "", "", "", "", "", cell.lack});
  for (const auto& [seed, words] : cell.by_seed) {
    for (size_t i = 0; i < words.size(); ++i) {
      out += word_line({fmt::format("seed {}", seed), fmt::format("{}", i + 1), words[i].word,
                        words[i].known ? "true" : "false", fmt::format("{}", words[i].place),
                        shortest(words[i].weight), ""});
    }
  }
  for (size_t i = 0; i < cell.paper.size(); ++i)
    out += word_line({"paper", fmt::format("{}", i + 1), cell.paper[i], "", "", "", ""});
  return out;
}

std::string word_csv(const WordTable& table) {
  std::string out =
      "table,profile,row,sentence,layer,column,source,rank,word,known,place,weight,lack\n";
  for (size_t row = 0; row < table.rows.size(); ++row) {
    for (size_t column = 0; column < table.columns.size(); ++column)
      out += word_lines(table, row, column);
  }
  return out;
}

Json words_json(const WordCell& cell) {
  Json by_seed = Json::object();
  for (const auto& [seed, words] : cell.by_seed) {
    Json& list = by_seed[std::to_string(seed)] = Json::array();
    for (const AttendedWord& word : words) {
      list.push_back({{"word", word.word},
                      {"known", word.known},
                      {"place", word.place},
                      {"weight", word.weight}});
    }
  }
  return {{"by_seed", by_seed},
          {"paper", cell.paper.empty() ? Json() : Json(cell.paper)},
          {"lack", cell.lack.empty() ? Json() : Json(cell.lack)}};
}

Json word_json(const WordTable& table) {
  Json rows = Json::array();
  for (size_t row = 0; row < table.rows.size(); ++row) {
    Json cells = Json::array();
    for (const WordCell& cell : table.cells[row]) cells.push_back(words_json(cell));
    const WordRow& of = table.rows[row];
    Json tokens = Json::array();
    for (const AttendedWord& token : of.tokens) tokens.push_back(token.word);
    rows.push_back({{"label", of.label},
                    {"sentence", of.sentence},
                    {"layer", of.layer == 0 ? Json() : Json(of.layer)},
                    {"tokens", tokens},
                    {"target", of.target == 0 ? Json() : Json(of.target)},
                    {"cells", cells}});
  }
  Json columns = Json::array();
  for (size_t i = 0; i < table.columns.size(); ++i)
    columns.push_back({{"label", table.columns[i]}, {"trials", table.trials[i]}});
  return {{"table", table.name},          {"title", table.title},   {"profile", table.profile},
          {"settings", table.settings},   {"columns", columns},     {"rows", rows},
          {"complete", table.complete()}, {"to_run", table.to_run}, {"notes", whole(table.notes)}};
}

}  // namespace

KindTable in_every_form(const WordTable& table) {
  KindTable shown;
  static_cast<TrialsOfKind&>(shown) = table;
  shown.name = table.name;
  shown.sheet = word_sheet(table);
  shown.csv = word_csv(table);
  shown.json = word_json(table);
  return shown;
}

}  // namespace rethink
