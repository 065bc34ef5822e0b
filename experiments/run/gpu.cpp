#include "experiments/run/gpu.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/message.h"

namespace rethink {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Quotes and brackets also separate words, since they surround the intended list.
std::vector<std::string> device_words(const std::string& list) {
  constexpr std::string_view kSeparators = " \t\n\v\f\r,;|+'\"`[](){}";
  std::vector<std::string> words;
  for (size_t at = list.find_first_not_of(kSeparators); at != std::string::npos;) {
    const size_t end = std::min(list.find_first_of(kSeparators, at), list.size());
    words.push_back(list.substr(at, end - at));
    at = list.find_first_not_of(kSeparators, end);
  }
  return words;
}

/// All of `text` as a number.
std::optional<int> whole_index(std::string_view text) {
  int index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  const bool is_whole = error == std::errc() && end == text.data() + text.size() && index >= 0;
  return is_whole ? std::optional(index) : std::nullopt;
}

/// "0-3" and "0..3"; nothing for other words.
std::vector<std::string> indices_of_range(const std::string& word) {
  constexpr int kMostGpus = 64;
  for (const std::string_view mark : {"-", ".."}) {
    const size_t at = word.find(mark);
    if (at == std::string::npos) continue;
    const auto first = whole_index(std::string_view(word).substr(0, at));
    const auto last = whole_index(std::string_view(word).substr(at + mark.size()));
    if (!first || !last || *last < *first || *last - *first >= kMostGpus) continue;
    std::vector<std::string> indices;
    for (int index = *first; index <= *last; ++index) indices.push_back(std::to_string(index));
    return indices;
  }
  return {};
}

/// The name of a GPU in `word`: "0" for "cuda:0" and "gpu0", "GPU-aa1" for "gpu-aa1"; "" for other
/// words.
std::string device_in(const std::string& word) {
  const std::string plain = lower_case(word);
  for (const std::string kind : {"gpu-", "mig-"}) {
    if (plain.starts_with(kind) && plain.size() > kind.size())
      return (kind == "gpu-" ? "GPU-" : "MIG-") + word.substr(kind.size());
  }
  for (const std::string_view before : {"cuda:", "gpu:", "cuda", "gpu", ""}) {
    if (!plain.starts_with(before)) continue;
    const std::string rest = plain.substr(before.size());
    if (whole_index(rest)) return rest;
  }
  return "";
}

/// The list of indices or UUIDs that `visible` probably means, separated by commas: "0,1" for "0
/// 1", "0;1", "'0','1'", "[0, 1]", "cuda:0,cuda:1" and "0-1". "" if it is already such a list, or
/// cannot be one.
std::string meant_devices(const std::string& visible) {
  std::vector<std::string> devices;
  for (const std::string& word : device_words(visible)) {
    const std::vector<std::string> range = indices_of_range(word);
    devices.insert(devices.end(), range.begin(), range.end());
    if (!range.empty()) continue;
    devices.push_back(device_in(word));
    if (devices.back().empty()) return "";
  }
  const std::string meant = joined(devices, ",");
  return meant == visible ? "" : meant;
}

/// Advice on a word that other programs accept: "unset it for all GPUs" for "all"; "" for any other
/// word.
std::string advice_on_device_word(const std::string& visible) {
  const std::vector<std::string> words = device_words(visible);
  if (words.size() != 1) return "";
  const std::string word = lower_case(words.front());
  if (word == "all") return "unset it for all GPUs";
  if (word == "none" || word == "void" || word == "nodevfiles")
    return "write -1 if no GPU is meant";
  return "";
}

// The necessary declarations of nvml.h; NVML keeps them stable.
using NvmlDevice = void*;
struct NvmlMemory {
  unsigned long long total, free, used;
};
constexpr int kNvmlSuccess = 0;
constexpr unsigned kMigIsOn = 1;

class Nvml {
 public:
  Nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (!library_) return;
    load(init_, "nvmlInit_v2");
    load(shutdown_, "nvmlShutdown");
    load(count_, "nvmlDeviceGetCount_v2");
    load(device_, "nvmlDeviceGetHandleByIndex_v2");
    load(uuid_, "nvmlDeviceGetUUID");
    load(name_, "nvmlDeviceGetName");
    load(memory_, "nvmlDeviceGetMemoryInfo");
    find(mig_mode_, "nvmlDeviceGetMigMode");
    find(mig_count_, "nvmlDeviceGetMaxMigDeviceCount");
    find(mig_device_, "nvmlDeviceGetMigDeviceHandleByIndex");
    find(gpu_instance_, "nvmlDeviceGetGpuInstanceId");
    find(compute_instance_, "nvmlDeviceGetComputeInstanceId");
    find(capability_, "nvmlDeviceGetCudaComputeCapability");
    find(driver_, "nvmlSystemGetDriverVersion");
    find(driver_cuda_, "nvmlSystemGetCudaDriverVersion_v2");
    ready_ = complete_ && init_() == kNvmlSuccess;
  }
  ~Nvml() {
    if (ready_) shutdown_();
    if (library_) dlclose(library_);
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// In PCI order, each before its MIG devices.
  std::vector<Gpu> gpus() const {
    std::vector<Gpu> found;
    unsigned count = 0;
    if (!ready_ || count_(&count) != kNvmlSuccess) return found;
    for (unsigned index = 0; index < count; ++index) {
      NvmlDevice device = nullptr;
      if (device_(index, &device) != kNvmlSuccess) continue;
      std::optional<Gpu> gpu = describe(device);
      if (!gpu) continue;  // a lost GPU, or one that this user may not see
      unsigned mode = 0, next_mode = 0;
      gpu->has_mig =
          mig_mode_ && mig_mode_(device, &mode, &next_mode) == kNvmlSuccess && mode == kMigIsOn;
      int major = 0, minor = 0;
      if (capability_ && capability_(device, &major, &minor) == kNvmlSuccess)
        gpu->capability = 10 * major + minor;
      gpu->ordinal = static_cast<int>(index);
      found.push_back(*gpu);
      if (gpu->has_mig) add_mig_devices(device, *gpu, found);
    }
    return found;
  }

  /// "580.65.06"; "" if unknown.
  std::string driver() const {
    char version[81] = {};
    return ready_ && driver_ && driver_(version, sizeof version - 1) == kNvmlSuccess ? version : "";
  }
  /// 13 for CUDA 13.x, also for a package for older drivers (cuda-compat); 0 if unknown.
  int driver_cuda() const {
    int version = 0;  // 13000
    return ready_ && driver_cuda_ && driver_cuda_(&version) == kNvmlSuccess ? version / 1000 : 0;
  }

 private:
  template <typename Function>
  void load(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    complete_ = complete_ && function;
  }

  /// Null if the library is older than the function.
  template <typename Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
  }

