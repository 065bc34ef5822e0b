// `rethink score conll --ref F --hyp F`, or only `--hyp F` with the right tags before the predicted
// tags: precision, recall and F1 of entities, in percent, as in conlleval.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/driver/cli/note_report.h"
#include "app/driver/score/scorer.h"
#include "core/json.h"
#include "datasets/labelled/conll_file.h"
#include "datasets/scores/entities.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

std::vector<std::string> words_of(const std::vector<TaggedSentence>& sentences) {
  std::vector<std::string> words;
  for (const TaggedSentence& sentence : sentences)
    words.insert(words.end(), sentence.words.begin(), sentence.words.end());
  return words;
}

/// Throws ConfigError unless both files tag the same words.
void require_same_words(const std::string& reference, const std::vector<TaggedSentence>& truth,
                        const std::string& file, const std::vector<TaggedSentence>& predicted) {
  for (size_t i = 0; i < std::min(truth.size(), predicted.size()); ++i) {
    if (truth[i].words == predicted[i].words) continue;
    if (words_of(truth) == words_of(predicted)) {
      throw ConfigError("words-differ",
                        fmt::format("{}:{}: the sentence at {}:{} ends at another word; put the "
                                    "empty lines of both files between the same words",
                                    file, predicted[i].line, reference, truth[i].line));
    }
    throw ConfigError(
        "words-differ",
        fmt::format("{}:{}: this sentence has other words than {}:{}; expected the same words in "
                    "the same order",
                    file, predicted[i].line, reference, truth[i].line));
  }
  if (truth.size() == predicted.size()) return;
  throw ConfigError("wrong-count",
                    fmt::format("{} has {} sentences, expected as many as {} has: {}", file,
                                predicted.size(), reference, truth.size()));
}

std::set<std::string> types_in(const std::vector<TaggedSentence>& sentences) {
  std::set<std::string> types;
  for (const TaggedSentence& sentence : sentences) {
    for (const Entity& entity : entities_of(sentence.tags)) types.insert(entity.type);
  }
  return types;
}

/// Notes that a reference has two columns of tags, perhaps the right and the predicted tags.
void note_two_taggings(const std::string& reference, const std::vector<TaggedSentence>& last) {
  std::set<std::string> types;
  try {
    types = types_in(read_conll(reference, -1));
  } catch (const ConfigError&) {
    return;  // the column before the last has no tags
  }
  const auto is_there = [&](const std::string& type) { return types.contains(type); };
  if (!std::ranges::any_of(types_in(last), is_there)) return;
  print_note(Note("two-taggings",
                  fmt::format("{}: the last two columns tag the same kinds of entities; the last "
                              "is used as the reference; --ref-column N chooses another",
                              reference)));
}

EntityScore score_of(const std::vector<TaggedSentence>& truth,
                     const std::vector<TaggedSentence>& predicted) {
  EntityScore score;
  for (size_t i = 0; i < truth.size(); ++i) score.add(predicted[i].tags, truth[i].tags);
  return score;
}

/// F1 against the tags in another column of `file`; 0 if that column has no tags, or if the words differ.
double f1_with_column(const std::string& file, int64_t column,
                      const std::vector<TaggedSentence>& other) {
  try {
    const std::vector<TaggedSentence> tagged = read_conll(file, column);
    return words_of(tagged) == words_of(other) && tagged.size() == other.size()
               ? score_of(tagged, other).counts().at("").f1()
               : 0;
  } catch (const ConfigError&) {
    return 0;
  }
}

/// "column 3 of FILE would give F1 87.50: --ref-column 3"; "" if no column gives more than 0.
std::string better_column(const std::string& file, const std::string& option,
                          const std::vector<TaggedSentence>& other) {
  constexpr int64_t kMostColumns = 12;  // CoNLL-U has 10
  std::string found;
  double best = 0;
  for (int64_t column = 2; column <= kMostColumns; ++column) {
    const double f1 = f1_with_column(file, column, other);
    if (f1 <= best) continue;
    best = f1;
    found =
        fmt::format("column {0} of {1} would give F1 {2:.2f}: --{3} {0}", column, file, f1, option);
  }
  return found;
}

