#include "tests/support/data_stand_ins.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "core/json.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

/// Returns how many examples the split's file has.
size_t rows_of(const std::string& split) {
  return split == "train" ? kStandInTrain : kStandInOther;
}

bool is_labelled(const DatasetFacts& facts, const std::string& split) {
  return std::ranges::count(facts.unlabelled, split) == 0;
}

std::string label_of_row(const DatasetFacts& facts, size_t row) {
  const auto choices = static_cast<size_t>(facts.choices);
  if (!facts.labels.empty()) return facts.labels[row % facts.labels.size()];
  return choices > 1 ? std::to_string(row % choices)
                     : fmt::format("{:.2f}", static_cast<double>(row % 6));
}

/// Returns a table of GLUE with a header, or without one if the facts say so and the split has labels.
/// The column "#1 ID" and the next one determine MRPC's splits.
std::string table_text(const DatasetFacts& facts, const std::string& split, size_t rows) {
  const TableColumns& columns = *facts.columns;
  const bool labelled = is_labelled(facts, split);
  const bool headless = labelled && !columns.without_header.empty();
  std::vector<std::string> names;
  if (headless) {
    names = columns.without_header;
  } else {
    if (labelled) names.push_back(columns.label);
    names.insert(names.end(), {"#1 ID", "#2 ID", columns.index});
    for (const std::string& text : columns.texts) names.push_back(text);
  }
  const auto field = [&](const std::string& name, size_t row) {
    if (name == columns.label) return label_of_row(facts, row);
    if (name == columns.index) return std::to_string(row);
    return name.starts_with('#') ? std::to_string(row)
                                 : fmt::format("{} {} of {}", name, row, split);
  };
  const auto line = [&](const auto& of_column) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : "\t") + of_column(name);
    return text + "\n";
  };
  std::string text = headless ? "" : line([](const std::string& name) { return name; });
  for (size_t row = 0; row < rows; ++row)
    text += line([&](const std::string& name) { return field(name, row); });
  return text;
}

std::string swag_text(const DatasetFacts& facts, const std::string& split, size_t rows) {
  const bool labelled = is_labelled(facts, split);
  std::string text = "sent1,sent2,ending0,ending1,ending2,ending3";
  text += labelled ? ",label\n" : "\n";
  for (size_t row = 0; row < rows; ++row) {
    text += fmt::format("\"First, {0}.\",She,ends {0},stops {0},goes {0},comes {0}", row);
    text += labelled ? "," + label_of_row(facts, row) + "\n" : "\n";
  }
  return text;
}

std::string codah_text(const DatasetFacts& facts, size_t rows) {
  std::string text;
  for (size_t row = 0; row < rows; ++row) {
    text += fmt::format("c\tBegin {0}\tends {0}\tstops {0}\tgoes {0}\tcomes {0}\t{1}\n", row,
                        label_of_row(facts, row));
  }
  return text;
}

/// Returns contexts with letters of two bytes before the answers, whose positions count code points.
/// Every third question has no answer if the facts allow it.
std::string squad_text(const DatasetFacts& facts, const std::string& split, size_t rows) {
  const bool no_answer = facts.no_answer;
  Json paragraphs = Json::array();
  for (size_t row = 0; row < rows; row += 2) {
    Json questions = Json::array();
    for (size_t i = row; i < std::min(row + 2, rows); ++i) {
      Json question = {{"id", fmt::format("{}-{}", split, i)},
                       {"question", fmt::format("What is number {}?", i)},
                       {"answers", Json::array({{{"text", "\u00e9t\u00e9"}, {"answer_start", 4}},
                                                {{"text", "t"}, {"answer_start", 5}}})}};
      const bool impossible = no_answer && i % 3 == 2;
      if (no_answer) question["is_impossible"] = impossible;
      if (impossible) question["answers"] = Json::array();
      questions.push_back(question);
    }
    paragraphs.push_back(
        {{"context", fmt::format("\u00c0 l'\u00e9t\u00e9 {}.", row)}, {"qas", questions}});
  }
  return Json{{"version", "made up"}, {"data", {{{"title", "t"}, {"paragraphs", paragraphs}}}}}
      .dump();
}

