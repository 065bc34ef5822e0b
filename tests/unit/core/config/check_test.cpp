#include "core/config/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/options.h"
#include "core/config/registry.h"
#include "core/config/schema.h"
#include "core/json.h"
#include "tests/support/error_codes.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Shape {
  virtual ~Shape() = default;
};
struct RoundOptions {
  double radius = 1.0;
  void fields(Fields& field) { field("radius", radius, "size").above(0); }
};
struct BoxOptions {
  int64_t width = 2, height = 4;
  void fields(Fields& field) {
    field("width", width, "width").min(1);
    field("height", height, "height").max(9);
  }
  static std::vector<Rule> rules() {
    return {at_most("width", "height", "'width' is at most 'height'")};
  }
};

const Registry<Shape>& check_shapes() {
  static Registry<Shape>& made = []() -> Registry<Shape>& {
    static Registry<Shape> registry("check_shape", "shapes");
    registry.add<RoundOptions>({.name = "round", .summary = "a disc"},
                               [](const RoundOptions&) { return std::make_shared<Shape>(); });
    registry.add<BoxOptions>({.name = "box", .summary = "a box"},
                             [](const BoxOptions&) { return std::make_shared<Shape>(); });
    return registry;
  }();
  return made;
}

struct Options {
  bool fast = false;
  int64_t count = 3;
  double rate = 0.5;
  std::string mode = "a", text = "x";
  std::optional<int64_t> steps, epochs;
  std::vector<int64_t> list;
  BoxOptions box{.width = 3};
  Choice<"check_shape", "kind"> shape{.name = "box"};
  void fields(Fields& field) {
    field("fast", fast, "speed");
    field("count", count, "how many").min(1);
    field("rate", rate, "how much").min(0).below(1);
    field("mode", mode, "way").one_of({"a", "bee"});
    field("text", text, "anything");
    field("steps", steps, "updates");
    field("epochs", epochs, "passes");
    field("list", list, "numbers");
    field("box", box, "a box");
    field("shape", shape, "a shape");
  }
  static std::vector<Rule> rules() {
    return {at_most_one_of({"steps", "epochs"}, "one of 'steps' and 'epochs'"),
            at_most("box.width", "count", "no wide boxes").only_where({{"text", "narrow"}})};
  }
};

struct Checked {
  Json value;
  std::string error;
  std::vector<std::string> mistakes;  // "LINE:COLUMN CODE"
};

Checked check(const std::string& text) {
  check_shapes();
  static const Schema schema = schema_of_this_program("test");
  Problems problems;
  Checked checked;
  checked.value =
      check_options(parse_yaml(text, "a.yaml"), describe_options<Options>(), schema, "", problems);
  try {
    problems.throw_if_any();
  } catch (const ConfigError& error) {
    checked.error = error.what();
  }
  checked.mistakes = mistakes_of([&] { problems.throw_if_any(); });
  return checked;
}

TEST(Check, CompletesMissingOptions) {
  const Checked checked = check("{}");
  EXPECT_EQ(checked.error, "");
  EXPECT_EQ(checked.value, (check_shapes(), write_options(Options{})));
  EXPECT_EQ(check("").value, checked.value);
  EXPECT_EQ(checked.value["box"]["width"], 3);  // the outer struct's default, not the inner's
}

TEST(Check, ReadsEachTypeByOurGrammar) {
  const Json value =
      check("{fast: true, count: 7, rate: .25, text: 010, mode: bee, list: [1, -2]}").value;
  EXPECT_EQ(value["fast"], true);
  EXPECT_EQ(value["count"], 7);
  EXPECT_EQ(value["rate"], 0.25);
  EXPECT_EQ(value["text"], "010");
  EXPECT_EQ(value["list"], Json::parse("[1, -2]"));
  EXPECT_TRUE(check("rate: 0").value["rate"].is_number_float());
  EXPECT_EQ(check("rate: 1e-4").value["rate"], 1e-4);
  EXPECT_EQ(check("count: 2e3").value["count"].dump(), "2000");
  EXPECT_EQ(check("list: [-1E+2]").value["list"], Json::parse("[-100]"));
}

