#include "datasets/text/text_dataset.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "datasets/philox_stream.h"
#include "datasets/text/syntax_hints.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

constexpr uint64_t kHeldOutLinesStream = 0x686f6c646f757400;  // "holdout" in ASCII

/// Lines of `text`, each with its newline, which the last line may lack.
std::vector<std::string_view> lines_with_newlines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, text.find('\n') + 1));
    if (lines.back().empty()) lines.back() = text;
    text.remove_prefix(lines.back().size());
  }
  return lines;
}

class Preparer {
 public:
  Preparer(const TextOptions& options, const std::vector<DependencyTree>& trees)
      : options_(options),
        tokenizer_(tokenizers().make(options.tokenizer.name, *options.tokenizer.options)) {
    if (trees.empty()) return;
    if (is_stream()) {
      throw ConfigError(
          "conflicting-values",
          "data.hints goes with protocol lines or sentences: got stream, whose segments cut "
          "sentences");
    }
    syntax_.emplace(trees);
  }

  PreparedData prepare(const std::vector<SplitText>& splits) {
    PreparedData data;
    for (const SplitText& split : splits) {
      const bool is_training = &split == &splits.front();
      data.splits.push_back(split_of(split, is_training));
      if (is_training) {
        data.vocabulary = vocabulary_ = counts_.build(options_.vocabulary);
        const std::vector<int32_t> ids = counts_.final_ids(vocabulary_);
        for (int32_t& token : data.splits.back().tokens) token = ids[static_cast<size_t>(token)];
      }
      if (syntax_) data.splits.push_back(taken_hints(split.name, is_training));
    }
    return data;
  }

 private:
  bool is_word() const { return options_.unit == "word"; }
  bool is_stream() const { return options_.protocol == "stream"; }

  /// Ids of tokens; provisional ids while training text is counted.
  int32_t id_of(std::string_view token, bool counting) {
    if (options_.space_is_unknown && token == " ") return Vocabulary::kUnknown;
    return counting ? counts_.add(token) : vocabulary_.id(token);
  }

  std::vector<int32_t> ids_of(std::string_view line, bool counting) {
    std::vector<int32_t> ids;
    if (is_word()) {
      for (const std::string& word : tokenizer_->tokenize(line))
        ids.push_back(id_of(word, counting));
    } else if (options_.unit == "char") {
      for (const std::string_view character : characters_of(line))
        ids.push_back(id_of(character, counting));
    } else {
      for (size_t at = 0; at < line.size(); ++at)
        ids.push_back(id_of(line.substr(at, 1), counting));
    }
    return ids;
  }

  bool is_long_enough(std::string_view piece) const {
    return options_.min_characters == 0 ||
           count_characters(piece) >= static_cast<size_t>(options_.min_characters);
  }

  std::vector<std::string> pieces_of(std::string_view line) const {
    if (options_.protocol == "sentences") return tokenizer_->sentences(line);
    return {std::string(line)};
  }

  PreparedSplit split_of(const SplitText& source, bool is_training) {
    PreparedSplit split;
    split.name = source.name;
    for (const std::string_view raw_line : lines_with_newlines(source.text)) {
      for (const std::string& piece : pieces_of(raw_line)) {
        if (!is_long_enough(piece)) continue;
        const std::string text = options_.lowercase ? lower_case(piece) : piece;
        is_stream() ? add_to_stream(split, text, is_training)
                    : add_sequence(split, text, is_training);
      }
    }
    if (is_stream()) split = segments_of(split);
    if (is_training) keep_first(split);
    return split;
  }

  void add_to_stream(PreparedSplit& split, std::string_view line, bool counting) {
    const std::vector<int32_t> ids = ids_of(line, counting);
    split.tokens.insert(split.tokens.end(), ids.begin(), ids.end());
    // With characters, the newline itself is a token.
    if (is_word() && options_.end_symbol) split.tokens.push_back(Vocabulary::kEnd);
  }

  void add_sequence(PreparedSplit& split, std::string_view line, bool counting) {
    if (line.ends_with('\n')) line.remove_suffix(1);
    std::vector<int32_t> ids = ids_of(line, counting);
    if (ids.empty()) return;
    if (options_.max_tokens > 0 && ids.size() > static_cast<size_t>(options_.max_tokens)) {
      ids.resize(static_cast<size_t>(options_.max_tokens));
    }
    if (ids.size() + options_.start_symbol + options_.end_symbol < 2) return;  // nothing to predict
    if (syntax_) add_hints(line, ids.size());
    if (options_.start_symbol) split.tokens.push_back(Vocabulary::kStart);
    split.tokens.insert(split.tokens.end(), ids.begin(), ids.end());
    if (options_.end_symbol) split.tokens.push_back(Vocabulary::kEnd);
    split.end_sequence();
  }

