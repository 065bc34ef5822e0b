// Triplet layers in pretrained encoders.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/huggingface/weights.h"
#include "tests/unit/models/tiny_bert.h"

namespace rethink {
namespace {

using ::testing::UnorderedElementsAre;

class PretrainedTriplet : public testing::TestWithParam<const char*> {
 protected:
  std::filesystem::path folder() const {
    return std::filesystem::path(RETHINK_SOURCE_DIR) / "tests/fixtures" / GetParam();
  }

  struct Alone : torch::nn::Module {
    Alone(EncoderFolder facts, const std::string& attention) {
      facts.options.attention = {.name = attention};
      encoder =
          register_module("encoder", std::make_shared<Encoder>(facts.options, facts.vocabulary, 5));
    }
    std::shared_ptr<Encoder> encoder;
  };
};

TEST_P(PretrainedTriplet, AddsASecondKeyToWeightsThatAreAllReused) {
  Alone triplet(read_encoder_folder(folder()), "triplet"),
      dense(read_encoder_folder(folder()), "dense");
  EXPECT_THAT(load_huggingface(folder(), triplet).fresh,
              UnorderedElementsAre("encoder.layers.1.attention.key2.weight",
                                   "encoder.layers.1.attention.key2.bias",
                                   "encoder.layers.2.attention.key2.weight",
                                   "encoder.layers.2.attention.key2.bias"));
  load_huggingface(folder(), dense);
  const TensorsByName ours = weights_of(triplet);
  for (const auto& [name, weight] : weights_of(dense))
    EXPECT_TRUE(at::equal(ours.at(name), weight)) << name;
}

TEST_P(PretrainedTriplet, BeginsTheSecondKeyAsBertBeginsItsLinearLayers) {
  Alone model(read_encoder_folder(folder()), "triplet");
  load_huggingface(folder(), model);
  const TensorsByName weights = weights_of(model);
  std::vector<at::Tensor> drawn;
  for (const char* layer : {"1", "2"}) {
    const std::string key2 = std::string("encoder.layers.") + layer + ".attention.key2.";
    EXPECT_EQ(weights.at(key2 + "bias").abs().max().item<double>(), 0.0);
    drawn.push_back(weights.at(key2 + "weight").flatten());
  }
  EXPECT_FALSE(at::equal(drawn[0], drawn[1]));
  const at::Tensor all = at::cat(drawn);  // of n numbers the deviation is known to 1/sqrt(2n)
  const double deviation = all.std().item<double>();
  EXPECT_NEAR(deviation, 0.02, 4 * 0.02 / std::sqrt(2.0 * static_cast<double>(all.numel())));
  EXPECT_NEAR(all.mean().item<double>(), 0.0,
              4 * 0.02 / std::sqrt(static_cast<double>(all.numel())));
}

INSTANTIATE_TEST_SUITE_P(Families, PretrainedTriplet,
                         testing::Values("tiny_bert", "tiny_distilbert"));

}  // namespace
}  // namespace rethink
