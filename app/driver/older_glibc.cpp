// arc4random, which glibc has from 2.36 on: the libstdc++ that is linked into the driver asks for it (std::random_device).
// With a definition of its own the driver starts on glibc 2.34 (RHEL 9), too.
#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

extern "C" uint32_t arc4random() noexcept {
  uint32_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) std::abort();
  return number;
}
