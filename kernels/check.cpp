// Self-check of the kernels, without a test library. It compares every operator with its plain
// reference on the CPU, and also on a GPU if librethink_cuda.so is beside this program and finds a
// GPU. An operator's error must be within the limit of kernels/error_rule.h, and two runs must give
// the same bits.
#include <ATen/ATen.h>
#include <dlfcn.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/attention/attention.h"
#include "kernels/attention/attention_path.h"
#include "kernels/bias_gelu/bias_gelu.h"
#include "kernels/cross_entropy/cross_entropy.h"
#include "kernels/device/device_backend.h"
#include "kernels/error_rule.h"
#include "kernels/philox_dropout/philox_dropout.h"
#include "kernels/philox_uniform/philox_uniform.h"
#include "kernels/reference.h"
#include "kernels/residual_layer_norm/residual_layer_norm.h"
#include "kernels/transposed/transposed.h"

namespace rethink {
namespace {

using Tensors = std::vector<at::Tensor>;
using Expression = std::function<at::Tensor(const Tensors&)>;

struct Check {
  std::string name;
  Expression fused, reference;
  std::vector<std::vector<int64_t>> inputs;  // sizes
  bool bfloat16 = true;                      // bfloat16 is supported
  bool device = true;                        // the case also runs on a GPU
  bool library = false;                      // only on a GPU, by LibTorch's attention if it can
  bool float64 = true;  // false: sums of so many rows need more roundings than error_rule.h allows
};

int passed = 0, failed = 0;
std::vector<std::string> only;  // words of --only
bool without_dropout = false;   // attention_check makes cases without dropout

/// Returns whether the case is selected: its name contains one of the words of --only, or there are
/// none.
bool is_wanted(const std::string& name) {
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& word) {
           return name.find(word) != std::string::npos;
         });
}

void expect(bool holds, const std::string& what) {
  ++(holds ? passed : failed);
  if (!holds) std::printf("failed: %s\n", what.c_str());
}

/// Returns the result, and the gradients of the inputs for the result's product with fixed numbers.
Tensors run(const Expression& expression, const Tensors& inputs, at::Device device,
            at::ScalarType dtype) {
  Tensors leaves;
  for (const at::Tensor& input : inputs)
    leaves.push_back(input.to(device, dtype).detach().requires_grad_());
  const at::Tensor result = expression(leaves);
  result.backward(fixed_upstream(result).to(device, dtype));
  Tensors all = {result.detach()};
  for (const at::Tensor& leaf : leaves) all.push_back(leaf.grad());
  return all;
}

void check_operator(const Check& check, at::Device device, at::ScalarType dtype) {
  if (dtype == at::kBFloat16 && !check.bfloat16) return;
  if (dtype == at::kDouble && !check.float64) return;
  const std::string where = check.name + " " + device.str() + " " + c10::toString(dtype);
  prefer_attention(check.library ? AttentionPreference::library : AttentionPreference::kernels);
  try {
    at::manual_seed(7);
    Tensors inputs;
    for (const auto& sizes : check.inputs)
      inputs.push_back(at::randn(sizes, at::kDouble).to(dtype));
    const Tensors exact = run(check.reference, inputs, at::kCPU, at::kDouble);
    const Tensors plain = run(check.reference, inputs, device, dtype);
    const Tensors ours = run(check.fused, inputs, device, dtype),
                  again = run(check.fused, inputs, device, dtype);
    for (size_t i = 0; i < exact.size(); ++i) {
      const std::string part = where + (i == 0 ? " result" : " gradient " + std::to_string(i - 1));
      const double error = largest_difference(ours[i], exact[i]),
                   allowed = allowed_error(plain[i], exact[i]);
      char found[80];
      std::snprintf(found, sizeof found, ": error %.3g, allowed %.3g", error, allowed);
      expect(error <= allowed, part + found);
      expect(at::equal(ours[i], again[i]), part + ": differs the second time");
    }
  } catch (const std::exception& error) {
    expect(false, where + ": " + error.what());
  }
}

