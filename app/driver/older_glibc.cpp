// A definition of arc4random, which glibc has from version 2.36 on. The libstdc++ that is linked into the driver calls
// it (std::random_device). With this definition the driver also starts on glibc 2.34 (RHEL 9).
#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

extern "C" uint32_t arc4random() noexcept {
  uint32_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) std::abort();
  return number;
}
