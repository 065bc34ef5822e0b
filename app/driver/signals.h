// What asks a command that runs trials to stop.
#pragma once

#include <atomic>

namespace rethink {

/// Counts SIGINT, SIGTERM and SIGHUP from now on; a hangup that the caller ignores (`nohup`) stays
/// ignored. A write to a closed pipe, or beyond the limit of a file's size, fails from now on
/// instead of killing the process.
const std::atomic<int>& listen_to_signals();

}  // namespace rethink
