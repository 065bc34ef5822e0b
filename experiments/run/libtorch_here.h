// Whether this machine has the LibTorch of the programs, as the bundle's wrapper found out (cmake/bundle.sh).
#pragma once

#include <string>

#include "core/facts/job_facts.h"

namespace rethink {

/// Returns that `what` needs LibTorch, why it is missing, and the commands that bring it; empty: the wrapper found it, or
/// the program was started without the wrapper.
std::string libtorch_trouble(const std::string& what);

/// Throws MachineError with the text of libtorch_trouble if there is one.
void require_libtorch(const std::string& what);

/// Whether attempts of the job run in the worker without LibTorch, which is this program (`rethink serve`): those of a
/// user's program always; if LibTorch is missing, also those of jobs that this program has (`select`).
bool runs_without_libtorch(const std::string& job, const JobFacts& facts);

}  // namespace rethink
