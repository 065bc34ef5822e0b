// Signals: those that ask a command that runs trials to stop, and those that would kill it silently.
#pragma once

#include <atomic>

namespace rethink {

/// A write beyond the limit of a file's size (ulimit -f) fails with EFBIG from now on, which
/// throw_file_error explains, instead of killing the process without a message. Programs that it
/// starts inherit this.
void let_large_files_fail();

/// Counts SIGINT, SIGTERM and SIGHUP from now on; a hangup that the caller ignores (`nohup`) stays
/// ignored. A write to a closed pipe fails from now on instead of killing the process.
const std::atomic<int>& listen_to_signals();

}  // namespace rethink
