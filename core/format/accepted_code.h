// The start fact by which an attempt records the code of its plug-ins, and what a user said of code that changed.
// `rethink accept` writes one file for each change: STORE/code/<name>.accepted.json.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// Its value is an object: {"attention/dense": hash of the code}. A store's environment has "code.attention/dense".
constexpr const char* kCodeFact = "code";

/// A plug-in whose code is not what it was when trials were done.
struct CodeChange {
  std::string plugin;       // "attention/dense"
  std::string before, now;  // hashes
};

/// Whether the store says that the change leaves all numbers as they were.
bool is_accepted(const std::filesystem::path& store, const CodeChange& change);

/// Records it. Durable. Throws MachineError.
void accept(const std::filesystem::path& store, const CodeChange& change);

}  // namespace rethink
