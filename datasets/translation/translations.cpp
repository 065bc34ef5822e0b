#include "datasets/translation/translations.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/files/file.h"
#include "core/json.h"
#include "core/message.h"
#include "datasets/dataset.h"
#include "datasets/files/text_lines.h"
#include "datasets/files/token_cache.h"
#include "datasets/text/detokenization.h"
#include "datasets/text/syntax_hints.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

constexpr const char* kSides[] = {"source", "target"};

/// The tokens of both languages: learned pieces, or counted words.
class Coder {
 public:
  explicit Coder(const TranslationOptions& options) : options_(options) {}

  /// Learns from the training split. Returns the model of pieces; "" for words.
  std::string learn(const ParallelText& text) {
    std::vector<std::string> lines = text.source;
    lines.insert(lines.end(), text.target.begin(), text.target.end());
    if (options_.unit == "pieces") {
      const std::string model = SentencePieces::train(lines, options_.vocabulary);
      pieces_ = std::make_unique<SentencePieces>(model);
      std::vector<std::string> names;
      for (auto id = Vocabulary::kSpecials; id < static_cast<int32_t>(pieces_->size()); ++id)
        names.push_back(pieces_->piece(id));
      vocabulary_ = Vocabulary(names);
      return model;
    }
    VocabularyBuilder counts;
    for (const std::string& line : lines) {
      for (const std::string& word : words_between_spaces(line)) counts.add(word);
    }
    vocabulary_ = counts.build(options_.vocabulary);
    return "";
  }

  /// The text of a line's tokens, given by their ids.
  std::vector<std::string> texts(const std::string& line, const std::vector<int32_t>& ids) const {
    if (!pieces_) return words_between_spaces(line);
    std::vector<std::string> texts;
    for (const int32_t id : ids) texts.push_back(pieces_->piece(id));
    return texts;
  }

  std::vector<int32_t> ids(const std::string& line) const {
    if (pieces_) return pieces_->ids(line);
    std::vector<int32_t> ids;
    for (const std::string& word : words_between_spaces(line)) ids.push_back(vocabulary_.id(word));
    return ids;
  }

  const Vocabulary& vocabulary() const { return vocabulary_; }

 private:
  const TranslationOptions& options_;
  std::unique_ptr<SentencePieces> pieces_;
  Vocabulary vocabulary_;
};

bool is_trained_on(size_t source, size_t target, const TranslationOptions& options) {
  if (source == 0 || target == 0) return false;
  const auto [shorter, longer] = std::minmax(source, target);
  if (options.max_tokens > 0 && longer > static_cast<size_t>(options.max_tokens)) return false;
  return options.max_ratio == 0 ||
         static_cast<double>(longer) <= options.max_ratio * static_cast<double>(shorter);
}

void change_lines(ParallelText& text, std::string (*changed)(std::string_view)) {
  for (std::vector<std::string>* side : {&text.source, &text.target}) {
    for (std::string& line : *side) line = changed(line);
  }
}

/// The hints of a target sentence with its symbols.
void add_hints(PreparedSplit& split, std::vector<std::string> tokens, SyntaxHints& syntax) {
  tokens.insert(tokens.begin(), "");
  tokens.emplace_back();
  const std::vector<int32_t> hints = syntax.of(tokens);
  split.tokens.insert(split.tokens.end(), hints.begin(), hints.end());
  split.end_sequence();
}

/// NAME.source and NAME.target, and with `syntax` NAME.target.hints. Some pairs of the training
/// split are selected.
std::vector<PreparedSplit> prepare(const std::string& name, const ParallelText& text,
                                   const Coder& coder, bool is_training,
                                   const TranslationOptions& options, SyntaxHints* syntax) {
  std::vector<PreparedSplit> sides(syntax ? 3 : 2);
  for (size_t side = 0; side < 2; ++side) sides[side].name = name + "." + kSides[side];
  if (syntax) sides[2].name = sides[1].name + std::string(kHintsEnding);
  const auto most = static_cast<size_t>(options.max_train_pairs);
  for (size_t i = 0; i < text.source.size(); ++i) {
    const std::vector<int32_t> source = coder.ids(text.source[i]),
                               target = coder.ids(text.target[i]);
    if (is_training && !is_trained_on(source.size(), target.size(), options)) continue;
    const bool is_beyond = is_training && most > 0 && sides[0].offsets.size() > most;
    for (size_t side = 0; side < 2; ++side) {
      PreparedSplit& split = sides[side];
      if (is_beyond) {
        ++split.left_out;
        continue;
      }
      const std::vector<int32_t>& ids = side == 0 ? source : target;
      if (side == 1) split.tokens.push_back(Vocabulary::kStart);
      split.tokens.insert(split.tokens.end(), ids.begin(), ids.end());
      split.tokens.push_back(Vocabulary::kEnd);
      split.end_sequence();
    }
    if (syntax && !is_beyond) add_hints(sides[2], coder.texts(text.target[i], target), *syntax);
  }
  return sides;
}

