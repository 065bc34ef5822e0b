// Sweeps that come through a pipe: `envsubst < x.yaml | rethink run -`, `rethink plan <(...)`. A
// pipe can be read only once, but a resumed sweep reads its file again, so a copy is kept. Messages
// use the given name ("standard input:3:5", "/dev/fd/63:3:5"), and relative paths begin in the
// working folder.
#pragma once

#include <filesystem>

#include "app/driver/command.h"

namespace rethink {

/// Returns whether such a sweep is among the arguments: "-", or a pipe by its descriptor, as a
/// shell writes <(...).
bool has_piped_sweep(const po::variables_map& given);

/// Returns `given` with a file in place of each such argument: `folder`/NAME.yaml for the sweep
/// NAME. A new text of the same name replaces the file. If NAME cannot be a file's name, a part of
/// its hash is added (core/files/unique_names.h), so that two sweeps have two files. Makes
/// `folder` if needed. A named pipe is not such an argument and is refused. Throws ConfigError for
/// a text of more than 8 MiB, two sweeps of one name, or a pipe that cannot be read; MachineError.
po::variables_map with_kept_sweeps(const po::variables_map& given,
                                   const std::filesystem::path& folder);

/// Returns `given` with the files below `from` copied to `to`, and with the new paths.
po::variables_map with_sweeps_moved(const po::variables_map& given,
                                    const std::filesystem::path& from,
                                    const std::filesystem::path& to);

}  // namespace rethink
