#include "results/item_losses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/safetensors.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

template <typename T>
TensorView view_of(Dtype dtype, const std::vector<T>& values) {
  return {dtype, {static_cast<int64_t>(values.size())}, std::as_bytes(std::span(values))};
}

TEST(ItemLosses, AreReadByTheirSplit) {
  const TempFolder folder;
  const std::vector<double> nll = {1.5, 0.25};
  const std::vector<int64_t> tokens = {3, 1};
  write_safetensors(
      folder / "predictions.safetensors",
      {{"test/nll", view_of(Dtype::f64, nll)}, {"test/tokens", view_of(Dtype::i64, tokens)}}, {});
  const ItemLosses items = read_item_losses(folder / "predictions.safetensors", "test");
  EXPECT_THAT(items.nll, ElementsAre(1.5, 0.25));
  EXPECT_THAT(items.tokens, ElementsAre(3, 1));
  EXPECT_THAT([&] { read_item_losses(folder / "predictions.safetensors", "dev"); },
              ThrowsMessage<ConfigError>(HasSubstr("no tensor 'dev/nll'")));
}

TEST(ItemLosses, OfUnequalLengthOrOtherTypeAreRefused) {
  const TempFolder folder;
  const std::vector<double> nll = {1.5, 0.25};
  const std::vector<int64_t> tokens = {3};
  write_safetensors(
      folder / "short",
      {{"test/nll", view_of(Dtype::f64, nll)}, {"test/tokens", view_of(Dtype::i64, tokens)}}, {});
  EXPECT_THAT([&] { read_item_losses(folder / "short", "test"); },
              ThrowsMessage<ConfigError>(HasSubstr("2 losses, but 1 numbers of tokens")));
  write_safetensors(
      folder / "typed",
      {{"test/nll", view_of(Dtype::i64, tokens)}, {"test/tokens", view_of(Dtype::i64, tokens)}},
      {});
  EXPECT_THAT([&] { read_item_losses(folder / "typed", "test"); },
              ThrowsMessage<ConfigError>(HasSubstr("got I64 with 1 dimensions, expected F64")));
}

TEST(ItemLosses, OfAMissingFileAreAnErrorThatNamesIt) {
  EXPECT_THAT([] { read_item_losses("/nowhere/predictions.safetensors", "test"); },
              ThrowsMessage<MachineError>(HasSubstr("/nowhere/predictions.safetensors")));
}

}  // namespace
}  // namespace rethink
