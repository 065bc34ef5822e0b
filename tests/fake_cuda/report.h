// What a process did with the fake devices, one line for each event, in the file that has its number
// in the folder FAKE_CUDA_REPORT.
#pragma once

#include <cstdint>
#include <string>

namespace rethink::fake_cuda {

/// Work that the host gives to the device: "operator aten::mm.out", "copy float bfloat16".
void report(const std::string& event);

/// The same of what makes the host wait for the device; its line begins with "wait ".
void report_wait(const std::string& event);
/// How often that was.
int64_t waits();

}  // namespace rethink::fake_cuda
