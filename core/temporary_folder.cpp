#include "core/temporary_folder.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/error.h"

namespace rethink {

std::filesystem::path temporary_folder() {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  if (!failed) return folder;
  for (const char* name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
    if (const char* given = std::getenv(name)) {
      throw MachineError(
          fmt::format("{} is {}, which is no folder (expected one for temporary files); set {} to "
                      "a folder that "
                      "exists, or unset it",
                      name, given, name));
    }
  }
  throw MachineError(fmt::format("/tmp: is no folder for temporary files ({}); set TMPDIR to one",
                                 failed.message()));
}

}  // namespace rethink
