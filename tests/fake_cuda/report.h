// A report of a process's use of the fake devices: one line per event, in a file in the folder
// FAKE_CUDA_REPORT that is named by the process id.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace rethink::fake_cuda {

/// Records work that the host gives to the device: "operator aten::mm.out", "copy float bfloat16".
void report(const std::string& event);

/// Bytes that an operator reads and writes, and what its products compute.
struct Traffic {
  int64_t bytes = 0, flops = 0;
};

/// Returns the bytes of a tensor's elements; dimensions of stride 0 share theirs.
int64_t bytes_of(const at::Tensor& tensor);

/// Returns whether FAKE_CUDA_WORK is set: operators then say what they move and compute, for
/// tests/bench/gpu_roofline.py. Matrix products give zeros.
bool is_work_reported();
/// Records "work aten::mm BYTES FLOPS bfloat16" if work is reported.
void report_work(const std::string& name, const Traffic& traffic, at::ScalarType dtype);

/// Records work for which the host waits; the line begins with "wait ".
void report_wait(const std::string& event);
/// Returns the number of waits.
int64_t waits();

}  // namespace rethink::fake_cuda
