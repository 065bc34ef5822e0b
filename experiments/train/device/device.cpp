#include "experiments/train/device/device.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <ATen/autocast_mode.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <malloc.h>
#include <torch/version.h>

#include <cstdlib>
#include <set>
#include <sstream>

#include "core/error.h"
#include "core/json.h"
#include "core/system/loaded_libraries.h"
#include "core/system/processor.h"
#include "experiments/attempt/event_log.h"
#include "experiments/train/numeric_build.h"
#include "kernels/attention/attention_path.h"
#include "kernels/device/device_backend.h"
#include "models/tensors/random.h"

namespace rethink {
namespace {

/// The backend of the plug-in, which a GPU worker opens first; null without a plug-in.
DeviceBackendEntry* device_backend_entry() {
  return reinterpret_cast<DeviceBackendEntry*>(dlsym(RTLD_DEFAULT, kDeviceBackendEntry));
}

/// Also null if the driver shows no GPU.
DeviceBackend* device_backend() {
  const auto entry = device_backend_entry();
  return entry ? entry() : nullptr;
}

/// Limits the caches of compiled products in LibTorch's layer over oneDNN and in oneDNN. By default
/// they keep 1,024 products, one per shape. Batches of many widths would fill most of a small
/// trial's memory with products that never repeat, while a step has some dozens. Takes effect
/// before the first product.
void keep_few_compiled_products() {
  for (const char* name : {"LRU_CACHE_CAPACITY", "ONEDNN_PRIMITIVE_CACHE_CAPACITY"})
    setenv(name, "64", /*overwrite=*/0);
}

/// Libraries that compute, or that choose instructions.
const std::vector<std::string> kNumericLibraries = {"libtorch",   "libc10",          "libgomp",
                                                    "libm.so",    "libcublas",       "libcudnn.so",
                                                    "libcuda.so", "libsentencepiece"};

/// Environment variables by which libraries choose algorithms, instructions or precision. oneDNN
/// does not report its instructions; they follow from these variables and the processor's
/// instruction sets.
constexpr const char* kSettings[] = {"ONEDNN_MAX_CPU_ISA",
                                     "DNNL_MAX_CPU_ISA",
                                     "ONEDNN_CPU_ISA_HINTS",
                                     "DNNL_CPU_ISA_HINTS",
                                     "ONEDNN_DEFAULT_FPMATH_MODE",
                                     "DNNL_DEFAULT_FPMATH_MODE",
                                     "MKL_CBWR",
                                     "MKL_ENABLE_INSTRUCTIONS",
                                     "MKL_DEBUG_CPU_TYPE",
                                     "CUBLAS_WORKSPACE_CONFIG",
                                     "NVIDIA_TF32_OVERRIDE",
                                     "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE"};

std::string library_settings() {
  std::string text;
  const auto add = [&](const char* name, const std::string& value) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  };
  for (const char* name : kSettings) {
    if (const char* value = std::getenv(name)) add(name, value);
  }
  // This variable is also set for quick forks (experiments/attempt/zygote/zygote_client.cpp), so
  // only its part on instructions counts.
  constexpr const char* kTunables = "GLIBC_TUNABLES";
  const char* tunables = std::getenv(kTunables);
  if (tunables && std::string(tunables).find("glibc.cpu.") != std::string::npos)
    add(kTunables, tunables);
  return text;
}

/// Returns the processor's vector instruction sets, by the kernel's names.
std::string vector_instructions() {
  std::string flags = processor_fact("flags");
  if (flags.empty()) flags = processor_fact("Features");  // on ARM
  std::istringstream words(flags);
  std::set<std::string> wanted;
  for (std::string word; words >> word;) {
    for (const char* beginning : {"sse", "avx", "fma", "f16c", "amx", "asimd", "sve", "bf16"})
      if (word.starts_with(beginning)) wanted.insert(word);
  }
  return joined({wanted.begin(), wanted.end()}, " ");
}

/// Reads them once, since the kernel takes milliseconds on many cores.
const Json& processor_facts() {
  static const Json facts = {
      {"processor", processor_fact("model name")},
      {"processor_version", joined({processor_fact("vendor_id"), processor_fact("cpu family"),
                                    processor_fact("model\t"), processor_fact("stepping")},
                                   " ")},
      {"instructions", vector_instructions()}};
  return facts;
}

}  // namespace

