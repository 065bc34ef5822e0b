// GPUs by NVML of the driver library, which is opened at run time: this program does not link CUDA.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/run/slots.h"

namespace rethink {

/// The GPUs of a machine that CUDA shows.
struct VisibleGpus {
  std::vector<Gpu> gpus;  // in CUDA's order
  std::string hidden;     // why it shows no more than these; "" where it shows all that are named
  std::string unread;     // parts of names that CUDA does not read; "" where it reads all
  std::string meant;      // what to write instead: "did you mean 0,1?"; "" where nothing is known
  std::string too_old{};  // GPUs that are left out, as the plug-in has no code for them
  std::string driver{};   // "580.65.06"; "" where it does not say
  int driver_cuda = 0;    // the newest CUDA that it runs, 13 for 13.x; 0 where it does not say
};

/// What CUDA_VISIBLE_DEVICES=`visible` leaves of `all`, which are in PCI order, and MIG devices among
/// them, each with its parent:
///
///   value                      shown                                        source
///   (empty)                    none                                         guide
///   2,1                        the GPUs with these indices, in this order   guide
///   0,2,-1,1   0,7,1           those before the first index of no GPU       guide
///   " 1"  1gpu  "1 2"  1;2     GPU 1: read as by strtoul                     PyTorch
///   0,0   GPU-a,GPU-a          none: one that is named twice hides all      PyTorch
///   GPU-8932                   the one GPU whose UUID begins so             guide
///   GPU-8                      none where several UUIDs begin so            guide, PyTorch
///   GPU-8932,0   0,GPU-8932    the part of the kind of the first name       PyTorch
///   MIG-...                    the MIG devices whose UUIDs begin so         guide
///   MIG-GPU-8932.../1/2        the MIG device of that GPU and instances     guide
///   1   GPU-8932               with MIG on: the GPU's first MIG device      MIG guide
///
/// A process of CUDA sees no more than the first MIG device of several (MIG guide); the others are
/// shown here, as each trial is given one.
/// guide: NVIDIA's CUDA programming guide, section 5.2.1.1; MIG guide: NVIDIA's MIG user guide,
/// section Device Enumeration; PyTorch: _parse_visible_devices and
/// _transform_uuid_to_ordinals of torch/cuda/__init__.py in 2.11, which repeat what the driver does.
/// CUDA counts indices as CUDA_DEVICE_ORDER=`order` says: PCI_BUS_ID, or else the fastest first by
/// a rule that NVIDIA does not publish. GPUs of one name are in PCI order either way; among
/// different ones indices of a part of them then show none, as they could mean others; indices of all
/// show all.
VisibleGpus visible_gpus(const std::vector<Gpu>& all, const std::string& visible,
                         const std::string& order = "PCI_BUS_ID");

/// Returns the GPUs that trials may use, with MIG devices in place of divided GPUs; none without a
/// driver.
VisibleGpus find_gpus();

/// Returns how many of them a program can have at once; one for MIG devices.
size_t whole_gpus(const VisibleGpus& visible);

/// Returns the memory of the largest of them; 0 if there is none.
uint64_t most_gpu_bytes(const VisibleGpus& visible);

/// All GPUs that the driver lists, and their MIG devices, whatever CUDA_VISIBLE_DEVICES says, as they were at
/// most so many seconds ago. A GPU that fell off the bus is not listed.
std::function<std::vector<Gpu>(double)> gpus_at_most_old();

/// Returns whether trials of our own jobs can run on a GPU: a GPU exists, and `programs` has the
/// plug-in for a version of CUDA that the driver supports.
bool can_use_gpu(const VisibleGpus& visible, const std::filesystem::path& programs);

/// Why fewer GPUs are used than the machine has, by whatever program: what CUDA_VISIBLE_DEVICES hides, or that they
/// are too old. "" where all are used, or there is none.
std::string trouble_with_visible_gpus(const VisibleGpus& visible);

/// Why `device: auto` uses fewer GPUs than the machine has: what CUDA_VISIBLE_DEVICES hides, with what
/// was probably meant, or the GPU or the driver is too old, or the plug-in is missing. "" where it uses what there is, or there is none.
std::string trouble_with_gpus(const VisibleGpus& visible, const std::filesystem::path& programs);

}  // namespace rethink