/// Optional inputs of attention_check: padding, a mask, a bias.
enum class Extra { none, padding, mask, bias, all };

/// Makes a case with sizes B, H, Q, K, E. The bias is the fourth input, for all heads or for one.
Check attention_check(const std::string& name, const std::vector<int64_t>& sizes,
                      AttentionOptions options, Extra extra = Extra::none) {
  if (without_dropout) options.dropout = 0.0;
  const int64_t batch = sizes[0], heads = sizes[1], queries = sizes[2], keys = sizes[3];
  options.scale = 1.0 / std::sqrt(static_cast<double>(sizes[4]));
  options.random = {11, 5};
  const bool all = extra == Extra::all, bias = all || extra == Extra::bias;
  if (all || extra == Extra::padding) {
    const at::Tensor kept = at::arange(batch).view({batch, 1}) + keys / 2;
    options.key_keep = at::arange(keys).view({1, keys}) < kept;
  }
  if (all || extra == Extra::mask) {  // the second query sees nothing
    options.mask = (at::arange(heads * queries * keys).mul(7).remainder(5) < 3).to(at::kByte);
    options.mask = options.mask.view({heads, queries, keys});
    options.mask.narrow(1, 1, 1).zero_();
  }
  const auto call = [=](const Tensors& in, const auto& expression) {
    AttentionOptions full = options;
    const at::Device device = in[0].device();
    if (full.key_keep.defined()) full.key_keep = full.key_keep.to(device);
    if (full.mask.defined()) full.mask = full.mask.to(device);
    if (bias) full.bias = in[3] * 3.0;
    return expression(in[0], in[1], in[2], full);
  };
  std::vector<std::vector<int64_t>> inputs = {{batch, heads, queries, sizes[4]},
                                              {batch, heads, keys, sizes[4]},
                                              {batch, heads, keys, sizes[4]}};
  if (bias) inputs.push_back({all ? 1 : heads, queries, keys});
  return {"attention " + name, [=](const Tensors& in) { return call(in, attention); },
          [=](const Tensors& in) {
            return call(in, [](const auto& query, const auto& key, const auto& value,
                               const AttentionOptions& full) {
              return attention_reference(query, key, value, full);
            });
          },
          inputs};
}

std::vector<Check> attention_checks_of_kernels() {
  return {attention_check("one token", {2, 1, 1, 1, 8}, {.causal = true}),
          attention_check("small profile", {4, 4, 35, 35, 32}, {.causal = true, .dropout = 0.1}),
          attention_check("odd, masked", {2, 3, 97, 97, 97},
                          {.causal = true, .diagonal_masked = true, .dropout = 0.3}),
          attention_check("reduced", {2, 2, 100, 100, 32}, {.causal = true, .diagonal_rate = 0.2}),
          attention_check("paper", {2, 1, 100, 100, 300},
                          {.causal = true, .diagonal_masked = true, .dropout = 0.1}),
          attention_check("widest", {1, 2, 70, 70, 512},
                          {.causal = true, .diagonal_rate = 2.0, .dropout = 0.1}),
          attention_check("long", {1, 1, 300, 300, 24}, {.causal = true, .dropout = 0.2}),
          attention_check("empty", {0, 2, 5, 5, 4}, {.causal = true}),
          attention_check("no keys", {2, 2, 5, 0, 8}, {.dropout = 0.1}),
          attention_check("encoder", {3, 2, 128, 128, 64}, {.dropout = 0.1}),
          attention_check("cross", {2, 3, 21, 50, 32}, {.dropout = 0.1}, Extra::padding),
          attention_check("fixed mask", {2, 3, 37, 37, 16}, {.dropout = 0.1}, Extra::mask),
          attention_check("learned bias", {3, 2, 64, 64, 32}, {}, Extra::bias),
          attention_check("all at once", {5, 2, 33, 33, 24},
                          {.diagonal_masked = true, .dropout = 0.2}, Extra::all),
          attention_check("all at once, causal", {2, 3, 140, 140, 8},
                          {.causal = true, .dropout = 0.2}, Extra::all)};
}

