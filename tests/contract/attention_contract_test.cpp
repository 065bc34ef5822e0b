// Contract of every attention variant. The fact "exceptions" of a variant (models/attention/attention.h)
// declares what it cannot do, with a reason.
//
// A variant names its output projections output, output2, ...: with those set to the identity, the
// recorded maps times the recorded values are its output.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/variable.h>

#include "core/config/schema.h"
#include "core/json.h"
#include "experiments/train/device/device.h"
#include "models/attention/attention.h"
#include "models/masks/mask.h"
#include "tests/support/error_ratio.h"
#include "tests/support/registry_files.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int64_t kWidth = 16, kHeads = 4;  // triplet_heads' default plus one

/// Returns the options that a variant requires, each choice with the first plug-in that exists.
Json least_options(const std::string& variant) {
  Json options = Json::object();
  for (const Field& field : attentions().schema(variant).options.fields) {
    if (!field.required) continue;
    EXPECT_EQ(field.type, FieldType::plugin) << field.name;
    options[field.name] = {{field.tag, find_registry(field.registry).names().front()}};
  }
  return options;
}

at::Tensor tokens(int64_t batch, int64_t length) {
  return at::randn({batch, length, kWidth}, at::kDouble);
}

/// Returns every combination of the values of a variant's yes-or-no and named options.
std::vector<Json> all_choices(const std::string& variant) {
  std::vector<Json> found = {least_options(variant)};
  for (const Field& field : attentions().schema(variant).options.fields) {
    std::vector<Json> values(field.choices.begin(), field.choices.end());
    if (field.type == FieldType::boolean) values = {false, true};
    if (values.empty()) continue;
    std::vector<Json> more;
    for (const Json& options : found) {
      for (const Json& value : values) {
        more.push_back(options);
        more.back()[field.name] = value;
      }
    }
    found = std::move(more);
  }
  return found;
}

class AttentionContract : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { at::manual_seed(3); }

  bool excepted(const std::string& what) const {
    return attentions().facts(GetParam()).exceptions.contains(what);
  }

  /// Returns the place that every variant without exceptions supports.
  AttentionPlace usual_place() const {
    return excepted("causal") ? AttentionPlace::encoder_self : AttentionPlace::decoder_self;
  }

  std::shared_ptr<Attention> make(double dropout = 0.0) { return make(usual_place(), dropout); }
  std::shared_ptr<Attention> make(AttentionPlace place, double dropout = 0.0) {
    return make(place, dropout, least_options(GetParam()));
  }

  std::shared_ptr<Attention> make(AttentionPlace place, double dropout, const Json& options) {
    AttentionSite site;
    site.d_model = kWidth;
    site.heads = kHeads;
    site.dropout = dropout;
    site.place = place;
    std::map<std::string, std::shared_ptr<SharedAttentionState>> shared;
    site.shared = &shared;
    site.given_mask = &mask_;
    auto attention = attentions().make(GetParam(), options, site);
    attention->to(at::kDouble);
    attention->eval();
    for (const auto& [name, state] : shared) {
      state->to(at::kDouble);
      state->eval();
    }
    shared_[attention.get()] = shared;
    return attention;
  }

  at::Tensor run(Attention& attention, const at::Tensor& input, bool causal, at::Tensor keep = {},
                 PhiloxKey random = {}, Recorder* record = nullptr) {
    for (const auto& [name, state] : shared_.at(&attention)) state->refresh(random, nullptr);
    const SideInputs side = {{"hints", at::zeros({input.size(0), input.size(1)}, at::kLong)}};
    return attention.forward({.query_input = input,
                              .key_input = input,
                              .key_keep = std::move(keep),
                              .causal = causal,
                              .side = &side,
                              .random = random,
                              .record = record});
  }

  /// Decodes token by token. Rows continue others, and there are more and fewer of them.
  void expect_decoding_of_what_is_read(Attention& attention) {
    const auto state = attention.new_state(StateUse::decoding);
    ASSERT_NE(state, nullptr);
    at::Tensor read = tokens(3, 1);
    for (int64_t t = 0;; ++t) {
      const at::Tensor last = read.narrow(1, t, 1);
      ASSERT_EQ(state->tokens(), t);
      const at::Tensor next = attention.forward({.query_input = last,
                                                 .key_input = last,
                                                 .causal = true,
                                                 .query_offset = t,
                                                 .state = state.get()});
      const at::Tensor whole = run(attention, read, true).narrow(1, t, 1);
      EXPECT_LT(worst_difference(next, whole), 1e-12) << "token " << t;
      if (t == 12) break;
      const at::Tensor rows = at::randint(read.size(0), {2 + t % 3}, at::kLong);
      state->reorder(rows);
      read = at::cat({read.index_select(0, rows), tokens(rows.size(0), 1)}, 1);
    }
  }

  const Mask mask_ = make_mask({"star", Json::object(), {}}, kHeads, 16);
  std::map<const Attention*, std::map<std::string, std::shared_ptr<SharedAttentionState>>> shared_;
};

