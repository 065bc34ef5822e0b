// Settings of LibTorch's computation: threads, determinism, precision, memory. Only this file changes them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/json.h"
#include "experiments/attempt/job.h"

namespace rethink {

/// Prepares this process and returns the device for training. Deterministic algorithms are on
/// unless `runtime` says otherwise. Denormal numbers count as zero. Freed memory is kept for the
/// next step, since returning 60 MB and faulting them in again costs as much as writing them.
/// Products compiled for shapes of long ago are dropped. Throws TrialError if the device does not
/// exist.
at::Device prepare_device(const Runtime& runtime, const std::string& precision);
/// Does the same for a trial's attempt, whose start event then records the environment. Must
/// precede all events.
at::Device prepare_device(JobContext& context, const std::string& precision);

/// Returns everything that determines the last bits of a result: build, processor, libraries,
/// opened plug-ins, threads, device, determinism (core/store_files/numeric_environment.h). A resume with
/// a difference is inexact. It includes kAttentionFact after the first pass on a GPU since
/// prepare_device().
Json numeric_environment(const at::Device& device);
/// kernels/attention/attention_path.h: "library; kernels: the diagonal has a rate".
inline constexpr const char* kAttentionFact = "attention";

/// Waits until `device` has finished its work; returns at once on a CPU.
void synchronize(const at::Device& device);

/// Returns how often `body` makes the host wait for `device`; nothing on a CPU.
std::optional<int64_t> count_waits(const at::Device& device, const std::function<void()>& body);

/// Returns the memory of the GPU [bytes]; nothing on a CPU.
std::optional<int64_t> total_gpu_bytes(const at::Device& device);
/// Returns the peak memory of this process on `device` [bytes]; nothing on a CPU.
std::optional<int64_t> peak_gpu_bytes(const at::Device& device);
/// Returns the same for its tensors only.
std::optional<int64_t> peak_tensor_bytes(const at::Device& device);

/// Seeds LibTorch's generators from (seed, step), for operators that draw from them.
void seed_generators(uint64_t seed, int64_t step);

/// Throws OutOfMemoryError if `error` is a failed allocation; otherwise returns.
void rethrow_if_out_of_memory(const c10::Error& error);

/// While an object of this class exists, matrix products are computed in bfloat16 if `precision`
/// says so. Weights stay float32.
class PrecisionScope {
 public:
  PrecisionScope(const std::string& precision, const at::Device& device);
  ~PrecisionScope();
  PrecisionScope(const PrecisionScope&) = delete;
  PrecisionScope& operator=(const PrecisionScope&) = delete;

 private:
  const bool active_;
  const at::DeviceType device_;
};

}  // namespace rethink
