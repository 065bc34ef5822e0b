// Safe reading of a store's files. A store may be a copied, restored or mounted folder, with a
// pipe, a device or a link in place of a file. A reader of a pipe would wait for ever, a reader of
// a device would never end, and a link may lead out of the store.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/error.h"
#include "core/files/file.h"

namespace rethink {

/// Error for something that rethink did not write in place of a file: another kind of file, a link,
/// or a file that is too large. Like JSON that cannot be parsed, it is a ConfigError.
struct DamagedFile : ConfigError {
  using ConfigError::ConfigError;
};

constexpr uint64_t kMostJsonBytes = uint64_t{16} << 20;   // of a trial's and a request's files
constexpr uint64_t kMostSweepBytes = uint64_t{64} << 20;  // of sweeps/<id>.json: 400,000 trials

/// Returns whether `path` is a trial's folder or below it: .../trials/<id>/.... Links are not
/// followed there.
bool is_below_a_trial(const std::filesystem::path& path);

/// Returns why `path` must not be read: "PATH: is a named pipe, expected a file; ...". Returns ""
/// for a regular file or a missing one. Below a trial's folder this includes links in place of the
/// file or of a folder above it.
std::string store_file_problem(const std::filesystem::path& path);
/// Returns the same for a folder: "" for a folder or a missing one.
std::string store_folder_problem(const std::filesystem::path& path);

/// Opens a regular file by open(2) without waiting. Throws DamagedFile with store_file_problem,
/// else as throw_file_error.
FileDescriptor open_store_file(const std::filesystem::path& path, int flags);

/// Returns the bytes of a regular file of at most `most` bytes. Throws as open_store_file, and
/// DamagedFile if it is larger.
std::string read_store_file(const std::filesystem::path& path, uint64_t most = kMostJsonBytes);

/// Returns the entries of a folder; none if it is missing. Throws as throw_file_error if it cannot
/// be read.
std::filesystem::directory_iterator entries_of(const std::filesystem::path& folder);

/// Returns the rest of an open file, at most `most` + 1 bytes. `path` is its name in messages.
/// Throws MachineError.
std::string read_rest(int file, const std::filesystem::path& path, uint64_t most);

}  // namespace rethink
