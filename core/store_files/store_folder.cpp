#include "core/store_files/store_folder.h"

#include "core/store_files/trial_folder.h"

namespace rethink {

bool is_store_folder(const std::filesystem::path& folder) {
  std::error_code unreadable;
  return std::filesystem::is_regular_file(folder / kDatabaseFile, unreadable) ||
         (std::filesystem::is_regular_file(folder / kUuidFile, unreadable) &&
          std::filesystem::is_directory(trials_folder(folder), unreadable));
}

}  // namespace rethink
