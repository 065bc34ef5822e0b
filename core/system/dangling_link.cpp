#include "core/system/dangling_link.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/shell_word.h"

namespace rethink {

std::string trouble_of_dangling_link(const std::filesystem::path& path) {
  std::filesystem::path part;
  for (const std::filesystem::path& name : path) {
    part /= name;
    std::error_code unknown;
    if (!std::filesystem::is_symlink(part, unknown)) continue;
    if (std::filesystem::status(part, unknown).type() != std::filesystem::file_type::not_found)
      continue;
    const std::string target = std::filesystem::read_symlink(part, unknown).string();
    const bool is_of_annex = target.find("annex/objects/") != std::string::npos;
    return fmt::format("{}: is a link to {}, which does not exist; {}", part.string(), target,
                       is_of_annex
                           ? fmt::format("run `git annex get {}` in the folder that the link is in",
                                         for_a_shell(part.filename().string()))
                           : std::string("put the file there, or mount the disk that it is on"));
  }
  return "";
}

void refuse_dangling_link(const std::filesystem::path& path) {
  const std::string trouble = trouble_of_dangling_link(path);
  if (!trouble.empty()) throw ConfigError(trouble);
}

}  // namespace rethink
