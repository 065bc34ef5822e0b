// Options of every command, and the tables of a new store, on which people and stores rely. New
// commands and options may come. RETHINK_UPDATE_GOLDEN=1 writes the files.
#include "tests/support/golden.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "core/system/process.h"

namespace rethink {
namespace {

ProgramResult run_rethink(std::vector<std::string> words, const std::filesystem::path& folder) {
  words.insert(words.begin(), RETHINK_BINARY_DIR "/bin/rethink");
  return run_program({.words = std::move(words),
                      .input = "",
                      .folder = folder,
                      .environment = {{"RETHINK_PROGRAMS", RETHINK_BINARY_DIR "/noop"}}});
}

TEST(Golden, EveryCommandHasTheOptionsItHad) {
  const TempFolder folder;
  const std::string overview = run_rethink({"help"}, folder.path()).output;
  std::string text = overview;
  std::istringstream lines(overview);
  int commands = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ")) continue;
    const std::string command = line.substr(2, line.find(' ', 2) - 2);
    const ProgramResult help = run_rethink({command, "--help"}, folder.path());
    ASSERT_EQ(help.status, 0) << command << help.error;
    // Options of all commands are shown once.
    const size_t everywhere = help.output.find("Everywhere:");
    text += "\n" + (commands++ == 0 ? help.output : help.output.substr(0, everywhere));
  }
  EXPECT_GT(commands, 20);
  EXPECT_THAT(lost_golden_lines("commands.txt", text), testing::IsEmpty());
}

/// The golden file has the format's number. A change of the tables needs a migration, which raises this
/// number.
TEST(Golden, TheTablesOfAStoreChangeOnlyWithItsFormat) {
  const TempFolder folder;
  write_text(folder / "one.yaml", "sweep: one\nseeds: [0]\nstages: {a: {job: noop}}\n");
  ASSERT_EQ(run_rethink({"run", "one.yaml", "--max-trials", "0"}, folder.path()).status, 0);
  const auto rows = [&](const std::string& sql) {
    return parse_json(run_rethink({"query", sql, "--format", "json"}, folder.path()).output, sql);
  };
  std::string text;
  // The view `runs` has a column for each configuration key that varies.
  for (const Json& row :
       rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'runs' ORDER BY "
            "type, name")) {
    text += row.at("sql").get<std::string>() + ";\n\n";
  }
  const int format =
      rows("SELECT user_version FROM pragma_user_version").at(0).at("user_version").get<int>();
  EXPECT_EQ(text, golden(fmt::format("store_format_{}.sql", format), text));
}

}  // namespace
}  // namespace rethink
