// The slots in which trials run: CPU slots with their cores, and shares of GPUs by memory. Also
// limits the number of trials if the system refuses more processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/system/process.h"

namespace rethink {

/// A usable GPU, or one of its MIG devices, as NVML reports it.
struct Gpu {
  std::string uuid;  // "GPU-..." or "MIG-..."
  std::string name;
  uint64_t total_bytes = 0;
  uint64_t free_bytes = 0;
  bool has_mig = false;          // programs see its MIG devices, not the GPU
  std::string parent{};          // of a MIG device: the GPU's UUID
  int capability = 0;            // compute capability, 80 for 8.0; 0 if unknown
  std::string older_name{};      // of a MIG device, before driver R470: "MIG-GPU-.../1/0"
  std::optional<int> ordinal{};  // in PCI order of all GPUs; none for a MIG device
};

/// Resources that a running trial needs.
struct Demand {
  int threads = 1;
  bool gpu = false;
  bool alone = false;                   // no other trial of the run at the same time
  std::string shape{};                  // of a GPU: trials of one shape need the same memory
  std::optional<uint64_t> gpu_bytes{};  // as given in the sweep; none = measured
  std::optional<int> most_per_gpu{};    // trials on its GPU at once; none = no limit
  std::optional<int> whole_gpus{};      // GPUs without another trial; none = a share of one GPU
  auto operator<=>(const Demand&) const = default;
};

/// Resources that a trial got.
struct Placement {
  std::vector<int> cores;          // empty = not pinned
  std::optional<std::string> gpu;  // UUID; of several GPUs "GPU-1,GPU-2"
  /// The same GPUs as CUDA_VISIBLE_DEVICES names them for CUDA_DEVICE_ORDER=PCI_BUS_ID: ordinals, which many
  /// programs read as numbers, and MIG devices by UUID.
  std::vector<std::string> visible_gpus{};
};

class Slots {
 public:
  /// `count` is the number of trials that may run at once; 0 = as many as the cores allow by their
  /// threads, and on GPUs as many as their memory allows, but at most one per core. `cpus` is the
  /// number of cores whose time a quota allows (usable_cpus()); 0 = all. With a quota trials are
  /// not pinned, since another container on this machine would choose the same cores.
  Slots(int count, std::vector<int> cores, std::vector<Gpu> gpus, size_t cpus = 0);

  /// Lets `read` read the GPUs' free memory before a trial takes a GPU, since other programs use
  /// GPUs too. `read` returns all GPUs in any order; its argument is the largest age of the answer
  /// [s]. A GPU that is not returned has no memory.
  void read_gpus_by(std::function<std::vector<Gpu>(double)> read) { read_gpus_ = std::move(read); }

  /// Returns nothing if the trial does not fit beside the running trials.
  std::optional<Placement> take(const std::string& trial, const Demand& demand);
  /// Takes a slot for a trial of an earlier driver, and its part of `gpu` if known. `cores` are the
  /// cores that the trial may use. A CPU trial keeps them if their number is its number of threads.
  void take_adopted(const std::string& trial, const Demand& demand, std::vector<int> cores,
                    std::optional<std::string> gpu);
  void give_back(const std::string& trial);
  /// Returns a GPU of a badly ended trial that the machine no longer lists; no trial gets it any
  /// more.
  std::optional<Gpu> lost_gpu_of(const std::string& trial);
  /// Returns whether a trial that fits nowhere would fit if other programs left a GPU.
  bool may_fit_later(const Demand& demand) const;

  /// Records the memory that a trial used. The first trial of a shape has a GPU for itself until
  /// then; the following trials share GPUs by this number.
  void measured(const std::string& shape, uint64_t peak_bytes);
  /// Records that a trial with this demand ran out of memory: from now on half as many of its shape share a GPU.
  void ran_out_of_memory(const Demand& demand);

  size_t running() const { return taken_.size(); }
  /// Returns the largest number of trials of one thread that run at once.
  int capacity() const;

 private:
  struct Taken {
    std::vector<int> cores;
    bool on_gpu = false;
    std::vector<std::string> gpus;  // UUIDs
    uint64_t gpu_bytes = 0;         // for each GPU
    std::optional<int> most_per_gpu{};
    std::string shape{};
    bool is_measured = true;  // or given by the sweep; else the trial has the GPU for itself
    bool is_whole = false;    // no other trial may share its GPUs

    bool has(const std::string& uuid) const;
  };
  std::optional<std::vector<int>> free_cores(int threads) const;
  const Gpu* free_share(const Demand& demand) const;
  std::vector<const Gpu*> free_gpus(const Demand& demand) const;
  void read_free_memory();
  uint64_t bytes_taken(const Gpu& gpu) const;
  size_t trials_on_gpus() const;
  /// Returns whether one more trial fits the limits `most_per_gpu` of the trial and of the trials on the GPU.
  bool may_share(const Demand& demand, const Gpu& gpu) const;
  uint64_t bytes_needed(const Demand& demand, const Gpu& gpu) const;

  int count_;
  bool may_pin_ = true;
  std::vector<int> cores_;
  std::vector<Gpu> gpus_;                      // free_bytes: memory that other programs leave
  std::map<std::string, uint64_t> idle_free_;  // by uuid: last without a trial of this run
  std::map<std::string, uint64_t> most_free_;  // by uuid: largest free memory so far
  std::function<std::vector<Gpu>(double)> read_gpus_;
  std::set<std::string> lost_;  // uuids
  std::map<std::string, Taken> taken_;
  std::map<std::string, uint64_t> peak_bytes_;  // by shape
};

/// Returns the cores that this process may use.
std::vector<int> usable_cores();
/// Returns the number of these cores that a quota of CPU time allows (core/system/processor.h),
/// rounded up; all without a quota.
size_t usable_cpus();
/// Returns the cores that another process may use; empty if it has ended.
std::vector<int> cores_of(const ProcessIdentity& process);

/// Limits the number of attempts, and delays the next start, on a machine that refuses more
/// processes, threads or open files.
class StartLimit {
 public:
  /// Records that the system refused an attempt its resources while `running` others ran. The next start waits a
  /// quarter of a second, twice as long after each further refusal, at most half a minute.
  void refuse(size_t running, double now_s);
  /// Records that an attempt ended in another way and released its resources.
  void relax() { pause_s_ = 0, alone_ = 0; }
  /// Returns whether another attempt may start beside `running` attempts. One more is tried a
  /// minute after the last refusal; each further refusal doubles this time.
  bool allows(size_t running, double now_s);
  /// Returns whether waiting does not help: attempts were refused for 16 seconds with nothing else
  /// running.
  bool is_hopeless() const { return alone_ >= kMostAlone; }
  /// Returns the largest number of attempts at once; 0 = no limit was met.
  size_t most() const { return most_; }

 private:
  static constexpr size_t kMostAlone = 7;

  size_t most_ = 0;
  size_t alone_ = 0;  // consecutive refusals with nothing else running
  double pause_s_ = 0, until_s_ = 0;
  double patience_s_ = 0, grows_s_ = 0;  // time without a refusal until one more is tried
};

}  // namespace rethink