/// Adds each case for the kernels, and for LibTorch without dropout, since its dropout differs from
/// the reference's.
std::vector<Check> attention_checks() {
  std::vector<Check> all;
  for (const bool library : {false, true}) {
    without_dropout = library;
    for (Check& check : attention_checks_of_kernels()) {
      if (library) check.name = "library " + check.name;
      check.library = library;
      all.push_back(std::move(check));
    }
  }
  return all;
}

/// Returns `numbers` rounded to bfloat16. In float64, whose gradients count as exact, gradients
/// pass unrounded.
at::Tensor rounded(const at::Tensor& numbers) {
  const at::Tensor near = numbers.to(at::kBFloat16).to(numbers.scalar_type());
  return numbers.scalar_type() == at::kDouble ? numbers + (near - numbers).detach() : near;
}

ResidualLayerNormOptions with_input_bias(ResidualLayerNormOptions options, const at::Tensor& bias) {
  options.input_bias = bias;
  return options;
}

/// The end of a sublayer in bfloat16: the input comes from a product without its bias, and a copy
/// of the output goes to the next product. The result is the sum of output and copy, so that both
/// have a gradient.
Check norm_check_in_bfloat16(const std::vector<int64_t>& sizes,
                             const ResidualLayerNormOptions& options) {
  return {"residual_layer_norm of bfloat16",
          [=](const Tensors& in) {
            const bool is_exact = in[1].scalar_type() == at::kDouble;
            const at::Tensor input = is_exact ? rounded(in[0]) : in[0].to(at::kBFloat16);
            const auto [output, copy] = residual_layer_norm_with_bfloat16(
                input, in[1], in[2], in[3], with_input_bias(options, in[4]));
            return output + (is_exact ? output : copy.to(at::kFloat));
          },
          [=](const Tensors& in) {
            const at::Tensor output = residual_layer_norm_reference(
                rounded(in[0]), in[1], in[2], in[3], with_input_bias(options, in[4]));
            return output + (output.scalar_type() == at::kDouble ? output : rounded(output));
          },
          {sizes, sizes, {sizes.back()}, {sizes.back()}, {sizes.back()}},
          /*bfloat16=*/false};
}

/// Adds widths that are multiples of a packet and widths that are not, with one to four chunks per
/// thread; and more rows than a kernel has groups, so that groups have several rows.
const std::vector<std::vector<int64_t>> kNormSizes = {{7, 9, 97}, {5, 768},  {3, 300},
                                                      {2, 2100},  {2, 6000}, {9001, 64}};

