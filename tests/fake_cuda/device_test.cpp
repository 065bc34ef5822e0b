// Tests that the fake device detects the faults for which it exists.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <torch/csrc/autograd/variable.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/fake_cuda/fake_device.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using at::Tensor;

std::string message_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  return "";
}

#define EXPECT_REFUSED(expression, text) \
  EXPECT_THAT(message_of([&] { (void)(expression); }), testing::HasSubstr(text))

class FakeDevice : public testing::Test {
 protected:
  FakeDevice() { fake_device(); }
};

TEST_F(FakeDevice, ComputesAsTheCpu) {
  const Tensor host = at::arange(6, at::kFloat).view({2, 3});
  const Tensor device = host.to(at::kCUDA);
  EXPECT_EQ(device.device(), at::Device(at::kCUDA, 0));
  const Tensor result = at::mm(device, device.t()).softmax(-1);
  EXPECT_TRUE(result.is_cuda());
  EXPECT_TRUE(at::equal(result.to(at::kCPU), at::mm(host, host.t()).softmax(-1)));
}

TEST_F(FakeDevice, DiesWhereTheHostReadsItsMemory) {
  const Tensor tensor = at::ones({3}, at::kCUDA);
  EXPECT_EXIT(
      {
        volatile float value = tensor.const_data_ptr<float>()[0];
        (void)value;
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(FakeDevice, RefusesTensorsOfTwoDevices) {
  const Tensor host = at::ones({3}), first = host.to(at::Device(at::kCUDA, 0)),
               second = host.to(at::Device(at::kCUDA, 1));
  EXPECT_REFUSED(first + host, "same device");
  EXPECT_REFUSED(at::dot(first, host), "of the host");
  EXPECT_REFUSED(first + second, "cuda:1");
  EXPECT_EQ((first + at::scalar_tensor(2.0)).sum().item<float>(), 9);
}

TEST_F(FakeDevice, HoldsUninitializedMemoryThatNoResultSurvives) {
  EXPECT_TRUE(
      at::empty({3}, at::TensorOptions(at::kFloat).device(at::kCUDA)).isnan().all().item<bool>());
}

TEST_F(FakeDevice, RunsOutOfMemory) {
  const auto bytes = at::TensorOptions(at::kByte).device(at::kCUDA);
  const Tensor most = at::empty({60 << 20}, bytes);
  EXPECT_THROW(at::empty({8 << 20}, bytes), c10::OutOfMemoryError);
  EXPECT_GE(fake_device().memory().allocated, 60 << 20);
}

TEST_F(FakeDevice, CountsWhatTheHostWaitsFor) {
  const Tensor pinned = fake_device().pinned({4}, at::kFloat).fill_(1);
  Tensor device;
  const auto waits = [](const std::function<void()>& body) {
    return fake_device().count_waits(body);
  };
  EXPECT_EQ(waits([&] { device = pinned.to(at::kCUDA, /*non_blocking=*/true); }), 0);
  EXPECT_EQ(waits([&] { (device * 2).sum(); }), 0);
  EXPECT_EQ(waits([&] { pinned.to(at::kCUDA); }), 1);
  EXPECT_EQ(waits([&] { at::ones({4}).to(at::kCUDA, /*non_blocking=*/true); }), 1);
  EXPECT_EQ(waits([&] { device.sum().item<float>(); }), 1);
  EXPECT_EQ(waits([&] { device.to(at::kCPU); }), 1);
  EXPECT_EQ(waits([&] { device.index({device > 0}); }), 1);
}

/// Returns the report's lines on the work of `body`. A process has one report.
std::string traffic_in(const std::function<void()>& body) {
  static const TempFolder folder;
  setenv("FAKE_CUDA_REPORT", folder.path().c_str(), /*overwrite=*/1);
  const auto report = [&] { return read_text(folder / std::to_string(getpid())); };
  const Tensor opens_the_report = at::ones({1}, at::kCUDA);
  const size_t before = report().size();
  EXPECT_THAT(report(), testing::Not(testing::HasSubstr("work ")));
  setenv("FAKE_CUDA_WORK", "1", /*overwrite=*/1);
  body();
  unsetenv("FAKE_CUDA_WORK");
  std::string work = report().substr(before);
  unsetenv("FAKE_CUDA_REPORT");
  return work;
}

TEST_F(FakeDevice, SaysWhatAnOperatorMovesAndWhatItsProductsCompute) {
  const Tensor left = at::ones({8, 16}, at::kCUDA), right = at::ones({16, 4}, at::kCUDA);
  const Tensor rows = at::zeros({3}, at::TensorOptions(at::kLong).device(at::kCUDA));
  const std::string work = traffic_in([&] {
    const Tensor product = at::mm(left, right);  // (8 16 + 16 4 + 8 4) numbers
    at::addmm(product, left, right);             // the same, and a sum of 8 4
    left.neg_();                                 // read and written
    left.narrow(0, 0, 1).expand({8, 16}).sum();  // one row is read
    at::index_select(left, 0, rows);             // three rows, and their numbers
    left.to(at::kBFloat16);                      // 4 bytes are read, 2 written
  });
  for (const std::string line :
       {"work aten::mm.out 896 1024 Float\n", "work aten::addmm.out 1024 1024 Float\n",
        "work aten::neg.out 1024 0 Float\n", "work aten::sum.IntList_out 68 0 Float\n",
        "work aten::index_select 408 0 Float\n", "work copy 768 0 BFloat16\n"}) {
    EXPECT_THAT(work, testing::HasSubstr(line));
  }
}

TEST_F(FakeDevice, CannotBeUsedAfterAFork) {
  const Tensor before = at::ones({3}, at::kCUDA);
  const pid_t child = fork();
  if (child == 0) {
    const std::string message = message_of([] { at::ones({3}, at::kCUDA); });
    _exit(message.find("before the fork") == std::string::npos ? 1 : 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

/// Queries, keys and values of a call, with the memory layout of a projection's heads.
struct Heads {
  Tensor query, key, value, bias;
};

class EfficientAttention : public FakeDevice {
 protected:
  static constexpr int64_t kBatch = 2, kHeads = 3, kQueries = 5, kKeys = 16, kWidth = 8;

  static Tensor heads(int64_t tokens, int64_t width = kWidth) {
    return at::randn({kBatch, tokens, kHeads, width}).transpose(1, 2);
  }

  Heads host_ = [] {
    at::manual_seed(1);
    Heads heads{EfficientAttention::heads(kQueries), EfficientAttention::heads(kKeys),
                EfficientAttention::heads(kKeys), at::randn({kBatch, kHeads, kQueries, kKeys})};
    // One query sees no key, and one does not see the first key.
    heads.bias.select(2, 1).fill_(-std::numeric_limits<float>::infinity());
    heads.bias.select(2, 2).select(2, 0).fill_(-std::numeric_limits<float>::infinity());
    return heads;
  }();

  static Heads on(const Heads& heads, at::Device device) {
    const auto leaf = [&](const Tensor& tensor) {
      return tensor.to(device).detach().requires_grad_(true);
    };
    return {leaf(heads.query), leaf(heads.key), leaf(heads.value), leaf(heads.bias)};
  }

  static auto call(const Heads& heads, double dropout = 0, bool is_causal = false,
                   bool log_sum_exp = true) {
    return at::_scaled_dot_product_efficient_attention(
        heads.query, heads.key, heads.value,
        heads.bias.defined() ? std::optional(heads.bias) : std::nullopt, log_sum_exp, dropout,
        is_causal);
  }

  /// Returns the operator's error for inputs changed by `change`; "" if it accepts them.
  std::string refusal(const std::function<void(Heads&)>& change) {
    Heads heads{host_.query.cuda(), host_.key.cuda(), host_.value.cuda(), host_.bias.cuda()};
    change(heads);
    return message_of([&] { call(heads); });
  }
};

Tensor plain_attention(const Heads& heads, bool is_causal) {
  Tensor scores = at::matmul(heads.query, heads.key.transpose(2, 3)) /
                      std::sqrt(static_cast<double>(heads.query.size(3))) +
                  heads.bias;
  if (is_causal) {
    scores = scores.masked_fill(at::ones({scores.size(2), scores.size(3)}, at::kBool).triu(1),
                                -std::numeric_limits<double>::infinity());
  }
  const Tensor weights = scores.softmax(-1);
  return at::matmul(at::where(weights.isnan(), at::zeros_like(weights), weights), heads.value);
}

TEST_F(EfficientAttention, GivesThePlainExpressionAndItsGradients) {
  for (const bool is_causal : {false, true}) {
    const Heads device = on(host_, at::kCUDA);
    Heads expected = on(host_, at::kCPU);
    // Without a visible key the plain softmax has no gradient; the operator's must be zeros.
    const Tensor seen = at::ones({kQueries, 1}).index_fill(0, at::scalar_tensor(1, at::kLong), 0);
    const Tensor finite = expected.bias.masked_fill(seen == 0, 0);
    const Tensor plain =
        plain_attention({expected.query, expected.key, expected.value, finite}, is_causal) * seen;
    const Tensor upstream = at::randn(plain.sizes());
    plain.backward(upstream);
    const Tensor output = std::get<0>(call(device, 0, is_causal));
    output.backward(upstream.cuda());
    EXPECT_TRUE(at::allclose(output.cpu(), plain, 1e-5, 1e-6));
    for (const auto& [ours, theirs] : {std::pair{device.query, expected.query},
                                       {device.key, expected.key},
                                       {device.value, expected.value},
                                       {device.bias, expected.bias}}) {
      EXPECT_TRUE(at::allclose(ours.grad().cpu(), theirs.grad(), 1e-5, 1e-6));
    }
  }
}

TEST_F(EfficientAttention, RoundsToBfloat16) {
  const auto rounded = [](const Tensor& tensor) {
    return tensor.to(at::kBFloat16).to(at::kCUDA).requires_grad_(true);
  };
  const Heads device{rounded(host_.query), rounded(host_.key), rounded(host_.value),
                     rounded(host_.bias)};
  const Tensor output = std::get<0>(call(device));
  output.sum().backward();
  EXPECT_EQ(output.scalar_type(), at::kBFloat16);
  EXPECT_EQ(device.bias.grad().scalar_type(), at::kBFloat16);
  const Tensor expected = std::get<0>(call(on(host_, at::kCUDA)));
  EXPECT_TRUE(at::allclose(output.to(at::kFloat).cpu(), expected.cpu(), 2e-2, 5e-2));
}

TEST_F(EfficientAttention, RepeatsItsDropoutFromTheSeed) {
  const Heads device = on(host_, at::kCUDA);
  const auto result = [&](uint64_t seed) {
    at::manual_seed(seed);
    return std::get<0>(call(device, 0.5)).cpu();
  };
  EXPECT_TRUE(at::equal(result(3), result(3)));
  EXPECT_FALSE(at::equal(result(3), result(4)));
}

TEST_F(EfficientAttention, RefusesWhatTheKernelRefuses) {
  using at::kBFloat16;
  EXPECT_EQ(refusal([](Heads&) {}), "");
  EXPECT_EQ(refusal([](Heads& heads) { heads.bias = Tensor(); }), "");
  EXPECT_EQ(refusal([](Heads& heads) {  // heads share one bias
              heads.bias = heads.bias.narrow(1, 0, 1).expand({-1, kHeads, -1, -1});
            }),
            "");
  const auto in_bfloat16 = [](Heads& heads) {
    for (Tensor* tensor : {&heads.query, &heads.key, &heads.value}) *tensor = tensor->to(kBFloat16);
  };
  EXPECT_THAT(refusal(in_bfloat16), testing::HasSubstr("should match query's dtype"));
  EXPECT_THAT(refusal([](Heads& heads) { heads.bias = heads.bias.narrow(0, 0, 1); }),
              testing::HasSubstr("wrong shape"));
  EXPECT_THAT(refusal([](Heads& heads) {  // padding alone, for all queries
                heads.bias = heads.bias.transpose(2, 3).contiguous().transpose(2, 3);
              }),
              testing::HasSubstr("last dimension must be contiguous"));
  EXPECT_THAT(refusal([](Heads& heads) {
                heads.key = heads.key.narrow(2, 0, 10);
                heads.value = heads.value.narrow(2, 0, 10);
                heads.bias = heads.bias.narrow(3, 0, 10).contiguous();
              }),
              testing::HasSubstr("attn_bias is not correctly aligned"));
  EXPECT_THAT(refusal([](Heads& heads) {
                heads.query = heads.query.to(at::kDouble);
                heads.key = heads.key.to(at::kDouble);
                heads.value = heads.value.to(at::kDouble);
              }),
              testing::HasSubstr("Double"));
  for (const int64_t width : {6, 12}) {
    const auto narrow = [&](Heads& heads) {
      heads = {EfficientAttention::heads(kQueries, width).cuda(),
               EfficientAttention::heads(kKeys, width).cuda(),
               EfficientAttention::heads(kKeys, width).cuda(), Tensor()};
    };
    EXPECT_EQ(refusal(narrow).empty(), width == 12);
    EXPECT_THAT(refusal([&](Heads& heads) { narrow(heads), in_bfloat16(heads); }),
                testing::HasSubstr("query is not correctly aligned"));
  }
}

TEST_F(EfficientAttention, NeedsTheLogSumExpForItsGradients) {
  const Heads device = on(host_, at::kCUDA);
  const Tensor output = std::get<0>(call(device, 0, false, /*log_sum_exp=*/false));
  EXPECT_REFUSED(output.sum().backward(), "log-sum-exp");
}

}  // namespace
}  // namespace rethink
