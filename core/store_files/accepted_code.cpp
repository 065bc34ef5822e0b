#include "core/store_files/accepted_code.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "core/store_files/stored_json.h"
#include "core/store_files/trial_folder.h"

namespace rethink {
namespace {

std::filesystem::path file_of(const std::filesystem::path& store, const CodeChange& change) {
  const std::string name = sha256_hex(
      canonical_json({{"plugin", change.plugin}, {"before", change.before}, {"now", change.now}}));
  return store / kCodeFolder / (name + ".accepted.json");
}

}  // namespace

bool is_accepted(const std::filesystem::path& store, const CodeChange& change) {
  static const JsonShape kShape = object_with(
      {{"plugin", any_text()}, {"before", any_text()}, {"now", any_text()}, {"at", any_text()}});
  try {
    const std::filesystem::path file = file_of(store, change);
    if (!std::filesystem::exists(file)) return false;
    const StoredJson said = read_stored_json(file, kShape);
    return said.is_sound() && said.object.at("plugin") == change.plugin &&
           said.object.at("before") == change.before && said.object.at("now") == change.now;
  } catch (const MachineError&) {  // an unreadable file accepts nothing
    return false;
  }
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