std::vector<Check> all_checks() {
  const PhiloxKey key{3, 9};
  std::vector<Check> all = attention_checks();
  for (const std::vector<int64_t>& sizes :
       {std::vector<int64_t>{5, 64}, {3, 97}, {1}, {2, 3, 1000}}) {
    all.push_back({"philox_dropout",
                   [key](const Tensors& in) { return philox_dropout(in[0], 0.1, key); },
                   [key](const Tensors& in) { return philox_dropout_reference(in[0], 0.1, key); },
                   {sizes}});
  }
  for (const int64_t words : {1, 37, 8192}) {
    const at::Tensor targets = at::arange(9).mul(5).remainder(words);
    all.push_back({"cross_entropy",
                   [=](const Tensors& in) { return cross_entropy_sum(in[0], targets); },
                   [=](const Tensors& in) { return cross_entropy_reference(in[0], targets); },
                   {{9, words}},
                   /*bfloat16=*/false,
                   /*device=*/false});
  }
  for (const std::vector<int64_t>& sizes : kNormSizes) {
    for (const double dropout : {0.0, 0.2}) {
      const ResidualLayerNormOptions options{.dropout = dropout, .key = key};
      all.push_back({"residual_layer_norm",
                     [=](const Tensors& in) {
                       return residual_layer_norm(in[0], in[1], in[2], in[3], options);
                     },
                     [=](const Tensors& in) {
                       return residual_layer_norm_reference(in[0], in[1], in[2], in[3], options);
                     },
                     {sizes, sizes, {sizes.back()}, {sizes.back()}},
                     /*bfloat16=*/false});
      all.push_back({"residual_layer_norm with a bias of the input",
                     [=](const Tensors& in) {
                       return residual_layer_norm(in[0], in[1], in[2], in[3],
                                                  with_input_bias(options, in[4]));
                     },
                     [=](const Tensors& in) {
                       return residual_layer_norm_reference(in[0], in[1], in[2], in[3],
                                                            with_input_bias(options, in[4]));
                     },
                     {sizes, sizes, {sizes.back()}, {sizes.back()}, {sizes.back()}},
                     /*bfloat16=*/false});
      all.push_back(norm_check_in_bfloat16(sizes, options));
      for (auto check = all.end() - 3; check != all.end(); ++check)
        check->float64 = sizes.front() < 1000;
    }
  }
  for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{5, 7, 97}, {300, 64}, {1}}) {
    all.push_back({"bias_gelu",
                   [](const Tensors& in) { return bias_gelu(in[0] * 3.0, in[1]); },
                   [](const Tensors& in) { return bias_gelu_reference(in[0] * 3.0, in[1]); },
                   {sizes, {sizes.back()}},
                   /*bfloat16=*/false});
  }
  for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{48, 64}, {37, 101}, {3, 1}}) {
    all.push_back({"transposed",
                   [](const Tensors& in) { return transposed(in[0]); },
                   [](const Tensors& in) { return transposed_reference(in[0]); },
                   {sizes},
                   /*bfloat16=*/false});
  }
  return all;
}

std::vector<Check> checks() {
  std::vector<Check> wanted = all_checks();
  std::erase_if(wanted, [](const Check& check) { return !is_wanted(check.name); });
  return wanted;
}

/// Returns the GPU's backend, or null without a plug-in or a GPU. Requires: no other call of
/// LibTorch came before, since LibTorch decides once whether CUDA exists.
DeviceBackend* open_device() {
  const auto plugin =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "librethink_cuda.so";
  if (!std::filesystem::exists(plugin)) return nullptr;
  void* library = dlopen(plugin.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    std::printf("no CUDA: %s\n", dlerror());
    return nullptr;
  }
  const auto entry = reinterpret_cast<DeviceBackendEntry*>(dlsym(library, kDeviceBackendEntry));
  return entry == nullptr ? nullptr : entry();
}

void check_backend(DeviceBackend& device) {
  const at::Tensor host = device.pinned({1024}, at::kFloat).fill_(1.0);
  expect(host.is_pinned(), "pinned memory");
  at::Tensor sum = at::zeros({1024}, at::TensorOptions(at::kFloat).device(at::kCUDA));
  const at::Tensor ones = host.to(at::kCUDA);
  const auto graph = device.new_graph();
  device.synchronize();
  graph->record([&] { sum.add_(ones); });
  for (int i = 0; i < 3; ++i) graph->replay();
  device.synchronize();
  expect(sum.sum().item<double>() == 3 * 1024, "a graph replayed three times");
  const auto stream = device.new_stream();
  stream->wait_for_current();
  stream->run([&] { sum.add_(ones); });
  stream->make_current_wait();
  expect(sum.sum().item<double>() == 4 * 1024, "work on a second stream");
  const int64_t waits = device.count_waits([&] {
    ones.add(1.0);
    sum.sum().item<double>();
  });
  expect(waits == 1, "one wait for the device, counted " + std::to_string(waits));
  device.seed_generator(5);
  const at::Tensor state = device.generator_state(), first = at::randn({64}, sum.options());
  device.set_generator_state(state);
  expect(at::equal(at::randn({64}, sum.options()), first), "the generator's state");
  expect(device.memory().peak > 0 && device.memory().total > 0, "memory");
}

/// Checks that every device draws the same numbers.
void check_uniform(at::Device device) {
  if (!is_wanted("philox_uniform")) return;
  for (const int64_t count : {0, 1, 5, 4096, 100003}) {
    const at::Tensor drawn = philox_uniform({count}, {3, 9}, device);
    expect(at::equal(drawn.cpu(), philox_uniform_reference({count}, {3, 9})),
           "philox_uniform " + device.str() + " of " + std::to_string(count));
  }
}

