#include "core/config/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/check.h"
#include "core/config/options.h"
#include "core/config/registry.h"
#include "core/config/schema.h"
#include "core/facts/attention_facts.h"
#include "core/facts/job_facts.h"
#include "core/json.h"

namespace rethink {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Source {};
struct NoOptions {
  void fields(Fields&) {}
};
struct UnitOptions {
  std::string unit = "word";
  void fields(Fields& field) { field("unit", unit, "of a token"); }
};

/// Registers them as attention variants, since schema.json is read with the facts of these.
void register_sources() {
  static Registry<Source, AttentionFacts> registry("attention", "sources");
  static const bool once = [] {
    registry.add<UnitOptions>({.name = "book",
                               .summary = "text",
                               .facts = {.weights = "text", .leaves = {"train", "dev", "end"}}},
                              [](const UnitOptions&) { return std::make_shared<Source>(); });
    registry.add<NoOptions>(
        {.name = "letter",
         .summary = "to one reader",
         .facts = {.weights = "text", .exceptions = {{"far", "it is held in the hand"}}}},
        [](const NoOptions&) { return std::make_shared<Source>(); });
    registry.add<NoOptions>(
        {.name = "film", .summary = "pictures", .facts = {.weights = "pictures"}},
        [](const NoOptions&) { return std::make_shared<Source>(); });
    return registry.add<NoOptions>({.name = "stream", .summary = "says nothing about its parts"},
                                   [](const NoOptions&) { return std::make_shared<Source>(); });
  }();
  ASSERT_TRUE(once);
}

struct Exception {
  std::vector<int64_t> layers;
  std::optional<int64_t> heads, threes, classes;
  void fields(Fields& field) {
    field("layers", layers, "which").required().not_empty().min(1);
    field("heads", heads, "of these");
    field("threes", threes, "some of the words");
    field("classes", classes, "of these");
  }
};

struct RulesOptions {
  int64_t layers = 2, width = 8, classes = 2, words = 10;
  std::vector<Exception> at;
  std::string keep = "best", metric = "loss";
  std::optional<int64_t> steps, epochs, patience, first, last;
  std::vector<std::string> parts = {"dev"}, names;
  Choice<"attention", "kind"> source{.name = "book"};
  void fields(Fields& field) {
    field("layers", layers, "how many");
    field("width", width, "how wide");
    field("classes", classes, "how many");
    field("words", words, "how many");
    field("at", at, "exceptions");
    field("keep", keep, "which");
    field("metric", metric, "which");
    field("steps", steps, "how long");
    field("epochs", epochs, "how long");
    field("patience", patience, "how long");
    field("first", first, "where");
    field("last", last, "where");
    field("parts", parts, "what is measured");
    field("names", names, "of what there is room for");
    field("source", source, "text");
  }
  static std::vector<Rule> rules() {
    return {exactly_one_of({"steps", "epochs"}, "one says when it ends"),
            at_most("at.layers", "layers", "layers count from 1"),
            divides("at.heads", "width", "heads divide the width"),
            multiple_of(3, "threes", "width", "classes", "they come in threes").of_each("at"),
            has_room_for("names", "classes", "width", "layers", 4, "a name takes 4"),
            at_most(4, "classes", 2, "words", "a class takes 4 words and 2 more are needed"),
            at_most("words", "width", "wide words")
                .only_where({{"metric", "wide"}, {"source.unit", "char"}}),
            needs("first", "last", "a range has two ends"),
            needs_one_of("keep", "best", "parts", {"dev"}, "add dev"),
            needs_one_of("patience", nullptr, "parts", {"dev"}, "patience is measured on dev"),
            needs_one_of("metric", "bits", "source.unit", {"char", "byte"}, "of characters"),
            excludes("metric", "rest", "patience", {0, 1}, "it is given no rest"),
            has_fact("source.kind", "attention", "weights", {"text", nullptr},
                     "one that can be read is needed"),
            has_no_exception("source.kind", "attention", "far", "what is read may be far away"),
            is_declared("parts", "source.kind", "attention", "leaves", "these are its parts")};
  }
};

/// `flag`: a list given as --parts.
std::string rules_error(const std::string& text, const std::string& flag = "") {
  register_sources();
  const Schema schema = schema_of_this_program("test");
  // The schema goes through JSON, since `plan` gets it in this form.
  const OptionsSchema options = describe_options<RulesOptions>();
  Schema all = schema;
  all.plugins["job"]["rules"] = {"job", "rules", "test", 1, options, JobFacts{}};
  const Schema read = schema_from_json(to_json(all));
  Problems problems;
  Yaml given = parse_yaml(text, "a.yaml");
  if (!flag.empty()) {
    const Yaml parts = parse_yaml_of_flag(flag, "--parts " + flag, problems);
    given.entries.push_back({"parts", parts.where, parts});
  }
  check_options(given, read.find("job", "rules")->options, read, "", problems);
  try {
    problems.throw_if_any();
  } catch (const ConfigError& problem) {
    return problem.what();
  }
  return "";
}

TEST(Rules, ALeftOutChoiceIsAskedFor) {
  EXPECT_EQ(rules_error("{steps: 1}"), "");
  EXPECT_EQ(rules_error("{}"),
            "a.yaml:1:1: error: give one of steps, epochs; one says when it ends");
  EXPECT_EQ(rules_error("{epochs: 2, steps: 1}"),
            "a.yaml:1:10: error: got steps: 1, epochs: 2; one says when it ends");
}

TEST(Rules, AValueOfTheCommandLineIsTheMistake) {
  EXPECT_EQ(rules_error("{steps: 1, keep: best}", "[dev]"), "");
  EXPECT_THAT(rules_error("{steps: 1, keep: best}", "[end]"),
              StartsWith("--parts [end]: error: got keep: best, parts: end; add dev"));
  EXPECT_THAT(rules_error("{steps: 1, source: {kind: book}}", "[dev, ende]"),
              StartsWith("--parts [dev, ende]: error: 'parts': got 'ende'"));
  EXPECT_THAT(rules_error("{steps: 1, epochs: 2}", "[dev]"), StartsWith("a.yaml:1:20: error: "));
}

TEST(Rules, AListMeansEachOfItsElements) {
  EXPECT_EQ(rules_error("{steps: 1, at: [{layers: [1]}, {layers: [2], heads: 4}]}"), "");
  EXPECT_EQ(rules_error("{steps: 1, at: [{layers: [1]}, {layers: [2, 3]}]}"),
            "a.yaml:1:45: error: got at.layers: 3, layers: 2; layers count from 1");
  EXPECT_EQ(rules_error("{steps: 1, at: [{layers: [1], heads: 3}]}"),
            "a.yaml:1:38: error: got at.heads: 3, width: 8; heads divide the width");
}

TEST(Rules, AtMostComparesAMultiple) {
  EXPECT_EQ(rules_error("{steps: 1, classes: 2, words: 10}"), "");
  EXPECT_THAT(rules_error("{steps: 1, classes: 2, words: 9}"),
              HasSubstr("1:21: error: got classes: 2, words: 9; a class takes 4 words"));
}

TEST(Rules, APartIsAMultiple) {
  EXPECT_EQ(rules_error("{steps: 1, at: [{layers: [1], threes: 3}]}"), "");  // 3 * 8 / 2
  EXPECT_EQ(rules_error("{steps: 1, at: [{layers: [1], threes: 3}, {layers: [2], threes: 4}]}"),
            "a.yaml:1:65: error: got threes: 4, width: 8, classes: 2; they come in threes");
}

TEST(Rules, AListHasNoMoreElementsThanThereIsRoomFor) {
  EXPECT_EQ(rules_error("{steps: 1, names: [a, b]}"), "");
  EXPECT_EQ(rules_error("{steps: 1, names: [a, b, c]}"),
            "a.yaml:1:26: error: got names: a, b, c, classes: 2, width: 8, layers: 2; a name takes "
            "4: room for 2");
}

TEST(Rules, OfEachElementOfAListItsOwnFieldsComeFirst) {
  EXPECT_EQ(rules_error("{steps: 1, words: 40, at: [{layers: [1], classes: 8, threes: 3}]}"), "");
  EXPECT_THAT(rules_error("{steps: 1, at: [{layers: [1], threes: 4, classes: 8}]}"),
              HasSubstr("got threes: 4, width: 8, classes: 8; they come in threes"));
  EXPECT_THAT(rules_error("{steps: 1, at: [{layers: one, threes: 4}]}"),
              Not(HasSubstr("in threes")));
}

TEST(Rules, AValueNeedsAnother) {
  EXPECT_EQ(rules_error("{steps: 1, keep: best, parts: [end, dev], patience: 2}"), "");
  EXPECT_EQ(rules_error("{steps: 1, keep: last, parts: [end]}"), "");
  EXPECT_EQ(rules_error("{steps: 1, parts: [end]}"),
            "a.yaml:1:20: error: got keep: best, parts: end; add dev");
  EXPECT_THAT(rules_error("{steps: 1, keep: last, parts: [], patience: 3}"),
              HasSubstr("got patience: 3, parts: nothing; patience is measured on dev"));
}

TEST(Rules, AValueRequiresAnotherValue) {
  EXPECT_EQ(rules_error("{steps: 1, first: 2, last: 5}"), "");
  EXPECT_EQ(rules_error("{steps: 1, last: 5}"), "");
  EXPECT_EQ(rules_error("{steps: 1, first: 2}"),
            "a.yaml:1:19: error: got first: 2, last: nothing; a range has two ends");
}

TEST(Rules, OneOfSeveralValuesIsEnough) {
  EXPECT_EQ(rules_error("{steps: 1, metric: bits, source: {kind: book, unit: byte}}"), "");
  EXPECT_THAT(rules_error("{steps: 1, metric: bits}"),
              HasSubstr("got metric: bits, source.unit: word; of characters"));
  EXPECT_THAT(rules_error("{steps: 1, metric: bits, source: {kind: stream}}"),
              HasSubstr("got metric: bits, source.unit: nothing; of characters"));
}

TEST(Rules, APluginDeclaresWhatThereIs) {
  EXPECT_EQ(rules_error("{steps: 1, parts: [dev, emd]}"),
            "a.yaml:1:25: error: 'parts': got 'emd', expected one of train, dev, end; did you mean "
            "'end'?; these "
            "are its parts");
  EXPECT_EQ(rules_error("{steps: 1, parts: [dev, any], source: {kind: stream}}"), "");
}

TEST(Rules, APluginsFactIsOneOfTheValues) {
  EXPECT_EQ(rules_error("{steps: 1, source: {kind: book}}"), "");
  EXPECT_EQ(rules_error("{steps: 1, source: {kind: stream}}"), "");  // null is one of them
  EXPECT_EQ(rules_error("{steps: 1, source: {kind: film}}"),
            "a.yaml:1:27: error: got source.kind: film, whose weights is pictures; one that can be "
            "read is needed: book, letter, stream");
}

TEST(Rules, APluginWithAnExceptionDoesNotSuit) {
  EXPECT_EQ(rules_error("{steps: 1, source: {kind: letter}}"),
            "a.yaml:1:27: error: got source.kind: letter; what is read may be far away: it is held "
            "in the hand");
}

TEST(Rules, AValueExcludesOthers) {
  EXPECT_EQ(rules_error("{steps: 1, metric: rest, patience: 2}"), "");
  EXPECT_EQ(rules_error("{steps: 1, metric: loss, patience: 1}"), "");
  EXPECT_THAT(rules_error("{steps: 1, metric: rest, patience: 1}"),
              HasSubstr("got metric: rest, patience: 1; it is given no rest"));
  EXPECT_THAT(rules_error("{steps: 1, metric: rest}"),
              HasSubstr("got metric: rest, patience: nothing; it is given no rest"));
}

TEST(Rules, ARuleMayBeForSomeValuesOfOtherFieldsOnly) {
  EXPECT_EQ(rules_error("{steps: 1}"), "");
  EXPECT_EQ(rules_error("{steps: 1, metric: wide}"), "");
  EXPECT_EQ(rules_error("{steps: 1, metric: wide, words: 8, classes: 1, source: {unit: char}}"),
            "");
  EXPECT_THAT(rules_error("{steps: 1, metric: wide, source: {unit: char}}"),
              HasSubstr("got words: 10, width: 8; wide words"));
  EXPECT_EQ(rules_error("{steps: 1, metric: wide, source: {kind: stream}}"), "");
}

TEST(Rules, AreLookedAtBesideOtherMistakes) {
  const std::string text =
      rules_error("{steps: 1, width: x, parts: [emd], source: {kind: book}, layerz: 3}");
  EXPECT_THAT(text, HasSubstr("'width': got 'x'"));
  EXPECT_THAT(text, HasSubstr("unknown key 'layerz'"));
  EXPECT_THAT(text, HasSubstr("'parts': got 'emd', expected one of train, dev, end"));
  // Errors that follow from another mistake are not reported.
  EXPECT_THAT(rules_error("{stepz: 1}"), Not(HasSubstr("give one of")));
  EXPECT_THAT(rules_error("{steps: x}"), Not(HasSubstr("give one of")));
}

TEST(Rules, RangesOfAListAreItsElements) {
  EXPECT_THAT(rules_error("{steps: 1, at: [{layers: [0]}]}"),
              HasSubstr("'at[0].layers[0]': got '0', expected at least 1"));
  EXPECT_THAT(rules_error("{steps: 1, at: [{layers: []}]}"),
              HasSubstr("'at[0].layers': got an empty list, expected at least one element"));
}

}  // namespace
}  // namespace rethink