  std::optional<Gpu> describe(NvmlDevice device) const {
    char uuid[96] = {}, name[96] = {};
    NvmlMemory memory{};
    if (uuid_(device, uuid, sizeof uuid) != kNvmlSuccess ||
        name_(device, name, sizeof name) != kNvmlSuccess ||
        memory_(device, &memory) != kNvmlSuccess)
      return {};
    return Gpu{.uuid = uuid, .name = name, .total_bytes = memory.total, .free_bytes = memory.free};
  }

  /// Indices of MIG devices have gaps.
  void add_mig_devices(NvmlDevice gpu, const Gpu& parent, std::vector<Gpu>& found) const {
    unsigned count = 0;
    if (!mig_count_ || !mig_device_ || mig_count_(gpu, &count) != kNvmlSuccess) return;
    for (unsigned index = 0; index < count; ++index) {
      NvmlDevice device = nullptr;
      if (mig_device_(gpu, index, &device) != kNvmlSuccess) continue;
      std::optional<Gpu> part = describe(device);
      if (!part) continue;
      part->parent = parent.uuid;
      part->capability = parent.capability;
      unsigned instance = 0, compute = 0;
      if (gpu_instance_ && compute_instance_ && gpu_instance_(device, &instance) == kNvmlSuccess &&
          compute_instance_(device, &compute) == kNvmlSuccess)
        part->older_name = fmt::format("MIG-{}/{}/{}", parent.uuid, instance, compute);
      found.push_back(*part);
    }
  }

  void* library_;
  bool complete_ = true, ready_ = false;
  int (*init_)() = nullptr;
  int (*shutdown_)() = nullptr;
  int (*count_)(unsigned*) = nullptr;
  int (*device_)(unsigned, NvmlDevice*) = nullptr;
  int (*uuid_)(NvmlDevice, char*, unsigned) = nullptr;
  int (*name_)(NvmlDevice, char*, unsigned) = nullptr;
  int (*memory_)(NvmlDevice, NvmlMemory*) = nullptr;
  int (*mig_mode_)(NvmlDevice, unsigned*, unsigned*) = nullptr;
  int (*mig_count_)(NvmlDevice, unsigned*) = nullptr;
  int (*mig_device_)(NvmlDevice, unsigned, NvmlDevice*) = nullptr;
  int (*gpu_instance_)(NvmlDevice, unsigned*) = nullptr;
  int (*compute_instance_)(NvmlDevice, unsigned*) = nullptr;
  int (*capability_)(NvmlDevice, int*, int*) = nullptr;
  int (*driver_)(char*, unsigned) = nullptr;
  int (*driver_cuda_)(int*) = nullptr;
};

