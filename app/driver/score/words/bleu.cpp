// `rethink score bleu --ref F --hyp F`: BLEU of translations, one sentence per line, as in sacreBLEU (13a, mixed case,
// exponential smoothing) or, with --tokenize none, as in Moses' multi-bleu.perl.
#include "datasets/scores/bleu.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <sstream>
#include <utility>

#include "app/driver/cli/note_report.h"
#include "app/driver/score/scorer.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "core/message.h"
#include "datasets/files/text_lines.h"
#include "datasets/text/detokenization.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

/// Lower case of a text's bytes, as Perl's lc for a file that it does not know to be UTF-8: letters
/// beyond ASCII keep their case.
std::string lower_case_of_bytes(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

/// Changes to each line of both files before its words are counted.
struct Preparation {
  bool is_of_tokens = false;  // --tokenize none
  bool lower = false;
  std::optional<MosesLanguage> language;  // of tokens that are joined to text

  std::string operator()(std::string line) const {
    if (language) line = detokenized(line, *language);
    if (!lower) return line;
    return is_of_tokens ? lower_case_of_bytes(std::move(line)) : lower_case(line);
  }
};

std::optional<MosesLanguage> language_of(const po::variables_map& given) {
  if (!given.count("detokenize")) return std::nullopt;
  const std::string language = given["detokenize"].as<std::string>();
  if (language == "en") return MosesLanguage::english;
  if (language == "de") return MosesLanguage::german;
  throw ConfigError("invalid-argument",
                    fmt::format("--detokenize: got '{}', expected en or de", language));
}

/// Throws ConfigError for invalid options.
Preparation preparation(const po::variables_map& given) {
  const std::string words = given["tokenize"].as<std::string>();
  if (words != "13a" && words != "none")
    throw ConfigError("invalid-argument",
                      fmt::format("--tokenize: got '{}', expected 13a or none", words));
  const Preparation prepared = {.is_of_tokens = words == "none",
                                .lower = given["lowercase"].as<bool>(),
                                .language = language_of(given)};
  if (prepared.is_of_tokens && prepared.language) {
    throw ConfigError(
        "conflicting-arguments",
        "--detokenize puts together the tokens that --tokenize none counts; leave out one of them");
  }
  return prepared;
}

/// Raw lines of other tools, which are not plain translations yet.
struct ToolLines {
  bool (*is_one)(const std::string& line);
  const char *what, *advice;  // {} in the advice is replaced by the file
};

template <typename Rule>
bool has_token(const std::string& line, const Rule& rule) {
  std::istringstream tokens(line);
  for (std::string token; tokens >> token;) {
    if (rule(token)) return true;
  }
  return false;
}

constexpr ToolLines kToolLines[] = {
    {[](const std::string& line) {
       static const std::regex kBegin("^[SDHTP]-[0-9]+\t");
       return std::regex_search(line, kBegin);
     },
     "that begin as fairseq-generate's do, with H-0 and a tab",
     "grep '^H-' {} | LC_ALL=C sort -V | cut -f3- > NEW"},
    {[](const std::string& line) {
       return has_token(line, [](const std::string& token) {
         return token.size() > kPieceMark.size() && token.ends_with(kPieceMark);
       });
     },
     "with pieces of words, marked by subword-nmt's @@", "sed -E 's/@@( |$)//g' {} > NEW"},
    {[](const std::string& line) {
       return has_token(line, [](const std::string& token) { return token.starts_with("\u2581"); });
     },
     "with pieces of words, marked by SentencePiece's \u2581",
     "sed 's/ //g; s/\u2581/ /g; s/^ //' {} > NEW"},
    {[](const std::string& line) {
       return has_token(line, [](const std::string& token) {
         return token == "</s>" || token == "<s>" || token == "<pad>";
       });
     },
     "with a model's marks <s>, </s> or <pad>", "sed -E 's, *<(/?s|pad)>,,g; s/^ //' {} > NEW"}};

/// Notes that at least a tenth of the lines are raw lines of another tool, and how to convert them to text.
void note_tool_lines(const std::string& file, const std::vector<std::string>& lines) {
  for (const ToolLines& tool : kToolLines) {
    const auto count = static_cast<size_t>(std::ranges::count_if(lines, tool.is_one));
    if (count == 0 || 10 * count < lines.size()) continue;
    print_note(Note(
        "tool-lines",
        fmt::format("{}: lines {} ({} of {}) are scored as they are. To score text: "
                    "{}",
                    file, tool.what, count, lines.size(), command_on_file(tool.advice, file))));
  }
}

/// Notes facts that a score hides: lines without a word, and tokens that 13a reads as text.
/// sacreBLEU warns from 100 lines on that end like tokens, but small files have fewer.
void note_lines(const Preparation& prepared, const std::string& file,
                const std::vector<std::string>& lines) {
  const auto has_none = [](const std::string& line) { return trimmed(line).empty(); };
  if (const auto empty = static_cast<size_t>(std::ranges::count_if(lines, has_none)); empty > 0) {
    print_note(
        Note("empty-lines", fmt::format("{}: {} of {} {} empty", file, empty,
                                        counted(lines.size(), "line"), empty == 1 ? "is" : "are")));
  }
  note_tool_lines(file, lines);
  if (prepared.is_of_tokens || prepared.language) return;
  const auto is_tokenized = [](const std::string& line) { return trimmed(line).ends_with(" ."); };
  const auto tokenized = static_cast<size_t>(std::ranges::count_if(lines, is_tokenized));
  if (tokenized < 100 && 2 * tokenized < lines.size()) return;
  print_note(Note(
      "tokenized-lines",
      fmt::format("{}: {} with ' .', as tokenized text does, which 13a tokenizes once more; give "
                  "--detokenize en or de, or --tokenize none",
                  file, counted(tokenized, "line") + (tokenized == 1 ? " ends" : " end"))));
}

class Bleu : public FileScorer {
 public:
  std::string positional() const override {
    return FileScorer::positional() + " [--tokenize 13a|none] [--detokenize en|de] [--lowercase]";
  }

  void declare(po::options_description& options) const override {
    FileScorer::declare(options);
    options.add_options()(
        "tokenize", po::value<std::string>()->value_name("NAME")->default_value("13a"),
        "bleu: 13a: sacreBLEU's words, with exponential smoothing; none: lines are tokens with "
        "spaces between them, and a precision of 0 stays 0 (multi-bleu.perl)")(
        "detokenize", po::value<std::string>()->value_name("LANGUAGE"),
        "bleu: en or de: lines are tokens of Moses' tokenizer in that language; first join them, "
        "in both files")("lowercase", po::bool_switch(),
                         "bleu: ignore case; with --tokenize none only that of ASCII's letters "
                         "(multi-bleu.perl -lc)");
  }

 protected:
  const char* predicted() const override { return "hyp"; }
  Json score(const CommandContext&, const std::string& scorer,
             const po::variables_map& given) const override {
    const std::string reference = require_option(given, scorer, "ref"),
                      file = require_predictions(given, scorer, predicted());
    const std::vector<std::string> truth = read_lines(reference), predicted = read_lines(file);
    if (truth.empty())
      throw ConfigError("empty-file",
                        reference + ": is empty; expected a reference translation in each line");
    if (predicted.empty()) {
      throw ConfigError(
          "empty-file",
          fmt::format("{}: is empty; expected a translation in each line, as many as {} has: {}",
                      file, reference, truth.size()));
    }
    if (truth.size() != predicted.size()) {
      throw ConfigError("wrong-count",
                        fmt::format("{} has {}, expected as many as {} has: {}", file,
                                    counted(predicted.size(), "line"), reference, truth.size()));
    }
    const Preparation prepared = preparation(given);
    note_same_file(reference, file);
    note_lines(prepared, reference, truth);
    note_lines(prepared, file, predicted);
    BleuScore score(prepared.is_of_tokens ? kMultiBleu : kSacreBleu);
    for (size_t i = 0; i < truth.size(); ++i) score.add(prepared(predicted[i]), prepared(truth[i]));
    Json scores = {{"bleu", score.value()},
                   {"brevity_penalty", score.brevity_penalty()},
                   {"predicted_words", score.predicted_words()},
                   {"reference_words", score.reference_words()}};
    const auto precisions = score.precisions();
    for (size_t i = 0; i < precisions.size(); ++i)
      scores[fmt::format("precision_{}", i + 1)] = precisions[i];
    return scores;
  }
};

RETHINK_REGISTERED = add_scorer<Bleu>("bleu", "BLEU of translations, as sacreBLEU and Moses");

}  // namespace
}  // namespace rethink
