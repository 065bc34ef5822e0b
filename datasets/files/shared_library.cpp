#include "datasets/files/shared_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/error.h"

namespace rethink {

SharedLibrary::SharedLibrary(const std::string& name, const std::string& package)
    : name_(name), handle_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (!handle_) {
    throw MachineError("missing-library",
                       fmt::format("{}: cannot be opened; install it (Debian: apt-get install {})",
                                   name, package));
  }
}

SharedLibrary::Symbol SharedLibrary::operator[](const char* name) const {
  void* const found = dlsym(handle_, name);
  if (!found)
    throw MachineError("missing-library", fmt::format("{}: has no function {}", name_, name));
  return {found};
}

}  // namespace rethink