constexpr const char* kCBlanks = " \t\n\v\f\r";  // of isspace

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts(1);
  for (const char letter : list) {
    if (letter == ',') {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

struct ReadIndex {
  size_t index = 0;
  std::string unread;  // text after the number, without blanks
};

/// The number at the beginning of the name, as strtoul reads it; nothing without a digit.
std::optional<ReadIndex> index_in(const std::string& name) {
  const size_t begin = name.find_first_not_of(kCBlanks);
  size_t index = 0;
  if (begin == std::string::npos) return std::nullopt;
  const char* first = name.data() + begin + (name[begin] == '+' ? 1 : 0);
  const auto [end, error] = std::from_chars(first, name.data() + name.size(), index);
  if (error != std::errc()) return std::nullopt;
  const std::string rest = name.substr(static_cast<size_t>(end - name.data()));
  return ReadIndex{index, rest.find_first_not_of(kCBlanks) == std::string::npos ? "" : rest};
}

bool have_equal_names(const std::vector<Gpu>& all) {
  return std::ranges::all_of(all, [&](const Gpu& gpu) { return gpu.name == all.front().name; });
}

VisibleGpus no_gpus_because(const std::string& why) {
  return {{}, why, "", ""};
}

VisibleGpus gpus_by_index(const std::vector<Gpu>& all, const std::vector<std::string>& names,
                          bool is_pci_order) {
  VisibleGpus visible;
  std::vector<size_t> chosen;
  for (const std::string& name : names) {
    const std::optional<ReadIndex> read = index_in(name);
    if (!read) {
      visible.hidden = fmt::format("'{}' is no index, and what follows it is hidden", name);
      break;
    }
    if (std::ranges::find(chosen, read->index) != chosen.end())
      return no_gpus_because(fmt::format("index {} is given twice, which hides all", read->index));
    chosen.push_back(read->index);
    if (visible.unread.empty() && !read->unread.empty())
      visible.unread = fmt::format("of '{}' only {} is read", name, read->index);
  }
  for (const size_t index : chosen) {
    if (index >= all.size()) {
      visible.hidden = fmt::format("there is no GPU {}, and what follows it is hidden", index);
      break;
    }
    visible.gpus.push_back(all[index]);
  }
  // Indices of all GPUs mean all of them, whatever the order is.
  const bool is_part = !visible.gpus.empty() && visible.gpus.size() < all.size();
  if (!is_pci_order && is_part && !have_equal_names(all)) {
    return no_gpus_because(
        "the GPUs differ, and which one an index means only CUDA knows; set "
        "CUDA_DEVICE_ORDER=PCI_BUS_ID, or name GPUs by UUID");
  }
  return visible;
}

/// `kind` is "GPU-" or "MIG-", the prefix of names that count.
VisibleGpus gpus_by_uuid(const std::vector<Gpu>& all, const std::vector<std::string>& names,
                         const std::string& kind) {
  VisibleGpus visible;
  std::vector<size_t> chosen;
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second)
      return no_gpus_because(fmt::format("'{}' is given twice, which hides all", name));
  }
  for (const std::string& name : names) {
    std::vector<size_t> found;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].uuid.starts_with(name) || all[i].older_name == name) found.push_back(i);
    }
    if (!name.starts_with(kind) || found.size() != 1) {
      visible.hidden =
          fmt::format("'{}' {}, and what follows it is hidden", name,
                      found.size() > 1 ? "begins several UUIDs" : "begins no UUID here");
      break;
    }
    if (std::ranges::find(chosen, found[0]) != chosen.end())
      return no_gpus_because(fmt::format("'{}' names a GPU again, which hides all", name));
    chosen.push_back(found[0]);
    visible.gpus.push_back(all[found[0]]);
  }
  return visible;
}

std::vector<Gpu> mig_devices_of(const std::vector<Gpu>& all, const std::string& parent) {
  std::vector<Gpu> parts;
  for (const Gpu& gpu : all) {
    if (gpu.parent == parent) parts.push_back(gpu);
  }
  return parts;
}

