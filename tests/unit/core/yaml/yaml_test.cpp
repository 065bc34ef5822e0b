#include "core/yaml/yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_codes.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string yaml_error(const std::string& text) {
  try {
    parse_yaml(text, "a.yaml");
  } catch (const ConfigError& problem) {
    return problem.what();
  }
  return "";
}

std::vector<std::string> yaml_mistakes(const std::string& text) {
  return mistakes_of([&] { parse_yaml(text, "a.yaml"); });
}

TEST(Yaml, KeepsTextOrderAndPlaces) {
  const Yaml root = parse_yaml("b: 010\na: [x, '5', \"6\"]\nc:\n  d: {e: f}\n", "a.yaml");
  EXPECT_THAT(root.keys(), ElementsAre("b", "a", "c"));
  EXPECT_EQ(root.find("b")->scalar, "010");  // not octal
  EXPECT_FALSE(root.find("b")->quoted);
  EXPECT_TRUE(root.find("a")->items[1].quoted);
  const Yaml& inner = *root.find("c")->find("d")->find("e");
  EXPECT_EQ(inner.where.file, "a.yaml");
  EXPECT_EQ(inner.where.line, 4);
  EXPECT_EQ(inner.where.column, 10);
  EXPECT_EQ(root.find("none"), nullptr);
}

TEST(Yaml, KnowsNull) {
  const Yaml root = parse_yaml("a: null\nb: ~\nc:\nd: 'null'\n", "a.yaml");
  EXPECT_TRUE(root.find("a")->is_null());
  EXPECT_TRUE(root.find("b")->is_null());
  EXPECT_TRUE(root.find("c")->is_null());
  EXPECT_EQ(root.find("c")->where.line, 3);  // its key's line, not the next one
  EXPECT_TRUE(root.find("d")->is_scalar());
  EXPECT_TRUE(parse_yaml("", "a.yaml").is_null());
}

TEST(Yaml, RefusesARepeatedKey) {
  EXPECT_THAT(yaml_mistakes("a: 1\nb: {c: 1, c: 2}\n"), ElementsAre("2:11 duplicate-key"));
  EXPECT_THAT(yaml_error("a: 1\nb: {c: 1, c: 2}\n"), HasSubstr("first in line 2"));
}

TEST(Yaml, RefusesMergeKeysAndTags) {
  EXPECT_THAT(yaml_mistakes("a: &x {b: 1}\nc: {<<: *x}\n"), ElementsAre("2:5 unsupported-yaml"));
  EXPECT_EQ(yaml_error("'<<': 1\n"), "");
  EXPECT_EQ(error_code_of([] { parse_yaml("a: !!int 3\n", "a.yaml"); }), "unsupported-yaml");
}

TEST(Yaml, RefusesKeysThatAreNotText) {
  EXPECT_EQ(error_code_of([] { parse_yaml("? [a, b]\n: 1\n", "a.yaml"); }), "invalid-yaml");
  EXPECT_THAT(yaml_error("{: 1}\n"), HasSubstr("a key must be a plain word, got nothing"));
}

TEST(Yaml, CollectsWhatLeavesTheRestReadable) {
  Problems problems;
  const Yaml root =
      parse_yaml("a: 1\na: 2\nb: {c: 3, c: 4, <<: {c: 5, d: 6}}\ne: !!int 7\n", "a.yaml", problems);
  EXPECT_THAT(
      error_codes_of([&] { problems.throw_if_any(); }),
      ElementsAre("duplicate-key", "duplicate-key", "unsupported-yaml", "unsupported-yaml"));
  EXPECT_THAT(root.keys(), ElementsAre("a", "b", "e"));
  EXPECT_EQ(root.find("a")->scalar, "1");
  EXPECT_THAT(root.find("b")->keys(), ElementsAre("c", "d"));  // nothing seems to be missing
  EXPECT_EQ(root.find("b")->find("d")->scalar, "6");
  EXPECT_EQ(root.find("e")->scalar, "7");
  EXPECT_THAT(yaml_mistakes("a: 1\na: 2\nb: \"x\n"),
              ElementsAre("2:1 duplicate-key", "3:4 invalid-yaml"));
}

