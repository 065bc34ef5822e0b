// A report of a process's use of the fake devices: one line per event, in a file in the folder
// FAKE_CUDA_REPORT that is named by the process id.
#pragma once

#include <cstdint>
#include <string>

namespace rethink::fake_cuda {

/// Records work that the host gives to the device: "operator aten::mm.out", "copy float bfloat16".
void report(const std::string& event);

/// Records work for which the host waits; the line begins with "wait ".
void report_wait(const std::string& event);
/// Returns the number of waits.
int64_t waits();

}  // namespace rethink::fake_cuda
