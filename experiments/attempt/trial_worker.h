// The worker of a trial that is not a child of this process. The trial's lock names the worker,
// which gets a signal only if it is certainly that worker: a lock file is text of unknown origin,
// and a signal to another process cannot be undone.
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

/// Sends `signal` to the trial's worker. Returns "", or the reason why no signal was sent.
std::string signal_worker(const TrialFolder& folder, int signal);

}  // namespace rethink
