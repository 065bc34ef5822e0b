#include "app/worker/cuda_plugin.h"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "core/error.h"
#include "core/files/file.h"
#include "core/system/loaded_libraries.h"
#include "core/system/machine_fault.h"

namespace rethink {

void open_cuda_plugin() {
  const auto file =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "librethink_cuda.so";
  if (!dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
    const std::string why = std::string("no CUDA: ") + dlerror();
    if (machine_fault(std::runtime_error(why)) == MachineFault::resources)
      throw ResourceError("no-resources", why);
    throw MachineError("no-gpu", why +
                                     "; `make deps` fetches the CUDA libraries where a GPU driver "
                                     "is, nvcc builds the plug-in; "
                                     "or use --device cpu");
  }
  note_opened_plugin(file);
}

}  // namespace rethink
