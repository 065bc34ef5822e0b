#include "experiments/run/pilots/machine_kind.h"

#include <fmt/format.h>

#include <set>

#include "core/error.h"
#include "core/files/hash.h"
#include "core/system/processor.h"

namespace rethink {

MachineKind machine_kind(const VisibleGpus& visible) {
  std::string features = processor_fact("flags");
  if (features.empty()) features = processor_fact("Features");  // on ARM
  MachineKind kind;
  for (const char* fact : {"vendor_id", "cpu family", "model\t", "stepping"})
    kind.processor += processor_fact(fact) + " ";
  kind.processor += fmt::format("{:08x}", crc32c(features));
  std::set<std::string> names;
  for (const Gpu& gpu : visible.gpus) names.insert(gpu.name);
  kind.gpus = joined({names.begin(), names.end()});
  return kind;
}

}  // namespace rethink