std::string translation_cache_key(const TranslationSource& source,
                                  const TranslationOptions& options, const DataFolders& folders) {
  TranslationOptions text = options;
  text.hints.clear();  // the hints count by their content
  Json identity = {{"format", 2},
                   {"source", source.options},
                   {"text", write_options(text)},
                   {"hints", identity_of_hints(options.hints)}};
  if (options.unit == "pieces") identity["pieces"] = SentencePieces::library_identity();
  return token_cache_key(std::move(identity), source.name,
                         with_hints(source.name, source.files, options.hints, folders), folders);
}

/// The token cache with the model of pieces beside it, which is learned again if it is missing.
class Opener {
 public:
  Opener(const TranslationSource& source, const TranslationOptions& options,
         const DataFolders& folders)
      : source_(source),
        options_(options),
        folders_(folders),
        key_(translation_cache_key(source, options, folders)),
        model_file_(folders.cache / (key_ + ".pieces")) {}

  std::shared_ptr<TranslationDataset> open() {
    const auto tokens = open_token_cache(folders_.cache, key_, [this] { return built(); });
    std::shared_ptr<SentencePieces> pieces;
    if (has_pieces()) {
      if (!std::filesystem::exists(model_file_)) learned(text_of(0));
      pieces = std::make_shared<SentencePieces>(read_file(model_file_));
    }
    std::vector<TranslationSplit> splits;
    for (size_t i = 0; i < source_.splits.size(); ++i) {
      const std::string side = source_.splits[i] + ".";
      const TokenSequences of_source = tokens->sequences(side + kSides[0]);
      splits.push_back({.name = source_.splits[i],
                        .source = of_source,
                        .target = tokens->sequences(side + kSides[1]),
                        .hints = hints_of(*tokens, side + kSides[1]),
                        .left_out = tokens->whole_size(side + kSides[0]) - of_source.size(),
                        .references = {}});
      if (i > 0) splits.back().references = references_of(i);
    }
    return std::make_shared<TranslationDataset>(
        source_.name, source_.is_tokenized || pieces == nullptr, tokens, pieces, std::move(splits));
  }

 private:
  bool has_pieces() const { return options_.unit == "pieces"; }

  TokenSequences hints_of(const TokenDataset& tokens, const std::string& split) const {
    if (options_.hints.empty()) return {};
    return tokens.sequences(split + std::string(kHintsEnding));
  }

  ParallelText text_of(size_t split) const {
    ParallelText text = source_.read(split);
    if (options_.lowercase) change_lines(text, lower_case);
    // Our own pieces are of whole words. In raw text, the mark is an ordinary word.
    if (has_pieces() && source_.is_tokenized) change_lines(text, without_piece_marks);
    return text;
  }

  /// Whole words, as in TranslationDataset::text.
  std::vector<std::string> references_of(size_t split) const {
    std::vector<std::string> lines = text_of(split).target;
    if (has_pieces()) return lines;
    for (std::string& line : lines) line = without_piece_marks(line);
    return lines;
  }

  Coder learned(const ParallelText& training) const {
    Coder coder(options_);
    const std::string model = coder.learn(training);
    if (!model.empty()) write_file_atomically(model_file_, model);
    return coder;
  }

  PreparedData built() const {
    PreparedData data;
    const ParallelText training = text_of(0);
    const Coder coder = learned(training);
    std::optional<SyntaxHints> syntax;
    if (!options_.hints.empty()) syntax.emplace(read_hints(source_.name, options_.hints, folders_));
    for (size_t i = 0; i < source_.splits.size(); ++i) {
      for (PreparedSplit& side : prepare(source_.splits[i], i == 0 ? training : text_of(i), coder,
                                         i == 0, options_, syntax ? &*syntax : nullptr))
        data.splits.push_back(std::move(side));
    }
    data.vocabulary = coder.vocabulary();
    return data;
  }

  const TranslationSource& source_;
  const TranslationOptions& options_;
  const DataFolders& folders_;
  const std::string key_;
  const std::filesystem::path model_file_;
};

}  // namespace