TEST_P(AttentionContract, DeclaresItsExceptionsWithAReason) {
  for (const auto& [what, reason] : attentions().facts(GetParam()).exceptions) {
    EXPECT_THAT(what, testing::AnyOf("cross", "causal", "padding", "decoding", "encoder"));
    EXPECT_GT(reason.size(), 10u) << what;
  }
}

TEST_P(AttentionContract, BuildsFromDefaultsAndKeepsTheShape) {
  if (excepted("causal")) {
    EXPECT_THROW(make(AttentionPlace::decoder_self), ConfigError);
  }
  for (const auto place : {AttentionPlace::encoder_self, usual_place()}) {
    auto attention = make(place);
    for (const int64_t length : {1, 2, 7}) {
      const at::Tensor input = tokens(2, length);
      const at::Tensor output = run(*attention, input, place == AttentionPlace::decoder_self);
      EXPECT_EQ(output.sizes(), input.sizes());
      EXPECT_TRUE(output.isfinite().all().item<bool>()) << "length " << length;
    }
  }
}

TEST_P(AttentionContract, TakesQueriesAndKeysOfDifferentSequences) {
  if (excepted("cross")) {
    EXPECT_THROW(make(AttentionPlace::decoder_cross), ConfigError);
    return;
  }
  auto attention = make(AttentionPlace::decoder_cross);
  const at::Tensor queries = tokens(2, 4), keys = tokens(2, 6);
  const at::Tensor output = attention->forward({.query_input = queries, .key_input = keys});
  EXPECT_EQ(output.sizes(), queries.sizes());
  const at::Tensor keep = at::arange(9).lt(6).expand({2, 9});
  const at::Tensor padded_keys = at::cat({keys, 50 * tokens(2, 3)}, 1);
  const at::Tensor padded =
      attention->forward({.query_input = queries, .key_input = padded_keys, .key_keep = keep});
  EXPECT_LT(worst_difference(padded, output), 1e-12);
}

TEST_P(AttentionContract, IgnoresPadding) {
  auto attention = make();
  const at::Tensor input = tokens(2, 5);
  for (const bool causal : {false, true}) {
    const at::Tensor alone = run(*attention, input, causal);
    const at::Tensor behind = at::cat({input, 50 * tokens(2, 3)}, 1);
    const at::Tensor keep = at::arange(8).lt(5).expand({2, 8});
    const double difference =
        worst_difference(run(*attention, behind, causal, keep).narrow(1, 0, 5), alone);
    if (excepted("padding")) {
      EXPECT_GT(difference, 1e-6) << "the exception is not needed";
    } else {
      EXPECT_LT(difference, 1e-12) << "causal " << causal;
    }
  }
}

TEST_P(AttentionContract, NeedsNoPaddingMaskBehindCausalQueries) {
  if (excepted("padding") || excepted("causal")) return;
  auto attention = make();
  const at::Tensor input = tokens(2, 5);
  const at::Tensor behind = at::cat({input, 50 * tokens(2, 3)}, 1);
  EXPECT_LT(
      worst_difference(run(*attention, behind, true).narrow(1, 0, 5), run(*attention, input, true)),
      1e-12);
}

TEST_P(AttentionContract, IgnoresBatchMates) {
  if (excepted("padding")) return;
  auto attention = make();
  const at::Tensor input = tokens(3, 6);
  for (const bool causal : {false, true}) {
    const at::Tensor together = run(*attention, input, causal);
    for (int64_t b = 0; b < 3; ++b) {
      const at::Tensor alone = run(*attention, input.narrow(0, b, 1), causal);
      EXPECT_LT(worst_difference(alone, together.narrow(0, b, 1)), 1e-12) << b;
    }
  }
}

