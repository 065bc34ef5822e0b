#include "kernels/attention/attention_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rethink {
namespace {

using ::testing::ElementsAre;

AttentionCase bert() {
  return {.batch = 256, .heads = 12, .queries = 128, .keys = 128, .dropout = 0.1};
}

AttentionCase in_bfloat16(AttentionCase call) {
  call.is_float32 = false;
  call.is_bfloat16 = true;
  return call;
}

struct PathRow {
  const char* name;
  AttentionCase call;
  PathReason reason;
  AttentionPreference preference = AttentionPreference::library;
};

std::vector<PathRow> path_rows() {
  AttentionCase rate = bert(), biased = bert(), exact = bert(), doubles = bert(), halves = bert(),
                many = bert(), counted = bert(), undropped = bert(), no_keys = bert(),
                no_batch = bert();
  rate.diagonal_rate = 0.2;
  biased.has_bias = true;
  exact.has_bias = exact.bias_is_exact = true;
  doubles.is_float32 = false;
  halves.is_float32 = false;
  many.batch = 65536;
  many.queries = many.keys = 8;
  counted.batch = 1366;  // 2^32 weights and more
  counted.queries = counted.keys = 512;
  undropped = counted;
  undropped.dropout = 0;
  no_keys.keys = 0;
  no_batch.batch = 0;
  return {{"Float32", bert(), PathReason::fits},
          {"BFloat16", in_bfloat16(bert()), PathReason::fits},
          {"BiasInFloat32", biased, PathReason::fits},
          {"BiasInBFloat16", in_bfloat16(biased), PathReason::bias_precision},
          {"ExactBiasInBFloat16", in_bfloat16(exact), PathReason::fits},
          {"DiagonalRate", rate, PathReason::diagonal_rate},
          {"DiagonalRateInBFloat16", in_bfloat16(rate), PathReason::diagonal_rate},
          {"Float64", doubles, PathReason::dtype},
          {"Float16", halves, PathReason::dtype},
          {"MoreRowsThanAGridHas", many, PathReason::size},
          {"MoreDroppedWeightsThanCounters", counted, PathReason::size},
          {"AsManyWithoutDropout", undropped, PathReason::fits},
          {"NoKeys", no_keys, PathReason::empty},
          {"NoBatch", no_batch, PathReason::empty},
          {"AskedFor", bert(), PathReason::asked_for, AttentionPreference::kernels}};
}

class AttentionPaths : public testing::TestWithParam<PathRow> {};

TEST_P(AttentionPaths, AreChosenByShapeDtypeAndOptions) {
  const PathRow row = GetParam();
  const PathReason reason = attention_path_reason(row.call, row.preference);
  EXPECT_EQ(to_text(reason), to_text(row.reason));
  EXPECT_EQ(path_of(reason) == AttentionPath::library, row.reason == PathReason::fits);
}

INSTANTIATE_TEST_SUITE_P(Kernels, AttentionPaths, testing::ValuesIn(path_rows()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(AttentionPaths, AreNotedInOneOrder) {
  forget_attention_paths();
  EXPECT_THAT(attention_paths_taken(), ElementsAre());
  note_attention_path(PathReason::diagonal_rate);
  note_attention_path(PathReason::empty);
  note_attention_path(PathReason::fits);
  note_attention_path(PathReason::fits);
  EXPECT_THAT(attention_paths_taken(), ElementsAre("library", "kernels: the diagonal has a rate"));
  forget_attention_paths();
}

}  // namespace
}  // namespace rethink
