#include "experiments/run/left_alone.h"

#include <fmt/format.h>

#include "core/error.h"

namespace rethink {
namespace {

/// The trial that a command about `trials` names: the only one, else TRIAL.
std::string one_of(const std::vector<std::string>& trials) {
  return trials.size() == 1 ? trials.front() : "TRIAL";
}

}  // namespace

std::string states_text(const LeftAlone& left) {
  std::vector<std::string> counts;
  for (const auto& [state, trials] : left)
    counts.push_back(
        fmt::format("{} {} {}", trials.size(), trials.size() == 1 ? "is" : "are", state));
  return counts.empty() ? "" : ": " + joined(counts);
}

std::string advice_on_ended(const LeftAlone& left, const std::string& store_option) {
  std::vector<std::string> ended;
  for (const auto& [state, trials] : left) {
    if (state != "cancelled") ended.insert(ended.end(), trials.begin(), trials.end());
  }
  if (ended.empty()) return "";
  return fmt::format("; to remove one that has ended: rethink rm {}{}", one_of(ended),
                     store_option);
}

std::string advice_on_unretried(const LeftAlone& left, const std::string& store_option) {
  std::string text;
  if (const auto done = left.find("done"); done != left.end())
    text += fmt::format("; to have one that is done again: rethink rm {}{}, then run its sweep",
                        one_of(done->second), store_option);
  if (const auto running = left.find("running"); running != left.end()) {
    const std::string trial = one_of(running->second);
    text += fmt::format(
        "; to stop one that is running and let it run again: rethink cancel {0}{1} && rethink "
        "retry "
        "{0}{1}, then run its sweep",
        trial, store_option);
  }
  if (left.contains("waiting") || left.contains("ready"))
    text += "; one that is waiting or ready runs without a retry: run its sweep";
  if (const auto blocked = left.find("blocked"); blocked != left.end())
    text += fmt::format(
        "; one that is blocked needs a trial that ended badly, which `rethink why "
        "{}{}` names: retry that one",
        one_of(blocked->second), store_option);
  return text;
}

}  // namespace rethink
