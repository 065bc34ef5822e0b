// The worker of a trial that is not a child of this process. The trial's lock names the worker,
// which gets a signal only if it is certainly that worker: a lock file is text of unknown origin,
// and a signal to another process cannot be undone.
#pragma once

#include <string>

#include "core/files/file.h"
#include "core/store_files/trial_folder.h"
#include "core/system/process.h"

namespace rethink {

struct TrialWorker {
  int pid = 0;               // from the lock; 0: the lock names no process
  FileDescriptor process{};  // a pidfd of the worker; if empty, `problem` says why
  std::string problem{};     // "its lock names process 7 (sleep 9), which ...; what to do"
};

/// Returns the process that the trial's lock names, if it may be signalled. It must run as our user, and must have
/// started in this boot at the recorded time. Its program must be a rethink-worker (of any build, or with a file
/// replaced since), and it must hold the lock of the trial's folder or of its lock file. All this is read after the
/// process was opened, so it is true of the process behind the descriptor. If the lock file was removed or replaced,
/// the trial's events name the process.
TrialWorker find_worker(const TrialFolder& folder);

/// Sends `signal` to the trial's worker. Returns "", or the reason why no signal was sent.
std::string signal_worker(const TrialFolder& folder, int signal);

}  // namespace rethink
