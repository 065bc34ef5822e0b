#include "experiments/plan/training_text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace rethink {
namespace {

constexpr size_t kMostBytesRead = 16 << 20;

/// The rules that determine the length of a sequence.
struct SequenceRule {
  bool of_words = true, of_bytes = false;  // else of characters
  bool are_lines = true;                   // else a tokenizer or a stream decides
  bool in_columns = false;                 // CoNLL-U: a word a line, an empty line after a sentence
  double longest = 0;                      // [tokens]
  double cut = std::numeric_limits<double>::infinity();  // longer lines are cut [tokens]
  double least_characters = 0;
  double most_sequences = std::numeric_limits<double>::infinity();
};

std::string text_of_option(const Json& options, const char* name) {
  const auto found = options.find(name);
  return found != options.end() && found->is_string() ? found->get<std::string>() : "";
}

/// 0 if the option is missing or no number.
double number_of_option(const Json& options, const char* name) {
  const auto found = options.find(name);
  return found != options.end() && found->is_number() ? found->get<double>() : 0;
}

double limit_of_option(const Json& options, const char* name) {
  const double limit = number_of_option(options, name);
  return limit > 0 ? limit : std::numeric_limits<double>::infinity();
}

bool is_blank_in_text(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

size_t words_in(std::string_view line) {
  size_t words = 0;
  for (size_t i = 0; i < line.size(); ++i)
    words += !is_blank_in_text(line[i]) && (i == 0 || is_blank_in_text(line[i - 1]));
  return words;
}

size_t characters_in(std::string_view line) {
  return static_cast<size_t>(
      std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Whether a line of CoNLL-U is a word, not a comment, a range of words or an empty node.
bool is_word_line(std::string_view line) {
  const std::string_view id = line.substr(0, line.find('\t'));
  return id.size() < line.size() && !id.empty() &&
         std::ranges::all_of(id, [](unsigned char c) { return std::isdigit(c) != 0; });
}

class TextCounter {
 public:
  explicit TextCounter(const SequenceRule& rule) : rule_(rule) {}

  /// Returns false if no further sequence counts.
  bool add(std::string_view line) {
    if (rule_.in_columns) {
      if (is_word_line(line)) ++words_of_sentence_;
      if (!line.empty() || words_of_sentence_ == 0) return true;
      add_sequence(std::exchange(words_of_sentence_, 0));
    } else if (static_cast<double>(characters_in(line) + 1) >= rule_.least_characters) {
      const size_t tokens = rule_.of_words   ? words_in(line)
                            : rule_.of_bytes ? line.size()
                                             : characters_in(line);
      if (tokens > 0) add_sequence(static_cast<double>(tokens));
    }
    return sequences_ < rule_.most_sequences;
  }

  TrainingText text() const { return text_; }

 private:
  void add_sequence(double tokens) {
    ++sequences_;
    text_.sequences = sequences_;
    if (rule_.are_lines) tokens = std::min(tokens, rule_.cut);
    text_.tokens += tokens;
    text_.pairs += tokens * (rule_.are_lines ? tokens : rule_.longest);
  }

  const SequenceRule& rule_;
  TrainingText text_;
  double words_of_sentence_ = 0;
  double sequences_ = 0;
};

std::optional<TrainingText> counted_text(const std::filesystem::path& file,
                                         const SequenceRule& rule) {
  std::error_code missing;
  const auto bytes = static_cast<double>(std::filesystem::file_size(file, missing));
  std::ifstream in(file, std::ios::binary);
  if (missing || !in) return std::nullopt;
  TextCounter counter(rule);
  double read = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.find('\0') != std::string::npos) return std::nullopt;  // packed
    read += static_cast<double>(line.size() + 1);
    if (!counter.add(line)) return counter.text();
    if (read >= kMostBytesRead) break;
  }
  TrainingText text = counter.text();
  if (read > 0 && read < bytes) {
    text.tokens *= bytes / read;
    text.pairs *= bytes / read;
    text.sequences *= bytes / read;
  }
  return text;
}

/// As if all lines had the mean length.
std::optional<TrainingText> packed_text(const PackedText& packed, const SequenceRule& rule,
                                        const std::string& split) {
  const double share = split == "train"  ? 1 - packed.dev - packed.test
                       : split == "dev"  ? packed.dev
                       : split == "test" ? packed.test
                                         : 0;
  if (share <= 0 || packed.lines <= 0) return std::nullopt;
  const auto units = static_cast<double>(rule.of_words ? packed.words : packed.characters);
  const double length = units / static_cast<double>(packed.lines),
               cut = rule.are_lines ? std::min(length, rule.cut) : length;
  const double lines = std::min(share * static_cast<double>(packed.lines), rule.most_sequences);
  return TrainingText{.tokens = lines * cut,
                      .pairs = lines * cut * (rule.are_lines ? cut : rule.longest),
                      .sequences = lines};
}

/// Whether the splits are shares of the same files: other splits have no files of their own.
bool shares_files(const DatasetFacts& dataset, const Json& data) {
  const bool is_text = dataset.kind == "text", has_own_files = dataset.files.contains("train");
  return has_own_files ? is_text && dataset.files.size() == 1
                       : !text_of_option(data, "path").empty();
}

/// The files of a split: those of the data set, else those that options name.
std::vector<std::string> files_of_split(const DatasetFacts& dataset, const Json& data,
                                        const std::string& split) {
  const std::string named = shares_files(dataset, data) ? "train" : split;
  if (const auto own = dataset.files.find(named); own != dataset.files.end()) return own->second;
  std::vector<std::string> files;
  for (const std::string& option : {std::string("path"), named + "_source", named + "_target"}) {
    if (!std::ranges::count(dataset.file_options, option)) continue;
    if (const std::string file = text_of_option(data, option.c_str()); !file.empty())
      files.push_back(file);
  }
  return files;
}

SequenceRule sequence_rule(const DatasetFacts& dataset, const Json& data, double longest) {
  SequenceRule rule{.longest = longest};
  const std::string unit = text_of_option(data, "unit"),
                    protocol = text_of_option(data, "protocol");
  rule.of_words = unit != "char" && unit != "byte";
  rule.of_bytes = unit == "byte";
  // Where the splits share the data set's file, the data set itself may cut it into sentences.
  const bool cuts_itself = dataset.files.contains("train") && shares_files(dataset, data);
  rule.are_lines = protocol != "stream" && protocol != "sentences" &&
                   (!cuts_itself || dataset.packed.has_value());
  rule.cut = limit_of_option(data, "max_tokens");
  rule.least_characters = number_of_option(data, "min_characters");
  rule.most_sequences = std::min(limit_of_option(data, "max_train_sequences"),
                                 limit_of_option(data, "max_train_pairs"));
  return rule;
}

std::optional<TrainingText> training_text(const DatasetFacts& dataset, const Json& data,
                                          double longest, const std::filesystem::path& folder,
                                          const std::string& split) {
  if (dataset.kind != "text" && dataset.kind != "translations") return std::nullopt;
  const bool is_train = split == "train";
  SequenceRule rule = sequence_rule(dataset, data, longest);
  if (!is_train) rule.most_sequences = std::numeric_limits<double>::infinity();
  if (dataset.packed) return packed_text(*dataset.packed, rule, split);
  const std::vector<std::string> files = files_of_split(dataset, data, split);
  if (files.empty()) return std::nullopt;
  const double of_others = number_of_option(data, "dev") + number_of_option(data, "test");
  const double part = is_train                      ? 1 - of_others
                      : shares_files(dataset, data) ? number_of_option(data, split.c_str())
                                                    : 1;
  if (part <= 0) return std::nullopt;
  if (is_train) rule.most_sequences /= part;
  TrainingText sum;
  for (const std::string& name : files) {
    const std::filesystem::path file = folder / name;
    rule.in_columns = file.extension() == ".conllu";
    const auto text = file.is_absolute() ? counted_text(file, rule) : std::nullopt;
    if (!text) return std::nullopt;
    // A sentence and its translation are two files; the mean of both stands for the pair.
    const double share = 1 / static_cast<double>(files.size());
    sum.tokens += share * text->tokens;
    sum.pairs += share * text->pairs;
    sum.sequences += share * text->sequences;
  }
  return TrainingText{
      .tokens = part * sum.tokens, .pairs = part * sum.pairs, .sequences = part * sum.sequences};
}

}  // namespace

std::optional<TrainingText> TrainingTexts::of(const DatasetFacts& dataset, const Json& data,
                                              double longest, const std::string& split) {
  const auto [place, is_new] =
      known_.try_emplace(split + data.dump() + " " + std::to_string(longest), std::nullopt);
  if (is_new) place->second = training_text(dataset, data, longest, folder_, split);
  return place->second;
}

}  // namespace rethink
