#include "results/query/trial_prefix.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "core/message.h"
#include "results/database/statement.h"

namespace rethink {

std::string trial_beginning_with(const std::string& prefix,
                                 const std::vector<std::string>& trials) {
  constexpr size_t kShown = 5;
  if (prefix.empty()) return "";
  std::vector<std::string> found;
  std::ranges::copy_if(trials, std::back_inserter(found),
                       [&](const std::string& trial) { return trial.starts_with(prefix); });
  if (found.size() < 2) return joined(found);
  throw ConfigError("ambiguous-id",
                    fmt::format("'{}' is the beginning of {} trials' ids: {}; give more digits",
                                prefix, found.size(), first_names(found, kShown)));
}

std::string trial_to_change(const std::string& prefix, const std::vector<std::string>& trials) {
  constexpr size_t kLeastDigits = 4;
  const std::string trial = trial_beginning_with(prefix, trials);
  if (trial.empty() || prefix.size() >= kLeastDigits) return trial;
  throw ConfigError(
      "ambiguous-id",
      fmt::format("'{}' is the beginning of the id of trial {}; give {} digits or more", prefix,
                  trial, kLeastDigits));
}

std::vector<std::string> trials_beginning_with(Store& store, const std::string& prefix) {
  if (prefix.empty() || prefix.find_first_not_of("0123456789abcdef") != std::string::npos)
    return {};
  return texts_of(store.database(), "SELECT id FROM trial WHERE id GLOB ? || '*' ORDER BY id",
                  prefix);
}

std::string trial_with_prefix(Store& store, const std::string& prefix) {
  const std::string trial = trial_beginning_with(prefix, trials_beginning_with(store, prefix));
  if (trial.empty())
    throw ConfigError("unknown-trial",
                      fmt::format("no trial's id begins with '{}'; `{}` lists them", prefix,
                                  store_command("status --all", store.folder())));
  return trial;
}

}  // namespace rethink