TEST(Check, RefusesLookAlikes) {
  EXPECT_THAT(check("fast: yes").error,
              HasSubstr("a.yaml:1:7: error: 'fast': got 'yes', expected true or false"));
  EXPECT_THAT(check("fast: 'true'").error, HasSubstr("got the text 'true'"));
  EXPECT_THAT(check("count: 010").error, HasSubstr("a leading zero looks like octal, remove it"));
  EXPECT_THAT(check("count: 1.0").error, HasSubstr("'count': got '1.0', expected an integer"));
  EXPECT_THAT(check("count: '5'").error, HasSubstr("expected an integer; remove the quotes"));
  EXPECT_THAT(check("count: 99999999999999999999").error,
              HasSubstr("an integer of at most 64 bits"));
  EXPECT_THAT(check("count: 1e30").error, HasSubstr("an integer of at most 64 bits"));
  for (const char* text : {"0x10", "2e-3", "1.5e3", "2e", "2e+", "e3", "2e999", "1e2e3"})
    EXPECT_THAT(check("count: " + std::string(text)).error, HasSubstr("expected an integer"))
        << text;
  for (const char* text : {"1e", "01.5", "nan", ".inf", "1_000", ".", "e5", "--1"}) {
    EXPECT_THAT(check("rate: " + std::string(text)).error,
                HasSubstr("expected a number such as 3, 0.5 or 1e-4"))
        << text;
  }
  EXPECT_THAT(check("rate: 1e999").error, HasSubstr("a number that fits in 64 bits"));
  EXPECT_THAT(check("text: [a]").mistakes, ElementsAre("1:7 invalid-value"));
  EXPECT_THAT(check("list: 3").mistakes, ElementsAre("1:7 invalid-value"));
  EXPECT_THAT(check("list: [1, x]").mistakes, ElementsAre("1:11 invalid-value"));
  EXPECT_THAT(check("box: 3").mistakes, ElementsAre("1:6 invalid-value"));
  EXPECT_THAT(check("[1]").mistakes, ElementsAre("1:1 invalid-value"));
}

TEST(Check, KeepsRangesAndChoices) {
  EXPECT_THAT(check("count: 0").error, HasSubstr("'count': got '0', expected at least 1"));
  EXPECT_THAT(check("count: 0").mistakes, ElementsAre("1:8 invalid-value"));
  EXPECT_THAT(check("rate: 1").mistakes, ElementsAre("1:7 invalid-value"));
  EXPECT_THAT(check("{shape: {kind: round, radius: 0}}").mistakes,
              ElementsAre("1:31 invalid-value"));
  EXPECT_THAT(check("box: {height: 10}").mistakes, ElementsAre("1:15 invalid-value"));
  EXPECT_THAT(check("mode: be").error, HasSubstr("expected one of a, bee; did you mean 'bee'?"));
}

TEST(Check, NamesUnknownKeysAndTheNearestKnown) {
  EXPECT_THAT(
      check("cuont: 3").error,
      HasSubstr(
          "a.yaml:1:1: error: unknown key 'cuont'; did you mean 'count'?; known: fast, count"));
  EXPECT_THAT(check("width: 3").error, HasSubstr("did you mean 'box.width' or 'shape.width'?"));
  EXPECT_THAT(check("box: {widht: 3}").error,
              HasSubstr("unknown key 'box.widht'; did you mean 'box.width'?"));
}

TEST(Check, ReadsAPluginWithItsOwnOptions) {
  EXPECT_EQ(check("shape: {kind: round}").value["shape"],
            Json::parse(R"({"kind": "round", "radius": 1.0})"));
  EXPECT_EQ(check("shape: {width: 1}").value["shape"],
            Json::parse(R"({"kind": "box", "width": 1, "height": 4})"));
  EXPECT_THAT(check("shape: {kind: round, width: 1}").mistakes, ElementsAre("1:22 unknown-key"));
  EXPECT_THAT(check("shape: {kind: rond}").error,
              HasSubstr("unknown check_shape 'rond'; did you mean 'round'?; known: box, round"));
  EXPECT_THAT(check("shape: round").error,
              HasSubstr("'shape': got 'round', expected a map such as {kind: round}"));
  EXPECT_THAT(check("shape: {kind: [a]}").error,
              HasSubstr("'shape.kind': got a list, expected a name"));
}

TEST(Check, AppliesRulesAtEveryDepth) {
  EXPECT_THAT(check("steps: 1\nepochs: 2").error,
              HasSubstr("a.yaml:2:9: error: got steps: 1, epochs: 2; one of 'steps' and 'epochs'"));
  EXPECT_THAT(check("{steps: 1, epochs: null}").mistakes, IsEmpty());
  EXPECT_THAT(check("box: {width: 8}").error,
              HasSubstr("got width: 8, height: 4; 'width' is at most 'height'"));
  EXPECT_THAT(check("shape: {width: 8}").mistakes, ElementsAre("1:16 conflicting-values"));
}

