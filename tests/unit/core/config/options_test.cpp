// Options structs, the registries that read them, and the schema derived from both.
#include "core/config/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/config/configuration.h"
#include "core/config/registry.h"
#include "core/config/schema.h"
#include "core/json.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

struct Color {
  explicit Color(int64_t given) : depth(given) {}
  int64_t depth;
};
struct RedOptions {
  int64_t depth = 8;
  void fields(Fields& field) { field("depth", depth, "bits").min(1).max(16); }
};
struct BlueOptions {
  double tone = 0.5;
  int64_t added_later = 1;
  std::string note;
  void fields(Fields& field) {
    field("tone", tone, "hue").above(0).below(1);
    field("added_later", added_later, "a newer option").absent_means(1);
    field("note", note, "for people").not_hashed();
  }
};
struct Beside {
  bool bright = true;
  void fields(Fields& field) { field("bright", bright, "brightness"); }
};

using Colors = Registry<Color, NoFields, int64_t>;
Colors& option_colors() {
  static Colors& made = []() -> Colors& {
    static Colors colors("option_color", "colors");
    colors.add<RedOptions>({.name = "red", .summary = "warm"},
                           [](const RedOptions& options, int64_t more) {
                             return std::make_shared<Color>(options.depth + more);
                           });
    colors.add<BlueOptions>(
        {.name = "blue", .summary = "cold", .revision = 3},
        [](const BlueOptions&, int64_t more) { return std::make_shared<Color>(more); });
    return colors;
  }();
  return made;
}

struct Paint {
  bool wet = false;
  int64_t layers = 2;
  double price = 1.5;
  std::string label = "x";
  std::optional<int64_t> year;
  std::vector<double> sizes;
  Beside beside;
  std::vector<Beside> many;
  Choice<"option_color", "kind", Beside> color{.name = "red"};
  void fields(Fields& field) {
    field("wet", wet, "state");
    field("layers", layers, "number").min(1);
    field("price", price, "cost");
    field("label", label, "name").one_of({"x", "y"});
    field("year", year, "when");
    field("sizes", sizes, "sizes [cm]");
    field("beside", beside, "more");
    field("many", many, "even more");
    field("color", color, "which");
  }
  static std::vector<Rule> rules() { return {at_most("layers", "price", "few")}; }
};

Schema own_schema() {
  option_colors();
  return schema_of_this_program("build");
}

Json paint(const Json& changes) {
  option_colors();
  Json json = write_options(Paint{});
  json.update(changes);
  return write_options(read_options<Paint>(json));
}

RC_GTEST_PROP(OptionsProperty, WhatIsWrittenReadsBackTheSame, ()) {
  option_colors();
  Paint options;
  options.wet = *rc::gen::arbitrary<bool>();
  options.layers = *rc::gen::arbitrary<int64_t>();
  options.price = static_cast<double>(*rc::gen::arbitrary<int>()) / 7;
  options.label = *rc::gen::string<std::string>();
  if (*rc::gen::arbitrary<bool>()) options.year = *rc::gen::arbitrary<int64_t>();
  for (const int size : *rc::gen::arbitrary<std::vector<int>>())
    options.sizes.push_back(size / 3.0);
  options.many.resize(*rc::gen::inRange<size_t>(0, 4));
  options.color.name = *rc::gen::element<std::string>("red", "blue");
  options.color.common.bright = *rc::gen::arbitrary<bool>();
  const Json json = write_options(options);
  RC_ASSERT(write_options(read_options<Paint>(json)) == json);
}

TEST(Options, AreCompleteAndTyped) {
  const Json json = paint(Json::object());
  EXPECT_EQ(json["color"], Json::parse(R"({"kind": "red", "depth": 8, "bright": true})"));
  EXPECT_EQ(json["year"], nullptr);
  EXPECT_TRUE(json["price"].is_number_float());
  EXPECT_EQ(paint({{"color", {{"kind", "blue"}, {"tone", 0.25}}}})["color"],
            Json::parse(
                R"({"kind": "blue", "tone": 0.25, "added_later": 1, "note": "", "bright": true})"));
}

