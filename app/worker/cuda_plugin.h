// Opens this program's CUDA plug-in, librethink_cuda.so beside the program.
#pragma once

namespace rethink {

/// Must be called before anything else of LibTorch: if LibTorch is asked for CUDA without the
/// plug-in, it remembers that there is none. Throws MachineError.
void open_cuda_plugin();

}  // namespace rethink
