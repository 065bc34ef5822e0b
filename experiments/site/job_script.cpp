#include "experiments/site/job_script.h"

#include <fmt/format.h>

#include "core/message.h"

namespace rethink {

std::string job_script(const Site& site, const PilotCommand& pilot, const std::string& before) {
  std::string words = site.wrap.empty() ? "" : " " + site.wrap;
  for (const std::string& word : pilot.words) words += " " + for_a_shell(word);
  return fmt::format("{}{}\nexec{}\n", before, site.setup, words);
}

}  // namespace rethink
