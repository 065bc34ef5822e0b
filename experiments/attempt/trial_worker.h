// The worker of a trial that is no child of this process: found by the trial's lock, and signalled
// only where it is that worker beyond doubt. A lock file is text that anything may have written,
// and a signal to a stranger cannot be taken back.
#pragma once

#include <string>

#include "core/format/trial_folder.h"
#include "core/system/file.h"
#include "core/system/process.h"

namespace rethink {

struct TrialWorker {
  int pid = 0;               // as the lock has it; 0: it names no process
  FileDescriptor process{};  // a pidfd of the worker; empty: `problem` says why
  std::string problem{};     // "its lock names process 7 (sleep 9), which ...; what to do"
};

/// The process that the trial's lock names, if it may be signalled: it runs as our user, began in
/// this boot at the recorded time, its program is a rethink-worker (of any build, and also one
/// whose file was replaced since), and it holds the lock of the trial's folder or of its lock file.
/// All of that is read after the process was opened, so that it holds for whoever is behind the
/// descriptor. Where the lock file was removed or replaced, the trial's events name the process.
TrialWorker find_worker(const TrialFolder& folder);

/// Sends `signal` to the trial's worker; returns "" or, where it was left alone, the problem.
std::string signal_worker(const TrialFolder& folder, int signal);

}  // namespace rethink
