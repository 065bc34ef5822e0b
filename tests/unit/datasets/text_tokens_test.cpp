// A user's line becomes the sequence that a data set would make of it.
#include "datasets/text/text_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "datasets/text/text_dataset.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::ElementsAre;

const std::string kText = "the cat saw a cat\n";

/// Returns the sequence of kText's training split, without its end symbol.
std::vector<int32_t> sequence_of(const TextOptions& options) {
  const PreparedSplit split = prepare_text({{"train", kText}}, options).splits.at(0);
  return {split.tokens.begin(), split.tokens.end() - 1};
}

ReadLine read_as_data(const TextOptions& options, const std::string& line) {
  return read_line(line, write_options(options),
                   prepare_text({{"train", kText}}, options).vocabulary);
}

TEST(ReadLine, HasTheIdsThatTheDataHave) {
  for (const char* unit : {"word", "char", "byte"}) {
    TextOptions options;
    options.unit = unit;
    EXPECT_EQ(read_as_data(options, "the cat saw a cat").ids, sequence_of(options)) << unit;
    options.start_symbol = false;
    EXPECT_EQ(read_as_data(options, "the cat saw a cat").ids, sequence_of(options)) << unit;
    options.space_is_unknown = true;
    EXPECT_EQ(read_as_data(options, "the cat saw a cat").ids, sequence_of(options)) << unit;
  }
}

TEST(ReadLine, KeepsTheWordsThatNobodyKnows) {
  TextOptions options;
  options.lowercase = true;
  const ReadLine line = read_as_data(options, "The dog saw");
  EXPECT_THAT(line.tokens, ElementsAre("<start>", "the", "dog", "saw"));
  EXPECT_EQ(line.ids[2], Vocabulary::kUnknown);
  EXPECT_NE(line.ids[1], Vocabulary::kUnknown);
}

TEST(ReadLine, OfAStreamHasNoStart) {
  TextOptions options;
  options.protocol = "stream";
  EXPECT_THAT(read_as_data(options, "the cat").tokens, ElementsAre("the", "cat"));
}

TEST(ReadLine, RefusesWhatTheDataWouldCut) {
  TextOptions options;
  options.max_tokens = 3;
  EXPECT_EQ(read_as_data(options, "the cat saw").ids.size(), 4u);
  EXPECT_THAT([&] { read_as_data(options, "the cat saw a"); }, ThrowsCode("too-large"));
  EXPECT_THAT([&] { read_line("a", {{"sentences", 3}}, Vocabulary()); }, ThrowsCode("wrong-data"));
}

}  // namespace
}  // namespace rethink