TEST(Check, FindsSeveralProblemsAtOnce) {
  EXPECT_THAT(check("count: x\nrate: y\nbad: 1\n").mistakes,
              ElementsAre("1:8 invalid-value", "2:7 invalid-value", "3:1 unknown-key"));
}

struct NeedsOptions {
  std::string name;
  Choice<"check_shape", "kind"> shape;
  void fields(Fields& field) {
    field("name", name, "what it is called").required();
    field("shape", shape, "which").required();
  }
};

TEST(Check, SaysWhatIsMissing) {
  check_shapes();
  const Schema schema = schema_of_this_program("test");
  Problems problems;
  check_options(parse_yaml("{}", "a.yaml"), describe_options<NeedsOptions>(), schema, "", problems);
  try {
    problems.throw_if_any();
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'name' is missing: what it is called"));
    EXPECT_THAT(
        error.what(),
        HasSubstr("'shape' is missing: which; write shape: {kind: NAME} with one of box, round"));
  }
}

TEST(Check, ABrokenRuleOfABlockHidesNoneAroundIt) {
  const std::string error = check("box: {width: 9, height: 3}\ncount: 2\ntext: narrow\n").error;
  EXPECT_THAT(error, HasSubstr("'width' is at most 'height'"));
  EXPECT_THAT(error, HasSubstr("no wide boxes"));
  EXPECT_THAT(check("box: {width: x}\ncount: 1\ntext: narrow\n").error,
              Not(HasSubstr("no wide boxes")));
}

struct OpenOptions {
  std::map<std::string, int64_t> counts;
  std::map<std::string, JsonValue> settings;
  std::map<std::string, std::string> ways;
  void fields(Fields& field) {
    field("counts", counts, "whole numbers by name");
    field("settings", settings, "anything by name");
    field("ways", ways, "words by name").one_of({"up", "down"});
  }
};

/// Returns the configuration and the messages of options whose keys the user chooses.
std::pair<Json, std::string> checked_open(const std::string& text) {
  Problems problems;
  const OptionsSchema options = describe_options(kOptionsType<OpenOptions>);
  const Json config =
      check_options(parse_yaml(text, "open.yaml", problems), options, Schema{}, "", problems);
  try {
    problems.throw_if_any();
  } catch (const ConfigError& error) {
    return {config, error.what()};
  }
  return {config, ""};
}

TEST(Check, TakesKeysOfTheUsersOwn) {
  EXPECT_EQ(checked_open("{}").first, Json::parse(R"({"counts": {}, "settings": {}, "ways": {}})"));
  EXPECT_EQ(checked_open("counts: {a: 1, b-c: 2}\nways: {x: up}").first,
            Json::parse(R"({"counts": {"a": 1, "b-c": 2}, "settings": {}, "ways": {"x": "up"}})"));
  EXPECT_THAT(checked_open("counts: {a: one}").second,
              HasSubstr("'counts.a': got 'one', expected an integer"));
  EXPECT_THAT(checked_open("counts: [1]").second, HasSubstr("expected a map, {NAME: VALUE}"));
  EXPECT_THAT(checked_open("ways: {x: left}").second, HasSubstr("expected one of up, down"));
}

/// A plain word has the type of its form; quotes make it text.
TEST(Check, TakesAnyValueAndTypesIt) {
  const Json config =
      checked_open("settings: {a: 1, b: 1.0, c: 1e-3, d: true, e: word, f: '1', g: [1, {h: null}]}")
          .first.at("settings");
  EXPECT_EQ(config.dump(),
            R"({"a":1,"b":1.0,"c":0.001,"d":true,"e":"word","f":"1","g":[1,{"h":null}]})");
  EXPECT_THAT(checked_open("settings: {a: 010}").second,
              HasSubstr("a leading zero looks like octal"));
  EXPECT_THAT(
      checked_open("settings: {a: 99999999999999999999}").second,
      HasSubstr(
          "'settings.a': got '99999999999999999999', expected an integer of at most 64 bits"));
}

TEST(Check, ReadsOpenOptionsBackFromTheSchemaAndTheConfiguration) {
  const Json config = checked_open("counts: {a: 1}\nsettings: {b: [x]}").first;
  OpenOptions read;
  read_options(config, &read, kOptionsType<OpenOptions>);
  EXPECT_EQ(read.counts.at("a"), 1);
  EXPECT_EQ(*read.settings.at("b"), Json::parse(R"(["x"])"));
  EXPECT_EQ(write_options(&read, kOptionsType<OpenOptions>), config);
}

}  // namespace
}  // namespace rethink
