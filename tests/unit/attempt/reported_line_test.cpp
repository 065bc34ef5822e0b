// Lines that a program prints about its trial.
#include "experiments/attempt/command/output/reported_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/files/store_file.h"
#include "experiments/attempt/command/folder_copy.h"
#include "experiments/attempt/command/output/line_tail.h"
#include "experiments/attempt/command/placeholders.h"
#include "experiments/attempt/command/secrets.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

template <typename Said>
Said said(const std::string& line) {
  return std::get<Said>(reported_line(line));
}

/// Returns the fault of the line, and whether it is about a metric.
std::pair<std::string, bool> fault_of_line(const std::string& line) {
  try {
    reported_line(line);
  } catch (const WrongLine& error) {
    return {error.what(), error.is_of_metric};
  }
  return {"", false};
}

TEST(ReportedLine, IsAMetricATickACheckpointAnArtifactATextOrDone) {
  const auto metric = said<ReportedMetric>(R"({"metric": "dev/acc", "step": 100, "value": 0.91})");
  EXPECT_EQ(metric.split, "dev");
  EXPECT_EQ(metric.name, "acc");
  EXPECT_EQ(metric.step, 100);
  EXPECT_EQ(metric.value, 0.91);
  EXPECT_EQ(said<ReportedMetric>(R"({"metric": "loss", "step": 1.0, "value": 2})").split, "run");
  EXPECT_EQ(said<ReportedTick>(R"({"tick": 3, "of": 9})").of, 9);
  EXPECT_EQ(said<ReportedTick>(R"({"tick": 3, "of": null})").of, std::nullopt);
  EXPECT_TRUE(said<ReportedCheckpoint>(R"({"checkpoint": 3, "path": "a", "give": true})").give);
  EXPECT_FALSE(said<ReportedCheckpoint>(R"({"checkpoint": 3, "path": "a"})").give);
  EXPECT_EQ(said<ReportedArtifact>(R"({"artifact": "predictions", "path": "p.csv"})").path,
            "p.csv");
  EXPECT_EQ(
      said<ReportedText>(R"({"text": "sample", "step": 1, "value": "NaN is \"text\""})").value,
      "NaN is \"text\"");
  EXPECT_EQ(said<ReportedImage>(R"({"image": "map", "step": 2, "path": "a.png"})").step, 2);
  EXPECT_EQ(said<ReportedEnvironment>(R"({"environment": {"julia": "1.10", "threads": 4}})").facts,
            (std::map<std::string, std::string>{{"julia", "1.10"}, {"threads", "4"}}));
  EXPECT_THAT(said<ReportedOutsideFiles>(R"({"outside": ["lib/a.py"]})").files,
              ElementsAre("lib/a.py"));
  said<ReportedDone>(R"({"done": true})");
}

TEST(ReportedLine, AnEnvironmentIsNamesAndTexts) {
  EXPECT_THAT(fault_of_line(R"({"environment": {"packages": ["a"]}})").first,
              HasSubstr("the value of 'packages' is not text"));
  EXPECT_THAT(fault_of_line(R"({"environment": "3.11"})").first, HasSubstr("is not an object"));
  EXPECT_THAT(fault_of_line(R"({"outside": "a.py"})").first, HasSubstr("is not a list"));
}

/// A copy that would fill the disk half way does not begin.
TEST(FolderCopy, IsRefusedOnAFullDisk) {
  const TempFolder folder;
  write_text(folder / "small/state", "1");
  EXPECT_NO_THROW(require_room(folder / "small", folder.path()));
  std::filesystem::create_directory(folder / "large");
  const uint64_t more = std::filesystem::space(folder.path()).available + (uint64_t{1} << 30);
  write_text(folder / "large/state", "");
  std::filesystem::resize_file(folder / "large/state", more);  // a hole, which uses no space
  EXPECT_THROW(require_room(folder / "large", folder.path()), DiskFullError);
}

/// Python's json writes them without quotes.
TEST(ReportedLine, ReadsNumbersThatAreNotFinite) {
  const auto value = [](const std::string& text) {
    return said<ReportedMetric>("{\"metric\": \"dev/a\", \"step\": 1, \"value\": " + text + "}")
        .value;
  };
  EXPECT_TRUE(std::isnan(value("NaN")));
  EXPECT_EQ(value("Infinity"), INFINITY);
  EXPECT_EQ(value("-Infinity"), -INFINITY);
}