TEST_P(AttentionContract, LooksAtNoLaterTokenWhenCausal) {
  const auto& leaks = attentions().facts(GetParam()).looks_ahead;
  const at::Tensor input = tokens(2, 16), changed = input.clone();
  changed.narrow(1, 7, 9).add_(30 * tokens(2, 9));
  for (const Json& options : all_choices(GetParam())) {
    bool is_declared = excepted("causal");
    for (const auto& [option, values] : leaks)
      is_declared = is_declared || values.contains(options.at(option).get<std::string>());
    auto attention = make(usual_place(), 0.0, options);
    const at::Tensor before = run(*attention, input, true), after = run(*attention, changed, true);
    const double difference = worst_difference(after.narrow(1, 0, 7), before.narrow(1, 0, 7));
    EXPECT_TRUE(is_declared ? difference > 1e-6 : difference < 1e-12)
        << options.dump() << " lets differ by " << difference;
  }
  auto usual = make();  // with other choices a mask that is not learned yet may hide all keys
  const at::Tensor before = run(*usual, input, true), after = run(*usual, changed, true);
  EXPECT_GT(worst_difference(after.narrow(1, 7, 9), before.narrow(1, 7, 9)), 1e-6);
}

TEST_P(AttentionContract, DecodesTokenByTokenWhatItReadsAtOnce) {
  const bool has_none = excepted("causal") || excepted("decoding");
  ASSERT_EQ(make()->new_state(StateUse::decoding) == nullptr, has_none);
  if (has_none) return;
  for (const Json& options : all_choices(GetParam())) {
    SCOPED_TRACE(options.dump());
    auto attention = make(usual_place(), 0.0, options);
    expect_decoding_of_what_is_read(*attention);
  }
}

TEST_P(AttentionContract, KeepsTheKeysOfAnotherSequence) {
  if (excepted("cross") || excepted("causal") || excepted("decoding")) return;
  auto attention = make(AttentionPlace::decoder_cross);
  const auto state = attention->new_state(StateUse::decoding);
  ASSERT_TRUE(state);
  const at::Tensor keys = tokens(2, 6), keep = at::arange(6).lt(4).expand({2, 6});
  const auto look = [&](const at::Tensor& query, const at::Tensor& source, AttentionState* known) {
    return attention->forward(
        {.query_input = query, .key_input = source, .key_keep = keep, .state = known});
  };
  for (int64_t t = 0; t < 3; ++t) {
    const at::Tensor query = tokens(2, 1);
    EXPECT_LT(worst_difference(look(query, keys, state.get()), look(query, keys, nullptr)), 1e-12);
  }
  state->reorder(at::tensor({1, 0}, at::kLong));
  const at::Tensor query = tokens(2, 1);
  EXPECT_LT(worst_difference(look(query, keys, state.get()), look(query, keys.flip(0), nullptr)),
            1e-12);
}

TEST_P(AttentionContract, FastPathAgreesWithThePlainExpression) {
  for (const int64_t length : {1, 2, 11}) {
    auto attention = make();
    const at::Tensor data = tokens(2, length), upstream = tokens(2, length);
    std::vector<Tensors> results;
    for (const bool plain : {false, true}) {
      attention->zero_grad();
      const at::Tensor input = data.clone().requires_grad_();
      Recorder record{.keep_maps = plain};
      const at::Tensor output = run(*attention, input, true, {}, {}, &record);
      output.backward(upstream);
      Tensors all = {output.detach(), input.grad().clone()};
      for (const auto& parameter : attention->parameters()) {
        all.push_back(parameter.grad().defined() ? parameter.grad().clone()
                                                 : at::zeros_like(parameter));
      }
      results.push_back(all);
    }
    ASSERT_EQ(results[0].size(), results[1].size());
    for (size_t i = 0; i < results[0].size(); ++i) {
      EXPECT_LT(worst_difference(results[0][i], results[1][i]), 1e-11)
          << "length " << length << ", tensor " << i;
    }
  }
}

/// Runs under autocast, as trials do. Choices that depend on a variant's numbers (clusters, the k largest)
/// may differ for a few tokens; computed values may not.
TEST_P(AttentionContract, InBfloat16ItIsWhatItIsInFloat32ButForRounding) {
  for (const Json& options : all_choices(GetParam())) {
    auto attention = make(usual_place(), 0.0, options);
    attention->to(at::kFloat);
    for (const auto& [name, state] : shared_.at(attention.get())) state->to(at::kFloat);
    const at::Tensor data = tokens(4, 16).to(at::kFloat);
    std::vector<at::Tensor> outputs, gradients;
    for (const char* precision : {"float32", "bfloat16"}) {
      const at::Tensor input = data.clone().requires_grad_();
      {
        const PrecisionScope scope(precision, at::kCPU);
        outputs.push_back(run(*attention, input, true).to(at::kFloat));
      }
      outputs.back().square().sum().backward();
      gradients.push_back(input.grad());
    }
    const auto apart = [](const std::vector<at::Tensor>& two) {
      return ((two[1] - two[0]).norm() / two[0].norm()).item<double>();
    };
    EXPECT_LT(apart(outputs), 0.05) << options.dump();
    // Random features turn a rounding error of their argument into a larger error of their slope.
    EXPECT_LT(apart(gradients), 0.2) << options.dump();
  }
}

