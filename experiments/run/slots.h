// The places for trials: CPU slots with their cores, shares of GPUs by memory; and how many trials
// run at once if the system refuses more processes.
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

/// A GPU that may be used, or one of the MIG devices that it is divided into, as NVML sees it.
struct Gpu {
  std::string uuid;  // "GPU-..." or "MIG-..."
  std::string name;
  uint64_t total_bytes = 0;
  uint64_t free_bytes = 0;
  bool has_mig = false;      // programs see its MIG devices, not the GPU
  std::string parent{};      // of a MIG device: the GPU's UUID
  int capability = 0;        // compute capability, 80 for 8.0; 0 where the driver does not say
  std::string older_name{};  // of a MIG device: "MIG-GPU-.../1/0", as drivers before R470 call it
  std::optional<int> ordinal{};  // in PCI order, among all of the machine; none of a MIG device
};

/// Resources that a running trial needs.
struct Demand {
  int threads = 1;
  bool gpu = false;
  bool alone = false;                   // no other trial of the run beside it
  std::string shape{};                  // of a GPU: trials of one shape need the same memory
  std::optional<uint64_t> gpu_bytes{};  // as given in the sweep; none = measured
  std::optional<int> most_per_gpu{};    // trials on its GPU at once; none = no limit
  std::optional<int> whole_gpus{};      // so many GPUs without another trial; none = a share of one
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
  /// `count`: how many trials may run at once; 0 = as many as the cores carry by their threads, and
  /// on GPUs as many as their memory carries, but not more than there are cores. `cpus`: of how many
  /// cores a quota pays for the time, see usable_cpus(); trials are then not pinned, since another
  /// container beside this one would choose the same cores. 0 = all.
  Slots(int count, std::vector<int> cores, std::vector<Gpu> gpus, size_t cpus = 0);

  /// Has the GPUs' free memory read by `read` before a trial takes one: other programs use them too.
  /// `read` returns all GPUs that it finds, in any order, as they were at most so many seconds ago. What it
  /// does not find has no memory.
  void read_gpus_by(std::function<std::vector<Gpu>(double)> read) { read_gpus_ = std::move(read); }

  /// Returns nothing if the trial does not fit beside the running trials.
  std::optional<Placement> take(const std::string& trial, const Demand& demand);
  /// A trial of an earlier driver: takes a slot, its place on `gpu` where that is known, and `cores`, those
  /// that it may use, where they are as many as it was given and not just all that there are.
  void take_adopted(const std::string& trial, const Demand& demand, std::vector<int> cores,
                    std::optional<std::string> gpu);
  void give_back(const std::string& trial);
  /// A GPU of the trial's, where the machine no longer lists it: no trial gets it any more. Of a trial that
  /// ended badly.
  std::optional<Gpu> lost_gpu_of(const std::string& trial);
  /// Whether a trial that fits nowhere would fit if other programs left a GPU.
  bool may_fit_later(const Demand& demand) const;

  /// The first trial of a shape has a GPU for itself until it says what it uses, which packs those that
  /// follow.
  void measured(const std::string& shape, uint64_t peak_bytes);
  /// A trial with this demand ran out of memory: from now on half as many of its shape share a GPU.
  void ran_out_of_memory(const Demand& demand);

  size_t running() const { return taken_.size(); }
  /// Returns the largest number of trials of one thread that run at once.
  int capacity() const;

 private:
  struct Taken {
    std::vector<int> cores;
    bool on_gpu = false;
    std::vector<std::string> gpus;  // UUIDs
    uint64_t gpu_bytes = 0;         // of each
    std::optional<int> most_per_gpu{};
    std::string shape{};
    bool is_measured = true;  // or told by the sweep; else it has the GPU for itself
    bool is_whole = false;    // no other trial may share its GPUs

    bool has(const std::string& uuid) const;
  };
  std::optional<std::vector<int>> free_cores(int threads) const;
  const Gpu* free_share(const Demand& demand) const;
  std::vector<const Gpu*> free_gpus(const Demand& demand) const;
  void read_free_memory();
  uint64_t bytes_taken(const Gpu& gpu) const;
  size_t trials_on_gpus() const;
  /// Returns whether neither the trial nor a trial on the GPU allows fewer trials there.
  bool may_share(const Demand& demand, const Gpu& gpu) const;
  uint64_t bytes_needed(const Demand& demand, const Gpu& gpu) const;

  int count_;
  bool may_pin_ = true;
  std::vector<int> cores_;
  std::vector<Gpu> gpus_;                      // free_bytes: what other programs leave
  std::map<std::string, uint64_t> idle_free_;  // by uuid: when it last had no trial of this run
  std::map<std::string, uint64_t> most_free_;  // by uuid: ever
  std::function<std::vector<Gpu>(double)> read_gpus_;
  std::set<std::string> lost_;  // uuids
  std::map<std::string, Taken> taken_;
  std::map<std::string, uint64_t> peak_bytes_;  // by shape
};

/// The cores that this process may use.
std::vector<int> usable_cores();
/// As many of them as a quota of CPU time pays for (core/system/processor.h), rounded up; all without one.
size_t usable_cpus();
/// Returns the cores that another process may use; empty if it has ended.
std::vector<int> cores_of(const ProcessIdentity& process);

/// How many attempts may run at once, and when the next may start, on a machine that lends no more
/// processes, threads or open files.
class StartLimit {
 public:
  /// An attempt was refused what it needs, while `running` others went on. The next start waits: a
  /// quarter of a second, twice as long after each further refusal, half a minute at most.
  void refuse(size_t running, double now_s);
  /// An attempt ended in another way: what was lent to it is free again.
  void relax() { pause_s_ = 0, alone_ = 0; }
  /// Returns whether another attempt may start beside `running` attempts. A minute after the last
  /// refusal, and after twice this time for each further refusal, one is tried.
  bool allows(size_t running, double now_s);
  /// Returns whether waiting does not help: attempts were refused for 16 seconds with nothing else
  /// running.
  bool is_hopeless() const { return alone_ >= kMostAlone; }
  /// Returns the largest number of attempts at once; 0 = no limit was met.
  size_t most() const { return most_; }

 private:
  static constexpr size_t kMostAlone = 7;

  size_t most_ = 0;
  size_t alone_ = 0;  // refusals in a row with nothing else running
  double pause_s_ = 0, until_s_ = 0;
  double patience_s_ = 0, grows_s_ = 0;  // how long without a refusal until one more is tried
};

}  // namespace rethink
