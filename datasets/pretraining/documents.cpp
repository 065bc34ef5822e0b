#include "datasets/pretraining/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

#include "core/error.h"
#include "core/format/gutenberg_marks.h"
#include "datasets/dataset.h"
#include "datasets/files/text_lines.h"
#include "datasets/tokenizers/sentences.h"
#include "datasets/unicode_text.h"

namespace rethink {

std::vector<std::string> DocumentDataset::splits() const {
  return names_of(splits_);
}

const std::vector<Document>& DocumentDataset::documents(const std::string& split) const {
  return split_named(split, splits_, name_).documents;
}

std::vector<DocumentSplit> hold_out_ends(std::vector<Document> documents, double dev) {
  std::vector<DocumentSplit> splits = {{"train", {}}, {"dev", {}}};
  for (Document& document : documents) {
    const auto size = static_cast<double>(document.size());
    const auto held_out = static_cast<size_t>(size * dev);
    if (held_out >= 2 && held_out < document.size()) {
      const auto begin = document.end() - static_cast<ptrdiff_t>(held_out);
      splits[1].documents.emplace_back(std::make_move_iterator(begin),
                                       std::make_move_iterator(document.end()));
      document.erase(begin, document.end());
    }
    splits[0].documents.push_back(std::move(document));
  }
  return splits;
}

namespace {

/// Lines without white space around them.
std::vector<std::string_view> trimmed_lines(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void add_sentences(std::string_view paragraph, Document& document) {
  for (const std::u32string& sentence : split_sentences(to_code_points(paragraph))) {
    const bool says_something = std::any_of(sentence.begin(), sentence.end(), [](char32_t c) {
      return is_word_character(c) && c != '_';
    });
    if (says_something) document.push_back(to_utf8(sentence));
  }
}

/// Skips an empty document.
void add_document(Document& document, std::vector<Document>& documents) {
  if (!document.empty()) documents.push_back(std::move(document));
  document.clear();
}

std::vector<Document> read_sentence_lines(std::string_view text) {
  std::vector<Document> documents;
  Document document;
  for (const std::string_view line : trimmed_lines(text))
    line.empty() ? add_document(document, documents) : add_sentences(line, document);
  add_document(document, documents);
  return documents;
}

std::vector<Document> read_book(std::string_view text) {
  std::vector<std::string_view> lines = trimmed_lines(text);
  const BookLines book = find_book(lines);
  if (book.next > 0) {
    throw ConfigError(
        "several-books",
        fmt::format(
            "line {} begins a second book of Project Gutenberg, which would be left out; give each "
            "book as a file of its own",
            book.next + 1));
  }
  lines.resize(book.end);
  lines.erase(lines.begin(), lines.begin() + static_cast<ptrdiff_t>(book.begin));
  lines.push_back({});
  std::vector<Document> documents;
  Document document;
  std::string paragraph;
  for (const std::string_view line : lines) {
    if (!line.empty()) {
      paragraph += (paragraph.empty() ? "" : " ") + std::string(line);
      continue;
    }
    std::erase(paragraph, '_');
    if (!paragraph.starts_with("Produced by")) add_sentences(paragraph, document);
    paragraph.clear();
  }
  add_document(document, documents);
  return documents;
}

/// 1 for " = Title = ", 2 for " = = Section = = "; 0 for other lines.
size_t heading_level(std::string_view line) {
  size_t level = 0;
  while (line.starts_with("= ") && line.ends_with(" =") && line.size() > 4) {
    line = line.substr(2, line.size() - 4);
    ++level;
  }
  return level;
}

std::vector<Document> read_wikitext(std::string_view text) {
  std::vector<Document> documents;
  Document document;
  const std::vector<std::string_view> lines = trimmed_lines(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    // Captions of tables look the same, but have other lines around them.
    const bool stands_alone =
        (i == 0 || lines[i - 1].empty()) && (i + 1 == lines.size() || lines[i + 1].empty());
    const size_t level = stands_alone ? heading_level(line) : 0;
    if (level == 1) add_document(document, documents);
    if (level > 0 || line.empty()) continue;
    std::string paragraph(line);
    for (const char* mark : {"-", ",", "."})
      replace_all(paragraph, " @" + std::string(mark) + "@ ", mark);
    replace_all(paragraph, "<unk>", "[UNK]");
    add_sentences(paragraph, document);
  }
  add_document(document, documents);
  return documents;
}

std::vector<Document> read_wikiextractor(std::string_view text) {
  std::vector<Document> documents;
  Document document;
  bool is_title = false;
  for (const std::string_view line : trimmed_lines(text)) {
    if (line.starts_with("<doc ")) {
      add_document(document, documents);
      is_title = true;
    } else if (line != "</doc>" && !line.empty()) {
      if (!is_title) add_sentences(line, document);
      is_title = false;
    }
  }
  add_document(document, documents);
  return documents;
}

using LayoutReader = std::function<std::vector<Document>(std::string_view)>;

const std::map<std::string, LayoutReader>& readers() {
  static const std::map<std::string, LayoutReader> known = {{"lines", read_sentence_lines},
                                                            {"book", read_book},
                                                            {"wikitext", read_wikitext},
                                                            {"wikiextractor", read_wikiextractor}};
  return known;
}

}  // namespace

std::vector<std::string> document_layouts() {
  std::vector<std::string> names;
  for (const auto& [name, reader] : readers()) names.push_back(name);
  return names;
}

std::string layout_of(std::string_view text) {
  const std::vector<std::string_view> lines = trimmed_lines(text);
  const auto first = std::ranges::find_if_not(lines, &std::string_view::empty);
  if (first == lines.end()) return "lines";
  if (first->starts_with("<doc ")) return "wikiextractor";
  if (heading_level(*first) == 1) return "wikitext";
  return find_book(lines).is_book ? "book" : "lines";
}

std::vector<Document> documents_in(std::string_view text, const std::string& layout) {
  const auto found = readers().find(layout);
  RETHINK_ASSERT(found != readers().end(), layout);
  return found->second(text);
}

}  // namespace rethink
