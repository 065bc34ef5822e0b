// A sweep that comes through a pipe: `envsubst < x.yaml | rethink run -`, `rethink plan <(...)`.
// Its text is there once, and a sweep's file is read again when the sweep is resumed, so a copy is
// kept. Messages call it what it was given as ("standard input:3:5", "/dev/fd/63:3:5"), and paths
// within it begin in the working folder.
#pragma once

#include <filesystem>

#include "app/driver/command.h"

namespace rethink {

/// Whether such a sweep is among the arguments: "-", or a pipe by its descriptor, as a shell writes
/// <(...).
bool has_piped_sweep(const po::variables_map& given);

/// `given` with the file of each such argument in its place, `folder`/NAME.yaml of the sweep NAME,
/// which a new text under that name replaces. Where a part of NAME cannot be a file's name, a part of
/// its hash follows it (core/system/unique_names.h): two sweeps have two files. Makes `folder` when it is
/// needed. A named pipe is none of them: it is refused as no file. Throws ConfigError for a text of
/// more than 8 MiB, two sweeps of one name, or a pipe that cannot be read; MachineError.
po::variables_map with_kept_sweeps(const po::variables_map& given,
                                   const std::filesystem::path& folder);

/// `given` with the files below `from` copied to `to`, and named there.
po::variables_map with_sweeps_moved(const po::variables_map& given,
                                    const std::filesystem::path& from,
                                    const std::filesystem::path& to);

}  // namespace rethink
