#include "experiments/run/slots.h"

#include <sched.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <set>
#include <sstream>

#include "core/error.h"
#include "core/system/processor.h"

namespace rethink {

namespace {

constexpr double kReadGpusEvery_s = 1;  // while trials wait for a GPU

/// The UUIDs of Placement::gpu.
std::vector<std::string> uuids_in(const std::string& gpu) {
  std::vector<std::string> uuids;
  std::istringstream parts(gpu);
  for (std::string uuid; std::getline(parts, uuid, ',');) uuids.push_back(uuid);
  return uuids;
}

/// A CUDA process sees at most one MIG device.
bool may_be_whole(const Demand& demand, const Gpu& gpu) {
  return demand.whole_gpus.value_or(1) == 1 || gpu.parent.empty();
}

std::vector<int> cores_of_pid(pid_t pid) {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (sched_getaffinity(pid, sizeof set, &set) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

}  // namespace

Slots::Slots(int count, std::vector<int> cores, std::vector<Gpu> gpus, size_t cpus)
    : count_(count), cores_(std::move(cores)), gpus_(std::move(gpus)) {
  for (const Gpu& gpu : gpus_) idle_free_[gpu.uuid] = most_free_[gpu.uuid] = gpu.free_bytes;
  if (cpus == 0 || cpus >= cores_.size()) return;
  cores_.resize(cpus);
  may_pin_ = false;
}

int Slots::capacity() const {
  return count_ > 0 ? count_ : std::max<int>(1, static_cast<int>(cores_.size()));
}

std::optional<std::vector<int>> Slots::free_cores(int threads) const {
  if (static_cast<int>(taken_.size()) >= capacity()) return std::nullopt;
  std::set<int> used;
  for (const auto& [trial, taken] : taken_) used.insert(taken.cores.begin(), taken.cores.end());
  std::vector<int> free;
  for (const int core : cores_) {
    if (static_cast<int>(free.size()) < threads && !used.count(core)) free.push_back(core);
  }
  if (static_cast<int>(free.size()) == threads) return free;
  // If --slots is greater than the number of cores, or a trial has more threads than there are
  // cores, the system schedules.
  if (count_ > 0 || taken_.empty()) return std::vector<int>{};
  return std::nullopt;
}

/// Never more than the GPU ever had free, so that a trial that needs all of it runs alone.
uint64_t Slots::bytes_needed(const Demand& demand, const Gpu& gpu) const {
  const uint64_t most = most_free_.at(gpu.uuid);
  if (const auto peak = peak_bytes_.find(demand.shape); peak != peak_bytes_.end())
    return std::min(peak->second, most);
  return demand.gpu_bytes ? std::min(*demand.gpu_bytes, most) : gpu.free_bytes;
}

bool Slots::Taken::has(const std::string& uuid) const {
  return std::ranges::find(gpus, uuid) != gpus.end();
}

uint64_t Slots::bytes_taken(const Gpu& gpu) const {
  uint64_t bytes = 0;
  for (const auto& [trial, taken] : taken_) bytes += taken.has(gpu.uuid) ? taken.gpu_bytes : 0;
  return bytes;
}

/// The memory of other programs is known exactly only for a GPU without our trials. On a GPU with
/// our trials, other programs use at least the used memory minus all that our trials reserved.
void Slots::read_free_memory() {
  const std::vector<Gpu> all = read_gpus_(kReadGpusEvery_s);
  for (Gpu& known : gpus_) {
    const auto now = std::ranges::find(all, known.uuid, &Gpu::uuid);
    if (now == all.end() || lost_.contains(known.uuid)) {
      known.free_bytes = 0;
      continue;
    }
    const uint64_t taken = bytes_taken(known);
    uint64_t& idle = idle_free_.at(known.uuid);
    if (taken == 0) idle = now->free_bytes;
    known.free_bytes = std::min(idle, now->free_bytes + taken);
    uint64_t& most = most_free_.at(known.uuid);
    most = std::max(most, known.free_bytes);
  }
}

std::optional<Gpu> Slots::lost_gpu_of(const std::string& trial) {
  const auto taken = taken_.find(trial);
  if (!read_gpus_ || taken == taken_.end()) return std::nullopt;
  const std::vector<Gpu> all = read_gpus_(0);
  for (Gpu& gpu : gpus_) {
    if (!taken->second.has(gpu.uuid)) continue;
    const bool is_listed = std::ranges::find(all, gpu.uuid, &Gpu::uuid) != all.end();
    if (is_listed && !lost_.contains(gpu.uuid)) continue;
    lost_.insert(gpu.uuid);
    gpu.free_bytes = 0;
    return gpu;
  }
  return std::nullopt;
}

bool Slots::may_fit_later(const Demand& demand) const {
  if (!demand.gpu || !read_gpus_) return false;
  const std::vector<Gpu> all = read_gpus_(kReadGpusEvery_s);
  return std::ranges::count_if(gpus_, [&](const Gpu& gpu) {
           return !lost_.contains(gpu.uuid) && may_be_whole(demand, gpu) &&
                  std::ranges::find(all, gpu.uuid, &Gpu::uuid) != all.end();
         }) >= demand.whole_gpus.value_or(1);
}

const Gpu* Slots::free_share(const Demand& demand) const {
  // The GPU with the most free memory, so that trials spread before they share.
  const Gpu* best = nullptr;
  uint64_t best_room = 0;
  for (const Gpu& gpu : gpus_) {
    const uint64_t room = gpu.free_bytes - std::min(bytes_taken(gpu), gpu.free_bytes);
    if (room > best_room && room >= bytes_needed(demand, gpu) && may_share(demand, gpu))
      best = &gpu, best_room = room;
  }
  return best;
}

/// The GPUs for a trial, in PCI order; empty if it does not fit. Among whole GPUs, the ones that
/// other programs use least.
std::vector<const Gpu*> Slots::free_gpus(const Demand& demand) const {
  std::vector<const Gpu*> chosen;
  if (!demand.whole_gpus) {
    if (const Gpu* shared = free_share(demand)) chosen.push_back(shared);
    return chosen;
  }
  for (const Gpu& gpu : gpus_) {
    const uint64_t needed = std::max<uint64_t>(1, demand.gpu_bytes.value_or(0));
    if (may_be_whole(demand, gpu) && may_share(demand, gpu) &&
        gpu.free_bytes >= std::min(needed, most_free_.at(gpu.uuid)) && gpu.free_bytes > 0)
      chosen.push_back(&gpu);
  }
  const auto wanted = static_cast<size_t>(*demand.whole_gpus);
  if (chosen.size() < wanted) return {};
  std::ranges::stable_sort(chosen, std::ranges::greater(), &Gpu::free_bytes);
  chosen.resize(wanted);
  std::ranges::sort(chosen);  // in the order of gpus_, which is the user's or PCI order
  return chosen;
}

bool Slots::may_share(const Demand& demand, const Gpu& gpu) const {
  int trials = 1, most = demand.whole_gpus ? 1 : demand.most_per_gpu.value_or(INT_MAX);
  for (const auto& [trial, taken] : taken_) {
    if (!taken.has(gpu.uuid)) continue;
    ++trials;
    most = std::min(most, taken.is_whole ? 1 : taken.most_per_gpu.value_or(INT_MAX));
  }
  return trials <= most;
}

size_t Slots::trials_on_gpus() const {
  return static_cast<size_t>(
      std::ranges::count_if(taken_, [](const auto& trial) { return trial.second.on_gpu; }));
}

std::optional<Placement> Slots::take(const std::string& trial, const Demand& demand) {
  Taken taken;
  Placement placement;
  taken.on_gpu = demand.gpu;
  taken.most_per_gpu = demand.most_per_gpu;
  if (demand.gpu) {
    // The GPU's share is the slot. --slots is an additional limit; without it the cores limit the
    // trials, since each trial that feeds a GPU keeps one core busy.
    if (count_ > 0 && static_cast<int>(taken_.size()) >= count_) return std::nullopt;
    if (count_ == 0 && !cores_.empty() && trials_on_gpus() >= cores_.size()) return std::nullopt;
    if (read_gpus_) read_free_memory();
    const std::vector<const Gpu*> gpus = free_gpus(demand);
    if (gpus.empty()) return std::nullopt;
    for (const Gpu* gpu : gpus) {
      taken.gpus.push_back(gpu->uuid);
      placement.visible_gpus.push_back(gpu->ordinal ? std::to_string(*gpu->ordinal) : gpu->uuid);
      taken.gpu_bytes = std::max(taken.gpu_bytes,
                                 demand.whole_gpus ? gpu->total_bytes : bytes_needed(demand, *gpu));
    }
    placement.gpu = joined(taken.gpus, ",");
    taken.shape = demand.shape;
    taken.is_whole = demand.whole_gpus.has_value();
    taken.is_measured = taken.is_whole || demand.gpu_bytes || peak_bytes_.contains(demand.shape);
  } else {
    const auto cores = free_cores(demand.threads);
    if (!cores) return std::nullopt;
    taken.cores = *cores;
    if (may_pin_) placement.cores = *cores;
  }
  taken_[trial] = std::move(taken);
  return placement;
}

void Slots::take_adopted(const std::string& trial, const Demand& demand, std::vector<int> cores,
                         std::optional<std::string> gpu) {
  Taken taken;
  taken.on_gpu = demand.gpu;
  taken.most_per_gpu = demand.most_per_gpu;
  if (demand.gpu) taken.gpus = uuids_in(gpu.value_or(""));
  taken.is_whole = demand.whole_gpus.has_value();
  const bool pinned = !demand.gpu && static_cast<int>(cores.size()) == demand.threads;
  if (pinned) taken.cores = std::move(cores);
  taken_[trial] = std::move(taken);
}

void Slots::give_back(const std::string& trial) {
  taken_.erase(trial);
}

void Slots::measured(const std::string& shape, uint64_t peak_bytes) {
  // A margin of a tenth, since allocators fragment.
  const uint64_t with_margin = peak_bytes + peak_bytes / 10;
  uint64_t& known = peak_bytes_[shape];
  known = std::max(known, with_margin);
  for (auto& [trial, taken] : taken_) {
    if (taken.shape != shape || taken.is_measured) continue;
    taken.gpu_bytes = std::min(taken.gpu_bytes, known);
    taken.is_measured = true;
  }
}

void Slots::ran_out_of_memory(const Demand& demand) {
  if (demand.whole_gpus) return;  // nothing shares them
  uint64_t needed = 0, whole = 0;
  for (const Gpu& gpu : gpus_) {
    needed = std::max(needed, bytes_needed(demand, gpu));
    whole = std::max(whole, most_free_.at(gpu.uuid));
  }
  peak_bytes_[demand.shape] = std::min(2 * needed, whole);
}

std::vector<int> usable_cores() {
  return cores_of_pid(0);
}

size_t usable_cpus() {
  const auto cores = static_cast<double>(usable_cores().size());
  return static_cast<size_t>(
      std::max(1.0, std::ceil(std::min(cores, cpu_quota().value_or(cores)))));
}

std::vector<int> cores_of(const ProcessIdentity& process) {
  const std::vector<int> cores = cores_of_pid(process.pid);
  // The process still exists after the question, so the answer was about this process.
  return open_process(process) ? cores : std::vector<int>{};
}

namespace {

constexpr double kFirstPause_s = 0.25, kLongestPause_s = 30;
constexpr double kFirstPatience_s = 60, kLongestPatience_s = 3600;

}  // namespace

void StartLimit::refuse(size_t running, double now_s) {
  const size_t most = std::max<size_t>(1, running);
  most_ = most_ == 0 ? most : std::min(most_, most);
  if (now_s < until_s_) {  // of the same group of starts
    if (running == 0) alone_ = std::max<size_t>(1, alone_);
    return;
  }
  alone_ = running == 0 ? alone_ + 1 : 0;
  pause_s_ = pause_s_ == 0 ? kFirstPause_s : std::min(kLongestPause_s, 2 * pause_s_);
  until_s_ = now_s + pause_s_;
  patience_s_ = patience_s_ == 0 ? kFirstPatience_s : std::min(kLongestPatience_s, 2 * patience_s_);
  grows_s_ = now_s + patience_s_;
}

bool StartLimit::allows(size_t running, double now_s) {
  if (most_ == 0) return true;
  if (now_s < until_s_) return false;
  if (now_s >= grows_s_) {
    ++most_;
    grows_s_ = now_s + patience_s_;
  }
  return running < most_;
}

}  // namespace rethink
