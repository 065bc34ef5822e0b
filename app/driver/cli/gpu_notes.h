// Notes on the machine's GPUs, printed before trials run.
#pragma once

#include <string>
#include <vector>

#include "app/driver/command.h"
#include "experiments/plan/plan.h"

namespace rethink {

/// Lines for people: GPUs that are there and not used, with the reason; how many trials would run on one in plain
/// float32, and how many may not fit. `device`: as --device has it.
std::vector<std::string> notes_on_gpus(const std::vector<Plan>& plans,
                                       const CommandContext& context, const std::string& device);

}  // namespace rethink