TEST(Yaml, SaysWhereItIsNotUtf8) {
  TempFolder folder;
  write_text(folder / "a.yaml", "a: 1\nb: caf\xe9\n");
  try {
    read_yaml(folder / "a.yaml");
    FAIL();
  } catch (const ConfigError& problem) {
    EXPECT_THAT(problem.what(), AllOf(HasSubstr("a.yaml:2:7: error: not UTF-8 from here"),
                                      HasSubstr("\n        ^")));
  }
  EXPECT_EQ(yaml_error("b: caf\u00e9\n"), "");
  EXPECT_THAT(yaml_error("\xff\xfe"
                         "a"),
              HasSubstr("a.yaml:1:1: error: not UTF-8"));
}

/// Returns the whole content of a tree, with places.
std::string written_out(const Yaml& node) {
  std::string text = std::to_string(node.where.line) + ":" + std::to_string(node.where.column) +
                     (node.quoted ? "q" : "") + "<" + node.scalar;
  for (const Yaml& item : node.items) text += written_out(item);
  for (const Yaml::Entry& entry : node.entries)
    text += entry.key + "@" + std::to_string(entry.where.column) + written_out(entry.value);
  return text + ">";
}

TEST(Yaml, AByteOrderMarkShiftsNothing) {
  for (const std::string text :
       {"sweep: s\nstages:\n  t: {job: noop, tag: \"x\", steps: 2}\n", "a: 'x', b\n", "a: \"x\n",
        "t:\n  job: noop\n  steps\n", "t:\n  tag: \"x\n  steps: 7\n", "batch 5\n", "a: [1, 2\n", "",
        "a: {b: 1}\nb: *x\n", "'a': 1\n\"b\": '2'\n"}) {
    const std::string mark = "\xEF\xBB\xBF";
    EXPECT_EQ(yaml_error(mark + text), yaml_error(text)) << text;
    if (!yaml_error(text).empty()) continue;
    EXPECT_EQ(written_out(parse_yaml(mark + text, "f")), written_out(parse_yaml(text, "f")))
        << text;
  }
}

TEST(Yaml, RefusesUtf16WithoutItsMark) {
  for (const std::string& text : {std::string("s\0:\0 \0x\0", 8), std::string("\0s\0:\0 \0x", 8),
                                  std::string("s\0\0\0:\0\0\0", 8)})
    EXPECT_THAT(yaml_error(text), HasSubstr("a byte that is 0"));
}

TEST(Yaml, LinesMayEndAsOnAnOldMac) {
  EXPECT_EQ(written_out(parse_yaml("a: 1\rb:\r  c: 'x'\r", "f")),
            written_out(parse_yaml("a: 1\nb:\n  c: 'x'\n", "f")));
  EXPECT_EQ(yaml_error("a: 1\rb: \"x\r"), yaml_error("a: 1\nb: \"x\n"));
}

TEST(Yaml, RefusesALoneReturnAmongOtherLineEnds) {
  const char* const said = "a carriage return without a line feed (\\r)";
  EXPECT_THAT(yaml_error("steps: 2 # c\r    tag: y\nb: 1\n"),
              AllOf(StartsWith("a.yaml:1:13: error: "), HasSubstr(said)));
  for (const char* text : {"a: 1\rb: 2\r\n", "a: 1\n# c\rb: 2", "a: 'x\ry'\n", "a: |\n  x\r  y\n",
                           "\ra: 1\n", "a: 1\nb: 2\r"})
    EXPECT_THAT(yaml_error(text), HasSubstr(said)) << text;
  EXPECT_EQ(written_out(parse_yaml("a: 1\r\nb: [2,\r\n  3]\nc: 4", "f")),
            written_out(parse_yaml("a: 1\nb: [2,\n  3]\nc: 4\n", "f")));
}

TEST(Yaml, ExpandsAliases) {
  const Yaml root = parse_yaml("a: &x [1, 2]\nb: *x\n", "a.yaml");
  EXPECT_EQ(root.find("b")->items.size(), 2u);
}

