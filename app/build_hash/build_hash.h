// The hash of a build: the sources that compute numbers, the compiler with its flags, and the
// linked libraries.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace rethink {

/// Returns 20 hex digits of the SHA-256 of the lines of `list`, in any order:
///
///   source models/tensors/linear.cpp     a path below `root`; counts by its name and its code (code_of.h)
///   library /usr/lib/libicuuc.a  a path; counts by its last part and its bytes
///   fact compiler GNU 12.2.0     counts as it is
///
/// The folders of the checkout and of the libraries do not count. Throws ConfigError for another
/// line, MachineError if a file cannot be read.
std::string build_hash(const std::string& list, const std::filesystem::path& root);

/// Returns 20 hex digits of the SHA-256 of the code (code_of.h) of each source in `list`, by its
/// path. Throws as build_hash().
std::map<std::string, std::string> source_hashes(const std::string& list,
                                                 const std::filesystem::path& root);

}  // namespace rethink
