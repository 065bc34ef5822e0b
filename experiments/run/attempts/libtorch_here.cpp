#include "experiments/run/attempts/libtorch_here.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/error.h"
#include "experiments/attempt/job.h"

namespace rethink {
namespace {

constexpr const char* kMissing = "RETHINK_LIBTORCH_MISSING";

}  // namespace

std::string libtorch_trouble(const std::string& what) {
  const char* missing = std::getenv(kMissing);
  return missing ? fmt::format("{} needs LibTorch: {}", what, missing) : "";
}

void require_libtorch(const std::string& what) {
  if (const std::string trouble = libtorch_trouble(what); !trouble.empty())
    throw MachineError("missing-libtorch", trouble);
}

bool runs_without_libtorch(const std::string& job, const JobFacts& facts) {
  if (facts.runs_program) return true;
  // Plug-ins of other jobs, such as analyses of a model's weights, may be only in the worker with LibTorch.
  return std::getenv(kMissing) && facts.device == "cpu" &&
         std::ranges::count(jobs().names(), job) > 0;
}

}  // namespace rethink
