// A --set that no stage can take.
#pragma once

#include <string>

#include "experiments/plan/read/sweep_file.h"

namespace rethink {

/// "no stage has an option or axis 'lr'; did you mean 'optimizer.lr'?; known: ...". Compared with
/// options at every depth; known are the outermost.
std::string unknown_setting(const SweepSpec& sweep, const std::string& key, const Schema& schema);

}  // namespace rethink
