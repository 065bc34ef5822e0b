#include "core/yaml/yaml_mistake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/yaml/lookalike_characters.h"
#include "core/yaml/yaml.h"

namespace rethink {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string mistake_in(const std::string& text) {
  try {
    parse_yaml(text, "a");
  } catch (const ConfigError& problem) {
    return problem.what();
  }
  return "";
}

TEST(YamlMistake, ATabThatIndentsIsNamed) {
  const std::string said = "error: a tab begins this line: indent with spaces";
  EXPECT_EQ(mistake_in("b:\n  c:\n\td: 1\n"), "a:3:1: " + said);
  EXPECT_EQ(mistake_in("b:\n\tc:\n\t\td: 1\n"), "a:2:1: " + said);
  EXPECT_EQ(mistake_in("b: 1\r\n  \tc: 1\r\n"), "a:2:3: " + said);
  EXPECT_EQ(mistake_in("b: [1,\n\t2]\n"), "");  // allowed there
}

TEST(YamlMistake, AKeyWithoutItsColonIsNamedInItsOwnLine) {
  const std::string said = "', expected 'KEY: VALUE': a key needs ': ' after it";
  EXPECT_EQ(mistake_in("b: 1\njob lm  # which\nc: 2\n"), "a:2:1: error: got 'job lm" + said);
  EXPECT_EQ(mistake_in("b:\n  c\n\n    # more\n    d: 1\n"), "a:2:3: error: got 'c" + said);
  EXPECT_EQ(mistake_in("b: 1\nc\n\n"), "a:2:1: error: got 'c" + said);
  EXPECT_EQ(mistake_in("b: {c: 1, d e}\n"), "a:1:11: error: got 'd e" + said);
  EXPECT_EQ(mistake_in("b: 1\nsteps:5\nc: 2\n"),
            "a:2:1: error: got 'steps:5': a space is missing after its ':'");
}

TEST(YamlMistake, APlaceholderWithoutQuotesIsNamedSo) {
  EXPECT_EQ(mistake_in("run: [a.py, {config.lr}]\n"),
            "a:1:14: error: got {config.lr}, which YAML reads as a map without a value: put a "
            "placeholder in quotes, \"{config.lr}\"");
}

TEST(YamlMistake, AKeyThatIsTooLongIsNamedSo) {
  EXPECT_EQ(mistake_in("a:\n  " + std::string(1100, 'x') + ": 1\n"),
            "a:2:3: error: a key of 1100 bytes, expected at most 1024");
}

TEST(YamlMistake, AKeyThatIsTooLongWithinBracketsIsNamedAtItsPlace) {
  const std::string key(1100, 'x'), said = "error: a key of 1100 bytes, expected at most 1024";
  EXPECT_EQ(mistake_in("a: {" + key + ": 1}\n"), "a:1:5: " + said);
  EXPECT_EQ(mistake_in("a: {b: 1, " + key + ": 1}\n"), "a:1:11: " + said);
  EXPECT_EQ(mistake_in("a: [" + key + ": 1]\n"), "a:1:5: " + said);
  EXPECT_EQ(mistake_in("a: {b: 1,\n  " + key + ": 1}\n"), "a:2:3: " + said);
  EXPECT_EQ(mistake_in("a: [b, [ " + key + ": 1]]\n"), "a:1:10: " + said);
  const std::string quoted = "\"" + std::string(1098, 'x') + "\"";
  EXPECT_EQ(mistake_in("a: {" + quoted + ": 1}\n"), "a:1:5: " + said);
}

TEST(YamlMistake, AnOddBlankAtTheEndOfAValueIsASlipUnlessItIsQuoted) {
  const std::string odd = "\u00a0", name = "a no-break space (U+00A0)",
                    advice = "; remove it, or put the value in quotes if it is meant";
  EXPECT_EQ(mistake_in("b: x" + odd + "\n"),
            "a:1:4: error: got 'x" + odd + "', which ends with " + name + advice);
  EXPECT_EQ(mistake_in("b: [c, " + odd + "x]\n"),
            "a:1:8: error: got '" + odd + "x', which begins with " + name + advice);
  EXPECT_EQ(mistake_in("b" + odd + ": 1\n"),
            "a:1:1: error: got 'b" + odd + "', which ends with " + name + advice);
  EXPECT_EQ(mistake_in("b" + odd + ":\n"),
            "a:1:1: error: got 'b" + odd + "', which ends with " + name + advice);
  for (const std::string& quoted : {"\"x" + odd + "\"", "'" + odd + "x'", "x" + odd + "y",
                                    std::string("\"x\\_\""), "|\n  x" + odd}) {
    EXPECT_EQ(mistake_in("b: " + quoted + "\n"), "") << quoted;
  }
}

TEST(YamlMistake, SignsThatLookLikeThoseOfYamlAreNamed) {
  const std::string quotes =
      ", which has typographic quotes around it; write plain quotes, \" or ', instead; to keep "
      "these quotes, put plain ones around the value";
  EXPECT_EQ(mistake_in("b: \u201cx\u201d\n"), "a:1:4: error: got '\u201cx\u201d'" + quotes);
  EXPECT_EQ(mistake_in("b: [\u2018x\u2019]\n"), "a:1:5: error: got '\u2018x\u2019'" + quotes);
  EXPECT_EQ(mistake_in("\u201eb\u201c: 1\n"), "a:1:1: error: got '\u201eb\u201c'" + quotes);
  for (const char* meant : {"b: \"\u201cx\u201d\"\n", "b: say \u201cx\u201d\n", "b: it\u2019s\n"})
    EXPECT_EQ(mistake_in(meant), "") << meant;
  EXPECT_EQ(
      mistake_in("b: 3\u00a0# three\n"),
      "a:1:4: error: got '3\u00a0# three', where a no-break space (U+00A0) is before the #, "
      "so that no comment begins there; write a space instead, or put quotes around the value");
  EXPECT_EQ(mistake_in("b: 3 # a\u00a0# b\n"), "");
  EXPECT_EQ(lookalike_sign_in("steps\uff1a3"),
            "\n  column 6 has a full-width colon (U+FF1A), which is no ':'");
  EXPECT_EQ(lookalike_sign_in("b: [1\uff0c2]"),
            "\n  column 6 has a full-width comma (U+FF0C), which is no ','");
  EXPECT_EQ(lookalike_sign_in("b: \u22123"),
            "\n  column 4 has a minus sign (U+2212), which is no '-'");
  for (const char* meant : {"b: \"x\uff1a\"", "b: 1 # x\uff1a", "b: a \u2013 b", "b: 1"})
    EXPECT_EQ(lookalike_sign_in(meant), "") << meant;
}

TEST(YamlMistake, AValueIsReadWithoutTheBlanksAtItsEnds) {
  Problems problems;
  const Yaml root = parse_yaml("b: \u200b\u00a0 2 \u3000\nc: \"2\u00a0\"\n", "a", problems);
  EXPECT_EQ(problems.size(), 1u);
  EXPECT_EQ(root.find("b")->scalar, "2");
  EXPECT_EQ(root.find("c")->scalar, "2\u00a0");
}

TEST(YamlMistake, AKeyWithoutItsColonIsReadAsItWasMeant) {
  // yaml-cpp gives such a key no value, without an error, if nothing follows.
  Problems problems;
  const Yaml root = parse_yaml("b: {job:lm, steps 5, \"x\": , y : }\nc: 1\nbatch", "a", problems);
  EXPECT_EQ(problems.size(), 3u);
  EXPECT_EQ(root.find("b")->find("job")->scalar, "lm");
  EXPECT_EQ(root.find("b")->find("steps")->scalar, "5");
  EXPECT_TRUE(root.find("b")->find("y")->is_null());
  EXPECT_TRUE(root.find("batch")->is_null());
  EXPECT_EQ(mistake_in("# text\nb: # none\nc : # none\nd\t: # none\n"), "");
  EXPECT_EQ(mistake_in("a: &x b\n*x :\nc: &y d\nz: 1\n*y : # none\n"), "");
}

TEST(YamlMistake, WrongIndentationSaysWhatWasExpected) {
  EXPECT_EQ(mistake_in("b:\n  c:\n    d: 1\n   # x\n   e: 2\n"),
            "a:5:4: error: indented by 3 spaces, expected 2 or 4, as a line above it");
  EXPECT_EQ(mistake_in("b:\n  c:\n    d: 1\n      e: 2\n"),
            "a:4:7: error: indented deeper than line 3, which has its value already: begin both in "
            "column 5");
  EXPECT_EQ(mistake_in("b:\n  - c: 1\n     d: 2\n"),
            "a:3:6: error: indented deeper than line 2, which has its value already: begin both in "
            "column 5");
  EXPECT_EQ(mistake_in(" b: 1\nc: 2\n"),
            "a:2:1: error: indented less than the first line: begin both in the same column");
  EXPECT_EQ(mistake_in("b: 1\n- c\n"),
            "a:2:1: error: a list item stands among keys: a list needs 'KEY:' above its items");
}

TEST(YamlMistake, ASecondColonNeedsQuotes) {
  EXPECT_EQ(mistake_in("b: c: d\n"),
            "a:1:5: error: a second ': ' in one line: put the value in quotes, or what follows the "
            "first on a line of its own, indented");
  EXPECT_THAT(mistake_in("b: {c: d e: f}\n"),
              StartsWith("a:1:11: error: expected ',' or a closing bracket before this"));
  EXPECT_THAT(mistake_in("b: {c: 1, arm:[P3]}\n"),
              StartsWith("a:1:14: error: a space is missing after 'arm:': write 'arm: ['"));
  EXPECT_THAT(mistake_in("b: {arm:{d: 1}}\n"), HasSubstr("a space is missing after 'arm:'"));
}

TEST(YamlMistake, ABracketIsReportedWithItsPosition) {
  EXPECT_EQ(mistake_in("b: {c: [1, 2}\n"),
            "a:1:13: error: got '}', expected ']' for the '[' in column 8");
  EXPECT_EQ(mistake_in("b: [1,\n 2}\n"),
            "a:2:3: error: got '}', expected ']' for the '[' in line 1");
  EXPECT_EQ(mistake_in("b: {c: 1\nd: 2\ne: {f: 3}\n"), "a:1:4: error: this '{' is not closed");
  EXPECT_EQ(mistake_in("b: {c: d, e: [3\n"), "a:1:14: error: this '[' is not closed");
  EXPECT_EQ(mistake_in("b: [1, 2]]\n"), "a:1:10: error: this ']' closes nothing");
  EXPECT_EQ(mistake_in("b: ['it''s [', \"\\\"]\", 1  # ]\nc: 1\n"),
            "a:1:4: error: this '[' is not closed");
  EXPECT_EQ(mistake_in("b: x] {\nc: 1\n"), "");  // plain words
  EXPECT_EQ(mistake_in("[" + std::string(100'000, '[')),
            "a:1:101: error: nested deeper than 100 levels");
  EXPECT_EQ(mistake_in("b: " + std::string(100'000, '{')),
            "a:1:104: error: nested deeper than 100 levels");
}

TEST(YamlMistake, WhatCannotBeginAValueNeedsQuotes) {
  EXPECT_EQ(mistake_in("b: @c\n"), "a:1:4: error: a value cannot begin with '@': put it in quotes");
}

TEST(YamlMistake, OtherwiseTheParsersWordsAndPlaceStay) {
  EXPECT_EQ(mistake_in("b: 1\nc: *\n"), "a:2:5: error: not valid YAML: alias not found after *");
  EXPECT_THAT(mistake_in("b: \"c\" d\ne: 1\n"), HasSubstr("not valid YAML: "));
}

TEST(YamlMistake, InAFlagTheFlagIsThePlace) {
  Problems problems;
  const auto said = [&](const std::string& text) -> std::string {
    try {
      parse_yaml_of_flag(text, "--set x=" + text, problems);
      problems.throw_if_any();
    } catch (const ConfigError& problem) {
      return problem.what();
    }
    return "";
  };
  EXPECT_EQ(said("[1e-3"), "--set x=[1e-3: error: this '[' is not closed");
  problems = {};
  EXPECT_THAT(said("{a: 1, a: 2}"),
              AllOf(StartsWith("--set x={a: 1, a: 2}: error: key 'a' is given twice in one map"),
                    Not(HasSubstr("line"))));
  problems = {};
  EXPECT_THAT(said("\xff"), StartsWith("--set x=\xff: error: not UTF-8 from here"));
}

}  // namespace
}  // namespace rethink
