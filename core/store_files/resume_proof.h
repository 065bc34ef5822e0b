// Proofs that a user's program resumes exactly from its checkpoints, which `rethink selftest --resume` makes: one
// for each code, command line and kind of device, as STORE/code/<name>.resume.json.
#pragma once

#include <filesystem>
#include <string>

#include "core/json_fwd.h"

namespace rethink {

/// The name of the proof: a SHA-256 of the code's SHA-256, of `run` as the sweep has it, and of the device, "cpu"
/// or "cuda". `config` is a configuration of a job that runs a program.
std::string resume_proof_name(const Json& config, const std::string& device);

/// The start fact by which an attempt records the name of the proof that it would need.
constexpr const char* kResumeProofFact = "resume_proof";

/// Whether the store has a sound proof of this name.
bool has_resume_proof(const std::filesystem::path& store, const std::string& name);

/// Records that `trial` was killed and resumed with equal results. Durable. Throws MachineError.
void write_resume_proof(const std::filesystem::path& store, const std::string& name,
                        const std::string& trial);

/// Removes a refuted proof, if it exists. Throws MachineError.
void remove_resume_proof(const std::filesystem::path& store, const std::string& name);

}  // namespace rethink
