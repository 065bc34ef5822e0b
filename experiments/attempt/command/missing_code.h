// Explains a program's failure by a file that is in the sweep's folder but not in the copy of the code.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// Returns advice if `error`, a line of the program, names a module or a file that is missing in `copy`, the folder in
/// which the program ran, and exists in the folder from which the code was copied; else "". `checkout`: that folder or
/// one above, perhaps empty. `snapshot`: the copied code, whose files tell which folder below `checkout` it is.
std::string advice_on_missing_code(const std::string& error, const std::filesystem::path& copy,
                                   const std::filesystem::path& snapshot,
                                   const std::filesystem::path& checkout);

}  // namespace rethink