std::string why_without_mig_devices(const Gpu& gpu) {
  return fmt::format(
      "MIG is on for {} {}, of which no MIG device is listed: create one (nvidia-smi mig -cgi ... "
      "-C), update the driver, or switch MIG off",
      gpu.name, gpu.uuid);
}

/// Replaces each GPU that is divided by at most `most` of its MIG devices.
VisibleGpus as_programs_see(VisibleGpus shown, const std::vector<Gpu>& all, size_t most) {
  std::vector<Gpu> seen;
  for (const Gpu& gpu : shown.gpus) {
    if (!gpu.has_mig) {
      seen.push_back(gpu);
      continue;
    }
    std::vector<Gpu> parts = mig_devices_of(all, gpu.uuid);
    if (parts.empty() && shown.hidden.empty()) shown.hidden = why_without_mig_devices(gpu);
    if (parts.size() > most) parts.resize(most);
    std::ranges::move(parts, std::back_inserter(seen));
  }
  shown.gpus = std::move(seen);
  return shown;
}

VisibleGpus gpus_shown_by(const std::vector<Gpu>& all, const std::string& visible,
                          const std::string& order) {
  if (visible.empty()) return no_gpus_because("it is empty");
  std::vector<Gpu> whole, parts;
  for (const Gpu& gpu : all) (gpu.parent.empty() ? whole : parts).push_back(gpu);
  const std::vector<std::string> names = parts_of(visible);
  if (visible.starts_with("MIG-")) {
    const auto divided = std::ranges::find(whole, true, &Gpu::has_mig);
    if (parts.empty() && divided != whole.end())
      return no_gpus_because(why_without_mig_devices(*divided));
    if (parts.empty()) {
      return no_gpus_because(fmt::format(
          "'{}' is a MIG device, and the driver lists none: switch MIG on and create devices "
          "(nvidia-smi -mig 1, nvidia-smi mig -cgi ... -C), or name a GPU",
          names.front()));
    }
    return gpus_by_uuid(parts, names, "MIG-");
  }
  return as_programs_see(visible.starts_with("GPU-")
                             ? gpus_by_uuid(whole, names, "GPU-")
                             : gpus_by_index(whole, names, order == "PCI_BUS_ID"),
                         all, 1);
}

bool has_slip(const VisibleGpus& visible) {
  return !visible.hidden.empty() || !visible.unread.empty();
}

/// The probably intended value, if it would show a GPU.
std::string hint_at_meant(const std::vector<Gpu>& all, const std::string& visible,
                          const std::string& order) {
  const std::string advice = advice_on_device_word(visible), meant = meant_devices(visible);
  if (!advice.empty() || meant.empty()) return advice;
  const bool shows_any = !gpus_shown_by(all, meant, order).gpus.empty();
  return shows_any ? fmt::format("did you mean {}?", meant) : "";
}

/// The mistake in the value, in one line; "" if there is none.
std::string slip_text(const VisibleGpus& visible) {
  std::vector<std::string> parts;
  for (const std::string& part : {visible.unread, visible.hidden, visible.meant}) {
    if (!part.empty()) parts.push_back(part);
  }
  return joined(parts, "; ");
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

VisibleGpus gpus_without_variable(const std::vector<Gpu>& all) {
  std::vector<Gpu> whole;
  std::ranges::copy_if(all, std::back_inserter(whole),
                       [](const Gpu& gpu) { return gpu.parent.empty(); });
  return as_programs_see({std::move(whole), "", "", ""}, all, all.size());
}

/// Of an A100; see CMAKE_CUDA_ARCHITECTURES in kernels/CMakeLists.txt.
constexpr int kLeastCapability = 80;

void leave_out_too_old(VisibleGpus& visible) {
  std::vector<std::string> left_out;
  std::erase_if(visible.gpus, [&](const Gpu& gpu) {
    const bool is_too_old = gpu.capability > 0 && gpu.capability < kLeastCapability;
    if (is_too_old) {
      left_out.push_back(fmt::format("{} {} has compute capability {}.{}", gpu.name, gpu.uuid,
                                     gpu.capability / 10, gpu.capability % 10));
    }
    return is_too_old;
  });
  if (left_out.empty()) return;
  visible.too_old = fmt::format("{}, and the kernels need {}.{} (A100, RTX 30) or newer",
                                joined(left_out), kLeastCapability / 10, kLeastCapability % 10);
}

std::filesystem::path plugin_in(const std::filesystem::path& programs) {
  return programs / "librethink_cuda.so";
}

/// 13 if the plug-in loads libcudart.so.13; 0 if it loads none.
int cuda_of_plugin(const std::filesystem::path& plugin) {
  constexpr std::string_view kLibrary = "libcudart.so.";
  const std::string bytes = read_file(plugin);
  const size_t at = bytes.find(kLibrary);
  if (at == std::string::npos) return 0;
  int version = 0;
  const char* const first = bytes.data() + at + kLibrary.size();
  std::from_chars(first, bytes.data() + bytes.size(), version);
  return version;
}

/// Why an existing GPU cannot be used; "" if it can.
std::string trouble_with_plugin(const VisibleGpus& visible, const std::filesystem::path& programs) {
  const std::filesystem::path plugin = plugin_in(programs);
  if (!std::filesystem::exists(plugin))
    return fmt::format("{} is missing (docs/gpu.md)", plugin.string());
  const int cuda = cuda_of_plugin(plugin);
  if (visible.driver_cuda == 0 || cuda <= visible.driver_cuda) return "";
  return fmt::format(
      "the driver {} runs programs of CUDA {} or older, and the plug-in is of CUDA {}: update the "
      "driver, or build the plug-in with an older CUDA (docs/gpu.md)",
      visible.driver, visible.driver_cuda, cuda);
}

}  // namespace

