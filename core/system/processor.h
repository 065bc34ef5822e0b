// What the kernel says about the processor.
#pragma once

#include <string>

namespace rethink {

/// A line of /proc/cpuinfo, of the first core: "model name", "flags"; empty where there is none.
std::string processor_fact(const std::string& name);

}  // namespace rethink
