#include "datasets/text/kjv_verses.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/json.h"
#include "core/system/process.h"

namespace rethink {
namespace {

/// The compressed file that the program `bible` reads.
constexpr const char* kBibleFile = "/usr/lib/bible.data";
/// For version 4.38 of the package.
constexpr const char* kSha256 = "6c746c2acc8a34bfded980883ff1701a5d68934a1c853ebf88a07b978fe0ae0e";
constexpr size_t kVerses = 31102;

/// "Ge" for "Ge1:1", "1Sa" for "1Sa2:3".
std::string book_of(std::string_view reference) {
  const size_t verse = reference.find(':');
  const size_t end = reference.substr(0, verse).find_last_not_of("0123456789");
  return std::string(reference.substr(0, end + 1));
}

}  // namespace

std::filesystem::path kjv_file(const std::string& dataset) {
  if (std::filesystem::exists(kBibleFile)) return kBibleFile;
  throw TrialError("missing-data",
                   fmt::format("data set '{}' needs {}: install Debian's package bible-kjv "
                               "(apt-get install bible-kjv)",
                               dataset, kBibleFile));
}

std::vector<Verse> read_kjv(const std::string& dataset) {
  kjv_file(dataset);
  // The program would first search for its file in our current folder.
  ProgramRun run;
  run.words = {"bible", "-p", "/usr/lib", "-f", "gen1:1-rev22:21"};
  const ProgramResult result = run_program(run);
  if (result.status != 0) {
    throw TrialError(
        "wrong-contents",
        fmt::format(
            "data set '{}': `bible` ended with {}: {}; install Debian's package bible-kjv again",
            dataset, result.status, result.error));
  }
  std::vector<Verse> verses;
  const std::string_view output = result.output;
  for (size_t at = 0; at < output.size();) {
    const size_t end = std::min(output.find('\n', at), output.size());
    const size_t space = output.find(' ', at);
    if (space < end) {
      verses.push_back({book_of(output.substr(at, space - at)),
                        std::string(output.substr(space + 1, end - space - 1))});
    }
    at = end + 1;
  }
  if (verses.size() != kVerses) {
    throw TrialError(
        "wrong-contents",
        fmt::format(
            "data set '{}': `bible` printed {} verses, expected {}; install Debian's package "
            "bible-kjv again",
            dataset, verses.size(), kVerses));
  }
  return verses;
}

DatasetFacts kjv_facts() {
  return {.files = {{"train", {kBibleFile}}},
          .installed = {{kBibleFile, kSha256}},
          .package = "bible-kjv"};
}

}  // namespace rethink