/// Returns the ids of rows 0, 5, 10 ... of MRPC's training table.
std::string ids_text(size_t rows) {
  std::string text;
  for (size_t row = 0; row < rows; row += 5) text += fmt::format("{0}\t{0}\n", row);
  return text;
}

constexpr size_t kSentences = 300;  // of a split of running text or translations

std::string lines(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence + "\n";
  return text;
}

std::string stand_in(const DatasetFacts& facts, const std::string& split, const std::string& file) {
  const size_t rows = rows_of(split);
  if (facts.kind == "text" || facts.kind == "translations") {
    const auto sentences = made_up_sentences(kSentences, split == "train" ? 1 : 2);
    return file.ends_with(".conllu") ? made_up_trees(sentences) : lines(sentences);
  }
  if (file.ends_with("dev_ids.tsv")) return ids_text(kStandInTrain);
  if (facts.kind == "documents") return made_up_documents(rows);
  if (file.ends_with(".json")) return squad_text(facts, split, rows);
  if (file.ends_with(".csv")) return swag_text(facts, split, rows);
  return facts.columns ? table_text(facts, split, rows) : codah_text(facts, rows);
}

}  // namespace

std::map<std::string, size_t> write_stand_ins(const DatasetFacts& facts,
                                              const std::filesystem::path& data) {
  std::map<std::string, std::string> written;  // the split whose form a file has
  std::map<std::string, size_t> sizes;
  const auto write_split = [&](const std::string& split, const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      if (file.starts_with('/')) return;  // a package's file
      if (written.emplace(file, split).second)
        write_text(data / file, stand_in(facts, split, file));
    }
    sizes[split] = rows_of(written.at(files.at(0)));
  };
  // The training split is written first, since a dev split of the same file has its form.
  if (facts.files.contains("train")) write_split("train", facts.files.at("train"));
  for (const auto& [split, names] : facts.files) write_split(split, names);
  for (const auto& [option, splits] : facts.files_if) {
    for (const auto& [split, names] : splits) write_split(split, names);
  }
  return sizes;
}

std::vector<std::string> made_up_sentences(size_t count, uint64_t seed) {
  constexpr size_t kWords = 1500;
  uint64_t state = seed;
  const auto draw = [&](size_t below) {  // Knuth's MMIX constants
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>((state >> 33) % below);
  };
  const auto word = [](size_t number) {
    std::string letters;
    for (size_t rest = number + 20; rest > 0; rest /= 20) {
      letters += "bdfgklmnprstvzchjqwx"[rest % 20];
      letters += "aeiou"[(number + rest) % 5];
    }
    return letters;
  };
  std::vector<std::string> sentences;
  for (size_t i = 0; i < count; ++i) {
    std::string sentence;
    const size_t length = 4 + draw(9);
    for (size_t w = 0; w < length; ++w) sentence += word(draw(kWords)) + " ";
    sentences.push_back(sentence + ".");
  }
  return sentences;
}

std::string made_up_trees(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) {
    text += "# text = " + sentence + "\n";
    std::istringstream words(sentence);
    size_t at = 0;
    for (std::string word; words >> word; ++at)
      text += fmt::format("{}\t{}\t_\tX\t_\t_\t{}\t{}\t_\t_\n", at + 1, word, at,
                          at == 0 ? "root" : "dep");
    text += "\n";
  }
  return text;
}

std::string made_up_documents(size_t count) {
  std::string text;
  for (size_t document = 0; document < count; ++document) {
    for (int line = 0; line < 60; ++line)
      text += fmt::format("Sentence {} of document {}.\n", line, document);
    text += "\n";
  }
  return text;
}

}  // namespace rethink
