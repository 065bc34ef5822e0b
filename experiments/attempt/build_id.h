// Identifies the build of a program: the build id that the linker writes into every ELF file, and
// hashes of its sources. schema.json has the build id of the worker that wrote it, so a driver
// notices a worker of another build.
#pragma once

#include <filesystem>
#include <string>

#include "core/config/schema.h"

namespace rethink {

/// Returns the GNU build id of an ELF program, in lower-case hex. Throws MachineError if it has
/// none. Cost: reads the notes, not the program.
std::string build_id_of(const std::filesystem::path& program);

/// Returns the build id of the running program. Reads it once.
const std::string& own_build_id();

/// Hashes of the sources that the running program was built from. Empty until set_own_sources() is called, which a
/// program that computes does first (experiments/train/numeric_build.h).
const SourceHashes& own_sources();
void set_own_sources(SourceHashes sources);

}  // namespace rethink