TranslationSplit first_pairs(const TranslationSplit& split, size_t count) {
  TranslationSplit part = split;
  part.source = split.source.first(count);
  part.target = split.target.first(count);
  part.hints = split.hints.first(count);
  part.references.resize(std::min(part.references.size(), count));
  return part;
}

void TranslationOptions::fields(Fields& field) {
  field("unit", unit,
        "what a token is: pieces: learned pieces (SentencePiece, byte-pair encoding), after words "
        "that subword-nmt had cut (bel@@ len) are joined; words: what spaces separate in text that "
        "was tokenized before, so words or pieces of subword-nmt; BLEU counts whole words")
      .one_of({"pieces", "words"});
  field("vocabulary", vocabulary,
        "size of the vocabulary of both languages together [tokens]; pieces include special "
        "tokens, words do not; 0 with words: all")
      .min(0);
  field("lowercase", lowercase, "convert both sides to lower case first");
  field("max_tokens", max_tokens,
        "training pairs with a longer side are left out; 0: no limit [tokens]")
      .min(0);
  field("max_ratio", max_ratio,
        "training pairs are left out if one side has more than this many times the other side's "
        "tokens; 0: no limit")
      .min(0);
  field(
      "max_train_pairs", max_train_pairs,
      "train only on the first pairs; the vocabulary is that of all pairs; 0: train on all [pairs]")
      .min(0);
  // Files count by their content.
  field("hints", hints,
        "dependency trees (CoNLL-U files) of sentences in the translations, for example one file "
        "per split; attention syntax_guided of the decoder learns from them")
      .not_hashed();
}

ParallelText read_parallel(const std::filesystem::path& source,
                           const std::filesystem::path& target) {
  ParallelText text{read_lines(source), read_lines(target)};
  if (text.source.size() != text.target.size()) {
    throw TrialError(
        "wrong-count",
        fmt::format("{} has {}, {} has {}: expected a translation for each, line by line",
                    source.string(), counted(text.source.size(), "line"), target.string(),
                    text.target.size()));
  }
  if (text.source.empty()) throw TrialError("empty-file", source.string() + " is empty");
  return text;
}

TranslationDataset::TranslationDataset(std::string name, bool is_tokenized,
                                       std::shared_ptr<TokenDataset> tokens,
                                       std::shared_ptr<SentencePieces> pieces,
                                       std::vector<TranslationSplit> splits)
    : name_(std::move(name)),
      is_tokenized_(is_tokenized),
      tokens_(std::move(tokens)),
      pieces_(std::move(pieces)),
      splits_(std::move(splits)) {}

std::vector<std::string> TranslationDataset::splits() const {
  return names_of(splits_);
}

const TranslationSplit& TranslationDataset::split(const std::string& name) const {
  return split_named(name, splits_, name_);
}

std::vector<int32_t> TranslationLines::ids(std::string line) const {
  if (lowercase) line = lower_case(line);
  if (pieces) return pieces->ids(is_tokenized ? without_piece_marks(line) : line);
  std::vector<int32_t> ids;
  for (const std::string& word : words_between_spaces(line)) ids.push_back(vocabulary->id(word));
  return ids;
}

std::vector<std::string> TranslationLines::unknown_words(std::string_view line) const {
  std::vector<std::string> unknown;
  for (const std::string& word : words_between_spaces(line)) {
    const std::vector<int32_t> parts = ids(word);
    const bool is_written = word == Vocabulary::kSpecialTexts[Vocabulary::kUnknown];
    if (!is_written && std::ranges::count(parts, Vocabulary::kUnknown) > 0) unknown.push_back(word);
  }
  return unknown;
}

std::string TranslationLines::text(std::span<const int32_t> ids) const {
  if (pieces) return pieces->text(ids);
  std::string text;
  for (const int32_t id : ids) {
    if (id < Vocabulary::kSpecials && id != Vocabulary::kUnknown) continue;
    if (!text.empty()) text += ' ';
    text += vocabulary->text(id);
  }
  return without_piece_marks(text);
}

std::shared_ptr<TranslationDataset> open_translations(const TranslationSource& source,
                                                      const TranslationOptions& options,
                                                      const DataFolders& folders) {
  return Opener(source, options, folders).open();
}

DatasetFacts translation_facts(const std::vector<std::string>& own) {
  std::vector<std::string> options = own;
  options.push_back("hints");
  return {.kind = "translations",
          .metric = kTranslationMetrics.front(),
          .metrics = {kTranslationMetrics.begin(), kTranslationMetrics.end()},
          .file_options = options};
}

}  // namespace rethink
