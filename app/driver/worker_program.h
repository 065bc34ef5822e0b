// Commands that need LibTorch are the worker program's.
#pragma once

#include <string>
#include <vector>

#include "app/driver/command.h"

namespace rethink {

/// The worker takes this process's place: its exit code is the command's. Throws MachineError when
/// it cannot be started.
[[noreturn]] void become_worker(const CommandContext& context, std::vector<std::string> words);

}  // namespace rethink
