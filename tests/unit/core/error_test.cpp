#include "core/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/problems.h"
#include "tests/support/error_codes.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Lt;
using ::testing::SizeIs;

std::string text_of(const Problems& problems) {
  try {
    problems.throw_if_any();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(MessageCode, IsOfLowerCaseWordsJoinedByHyphens) {
  EXPECT_EQ(MessageCode("unknown-key").text(), "unknown-key");
  EXPECT_EQ(MessageCode("not-utf8").text(), "not-utf8");
  EXPECT_EQ(TrialError("no-value", "text").code(), MessageCode("no-value"));
  EXPECT_NE(MessageCode("no-value"), MessageCode("unknown-key"));
}

TEST(Problems, KeepTheirCodesThroughAnotherCollection) {
  Problems inner, outer;
  inner.add({"a.yaml", 4, 2}, "unknown-key", "unknown key 'x'");
  inner.add({"a.yaml", 2, 7}, "invalid-value", "got 'x'");
  outer.take(inner, "profile 'small': ");
  EXPECT_EQ(mistakes_of([&] { outer.throw_if_any(); }),
            (std::vector<std::string>{"2:7 invalid-value", "4:2 unknown-key"}));
  EXPECT_EQ(error_code_of([&] { outer.throw_if_any(); }), "invalid-value");
  EXPECT_TRUE(outer.has_unknown_key("a.yaml"));
  EXPECT_FALSE(outer.has_unknown_key("b.yaml"));
}

TEST(Problems, AreNoneAtFirst) {
  Problems problems;
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(text_of(problems), "");
}

TEST(Problems, ShowTheLineAndACaretUnderTabsAndWideLetters) {
  TempFolder folder;
  const std::string file = (folder / "a.yaml").string();
  write_text(file, "first\n\t\xc3\xa9: bad\n");
  Problems problems;
  problems.add({file, 2, 6}, "invalid-value", "this is wrong");
  EXPECT_EQ(text_of(problems), file + ":2:6: error: this is wrong\n  \t\xc3\xa9: bad\n  \t   ^");
}

TEST(Problems, ShowTheLineOfAFileWithMarks) {
  const TempFolder folder;
  const auto excerpt = [&](const std::string& text, int line) {
    write_text(folder / "f", text);
    Problems problems;
    problems.add({(folder / "f").string(), line, 1}, "invalid-value", "wrong");
    const std::string said = text_of(problems);
    return said.substr(said.find("wrong"));
  };
  EXPECT_EQ(excerpt("\xEF\xBB\xBFone\ntwo\n", 1), "wrong\n  one\n  ^");
  EXPECT_EQ(excerpt("\xEF\xBB\xBFone\ntwo\n", 2), "wrong\n  two\n  ^");
  EXPECT_EQ(excerpt("one\rtwo\r", 2), "wrong\n  two\n  ^");
  EXPECT_EQ(excerpt("one\r\ntwo\r\n", 1), "wrong\n  one\n  ^");
  EXPECT_EQ(excerpt("one\r\ntwo\r\n", 2), "wrong\n  two\n  ^");
  EXPECT_EQ(excerpt("one\r\ntwo\r", 2), "wrong\n  two\n  ^");
  EXPECT_EQ(excerpt("one", 1), "wrong\n  one\n  ^");
  EXPECT_EQ(excerpt("one\n", 3), "wrong");
}

TEST(Problems, NameALetterThatLooksLikeASpaceOrLikeNothing) {
  const TempFolder folder;
  const auto last_line = [&](const std::string& text) {
    write_text(folder / "f", text + "\n");
    Problems problems;
    problems.add({(folder / "f").string(), 1, 1}, "invalid-value", "wrong");
    const std::string said = text_of(problems);
    return said.substr(said.rfind('\n') + 1);
  };
  EXPECT_EQ(last_line("a: b"), "  ^");
  EXPECT_EQ(last_line("a:\u00a0b\u200b"),
            "  column 3 has a no-break space (U+00A0), which is no space");
  EXPECT_EQ(last_line("\u200ba:\u3000b"),
            "  column 1 has a zero-width space (U+200B), which cannot be seen");
}

TEST(Problems, ShowTheLineAroundTheColumnAlone) {
  TempFolder folder;
  const std::string file = (folder / "a.yaml").string(), e = "\xc3\xa9";
  std::string before, shown;
  for (int i = 0; i < 1000; ++i) before += e;
  for (int i = 0; i < 55; ++i) shown += e;
  write_text(file, before + "!" + before + "\n");
  Problems problems;
  problems.add({file, 1, 2001}, "invalid-value", "this is wrong");
  EXPECT_EQ(text_of(problems), file + ":1:2001: error: this is wrong\n  ..." + shown + "!" +
                                   shown.substr(0, 54 * e.size()) + "...\n  " +
                                   std::string(58, ' ') + "^");
}

TEST(Errors, KeepTheirTextBehindAZeroByte) {
  const std::string text("got 'a\0b\0', expected text", 25);
  EXPECT_STREQ(ConfigError("invalid-value", text).what(), "got 'a\\x00b\\x00', expected text");
  EXPECT_STREQ(MachineError("file-error", text).what(), "got 'a\\x00b\\x00', expected text");
}

TEST(Problems, StandInTheOrderOfTheirFiles) {
  Problems problems;
  problems.add({"b.yaml", 10, 3}, "invalid-value", "third");
  problems.add({"a.yaml", 2, 1}, "invalid-value", "fifth");
  problems.add({"b.yaml", 9, 3}, "invalid-value", "second");
  problems.add({"b.yaml"}, "invalid-value", "first of all");
  problems.add({"b.yaml", 10, 20}, "invalid-value", "fourth");
  problems.add({"--set a: b=1"}, "invalid-value", "sixth");
  EXPECT_EQ(text_of(problems),
            "b.yaml: error: first of all\nb.yaml:9:3: error: second\nb.yaml:10:3: error: third\n"
            "b.yaml:10:20: error: fourth\na.yaml:2:1: error: fifth\n--set a: b=1: error: sixth");
}

TEST(Problems, CutWordsThatNobodyReads) {
  Problems problems;
  problems.add({}, "invalid-value", "unknown key '" + std::string(100'000, 'x') + "'; known: a, b");
  EXPECT_THAT(text_of(problems), AllOf(HasSubstr("unknown key 'xxx"),
                                       HasSubstr("xxx'; known: a, b"), SizeIs(Lt(300))));
  Problems many;
  for (int i = 0; i < 3; ++i)
    many.add({}, "invalid-value", std::string(100'000, static_cast<char>('a' + i)) + " b");
  EXPECT_EQ(many.size(), 3u);
  problems.add({}, "invalid-value", joined(std::vector<std::string>(10'000, "\xc3\xa9"), " "));
  EXPECT_THAT(text_of(problems), SizeIs(Lt(4000)));
}

TEST(Problems, AreSaidOnceAndTwentyAtMost) {
  Problems problems;
  for (int i = 0; i < 2; ++i) problems.add({"f", 0, 0}, "invalid-value", "same");
  EXPECT_EQ(problems.size(), 1u);
  EXPECT_EQ(text_of(problems), "f: error: same");
  EXPECT_EQ(problems.added(), 2u);
  for (int i = 0; i < 25; ++i) problems.add({}, "invalid-value", "number " + std::to_string(i));
  EXPECT_THAT(text_of(problems), HasSubstr("error: number 18\n... and 6 more"));
}

TEST(Problems, AreCountedWhenThereAreTooManyToKeep) {
  Problems problems, others;
  size_t made = 0;
  for (int i = 0; i < 200'000; ++i) {
    problems.add({"f", i + 1, 1}, "invalid-value", [&] {
      ++made;
      return "costly";
    });
  }
  EXPECT_EQ(made, Problems::kKept);
  EXPECT_EQ(problems.size(), 200'000u);
  EXPECT_THAT(text_of(problems), HasSubstr("f:20:1: error: costly\n... and 199980 more"));
  others.take(problems, "profile 'x': ");
  EXPECT_EQ(others.size(), 200'000u);
}

TEST(Problems, CountEachTimeThatOneIsAdded) {
  Problems file, stage, same;
  stage.add({"f", 1, 1}, "invalid-value", "wrong");
  same.add({"f", 1, 1}, "invalid-value", "wrong");
  file.take(stage);
  file.take(same);  // through an alias: it is said once, and the second stage has failed too
  EXPECT_EQ(file.size(), 1u);
  EXPECT_EQ(file.added(), 2u);
}

TEST(DidYouMean, FindsNearNamesOnly) {
  EXPECT_EQ(did_you_mean("windw", {"window", "init"}), "; did you mean 'window'?");
  EXPECT_EQ(did_you_mean("lr", {"optimizer.lr"}), "; did you mean 'optimizer.lr'?");
  EXPECT_EQ(did_you_mean("teh", {"the"}), "; did you mean 'the'?");  // a swap is one edit
  EXPECT_EQ(did_you_mean("LM", {"noop", "lm"}), "; did you mean 'lm'?");
  EXPECT_EQ(did_you_mean("batchsize", {"steps", "batch"}), "; did you mean 'batch'?");
  EXPECT_EQ(did_you_mean("warm", {"steps", "warmup"}), "; did you mean 'warmup'?");
  EXPECT_EQ(did_you_mean("gpu", {"auto", "cpu", "cuda"}), "; did you mean 'cuda'?");
  EXPECT_EQ(did_you_mean("learning_rate", {"name", "optimizer.lr"}),
            "; did you mean 'optimizer.lr'?");
  EXPECT_EQ(did_you_mean("tex", {"text", "latex"}), "; did you mean 'latex'?");
  EXPECT_EQ(did_you_mean("penalty", {"lm", "model.attention.lambda"}),
            "; did you mean 'model.attention.lambda'?");
  EXPECT_EQ(did_you_mean("lr", {"a.b.lr", "mask.lr", "optimizer.lr", "mask.lr"}),
            "; did you mean 'mask.lr' or 'optimizer.lr'?");
  EXPECT_EQ(did_you_mean("lr", {"a.lr", "b.lr", "c.lr", "d.lr"}), "; did you mean 'a.lr'?");
  EXPECT_EQ(did_you_mean("cola", {"kjv", "glue/cola"}), "; did you mean 'glue/cola'?");
  EXPECT_EQ(did_you_mean("optimizr.lr", {"decoder.lr", "optimizer.lr"}),
            "; did you mean 'optimizer.lr'?");
  EXPECT_EQ(did_you_mean("bert/figure2", {"bet/figure3", "bert/figure1", "bert/figure2a"}),
            "; did you mean 'bert/figure2a'?");
  EXPECT_EQ(did_you_mean("gpu", {"auto", "cpu"}), "; did you mean 'cpu'?");
  EXPECT_EQ(did_you_mean("window", {"dropout", "heads", ""}), "");
  EXPECT_EQ(did_you_mean("x", {}), "");
  EXPECT_EQ(did_you_mean("bench/x", {"analysis.attention.k", "attention.k"}), "");
  EXPECT_EQ(did_you_mean("a3", {"at", "analysis.attention.at", "l3"}), "");
  EXPECT_EQ(did_you_mean("trial", {"trials", "trial"}), "");
}

TEST(Joined, PutsSeparatorsBetween) {
  EXPECT_EQ(joined({"a", "b"}), "a, b");
  EXPECT_EQ(joined({"a", "b"}, " -> "), "a -> b");
  EXPECT_EQ(joined({}), "");
}

TEST(Assertion, AbortsAndNamesTheCondition) {
  EXPECT_DEATH(RETHINK_ASSERT(1 == 2, "seen 3"),
               "this is a bug in rethink: 1 == 2 does not hold \\(seen 3\\)");
}

}  // namespace
}  // namespace rethink
