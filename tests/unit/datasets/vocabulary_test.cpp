#include "datasets/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/error.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Vocabulary vocabulary_of(const std::vector<std::string>& tokens, int64_t max_tokens) {
  VocabularyBuilder builder;
  for (const std::string& token : tokens) builder.add(token);
  return builder.build(max_tokens);
}

TEST(Vocabulary, OrdersByFrequencyAndTiesByFirstSight) {
  const Vocabulary vocabulary = vocabulary_of({"b", "c", "a", "c", "a", "d", "c"}, 0);
  EXPECT_EQ(vocabulary.to_text(), "c\na\nb\nd\n");
  EXPECT_EQ(vocabulary.id("c"), 4);
  EXPECT_EQ(vocabulary.text(5), "a");
}

TEST(Vocabulary, KeepsOnlyTheMostFrequent) {
  const Vocabulary vocabulary = vocabulary_of({"b", "c", "a", "c", "a", "d", "c"}, 2);
  EXPECT_EQ(vocabulary.size(), 6u);
  EXPECT_EQ(vocabulary.id("b"), Vocabulary::kUnknown);
}

TEST(Vocabulary, GivesSpecialTextsTheirOwnIds) {
  const Vocabulary vocabulary = vocabulary_of({"<unk>", "<unk>", "a"}, 0);
  EXPECT_EQ(vocabulary.size(), 5u);
  EXPECT_EQ(vocabulary.id("<unk>"), Vocabulary::kUnknown);
  EXPECT_EQ(vocabulary.id("<pad>"), Vocabulary::kPadding);
}

TEST(Vocabulary, TellsWhatBecameOfProvisionalIds) {
  VocabularyBuilder builder;
  std::vector<int32_t> provisional;
  for (const char* token : {"x", "y", "<unk>", "y", "z"}) provisional.push_back(builder.add(token));
  const Vocabulary vocabulary = builder.build(2);
  const std::vector<int32_t> ids = builder.final_ids(vocabulary);
  std::vector<int32_t> final_tokens;
  for (const int32_t id : provisional) final_tokens.push_back(ids[static_cast<size_t>(id)]);
  EXPECT_THAT(final_tokens, ElementsAre(5, 4, Vocabulary::kUnknown, 4, Vocabulary::kUnknown));
}

RC_GTEST_PROP(Vocabulary, ReadsWhatItWrites, ()) {
  const auto tokens =
      *rc::gen::unique<std::vector<std::string>>(rc::gen::nonEmpty(rc::gen::container<std::string>(
          rc::gen::element('a', 'b', '\n', '\r', '\\', ' ', '\xC3', '\xA9'))));
  const Vocabulary vocabulary(tokens);
  const Vocabulary again = Vocabulary::from_text(vocabulary.to_text(), "vocabulary");
  RC_ASSERT(again.size() == vocabulary.size());
  for (const std::string& token : tokens) RC_ASSERT(again.id(token) == vocabulary.id(token));
}

TEST(Vocabulary, RefusesDamagedText) {
  EXPECT_THAT([] { Vocabulary::from_text("a\nb", "v.txt"); },
              ThrowsMessage<ConfigError>(HasSubstr("v.txt:2")));
  EXPECT_THAT([] { Vocabulary::from_text("a\\x\n", "v.txt"); }, ThrowsCode("invalid-vocabulary"));
  EXPECT_THAT([] { Vocabulary::from_text("a\na\n", "v.txt"); },
              ThrowsMessage<ConfigError>(HasSubstr("token 'a' occurs twice")));
}

}  // namespace
}  // namespace rethink
