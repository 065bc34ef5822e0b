// Sets how LibTorch computes: threads, determinism, precision, memory. No other file does.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/json.h"
#include "experiments/attempt/job.h"

namespace rethink {

/// Prepares this process and returns the device to train on. Deterministic algorithms are on
/// unless `runtime` says otherwise; denormal numbers count as zero; freed memory is kept for the
/// next step, since giving 60 MB back and faulting them in again costs as much as writing them; and
/// products compiled for shapes long past are given up.
/// Throws TrialError when there is no such device here.
at::Device prepare_device(const Runtime& runtime, const std::string& precision);
/// The same of a trial's attempt, whose start event then says what it runs on. Not after an event.
at::Device prepare_device(JobContext& context, const std::string& precision);

/// What decides on the last bits of a result: build, processor, libraries, opened plug-ins, threads,
/// device, determinism (core/format/numeric_environment.h). A resume where it differs is inexact.
/// kAttentionFact is among it once a pass on a GPU has taken a path since prepare_device().
Json numeric_environment(const at::Device& device);
/// kernels/attention/attention_path.h: "library; kernels: the diagonal has a rate".
inline constexpr const char* kAttentionFact = "attention";

/// Waits until `device` has done all that it was given; a CPU always has.
void synchronize(const at::Device& device);

/// How often `body` makes the host wait for `device`; none on a CPU, where nothing does.
std::optional<int64_t> count_waits(const at::Device& device, const std::function<void()>& body);

/// Memory of the GPU [bytes]; none on a CPU.
std::optional<int64_t> total_gpu_bytes(const at::Device& device);
/// The most memory that this process took of `device` so far [bytes]; none on a CPU.
std::optional<int64_t> peak_gpu_bytes(const at::Device& device);
/// The same of its tensors alone.
std::optional<int64_t> peak_tensor_bytes(const at::Device& device);

/// Seeds LibTorch's generators from (seed, step), for operators that draw from them.
void seed_generators(uint64_t seed, int64_t step);

/// Throws OutOfMemoryError when `error` says that an allocation failed; else returns.
void rethrow_if_out_of_memory(const c10::Error& error);

/// Matrix products in bfloat16 while it lives, if `precision` says so; weights stay float32.
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
