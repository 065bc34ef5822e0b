// Runs all stories below tests/e2e (tests/support/story.h) with the real driver and the worker without LibTorch. Where
// LibTorch is built, it runs those in tests/e2e/lm with the real worker, too.
//
// Stories of the worker without LibTorch run again under each of kConditions, unless they exclude it by
// "# not under ONE_CORE, BARE: why".
#include "tests/support/story.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

/// Another line here runs all of these stories once more.
const std::vector<StoryCondition> kConditions = {
    {"", "work", ""},
    // Blanks and letters beyond ASCII in every path, and the store behind a symbolic link.
    {"ODD_PLACE", "d\u00e9j\u00e0 vu's work",
     "mkdir -p '../the store'; [ -L store ] || ln -s '../the store' store; "},
    {"ONE_CORE", "work",
     "taskset -pc $(taskset -pc $$ | sed 's/.*: //; s/[,-].*//') $$ >/dev/null; "},
    // The environment of a service or a batch system.
    {"BARE", "work", "unset HOME XDG_CACHE_HOME XDG_STATE_HOME USER LANG; umask 077; exec <&-; "},
};

struct Telling {
  std::filesystem::path story;
  StoryCondition condition;
};

void PrintTo(const Telling& telling, std::ostream* out) {
  *out << telling.story.string() << " " << telling.condition.name;
}

class Story : public testing::TestWithParam<Telling> {};

TEST_P(Story, HappensAsTold) {
  const TempFolder folder;
  tell_story(GetParam().story, GetParam().condition, folder.path());
}

std::vector<Telling> tellings() {
  std::vector<Telling> all;
  for (const std::filesystem::path& story : stories_below("tests/e2e")) {
    const std::string text = read_text(story);
    for (const StoryCondition& condition : kConditions) {
      const bool is_plain = condition.name.empty();
      if (!is_plain && needs_real_worker(story)) continue;
      const std::regex ruled_out("# not under [^:\n]*" + condition.name);
      if (!is_plain && std::regex_search(text, ruled_out)) continue;
      all.push_back({story, condition});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(, Story, testing::ValuesIn(tellings()), [](const auto& given) {
  const std::string& condition = given.param.condition.name;
  return given.param.story.stem().string() + (condition.empty() ? "" : "_" + condition);
});

}  // namespace
}  // namespace rethink