/// Checks that dropout of LibTorch's attention depends only on the generator's seed, and is the
/// same in both passes.
void check_library_dropout(at::ScalarType dtype) {
  if (!is_wanted("library attention dropout")) return;
  const std::string name = std::string("library attention dropout ") + c10::toString(dtype);
  prefer_attention(AttentionPreference::library);
  const AttentionOptions options{.scale = 0.2, .dropout = 0.5};
  at::manual_seed(7);
  const Tensors inputs(3, at::randn({2, 3, 64, 32}));
  const Expression expression = [&](const Tensors& in) {
    return attention(in[0], in[1], in[2], options);
  };
  const auto with_seed = [&](uint64_t seed) {
    at::manual_seed(seed);
    return run(expression, inputs, at::kCUDA, dtype);
  };
  const Tensors once = with_seed(3), again = with_seed(3), other = with_seed(4);
  for (size_t i = 0; i < once.size(); ++i) {
    expect(at::equal(once[i], again[i]), name + ": differs with the same seed");
    expect(!at::equal(once[i], other[i]), name + ": is the same with another seed");
  }
  // The output is linear in the values, so both passes must drop the same weights.
  const at::Tensor value = inputs[2].to(at::kCUDA, dtype).to(at::kDouble),
                   upstream = fixed_upstream(once[0]).to(at::kCUDA);
  const double forward = (once[0].to(at::kDouble) * upstream).sum().item<double>(),
               backward = (value * once[3].to(at::kDouble)).sum().item<double>();
  expect(std::abs(forward - backward) < 0.02 * std::abs(forward) + 0.5,
         name + ": the way back drops other weights");
}

void check_device(DeviceBackend& device) {
  // Trials run with this setting. Without it keys are split among blocks, whose sums have no fixed
  // order.
  at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
  std::printf("CUDA: %s\n", device.name().c_str());
  for (const Check& check : checks()) {
    for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16})
      if (check.device) check_operator(check, at::kCUDA, dtype);
  }
  for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16}) check_library_dropout(dtype);
  check_uniform(at::kCUDA);
  if (is_wanted("device")) check_backend(device);
}

}  // namespace
}  // namespace rethink

namespace {

constexpr const char* kUsage =
    "usage: kernels_check [--gpu] [--only WORD,...]\n"
    "  --gpu    no GPU is a failure\n"
    "  --only   the cases whose names hold one of the words (attention, \"fixed mask\", device, "
    "...)\n";

/// Returns false for unknown words.
bool read_words(const std::vector<std::string>& words, bool& needs_gpu) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--gpu") {
      needs_gpu = true;
    } else if (words[i] == "--only" && i + 1 < words.size()) {
      std::istringstream list(words[++i]);
      for (std::string word; std::getline(list, word, ',');) rethink::only.push_back(word);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int count, char** words) {
  bool needs_gpu = false;
  if (!read_words({words + 1, words + count}, needs_gpu)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  rethink::DeviceBackend* device = rethink::open_device();
  if (needs_gpu) rethink::expect(device != nullptr, "a GPU that the plug-in can use");
  for (const rethink::Check& check : rethink::checks()) {
    if (check.library) continue;
    for (const at::ScalarType dtype : {at::kFloat, at::kDouble, at::kBFloat16}) {
      rethink::check_operator(check, at::kCPU, dtype);
    }
  }
  rethink::check_uniform(at::kCPU);
  if (device != nullptr) rethink::check_device(*device);
  if (device == nullptr) std::printf("no CUDA device: checked the CPU only\n");
  if (rethink::passed + rethink::failed == 0)
    rethink::expect(false, "nothing was checked: no case has such a name here");
  std::printf("%d passed, %d failed\n", rethink::passed, rethink::failed);
  std::fflush(stdout);
  std::quick_exit(rethink::failed == 0 ? 0 : 1);
}
