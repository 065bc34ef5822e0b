// The King James Bible, 31,102 verses of public-domain English, from Debian's package bible-kjv:
// the example that needs no download beyond packages. A verse is a line.
#include <fmt/format.h>

#include "core/error.h"
#include "core/process.h"
#include "datasets/holdout.h"

namespace rethink {
namespace {

constexpr const char* kFile = "/usr/lib/bible.data";  // what the program `bible` reads, compressed
/// Of version 4.38 of the package.
constexpr const char* kSha256 = "6c746c2acc8a34bfded980883ff1701a5d68934a1c853ebf88a07b978fe0ae0e";
constexpr size_t kVerses = 31102;
constexpr double kDev = 0.05, kTest = 0.05;
constexpr uint64_t kSplitSeed = 1;

/// Verses, one a line, without the reference before them ("Ge1:1 In the beginning" -> "In the
/// beginning").
std::string read_verses() {
  // The program would first look for its file where we happen to run.
  ProgramRun run;
  run.words = {"bible", "-p", "/usr/lib", "-f", "gen1:1-rev22:21"};
  const ProgramResult result = run_program(run);
  if (result.status != 0) {
    throw TrialError(fmt::format(
        "data set 'kjv': `bible` ended with {}: {}; install Debian's package bible-kjv again",
        result.status, result.error));
  }
  std::string verses;
  size_t count = 0;
  for (size_t at = 0; at < result.output.size();) {
    const size_t end = std::min(result.output.find('\n', at), result.output.size());
    const size_t space = result.output.find(' ', at);
    if (space < end) {
      verses += result.output.substr(space + 1, end - space - 1) + '\n';
      ++count;
    }
    at = end + 1;
  }
  if (count != kVerses) {
    throw TrialError(fmt::format(
        "data set 'kjv': `bible` printed {} verses, expected {}; install Debian's package "
        "bible-kjv again",
        count, kVerses));
  }
  return verses;
}

std::shared_ptr<TokenDataset> open_kjv(const TextOptions& options, const DataFolders& folders) {
  if (!std::filesystem::exists(kFile)) {
    throw TrialError(
        fmt::format("data set 'kjv' needs {}: install Debian's package bible-kjv "
                    "(apt-get install bible-kjv)",
                    kFile));
  }
  const auto read = [] { return hold_out_lines(read_verses(), kDev, kTest, kSplitSeed); };
  return open_text({"kjv", {kFile}, Json::object(), read}, options, folders);
}

const bool registered = datasets().add<TextOptions>(
    {.name = "kjv",
     .summary = "the King James Bible, 31,102 verses, from Debian's package bible-kjv",
     .facts = {{"kind", "text"},
               {"files", {{"train", {kFile}}}},
               {"splits", {"train", "dev", "test"}},
               {"metric", "perplexity"},
               {"package", "bible-kjv"},
               {"installed", {{kFile, kSha256}}}}},
    open_kjv);

}  // namespace
}  // namespace rethink
