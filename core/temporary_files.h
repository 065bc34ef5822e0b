// What writers of files leave behind when they are killed.
#pragma once

#include <filesystem>
#include <vector>

namespace rethink {

/// What PendingFile (core/file.h) left in `folder`, not below it; none where there is no folder.
/// Some may be a writer's that is alive.
std::vector<std::filesystem::path> temporary_files(const std::filesystem::path& folder);

}  // namespace rethink
