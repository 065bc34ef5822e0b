// The shared libraries that this process has loaded, such as rethink's CUDA plug-in.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rethink {

/// Returns build ids in lower-case hex, by file name, of loaded libraries whose file name begins
/// with one of `prefixes`; "unknown" for a library without a build id. Cost: microseconds, reads no
/// file.
std::map<std::string, std::string> loaded_libraries(const std::vector<std::string>& prefixes);

/// Returns the GNU build id in the notes of an ELF file, in lower-case hex; "" without a build id.
std::string build_id_in_notes(std::string_view notes);

/// Keeps the SHA-256 of a plug-in's file, which this process has just opened. Throws MachineError
/// when it cannot be read. Not from two threads at once.
void note_opened_plugin(const std::filesystem::path& file);

/// SHA-256 of the plug-ins' files that were opened so far, by file name.
const std::map<std::string, std::string>& opened_plugins();

}  // namespace rethink
