// A zygote is a process that has loaded LibTorch once and forks a child for each attempt. The
// driver starts it as `rethink-worker serve` with one end of a socket pair as its standard input
// and speaks lines of JSON with it; `ticket` is a number that the driver chooses and every answer
// repeats.
//
//   driver to zygote
//     {"run": ticket, "request": {...}}                run this attempt (attempt_request.h)
//   zygote to driver
//     {"ready": "<build id>"}                          once, first
//     {"unable": "message"}                            instead: the system lacks files or processes
//     {"started": ticket, "process": {"pid": 123, ...}}
//     {"refused": ticket, "message": "..."}            it cannot fork, or watch what it forked
//     {"ended": ticket, "status": of waitpid, "oom": false}
//
// The end of the driver is the end of the socket: the zygote exits, its children work on as
// orphans. The end of the zygote makes its children the driver's own (the driver is a child
// subreaper), which then waits for them itself. Signals go from the driver to the children: a
// zygote that hangs passes nothing on, and is ended when it owes word of an end for too long. A
// child holds the socket, too, until it has signed its trial's lock: at the end of the socket the
// locks tell who works, "started" or not.
#pragma once

#include <string>

namespace rethink {

/// Serves until the driver is gone; 0 then. Children never return from it. Requires: this process
/// has one thread and `socket` is standard input or above standard error.
int serve_zygote(int socket);

/// Reports to the driver why this process cannot become a zygote: the system lacks files or
/// processes.
void refuse_to_serve(int socket, const std::string& message);

}  // namespace rethink
