// The machine's GPUs, by NVML of the driver's library. The library is opened at run time, so that
// this program does not link CUDA.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/run/slots.h"

namespace rethink {

/// The GPUs that CUDA shows on this machine.
struct VisibleGpus {
  std::vector<Gpu> gpus;  // in CUDA's order
  std::string hidden;     // why GPUs are hidden; "" if all named GPUs are shown
  std::string unread;     // parts of names that CUDA ignores; "" if none
  std::string meant;      // a correction: "did you mean 0,1?"; "" if unknown
  std::string too_old{};  // GPUs left out, since the plug-in has no code for them
  std::string driver{};   // "580.65.06"; "" if unknown
  int driver_cuda = 0;    // newest CUDA that the driver supports, 13 for 13.x; 0 if unknown
};

/// Returns the part of `all` that CUDA_VISIBLE_DEVICES=`visible` shows. `all` is in PCI order and
/// includes MIG devices, each with its parent:
///
///   value                      shown                                        source
///   (empty)                    none                                         guide
///   2,1                        the GPUs with these indices, in this order   guide
///   0,2,-1,1   0,7,1           those before the first invalid index         guide
///   " 1"  1gpu  "1 2"  1;2     GPU 1: read as by strtoul                     PyTorch
///   0,0   GPU-a,GPU-a          none: a repeated name hides all               PyTorch
///   GPU-8932                   the one GPU with this prefix of its UUID      guide
///   GPU-8                      none if several UUIDs have this prefix        guide, PyTorch
///   GPU-8932,0   0,GPU-8932    only names of the first name's kind           PyTorch
///   MIG-...                    MIG devices with this prefix of their UUIDs   guide
///   MIG-GPU-8932.../1/2        the MIG device of this GPU and instances      guide
///   1   GPU-8932               with MIG on: the GPU's first MIG device       MIG guide
///
/// A CUDA process sees at most the first of several MIG devices (MIG guide). All are returned here,
/// since each trial gets one of them.
/// guide: NVIDIA's CUDA programming guide, section 5.2.1.1; MIG guide: NVIDIA's MIG user guide,
/// section Device Enumeration; PyTorch: _parse_visible_devices and _transform_uuid_to_ordinals of
/// torch/cuda/__init__.py in 2.11, which repeat what the driver does.
/// CUDA counts indices by CUDA_DEVICE_ORDER=`order`: PCI_BUS_ID, else the fastest GPU first by an
/// unpublished rule. GPUs of one name are in PCI order in both cases. With different GPUs and
/// another order than PCI_BUS_ID, indices of only some GPUs are ambiguous and show none; indices of
/// all GPUs show all.
VisibleGpus visible_gpus(const std::vector<Gpu>& all, const std::string& visible,
                         const std::string& order = "PCI_BUS_ID");

/// Returns the GPUs that trials may use, with MIG devices in place of divided GPUs; none without a
/// driver.
VisibleGpus find_gpus();

/// Returns how many of them a program can have at once; one for MIG devices.
size_t whole_gpus(const VisibleGpus& visible);

/// Returns the memory of the largest of them; 0 if there is none.
uint64_t most_gpu_bytes(const VisibleGpus& visible);

/// Returns a function of all GPUs and MIG devices that the driver lists, whatever CUDA_VISIBLE_DEVICES is. Its argument
/// is the largest age of the answer [s]. A GPU that fell off the bus is not listed.
std::function<std::vector<Gpu>(double)> gpus_at_most_old();

/// Returns whether trials of our own jobs can run on a GPU: a GPU exists, and `programs` has the
/// plug-in for a version of CUDA that the driver supports.
bool can_use_gpu(const VisibleGpus& visible, const std::filesystem::path& programs);

/// Returns why programs use fewer GPUs than the machine has: CUDA_VISIBLE_DEVICES hides them, or
/// they are too old. "" if all are used, or none exists.
std::string trouble_with_visible_gpus(const VisibleGpus& visible);

/// Returns why `device: auto` uses fewer GPUs than the machine has: CUDA_VISIBLE_DEVICES hides them (with the probably
/// intended value), the GPU or the driver is too old, or the plug-in is missing. "" if all are used, or none exists.
std::string trouble_with_gpus(const VisibleGpus& visible, const std::filesystem::path& programs);

}  // namespace rethink