TEST(Yaml, CapsNestingAndAliasExpansion) {
  EXPECT_EQ(yaml_error(std::string(100, '[') + std::string(100, ']')), "");
  EXPECT_THAT(yaml_error(std::string(101, '[') + std::string(101, ']')),
              HasSubstr("nested deeper than 100 levels"));
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 8; ++i) {
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) bomb += (k ? ", *a" : "*a") + std::to_string(i - 1);
    bomb += "]\n";
  }
  EXPECT_THAT(yaml_error(bomb), HasSubstr("aliases expand to more than 100000 nodes"));
  const std::string text = "a: &a " + std::string(300'000, 'x') + "\nb: [*a";
  std::string copies = text;
  for (int i = 0; i < 20'000; ++i) copies += ", *a";
  EXPECT_THAT(yaml_error(copies + "]\n"),
              AllOf(StartsWith("a.yaml:2:"), HasSubstr("or 4 MiB of text")));
  EXPECT_EQ(yaml_error(text + "]\n"), "");
  std::string anchors = "a: ";  // each anchor keeps everything below it
  for (int i = 0; i < 90; ++i) anchors += "&a" + std::to_string(i) + " [";
  EXPECT_THAT(yaml_error(anchors + std::string(300'000, 'x') + std::string(90, ']') + "\n"),
              HasSubstr("or 4 MiB of text"));
}

TEST(Yaml, RefusesMoreThanAnybodyWrites) {
  std::string dotted = "a";
  for (int i = 0; i < 49; ++i) dotted += ".a";
  EXPECT_EQ(yaml_error(dotted + ": 1\n"), "");
  EXPECT_EQ(yaml_error(dotted + ".a: 1\n"), "a.yaml:1:1: error: a key of more than 50 parts");
  std::string list = "a: [1", map, merged = "a: {";
  for (int i = 0; i < 500'000; ++i) list += ",1";
  EXPECT_THAT(yaml_error(list + "]\n"),
              AllOf(StartsWith("a.yaml:1:"), HasSubstr("more than 500000 keys and values")));
  for (int i = 0; i < 2'000; ++i) map += "a" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(yaml_error(map), "");
  EXPECT_EQ(yaml_error(map + "b: 1\n"), "a.yaml:2001:1: error: a map of more than 2000 keys");
  for (int i = 0; i < 20'000; ++i) merged += "<<: {b: 1}, ";
  EXPECT_THAT(yaml_error(merged + "}\n"), HasSubstr("... and 1981 more"));  // it ends at 2,001
}

TEST(Yaml, SaysWhichQuoteIsNotClosed) {
  EXPECT_THAT(yaml_error("a: 1\nb: \"x\nc: 2\n"),
              HasSubstr("a.yaml:2:4: error: this quote is not closed"));
  EXPECT_THAT(yaml_error("a: 'it''s\n"), HasSubstr("a.yaml:1:4: error: this quote is not closed"));
  EXPECT_THAT(yaml_error("a: {b: \"x}\n"),
              HasSubstr("a.yaml:1:8: error: this quote is not closed"));
  EXPECT_EQ(parse_yaml("a: \"x\\\"\"\n", "a.yaml").find("a")->scalar, "x\"");
  EXPECT_EQ(parse_yaml("a: 'it''s'", "a.yaml").find("a")->scalar, "it's");
  EXPECT_EQ(parse_yaml("\u00e9: \"x\ny\"", "a.yaml").entries.at(0).value.scalar, "x y");
}

TEST(Yaml, GivesThePositionOfInvalidYaml) {
  EXPECT_THAT(yaml_error("a: [1, 2\nb: 3\n"), HasSubstr("a.yaml:"));
  EXPECT_THAT(yaml_error("a: *x\n"), HasSubstr("not valid YAML"));
  EXPECT_THAT(yaml_error("a: 1\n---\nb: 2\n"), HasSubstr("a second document begins here"));
}

TEST(Yaml, RefusesAHugeFileUnread) {
  TempFolder folder;
  write_text(folder / "a.yaml", "a: 1\n");
  std::filesystem::resize_file(folder / "a.yaml", uintmax_t{300} << 20);
  EXPECT_THAT([&] { read_yaml(folder / "a.yaml"); }, ThrowsCode("too-large"));
}

TEST(Yaml, AFileThatCannotBeReadIsTheUsersToFix) {
  TempFolder folder;
  EXPECT_THROW(read_yaml(folder / "none.yaml"), ConfigError);
  EXPECT_THROW(read_yaml(folder.path()), ConfigError);
}

}  // namespace
}  // namespace rethink