TEST_P(AttentionContract, MapsTimesValuesAreTheOutput) {
  auto attention = make();
  at::NoGradGuard no_grad;
  for (auto& parameter : attention->named_parameters()) {
    if (parameter.key().rfind("output", 0) != 0) continue;
    parameter.value().zero_();
    if (parameter.value().dim() == 2) parameter.value().fill_diagonal_(1.0);
  }
  for (const bool causal : {false, true}) {
    Recorder record{.keep_maps = true};
    const at::Tensor input = tokens(2, 6);
    const at::Tensor output = run(*attention, input, causal, {}, {}, &record);
    ASSERT_FALSE(record.maps.empty());
    ASSERT_EQ(record.values.size(), record.maps.size());
    Tensors parts;  // heads of another width have separate maps
    for (size_t i = 0; i < record.maps.size(); ++i) {
      EXPECT_EQ(record.maps[i].sizes().slice(2), at::IntArrayRef({6, 6}));
      parts.push_back(at::matmul(record.maps[i], record.values[i]).transpose(1, 2).flatten(2));
    }
    EXPECT_LT(worst_difference(at::cat(parts, 2), output), 1e-12);
  }
}

TEST_P(AttentionContract, SavesAndLoadsItsState) {
  auto first = make(), second = make();
  at::NoGradGuard no_grad;
  const at::Tensor input = tokens(2, 6);
  const at::Tensor expected = run(*first, input, true);
  EXPECT_GT(worst_difference(run(*second, input, true), expected), 1e-6);
  auto parameters = second->named_parameters();
  for (const auto& item : first->named_parameters()) parameters[item.key()].copy_(item.value());
  auto buffers = second->named_buffers();
  for (const auto& item : first->named_buffers()) buffers[item.key()].copy_(item.value());
  for (const auto& [name, state] : shared_.at(first.get())) {
    auto values = shared_.at(second.get()).at(name)->named_parameters();
    for (const auto& item : state->named_parameters()) values[item.key()].copy_(item.value());
  }
  EXPECT_TRUE(at::equal(run(*second, input, true), expected));
}

TEST_P(AttentionContract, RepeatsItselfAndDropsOnlyInTraining) {
  auto attention = make(0.4);
  const at::Tensor input = tokens(2, 10);
  const PhiloxKey first{1, 2}, second{1, 3};
  const at::Tensor calm = run(*attention, input, true, {}, first);
  EXPECT_TRUE(at::equal(run(*attention, input, true, {}, second), calm));
  attention->train();
  const at::Tensor noisy = run(*attention, input, true, {}, first);
  EXPECT_TRUE(at::equal(run(*attention, input, true, {}, first), noisy));
  EXPECT_FALSE(at::equal(run(*attention, input, true, {}, second), noisy));
  EXPECT_GT(worst_difference(noisy, calm), 1e-6);
}

TEST_P(AttentionContract, DropsTheSameWeightsOnThePlainPath) {
  auto attention = make(0.4);
  attention->train();
  const at::Tensor input = tokens(2, 10);
  Recorder record{.keep_maps = true};
  const at::Tensor plain = run(*attention, input, true, {}, {5, 6}, &record);
  EXPECT_LT(worst_difference(run(*attention, input, true, {}, {5, 6}), plain), 1e-12);
}

TEST_P(AttentionContract, RefusesAnOptionThatItDoesNotKnow) {
  EXPECT_THAT(
      [] {
        Json options = least_options(GetParam());
        options["windw"] = 3;
        attentions().make(GetParam(), options, AttentionSite{.d_model = 4});
      },
      ThrowsMessage<ConfigError>(HasSubstr("windw")));
}

INSTANTIATE_TEST_SUITE_P(Attention, AttentionContract, testing::ValuesIn(attentions().names()),
                         [](const auto& info) { return info.param; });

/// The proof on GPUs trains each variant. A variant without an arm would remain unproved, and nobody would notice.
TEST(Attentions, HaveEachAnArmInTheProofOnGpus) {
  const std::string sweep = read_text(kSource / "tests/gpu/sweeps/variants.yaml");
  for (const std::string& name : attentions().names()) {
    const bool is_recipe = !std::filesystem::exists(kSource / "models/attention" / (name + ".cpp"));
    EXPECT_TRUE(is_recipe || sweep.find("kind: " + name) != std::string::npos) << name;
  }
}

}  // namespace
}  // namespace rethink