VisibleGpus visible_gpus(const std::vector<Gpu>& all, const std::string& visible,
                         const std::string& order) {
  VisibleGpus shown = gpus_shown_by(all, visible, order);
  if (has_slip(shown)) shown.meant = hint_at_meant(all, visible, order);
  return shown;
}

VisibleGpus find_gpus() {
  const Nvml driver;
  const std::vector<Gpu> all = driver.gpus();
  if (all.empty()) return {};
  VisibleGpus visible =
      std::getenv("CUDA_VISIBLE_DEVICES")
          ? visible_gpus(all, variable("CUDA_VISIBLE_DEVICES"), variable("CUDA_DEVICE_ORDER"))
          : gpus_without_variable(all);
  visible.driver = driver.driver();
  visible.driver_cuda = driver.driver_cuda();
  leave_out_too_old(visible);
  return visible;
}

size_t whole_gpus(const VisibleGpus& visible) {
  const auto whole = static_cast<size_t>(
      std::ranges::count_if(visible.gpus, [](const Gpu& gpu) { return gpu.parent.empty(); }));
  return visible.gpus.empty() ? 0 : std::max<size_t>(1, whole);
}

uint64_t most_gpu_bytes(const VisibleGpus& visible) {
  uint64_t most = 0;
  for (const Gpu& gpu : visible.gpus) most = std::max(most, gpu.total_bytes);
  return most;
}

std::function<std::vector<Gpu>(double)> gpus_at_most_old() {
  return [gpus = std::vector<Gpu>(), read_s = std::optional<double>()](double seconds) mutable {
    const double now = monotonic_seconds();
    if (!read_s || now - *read_s >= seconds) {
      gpus = Nvml().gpus();
      read_s = now;
    }
    return gpus;
  };
}

bool can_use_gpu(const VisibleGpus& visible, const std::filesystem::path& programs) {
  return !visible.gpus.empty() && trouble_with_plugin(visible, programs).empty();
}

std::string trouble_with_visible_gpus(const VisibleGpus& visible) {
  std::string trouble;
  if (has_slip(visible) && !std::getenv("CUDA_VISIBLE_DEVICES")) {
    trouble = slip_text(visible);
  } else if (has_slip(visible)) {
    trouble =
        fmt::format("CUDA_VISIBLE_DEVICES={} {}: {}", for_a_shell(variable("CUDA_VISIBLE_DEVICES")),
                    visible.gpus.empty() ? "leaves no GPU" : "is used in part", slip_text(visible));
  }
  std::vector<std::string> troubles;
  if (!trouble.empty()) troubles.push_back(trouble);
  if (!visible.too_old.empty()) troubles.push_back(visible.too_old);
  return joined(troubles, "; ");
}

std::string trouble_with_gpus(const VisibleGpus& visible, const std::filesystem::path& programs) {
  std::vector<std::string> troubles;
  if (const std::string shown = trouble_with_visible_gpus(visible); !shown.empty())
    troubles.push_back(shown);
  if (!visible.gpus.empty()) {
    const std::string of_plugin = trouble_with_plugin(visible, programs);
    if (!of_plugin.empty()) {
      troubles.push_back(fmt::format("{} is here, and trials run on the CPU: {}",
                                     visible.gpus.front().name, of_plugin));
    }
  }
  return joined(troubles, "; ");
}

}  // namespace rethink
