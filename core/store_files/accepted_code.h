// The start fact with the code of an attempt's plug-ins, and files in which a user accepts changed
// code. `rethink accept` writes one file per change: STORE/code/<name>.accepted.json.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// The fact's value is an object: {"attention/dense": hash of the code}. In a store's environment, the fact has the
/// name "code.attention/dense".
constexpr const char* kCodeFact = "code";

/// A plug-in whose code has changed since trials were done.
struct CodeChange {
  std::string plugin;       // "attention/dense"
  std::string before, now;  // hashes
};

/// Returns whether the store has a record that the change leaves all numbers as they were.
bool is_accepted(const std::filesystem::path& store, const CodeChange& change);

/// Returns all accepted changes that the store has a readable record of.
std::vector<CodeChange> accepted_changes(const std::filesystem::path& store);

/// Records that the change leaves all numbers as they were. Durable. Throws MachineError.
void accept(const std::filesystem::path& store, const CodeChange& change);

}  // namespace rethink
