// A library for LD_PRELOAD of a worker that makes checkpoints impossible to remove, as on a full
// copy-on-write file system.
#include <dlfcn.h>
#include <string.h>

#include <cerrno>

extern "C" int unlinkat(int folder, const char* name, int flags) {
  if (strncmp(name, "checkpoint-", strlen("checkpoint-")) == 0) {
    errno = ENOSPC;
    return -1;
  }
  using Unlink = int (*)(int, const char*, int);
  static const auto real = reinterpret_cast<Unlink>(dlsym(RTLD_NEXT, "unlinkat"));
  return real(folder, name, flags);
}