TEST(ReportedLine, SaysWhatIsWrongAndWhetherAMetricIsLost) {
  EXPECT_THAT(fault_of_line(R"({"metric": "dev/acc", "step": -1, "value": 1})").first,
              HasSubstr("'step' is not a step, a whole number from 0 on"));
  EXPECT_TRUE(fault_of_line(R"({"metric": "dev/acc", "step": 1, "value": "high"})").second);
  EXPECT_TRUE(fault_of_line(R"({"metric": "dev/acc", "step": 1, "val)").second);
  EXPECT_THAT(fault_of_line(R"({"metric": "dev/a@b", "step": 1, "value": 1})").first,
              HasSubstr("it has an @"));
  EXPECT_FALSE(fault_of_line("garbage").second);
  EXPECT_THAT(fault_of_line(R"({"loss": 1})").first, HasSubstr("it has no known member"));
  EXPECT_THAT(fault_of_line("[1]").first, HasSubstr("not a JSON object"));
  EXPECT_LT(fault_of_line(std::string(10'000, 'x')).first.size(), 1'000u);
}

TEST(ReportedLine, ComesInPieces) {
  std::vector<std::string> lines;
  std::string rest;
  const auto take = [&](const std::string& line) { lines.push_back(line); };
  for (const char* piece : {"on", "e\r\ntwo\n\nth", "r"}) take_lines(rest, piece, 100, take);
  EXPECT_THAT(lines, ElementsAre("one", "two", ""));
  EXPECT_EQ(rest, "thr");
  lines.clear();
  take_lines(rest, std::string(1'000, 'x') + "\nnext\n", 10, take);
  EXPECT_THAT(lines, ElementsAre("thrxxxxxxx", "next"));
}

TEST(Placeholder, IsReplacedByItsValueAndDoubledBracesByOne) {
  EXPECT_THAT(placeholders_in("--lr={config.lr},{seed}"), ElementsAre("config.lr", "seed"));
  EXPECT_THAT(placeholders_in("{{seed}}"), ElementsAre());
  const auto value_of = [](const std::string& name) { return "<" + name + ">"; };
  EXPECT_EQ(with_placeholders("a{b}{{c}}d", value_of), "a<b>{c}d");
  EXPECT_THROW(placeholders_in("{seed"), ConfigError);
  EXPECT_THROW(placeholders_in("seed}"), ConfigError);
}

TEST(SecretFilter, HidesValuesThatComeInPieces) {
  SecretFilter filter({"abcdefgh", "", "abcdef", "1"});
  EXPECT_EQ(filter.take("x1 abc"), "x1 ");
  EXPECT_EQ(filter.take("defgh y"), "*** y");
  EXPECT_EQ(filter.take("abcdx"), "abcdx");
  EXPECT_EQ(filter.take("ab"), "");
  EXPECT_EQ(filter.rest(), "ab");
  EXPECT_EQ(filter.hidden("abcdefabcdefgh"), "******");
  EXPECT_EQ(SecretFilter(std::vector<std::string>{}).take("all"), "all");
}

/// The secret a"b\c-\u00df, as programs write it: plain, by json.dumps with and without ensure_ascii.
TEST(SecretFilter, HidesValuesThatJsonEscapes) {
  const SecretFilter filter({"a\"b\\c-\u00df\n"});
  EXPECT_EQ(filter.hidden("x a\"b\\c-\u00df y"), "x *** y");
  EXPECT_EQ(filter.hidden(R"({"token": "a\"b\\c-\u00df"})"), R"({"token": "***"})");
  EXPECT_EQ(filter.hidden("{\"token\": \"a\\\"b\\\\c-\u00df\"}"), R"({"token": "***"})");
}

/// A report is read before its texts are hidden: any character may be escaped, and a secret may be
/// a word of the report.
TEST(SecretFilter, HidesTheTextsOfAReportAfterItWasRead) {
  const SecretFilter filter({"hidden-value", "metric"});
  EXPECT_EQ(
      std::get<ReportedText>(
          reported_line(R"({"text": "t", "step": 1, "value": "a hidd\u0065n-value"})", filter))
          .value,
      "a ***");
  EXPECT_EQ(std::get<ReportedMetric>(
                reported_line(R"({"metric": "dev/hidden-value", "step": 1, "value": 2})", filter))
                .name,
            "***");
  EXPECT_EQ(std::get<ReportedEnvironment>(
                reported_line(R"({"environment": {"hidden-value": "hidden-value"}})", filter))
                .facts,
            (std::map<std::string, std::string>{{"***", "***"}}));
  try {
    reported_line(R"({"metric": "dev/acc hidden-value", "step": 1, "val)", filter);
    ADD_FAILURE();
  } catch (const WrongLine& error) {
    EXPECT_THAT(error.what(), Not(HasSubstr("hidden-value")));
  }
}

TEST(SecretFilter, RefusesAValueThatIsTooShort) {
  setenv("RETHINK_TEST_PASSED", "12345\n", 1);
  EXPECT_THAT(problem_of_passed("RETHINK_TEST_PASSED"),
              HasSubstr("the value of RETHINK_TEST_PASSED has 5 bytes, expected at least 6"));
  setenv("RETHINK_TEST_PASSED", "123456", 1);
  EXPECT_EQ(problem_of_passed("RETHINK_TEST_PASSED"), "");
  unsetenv("RETHINK_TEST_PASSED");
  EXPECT_EQ(problem_of_passed("RETHINK_TEST_PASSED"), "");
  EXPECT_EQ(problem_of_passed("HOME"), "") << "each program receives it";
}

TEST(LineTail, OverwritesWhatMayHaveSecretsAndKeepsOthersOut) {
  const TempFolder folder;
  const std::filesystem::path file = folder / "said.jsonl";
  LineTail tail(file, 100, /*forgets=*/true);
  std::ofstream(file, std::ios::app) << "one\ntw";
  std::vector<std::string> lines;
  const auto take = [&](const std::string& line) { lines.push_back(line); };
  while (tail.read(take)) {
  }
  EXPECT_EQ(read_text(file), std::string(7, '\0'));
  std::ofstream(file, std::ios::app) << "o\n";
  while (tail.read(take)) {
  }
  EXPECT_THAT(lines, ElementsAre("one", "two"));
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

/// Lost lines must not be mistaken for lines that were never written.
TEST(LineTail, FailsWhereItsFileWasCutOrReplaced) {
  const TempFolder folder;
  const std::filesystem::path file = folder / "said.jsonl";
  LineTail tail(file, 100);
  const auto read = [&] {
    std::vector<std::string> lines;
    while (tail.read([&](const std::string& line) { lines.push_back(line); })) {
    }
    return lines;
  };
  std::ofstream(file, std::ios::app) << "one\ntw";
  EXPECT_THAT(read(), ElementsAre("one"));
  std::ofstream(file, std::ios::app) << "o\n";
  EXPECT_THAT(read(), ElementsAre("two"));
  std::ofstream(file, std::ios::trunc) << "x\n";
  EXPECT_THROW(read(), TrialError);
  std::ofstream(file, std::ios::trunc) << "as long as before\n";
  EXPECT_THROW(read(), TrialError);
  std::filesystem::remove(file);
  EXPECT_THROW(read(), TrialError);
}

/// A checkpoint that changes during its copy is not copied.
TEST(CopyTree, CopiesAFolderWholeOrNotAtAll) {
  const TempFolder folder;
  write_text(folder / "a/b/c", "text");
  copy_tree(folder / "a", folder / "copy");
  EXPECT_EQ(sha256_of_tree(folder / "copy"), sha256_of_tree(folder / "a"));
  write_text(folder / "a/b/d", "more");
  EXPECT_NE(sha256_of_tree(folder / "copy"), sha256_of_tree(folder / "a"));
  EXPECT_THROW(copy_tree(folder / "none", folder / "other"), ChangedMeanwhile);
  EXPECT_FALSE(std::filesystem::exists(folder / "other"));
}

/// A program may look for a link or for an empty folder when it resumes.
TEST(CopyTree, KeepsLinksThatStayInsideAndEmptyFolders) {
  namespace fs = std::filesystem;
  const TempFolder folder;
  write_text(folder / "a/step/state", "text");
  write_text(folder / "elsewhere/file", "more");
  fs::create_directory(folder / "a/empty");
  fs::create_symlink("step", folder / "a/latest");
  fs::create_symlink("../step/state", folder / "a/empty/state");
  fs::create_symlink("nowhere", folder / "a/dangling");
  fs::create_symlink("../elsewhere", folder / "a/outside");
  fs::create_symlink(folder / "a/step/state", folder / "a/absolute");
  fs::create_directory(folder / "a/none");
  copy_tree(folder / "a", folder / "copy");
  EXPECT_EQ(fs::read_symlink(folder / "copy/latest"), "step");
  EXPECT_EQ(fs::read_symlink(folder / "copy/empty/state"), "../step/state");
  EXPECT_EQ(fs::read_symlink(folder / "copy/dangling"), "nowhere");
  EXPECT_TRUE(fs::is_directory(folder / "copy/none"));
  for (const char* copied : {"copy/outside", "copy/absolute"})
    EXPECT_FALSE(fs::is_symlink(folder / copied)) << copied;
  EXPECT_EQ(read_text(folder / "copy/outside/file"), "more");
  EXPECT_EQ(read_text(folder / "copy/absolute"), "text");
  EXPECT_EQ(sha256_of_tree(folder / "copy"), sha256_of_tree(folder / "a"));
  // Within a store's trials, where no link is followed.
  const fs::path kept = folder / "trials/0123456789abcdef0123/checkpoints/files-1";
  fs::create_directories(kept.parent_path());
  copy_tree(folder / "a", kept);
  EXPECT_EQ(sha256_of_tree(kept), sha256_of_tree(folder / "a"));
  fs::create_symlink(folder / "elsewhere/file", kept / "far");
  EXPECT_THROW(sha256_of_tree(kept), DamagedFile);
}

}  // namespace
}  // namespace rethink
