// Identifies the build of a program: the build id that the linker writes into every ELF file, the
// commit, and hashes of its sources. schema.json has the build id of the worker that wrote it, so a driver
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

/// Returns the commit of the checkout in which the programs of this folder were built, from the
/// build's file rethink.commit: "1a2b3c4d5e6f"; "1a2b3c4d5e6f-dirty" with uncommitted changes; ""
/// if unknown. The commit is not part of the build id: equal sources give equal programs.
std::string commit_of(const std::filesystem::path& programs);

/// Returns the commit of the running program. Reads it once.
const std::string& own_commit();

/// Returns hashes of the sources of the running program. Empty until set_own_sources() is called,
/// which a program that computes does first (experiments/train/numeric_build.h).
const SourceHashes& own_sources();
void set_own_sources(SourceHashes sources);

}  // namespace rethink
