// A zygote is a process that has loaded LibTorch once and forks a child for each attempt. The
// driver starts it as `rethink-worker serve` with one end of a socket pair as its standard input.
// They exchange lines of JSON; `ticket` is a number that the driver chooses and every answer
// repeats.
//
//   driver to zygote
//     {"run": ticket, "request": {...}}                run this attempt (attempt_request.h)
//   zygote to driver
//     {"ready": "<build id>"}                          once, first
//     {"unable": "message"}                            instead: the system lacks files or processes
//     {"started": ticket, "process": {"pid": 123, ...}}
//     {"refused": ticket, "message": "..."}            it cannot fork, or watch the forked process
//     {"ended": ticket, "status": of waitpid, "oom": false}
//
// When the driver ends, the socket closes: the zygote exits, and its children continue as orphans.
// When the zygote ends, its children become the driver's own, since the driver is a child
// subreaper, and the driver waits for them itself. The driver signals children directly, since a
// hanging zygote would forward nothing. The driver ends a zygote that reports an end too late. A
// child also holds the socket until it has signed its trial's lock. So once the socket is closed,
// the locks show which children run, whether "started" arrived or not.
#pragma once

#include <string>

namespace rethink {

/// Serves until the driver has ended, then returns 0. Does not return in children. Requires: this
/// process has one thread, and `socket` is standard input or above standard error.
int serve_zygote(int socket);

/// Reports to the driver why this process cannot become a zygote: the system lacks files or
/// processes.
void refuse_to_serve(int socket, const std::string& message);

}  // namespace rethink
