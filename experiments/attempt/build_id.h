// Which build a program is: the build id that the linker writes into every ELF file. schema.json
// names the one of the worker that wrote it, so that a driver sees when the two do not belong
// together.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// Lower-case hex of the GNU build id note of an ELF program. Throws MachineError when it has none.
/// Cost: reads the notes, not the program.
std::string build_id_of(const std::filesystem::path& program);

/// Of the running program; read once.
const std::string& own_build_id();

}  // namespace rethink