  /// For a sequence with the first `count` tokens of the line.
  void add_hints(std::string_view line, size_t count) {
    std::vector<std::string> tokens = tokens_of(line, options_.unit, *tokenizer_);
    tokens.resize(count);
    if (options_.start_symbol) tokens.insert(tokens.begin(), "");
    if (options_.end_symbol) tokens.emplace_back();
    const std::vector<int32_t> of_tokens = syntax_->of(tokens);
    hints_.tokens.insert(hints_.tokens.end(), of_tokens.begin(), of_tokens.end());
    hints_.end_sequence();
  }

  PreparedSplit taken_hints(const std::string& split, bool is_training) {
    hints_.name = split + std::string(kHintsEnding);
    if (is_training) keep_first(hints_);
    return std::exchange(hints_, {});
  }

  /// A stream, cut so that each token except the first is predicted exactly once.
  PreparedSplit segments_of(const PreparedSplit& stream) const {
    PreparedSplit split;
    split.name = stream.name;
    const auto length = static_cast<size_t>(options_.stream_length);
    split.tokens.reserve(stream.tokens.size() + stream.tokens.size() / length + 1);
    for (size_t begin = 0; begin + 1 < stream.tokens.size(); begin += length) {
      const size_t end = std::min(stream.tokens.size(), begin + length + 1);
      split.tokens.insert(split.tokens.end(), stream.tokens.begin() + static_cast<ptrdiff_t>(begin),
                          stream.tokens.begin() + static_cast<ptrdiff_t>(end));
      split.end_sequence();
    }
    return split;
  }

  void keep_first(PreparedSplit& split) const {
    const auto most = static_cast<size_t>(options_.max_train_sequences);
    if (most == 0 || split.offsets.size() - 1 <= most) return;
    split.left_out = split.offsets.size() - 1 - most;
    split.offsets.resize(most + 1);
    split.tokens.resize(split.offsets.back());
  }

  const TextOptions& options_;
  std::shared_ptr<Tokenizer> tokenizer_;
  VocabularyBuilder counts_;
  Vocabulary vocabulary_;
  std::optional<SyntaxHints> syntax_;
  PreparedSplit hints_;  // of the current split
};

std::string text_cache_key(const TextSource& source, const TextOptions& options,
                           const DataFolders& folders) {
  TextOptions text = options;
  text.hints.clear();  // the hints count by their content
  return token_cache_key(
      {{"format", 2},
       {"tokenizer_revision", tokenizers().schema(options.tokenizer.name).revision},
       {"source", source.options},
       {"text", write_options(text)},
       {"hints", identity_of_hints(options.hints)}},
      source.name, with_hints(source.name, source.files, options.hints, folders), folders);
}

}  // namespace

std::vector<SplitText> hold_out_lines(std::string_view text, double dev, double test,
                                      uint64_t seed) {
  std::vector<SplitText> splits = {{"train", ""}, {"dev", ""}, {"test", ""}};
  PhiloxStream random({seed, kHeldOutLinesStream});
  while (!text.empty()) {
    const size_t newline = text.find('\n');
    const size_t length = newline == std::string_view::npos ? text.size() : newline + 1;
    const double draw = random.uniform();
    splits[draw < dev ? 1 : draw < dev + test ? 2 : 0].text += text.substr(0, length);
    text.remove_prefix(length);
  }
  return splits;
}

std::vector<SplitText> hold_out_tail(const std::vector<std::string>& pieces, double dev,
                                     double test) {
  const auto count = static_cast<double>(pieces.size());
  const auto test_begin = static_cast<size_t>(std::lround(count * (1 - test)));
  const auto dev_begin = static_cast<size_t>(std::lround(count * (1 - test - dev)));
  std::vector<SplitText> splits = {{"train", ""}, {"dev", ""}, {"test", ""}};
  for (size_t index = 0; index < pieces.size(); ++index) {
    splits[index < dev_begin ? 0 : index < test_begin ? 1 : 2].text += pieces[index];
  }
  return splits;
}

DatasetFacts text_facts(const std::string& metric, const std::vector<std::string>& own) {
  std::vector<std::string> options = own;
  options.push_back("hints");
  return {.kind = "text", .metric = metric, .file_options = options};
}

PreparedData prepare_text(const std::vector<SplitText>& splits, const TextOptions& options,
                          const std::vector<DependencyTree>& trees) {
  return Preparer(options, trees).prepare(splits);
}

std::shared_ptr<TokenDataset> open_text(const TextSource& source, const TextOptions& options,
                                        const DataFolders& folders) {
  return open_token_cache(folders.cache, text_cache_key(source, options, folders), [&] {
    return prepare_text(source.read(), options, read_hints(source.name, options.hints, folders));
  });
}

}  // namespace rethink