/// Types of both sides that differ only in case: "'loc' and 'LOC'"; "" if there are none.
std::string types_of_other_case(const std::set<std::string>& predicted,
                                const std::set<std::string>& right) {
  for (const std::string& one : predicted) {
    for (const std::string& other : right) {
      if (one != other && lower_case(one) == lower_case(other))
        return fmt::format("'{}' and '{}'", one, other);
    }
  }
  return "";
}

/// Notes the probable mistake if no entity is right, although both sides have some.
void note_nothing_right(const std::string& reference, const std::vector<TaggedSentence>& truth,
                        const std::string& file, const std::vector<TaggedSentence>& predicted,
                        bool may_choose_columns) {
  const std::set<std::string> types = types_in(predicted), right = types_in(truth);
  std::string hint;
  if (may_choose_columns && !types.empty())
    hint = better_column(reference, "ref-column", predicted);
  if (may_choose_columns && hint.empty() && !right.empty())
    hint = better_column(file, "hyp-column", truth);
  if (const std::string cases = types_of_other_case(types, right); hint.empty() && !cases.empty())
    hint = fmt::format(
        "kinds of entities are compared as they are written, and {} differ in case "
        "alone; write them alike",
        cases);
  if (!hint.empty())
    print_note(Note("nothing-right", fmt::format("no entity of {} is right; {}", file, hint)));
}

/// The column of the tags; `usual` if the option was not given.
int64_t column_of(const po::variables_map& given, const std::string& option, int64_t usual) {
  if (!given.count(option)) return usual;
  const double column = number_of(given, option);
  if (column < 2 || column > 1000 || column != std::floor(column)) {
    throw ConfigError("invalid-argument",
                      fmt::format("--{}: got '{}', expected a column's number, 2 or more", option,
                                  given[option].as<std::string>()));
  }
  return static_cast<int64_t>(column);
}

class Conll : public FileScorer {
 public:
  std::string positional() const override {
    return "[--ref F] --hyp F [--ref-column N] [--hyp-column N]";
  }
  void declare(po::options_description& options) const override {
    FileScorer::declare(options);
    declare_once(options, "ref-column", "N",
                 "column of --ref with the tags (default: the last; without --ref: the last but "
                 "one of --hyp)");
    declare_once(options, "hyp-column", "N", "column of --hyp with the tags (default: the last)");
  }

 protected:
  const char* predicted() const override { return "hyp"; }
  Json score(const CommandContext&, const std::string& scorer,
             const po::variables_map& given) const override {
    const std::string file = require_predictions(given, scorer, predicted());
    const bool is_one_file = !given.count("ref");  // one file, as in conlleval
    const std::string reference = is_one_file ? file : require_option(given, scorer, "ref");
    const std::vector<TaggedSentence> truth = read_conll(
                                          reference,
                                          column_of(given, "ref-column", is_one_file ? -1 : 0)),
                                      predicted =
                                          read_conll(file, column_of(given, "hyp-column", 0));
    require_same_words(reference, truth, file, predicted);
    const bool is_column_given = given.count("ref-column") || given.count("hyp-column");
    if (!is_one_file && !is_column_given) {
      note_same_file(reference, file);
      note_two_taggings(reference, truth);
    }
    const EntityScore score = score_of(truth, predicted);
    if (score.counts().at("").right == 0)
      note_nothing_right(reference, truth, file, predicted, !is_one_file && !is_column_given);
    Json scores = {{"accuracy", score.accuracy()}};
    for (const auto& [type, counts] : score.counts()) {
      const std::string before = type.empty() ? "" : type + ".";
      scores[before + "precision"] = counts.precision();
      scores[before + "recall"] = counts.recall();
      scores[before + "f1"] = counts.f1();
    }
    return scores;
  }
};

RETHINK_REGISTERED = add_scorer<Conll>("conll", "F1 of entities, as conlleval counts it");

}  // namespace
}  // namespace rethink
