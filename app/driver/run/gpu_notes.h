// Notes on the machine's GPUs, printed before trials run.
#pragma once

#include <string>
#include <vector>

#include "app/driver/command.h"
#include "core/config/note.h"
#include "experiments/plan/plan.h"

namespace rethink {

/// Returns notes on existing GPUs that are not used, with the reason; how many trials would run on
/// a GPU in plain float32; how many have heads too wide for a fused kernel; and how many may not
/// fit. `device` is the value of --device.
std::vector<Note> notes_on_gpus(const std::vector<Plan>& plans, const CommandContext& context,
                                const std::string& device);

}  // namespace rethink
