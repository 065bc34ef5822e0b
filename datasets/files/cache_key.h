// The name under which a data set's tokens are kept: everything that they follow from, hashed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/json_fwd.h"
#include "datasets/dataset.h"

namespace rethink {

/// `identity` is completed with the data set's name and revision, the SHA-256 of its files and the
/// hash of the code that makes tokens (dataset_build.h).
/// Throws MachineError when a file cannot be read.
std::string token_cache_key(Json identity, const std::string& dataset,
                            const std::vector<std::filesystem::path>& files,
                            const DataFolders& folders);

}  // namespace rethink
