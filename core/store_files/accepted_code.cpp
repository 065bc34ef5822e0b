#include "core/store_files/accepted_code.h"

#include <optional>
#include <utility>

#include "core/clock.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "core/store_files/stored_json.h"
#include "core/store_files/trial_folder.h"

namespace rethink {
namespace {

constexpr const char* kAcceptedEnding = ".accepted.json";

std::filesystem::path file_of(const std::filesystem::path& store, const CodeChange& change) {
  const std::string name = sha256_hex(
      canonical_json({{"plugin", change.plugin}, {"before", change.before}, {"now", change.now}}));
  return store / kCodeFolder / (name + kAcceptedEnding);
}

/// The change that a file records; nothing if it cannot be read.
std::optional<CodeChange> change_in(const std::filesystem::path& file) {
  static const JsonShape kShape = object_with(
      {{"plugin", any_text()}, {"before", any_text()}, {"now", any_text()}, {"at", any_text()}});
  try {
    const StoredJson said = read_stored_json(file, kShape);
    if (!said.is_sound()) return std::nullopt;
    return CodeChange{said.object.at("plugin"), said.object.at("before"), said.object.at("now")};
  } catch (const MachineError&) {  // an unreadable file accepts nothing
    return std::nullopt;
  }
}

}  // namespace

bool is_accepted(const std::filesystem::path& store, const CodeChange& change) {
  const std::filesystem::path file = file_of(store, change);
  if (!std::filesystem::exists(file)) return false;
  const std::optional<CodeChange> said = change_in(file);
  return said && said->plugin == change.plugin && said->before == change.before &&
         said->now == change.now;
}

std::vector<CodeChange> accepted_changes(const std::filesystem::path& store) {
  std::vector<CodeChange> changes;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(store / kCodeFolder, none)) {
    if (!entry.path().filename().string().ends_with(kAcceptedEnding)) continue;
    if (auto change = change_in(entry.path())) changes.push_back(std::move(*change));
  }
  return changes;
}

void accept(const std::filesystem::path& store, const CodeChange& change) {
  const std::filesystem::path file = file_of(store, change);
  make_folder_durably(file.parent_path());
  write_file_atomically(file, stored_text({{"plugin", change.plugin},
                                           {"before", change.before},
                                           {"now", change.now},
                                           {"at", wall_time()}}));
}

}  // namespace rethink