at::Device prepare_device(const Runtime& runtime, const std::string& precision) {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);  // never trim; a number may be at most 2 GiB
  mallopt(M_TOP_PAD, 64 << 20);
  keep_few_compiled_products();
  at::set_num_threads(runtime.threads);
  at::Context& context = at::globalContext();
  context.setDeterministicAlgorithms(runtime.deterministic, /*warn_only=*/false);
  // Filling every new tensor would double the cost of making it. Our operators write all elements
  // that they return.
  context.setDeterministicFillUninitializedMemory(false);
  context.setDeterministicCuDNN(runtime.deterministic);
  context.setBenchmarkCuDNN(false);
  context.setFlushDenormal(true);
  // tf32 is a mode of tensor cores; on a CPU it is float32.
  context.setFloat32MatmulPrecision(precision == "tf32" && runtime.device != "cpu" ? "high"
                                                                                   : "highest");
  prefer_attention(runtime.attention == "kernels" ? AttentionPreference::kernels
                                                  : AttentionPreference::library);
  forget_attention_paths();
  const at::Device device(runtime.device);
  if (device.is_cuda() && !device_backend_entry()) {
    throw TrialError(
        "no-gpu",
        "device cuda: this process has no CUDA plug-in; run `rethink doctor`, or use --device cpu");
  }
  if (device.is_cuda() && !device_backend()) {
    throw TrialError(
        "no-gpu",
        "device cuda: the driver shows no GPU to this process; look at `nvidia-smi`, or use "
        "--device cpu");
  }
  // cuBLAS is deterministic only with a workspace of fixed size; it reads this when it first
  // starts.
  if (device.is_cuda()) setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
  return device;
}

at::Device prepare_device(JobContext& context, const std::string& precision) {
  const at::Device device = prepare_device(context.runtime, precision);
  context.events.add_start_facts(numeric_environment(device));
  return device;
}

Json numeric_environment(const at::Device& device) {
  Json facts = processor_facts();
  facts.update({{"threads", at::get_num_threads()},
                {"device", c10::DeviceTypeName(device.type(), /*lower_case=*/true)},
                {"cpu_capability", at::get_cpu_capability()},
                {"libtorch", TORCH_VERSION},
                {"onednn", at::get_mkldnn_version()},
                {"deterministic", at::globalContext().deterministicAlgorithms()},
                {"numeric_build", numeric_build()},
                {"settings", library_settings()},
                {"libraries", loaded_libraries(kNumericLibraries)},
                {"plugins", opened_plugins()}});
  if (device.is_cuda()) facts["gpu_name"] = device_backend()->name();
  if (const std::vector<std::string> paths = attention_paths_taken(); !paths.empty())
    facts[kAttentionFact] = joined(paths, "; ");
  return facts;
}

void synchronize(const at::Device& device) {
  if (device.is_cuda()) device_backend()->synchronize();
}

std::optional<int64_t> count_waits(const at::Device& device, const std::function<void()>& body) {
  if (device.is_cuda()) return device_backend()->count_waits(body);
  body();
  return std::nullopt;
}

std::optional<int64_t> total_gpu_bytes(const at::Device& device) {
  if (!device.is_cuda()) return std::nullopt;
  return device_backend()->memory().total;
}

std::optional<int64_t> peak_gpu_bytes(const at::Device& device) {
  if (!device.is_cuda()) return std::nullopt;
  return device_backend()->memory().peak;
}

std::optional<int64_t> peak_tensor_bytes(const at::Device& device) {
  if (!device.is_cuda()) return std::nullopt;
  return device_backend()->memory().tensors_peak;
}

void seed_generators(uint64_t seed, int64_t step) {
  const PhiloxBlock block = philox({seed, UINT64_MAX}, static_cast<uint64_t>(step));
  at::manual_seed((static_cast<uint64_t>(block.word[0]) << 32) | block.word[1]);
}

void rethrow_if_out_of_memory(const c10::Error& error) {
  const std::string text = error.what_without_backtrace();
  if (dynamic_cast<const c10::OutOfMemoryError*>(&error))
    throw OutOfMemoryError("out-of-memory", text);
  // Other out-of-memory errors differ from common errors only by their texts (LibTorch 2.11): those
  // of its CPU allocator, of CUDA when it loads a kernel, of cuBLAS, and of our attention on CUDA.
  for (const char* sign :
       {"DefaultCPUAllocator: can't allocate memory", "CUDA error: out of memory",
        "CUDA: out of memory", "CUBLAS_STATUS_ALLOC_FAILED"}) {
    if (text.find(sign) != std::string::npos) throw OutOfMemoryError("out-of-memory", text);
  }
}

PrecisionScope::PrecisionScope(const std::string& precision, const at::Device& device)
    : active_(precision == "bfloat16"), device_(device.type()) {
  if (!active_) return;
  at::autocast::set_autocast_enabled(device_, true);
  at::autocast::set_autocast_dtype(device_, at::kBFloat16);
  at::autocast::increment_nesting();
}

PrecisionScope::~PrecisionScope() {
  if (!active_) return;
  // The cache holds bfloat16 copies of weights that the optimizer is about to change.
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(device_, false);
}

}  // namespace rethink
