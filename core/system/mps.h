// NVIDIA's Multi-Process Service (MPS), by which processes that share a GPU compute at the same time.
#pragma once

namespace rethink {

/// Whether CUDA programs that start now use MPS: its control daemon accepts connections in the folder of
/// CUDA_MPS_PIPE_DIRECTORY, else in /tmp/nvidia-mps. CUDA itself tries just that (nvidia-cuda-mps-control(1)).
bool is_mps_running();

}  // namespace rethink