TEST(Options, RefuseWhatDoesNotFit) {
  const auto message = [](const Json& changes) {
    try {
      paint(changes);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message({{"layers", 2.5}}), HasSubstr("layers: got 2.5, expected an integer"));
  EXPECT_THAT(message({{"wet", 1}}), HasSubstr("wet: got 1, expected true or false"));
  EXPECT_THAT(message({{"price", "1"}}), HasSubstr("expected a number"));
  EXPECT_THAT(message({{"label", 1}}), HasSubstr("expected text"));
  EXPECT_THAT(message({{"sizes", 1}}), HasSubstr("expected a list"));
  EXPECT_THAT(message({{"sizes", {"a"}}}), HasSubstr("sizes[0]: got \"a\", expected a number"));
  EXPECT_THAT(message({{"beside", 1}}), HasSubstr("expected a map of options"));
  EXPECT_THAT(message({{"lable", "x"}}), HasSubstr("unknown key 'lable'; did you mean 'label'?"));
  EXPECT_THAT(message({{"color", {{"kind", "gren"}}}}),
              HasSubstr("unknown option_color 'gren'; known: blue, red"));
  EXPECT_THAT(message({{"color", {{"kind", "red"}, {"tone", 1}}}}),
              HasSubstr("option_color 'red': unknown key 'tone'"));
  EXPECT_THAT(message({{"color", "red"}}), HasSubstr("expected a map with the plug-in's name"));
}

TEST(Registry, MakesAPluginFromItsOptionsAndTheArguments) {
  EXPECT_EQ(option_colors().make("red", {{"depth", 3}}, 4)->depth, 7);
  EXPECT_THROW(option_colors().make("pink", Json::object(), 1), ConfigError);
  EXPECT_THAT(option_colors().names(), ElementsAre("blue", "red"));
  EXPECT_EQ(&find_registry("option_color"), &option_colors());
  EXPECT_THROW(find_registry("none"), ConfigError);
}

TEST(Schema, ReadsBackAsItWasWritten) {
  const Schema schema = own_schema();
  const Json json = to_json(schema);
  EXPECT_EQ(to_json(schema_from_json(json)), json);
  const Schema read = schema_from_json(json);
  const PluginSchema& blue = *read.find("option_color", "blue");
  EXPECT_EQ(blue.revision, 3);
  EXPECT_TRUE(blue.options.find("tone")->exclusive_minimum);
  EXPECT_FALSE(blue.options.find("note")->hashed);
  EXPECT_EQ(blue.options.find("added_later")->absent_means, Json(1));
}

TEST(Schema, RefusesAnotherFormat) {
  EXPECT_THAT([] { schema_from_json({{"format", 99}}); }, ThrowsCode("other-build"));
  EXPECT_THAT(
      [] {
        schema_from_json({{"format", 2}});
      },
      testing::ThrowsMessage<ConfigError>(HasSubstr("build the programs again")));
}

TEST(Schema, LeavesUnhashedOptionsOutOfAnIdentity) {
  const Schema schema = own_schema();
  const OptionsSchema options = describe_options<Paint>();
  const Json blue = paint({{"color", {{"kind", "blue"}, {"note", "n"}}}});
  EXPECT_EQ(hashed_part(blue, options, schema)["color"],
            Json::parse(R"({"kind": "blue", "tone": 0.5, "bright": true})"));
  const Json newer = paint({{"color", {{"kind", "blue"}, {"added_later", 2}}}});
  EXPECT_EQ(hashed_part(newer, options, schema)["color"]["added_later"], 2);
}

TEST(Schema, NotesRevisionsAboveOne) {
  const Schema schema = own_schema();
  const OptionsSchema options = describe_options<Paint>();
  EXPECT_THAT(revisions_used(paint({{"color", {{"kind", "blue"}}}}), options, schema),
              ElementsAre(Pair("option_color/blue", 3)));
  EXPECT_TRUE(revisions_used(paint(Json::object()), options, schema).empty());
}

TEST(Schema, KeepsRulesOfInnerOptions) {
  struct Outer {
    Paint paint;
    void fields(Fields& field) { field("paint", paint, "inner"); }
  };
  option_colors();
  EXPECT_EQ(describe_options<Outer>().fields[0].rules.size(), 1u);
}

}  // namespace
}  // namespace rethink
