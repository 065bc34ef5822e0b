#include "app/worker/cuda_plugin.h"

#include <dlfcn.h>

#include <filesystem>
#include <string>

#include "core/error.h"
#include "core/loaded_libraries.h"

namespace rethink {

void open_cuda_plugin() {
  const auto file =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "librethink_cuda.so";
  if (!dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
    throw MachineError(
        std::string("no CUDA: ") + dlerror() +
        "; `make deps` fetches the CUDA libraries where a GPU driver is, nvcc builds the plug-in; "
        "or use --device cpu");
  }
  note_opened_plugin(file);
}

}  // namespace rethink
