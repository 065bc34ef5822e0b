// Checks whether this machine has the programs' LibTorch, as the bundle's wrapper found (cmake/bundle.sh).
#pragma once

#include <string>

#include "core/facts/job_facts.h"

namespace rethink {

/// Returns that `what` needs LibTorch, why it is missing, and the commands that bring it. Empty if
/// the wrapper found LibTorch, or if the program was started without the wrapper.
std::string libtorch_trouble(const std::string& what);

/// Throws MachineError with the text of libtorch_trouble if there is one.
void require_libtorch(const std::string& what);

/// Returns whether attempts of the job run in the worker without LibTorch, which is this program (`rethink serve`).
/// This is true for users' programs, and, if LibTorch is missing, for jobs that this program has (`select`).
bool runs_without_libtorch(const std::string& job, const JobFacts& facts);

}  // namespace rethink
