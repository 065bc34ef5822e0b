// Reading files that lie in a store. Whoever writes there may be a copied, restored or mounted
// folder, so that a pipe, a device or a link may stand where rethink left a file: a reader of a
// pipe would wait for ever, one of a device never end, and what a link leads to is not the store's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/error.h"
#include "core/system/file.h"

namespace rethink {

/// Something stands in the place of a file that is not what rethink wrote: not a file, a link, too
/// large. Like JSON that cannot be parsed, a ConfigError.
struct DamagedFile : ConfigError {
  using ConfigError::ConfigError;
};

constexpr uint64_t kMostJsonBytes = uint64_t{16} << 20;   // of a trial's and a request's files
constexpr uint64_t kMostSweepBytes = uint64_t{64} << 20;  // of sweeps/<id>.json: 400,000 trials

/// Whether `path` is a trial's folder or lies below one: .../trials/<id>/...; there no link counts.
bool is_below_a_trial(const std::filesystem::path& path);

/// Why nothing may be read at `path`: "PATH: is a named pipe, expected a file; ..."; "" if a regular
/// file or nothing is there. Below a trial's folder links in the place of the file or of a folder on
/// the way from the trial's are named, too.
std::string store_file_problem(const std::filesystem::path& path);
/// The same of a folder: "" if a folder or nothing is there.
std::string store_folder_problem(const std::filesystem::path& path);

/// open(2) of a regular file, which never waits. Throws DamagedFile with store_file_problem, else as
/// throw_file_error.
FileDescriptor open_store_file(const std::filesystem::path& path, int flags);

/// Everything in a regular file of at most `most` bytes. Throws as open_store_file, DamagedFile
/// where it is larger.
std::string read_store_file(const std::filesystem::path& path, uint64_t most = kMostJsonBytes);

/// What is in a folder; nothing where there is none. Throws as throw_file_error when it cannot be
/// read: that is not an empty one.
std::filesystem::directory_iterator entries_of(const std::filesystem::path& folder);

/// What is left to read of an open file, at most `most` bytes and one more. `path` stands in
/// messages. Throws MachineError.
std::string read_rest(int file, const std::filesystem::path& path, uint64_t most);

}  // namespace rethink
