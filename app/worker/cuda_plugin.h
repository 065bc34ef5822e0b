// The CUDA plug-in of this program, librethink_cuda.so beside it.
#pragma once

namespace rethink {

/// Call it before anything else of LibTorch: asked for CUDA without the plug-in, that remembers for
/// good that there is none. Throws MachineError.
void open_cuda_plugin();

}  // namespace rethink
