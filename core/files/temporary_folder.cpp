#include "core/files/temporary_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>

#include "core/error.h"
#include "core/files/file.h"

namespace rethink {

std::filesystem::path temporary_folder() {
  std::error_code failed;
  for (const char* name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
    const char* const given = std::getenv(name);
    if (!given || !*given) continue;  // an empty variable counts as unset
    if (std::filesystem::is_directory(given, failed)) return given;
    throw MachineError("not-a-folder", fmt::format("{} is {}, which is not a folder (expected one "
                                                   "for temporary files); set {} to a folder "
                                                   "that exists, or unset it",
                                                   name, given, name));
  }
  if (std::filesystem::is_directory("/tmp", failed)) return "/tmp";
  throw MachineError(
      "not-a-folder",
      "/tmp: expected a folder for temporary files; set TMPDIR to a folder that exists");
}

ScratchFolder::ScratchFolder() {
  std::string name = (temporary_folder() / "rethink-XXXXXX").string();
  if (!mkdtemp(name.data())) throw_file_error(name, "cannot make the folder", errno);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace rethink
