// Sentences and their translations, as pieces of one vocabulary for both languages. Facts of such a
// data set, beside those of dataset.h (kind "translations"): "metric": what papers report;
// "metrics": all that are measured, that one first.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/config/options.h"
#include "core/json.h"
#include "datasets/dataset.h"
#include "datasets/translation/sentencepieces.h"
#include "datasets/vocabulary.h"

namespace rethink {

struct TranslationOptions {
  std::string unit = "pieces";
  int64_t vocabulary = 4000;
  bool lowercase = false;
  int64_t max_tokens = 0;
  double max_ratio = 0;
  int64_t max_train_pairs = 0;
  std::vector<std::string> hints = {};

  void fields(Fields& field);
};

/// The lines of a split: `target[i]` is the translation of `source[i]`.
struct ParallelText {
  std::vector<std::string> source, target;
};

/// Returns the lines of two files. Throws TrialError for unequal numbers of lines, or none, and
/// ConfigError for invalid UTF-8.
ParallelText read_parallel(const std::filesystem::path& source,
                           const std::filesystem::path& target);

/// Source of a data set's text, as TextSource (text_dataset.h).
struct TranslationSource {
  std::string name;
  std::vector<std::filesystem::path> files;
  Json options;
  bool is_tokenized;  // words are already separated by spaces, as after Moses' tokenizer
  std::vector<std::string> splits;  // the first is the training split
  std::function<ParallelText(size_t split)> read;
};

struct TranslationSplit {
  std::string name;
  TokenSequences source;                // tokens, end
  TokenSequences target;                // start, tokens, end; as many
  TokenSequences hints;                 // hints of the target's tokens if options.hints name trees
  size_t left_out = 0;                  // pairs beyond a limit on their number
  std::vector<std::string> references;  // lines of whole words; empty for the training split
};

/// Returns the first `count` pairs, or all if there are fewer.
TranslationSplit first_pairs(const TranslationSplit& split, size_t count);

/// Conversion of lines to tokens and back.
struct TranslationLines {
  bool lowercase = false;
  bool is_tokenized = false;                 // words are already separated by spaces
  const Vocabulary* vocabulary = nullptr;    // must outlive it
  std::shared_ptr<SentencePieces> pieces{};  // null if tokens are words

  /// Returns the ids of a line, without start and end.
  std::vector<int32_t> ids(std::string line) const;
  /// Returns the words between spaces that ids() reads, in whole or in part, as the unknown token.
  std::vector<std::string> unknown_words(std::string_view line) const;
  /// Returns the text of ids, without special ids. Words that subword-nmt had cut are joined
  /// (datasets/text/detokenization.h).
  std::string text(std::span<const int32_t> ids) const;
};

class TranslationDataset : public Dataset {
 public:
  /// `tokens` has the splits NAME.source, NAME.target and NAME.target.hints of each of `splits`.
  /// `pieces` is null if tokens are words.
  TranslationDataset(std::string name, bool is_tokenized, std::shared_ptr<TokenDataset> tokens,
                     std::shared_ptr<SentencePieces> pieces, std::vector<TranslationSplit> splits);

  size_t vocabulary_size() const { return tokens_->vocabulary().size(); }
  std::vector<std::string> splits() const override;
  /// Throws TrialError when there is no such split.
  const TranslationSplit& split(const std::string& name) const;
  /// Returns the sentence of these ids.
  std::string text(std::span<const int32_t> ids) const { return lines(false).text(ids); }
  /// `lowercase`: TranslationOptions::lowercase.
  TranslationLines lines(bool lowercase) const {
    return {lowercase, is_tokenized_, &tokens_->vocabulary(), pieces_};
  }
  /// Returns a token as in the vocabulary: "\u2581dog".
  const std::string& token(int32_t id) const { return tokens_->vocabulary().text(id); }
  /// Returns whether BLEU counts the words between spaces, since the texts were tokenized before.
  bool is_tokenized() const { return is_tokenized_; }

 private:
  std::string name_;
  bool is_tokenized_;
  std::shared_ptr<TokenDataset> tokens_;
  std::shared_ptr<SentencePieces> pieces_;
  std::vector<TranslationSplit> splits_;
};

/// Returns the opened cache, and builds it first if it is missing. Pieces are learned from both
/// sides of the training split.
std::shared_ptr<TranslationDataset> open_translations(const TranslationSource& source,
                                                      const TranslationOptions& options,
                                                      const DataFolders& folders);

/// Metrics of translations. The first is the one that papers report.
inline constexpr std::array kTranslationMetrics = {"bleu", "perplexity", "loss"};

/// Returns the facts of every data set of translations: kind, metric, metrics, and the options that
/// name files, `own` beside those of TranslationOptions.
DatasetFacts translation_facts(const std::vector<std::string>& own = {});

}  // namespace rethink
