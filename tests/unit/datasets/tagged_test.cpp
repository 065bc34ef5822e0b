// Tagged words: forms of tags, sentences as pieces, the made-up set, and files of a user.
#include "datasets/labelled/tagged.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json.h"
#include "datasets/labelled/encoded_texts.h"
#include "datasets/scores/entities.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(TaggedTags, OfEveryFormBecomeIob2) {
  const std::vector<std::string> iob2 = {"B-PER", "I-PER", "B-PER", "O", "B-LOC", "B-PER"};
  EXPECT_EQ(iob2_tags({"I-PER", "I-PER", "B-PER", "O", "I-LOC", "I-PER"}), iob2);  // IOB1
  EXPECT_EQ(iob2_tags(iob2), iob2);
  EXPECT_EQ(iob2_tags({"B-PER", "E-PER", "S-PER", "O", "S-LOC", "S-PER"}), iob2);  // IOBES
}

TaggedDataset tagged_dataset(std::vector<TaggedSentence> train) {
  return {"made", {{"train", std::move(train)}, {"dev", {{{"x"}, {"I-MISC"}}}}}};
}

TEST(TaggedDataset, HasLabelsOfEveryTypeOfItsSplits) {
  const TaggedDataset dataset = tagged_dataset({{{"a", "b"}, {"I-PER", "O"}}});
  EXPECT_THAT(dataset.labels(), ElementsAre("O", "B-MISC", "I-MISC", "B-PER", "I-PER"));
  EXPECT_THAT(dataset.splits(), ElementsAre("train", "dev"));
  EXPECT_THAT([&] { dataset.split("test"); }, ThrowsCode("unknown-split"));
  EXPECT_THAT(
      [] {
        TaggedDataset("made", {{"train", {{{"a"}, {"O"}}}}});
      },
      ThrowsCode("empty-split"));
}

std::vector<std::pair<int, int>> places_of(const TaggedTexts& texts, size_t index) {
  std::vector<std::pair<int, int>> places;
  for (const auto& [word, place] : texts.words(index)) places.emplace_back(word, place);
  return places;
}

TEST(TaggedTexts, KnowTheFirstPieceOfEveryWordThatIsRead) {
  const WordPiece pieces({"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "##b", "."},
                         false);
  // U+00AD is dropped: that word has no piece.
  const TaggedSplit split{"dev",
                          {{{"abb", "\xC2\xAD", "a.b", "zz"}, {"O", "O", "O", "O"}},
                           {{"b", "a", "abbb", "a"}, {"O", "O", "O", "O"}},
                           {{"abbbbb", "a"}, {"O", "O"}}}};
  const TaggedTexts texts(split, pieces, 8);
  const TokenSequences sequences = texts.sequences();
  ASSERT_EQ(texts.size(), 3u);
  EXPECT_THAT(sequences[0], ElementsAre(2, 5, 7, 7, 5, 8, 6, 3));  // "zz" is lost
  EXPECT_THAT(places_of(texts, 0), ElementsAre(std::pair(0, 1), std::pair(2, 4)));
  EXPECT_THAT(sequences[1], ElementsAre(2, 6, 5, 5, 7, 7, 7, 3));
  EXPECT_THAT(places_of(texts, 1), ElementsAre(std::pair(0, 1), std::pair(1, 2), std::pair(2, 3)));
  EXPECT_THAT(places_of(texts, 2), ElementsAre(std::pair(0, 1)));
  EXPECT_THAT(texts.first_parts(), ElementsAre(8, 8, 8));
}

TEST(SyntheticTags, SaysTypesByTheWordBeforeAlone) {
  const auto dataset = require_kind<TaggedDataset>(
      datasets().make("synthetic_tags", Json::object(), {}), "synthetic_tags");
  EXPECT_THAT(dataset->labels(), ElementsAre("O", "B-T1", "I-T1", "B-T2", "I-T2"));
  std::map<std::string, std::set<std::string>> types_after, types_of;
  size_t longest = 0;
  for (const TaggedSentence& sentence : dataset->split("train").sentences) {
    longest = std::max(longest, sentence.words.size());
    for (const Entity& entity : entities_of(sentence.tags)) {
      ASSERT_GT(entity.first, 0u);
      types_after[sentence.words[entity.first - 1]].insert(entity.type);
      for (size_t word = entity.first; word < entity.end; ++word)
        types_of[sentence.words[word]].insert(entity.type);
    }
  }
  EXPECT_EQ(longest, 12u);
  EXPECT_EQ(types_after.size(), 6u);
  for (const auto& [word, types] : types_after) EXPECT_EQ(types.size(), 1u) << word;
  for (const auto& [word, types] : types_of) EXPECT_EQ(types.size(), 2u) << word;
}

TEST(ConllDataset, ReadsFilesOfOnesOwn) {
  TempFolder folder;
  write_text(folder / "a", "U.N. I-ORG x\nofficial O y\n");
  write_text(folder / "b", "Ekeus B-PER z\n");
  const auto open = [&](const Json& options) {
    return require_kind<TaggedDataset>(
        datasets().make("conll", options, {folder.path(), folder.path()}), "conll");
  };
  const auto dataset = open({{"train", "a"}, {"dev", "b"}, {"test", ""}, {"column", 2}});
  EXPECT_THAT(dataset->splits(), ElementsAre("train", "dev"));
  EXPECT_THAT(dataset->labels(), ElementsAre("O", "B-ORG", "I-ORG", "B-PER", "I-PER"));
  EXPECT_THAT(dataset->split("train").sentences[0].words, ElementsAre("U.N.", "official"));
  write_text(folder / "numbered", "1 U.N. B-ORG\n2 official O\n");
  EXPECT_THAT(
      [&] {
        open({{"train", "numbered"}, {"dev", "b"}, {"test", ""}});
      },
      ThrowsCode("invalid-table"));
  EXPECT_THAT(
      [&] {
        open({{"train", "a"}, {"dev", "c"}, {"column", 2}});
      },
      ThrowsCode("not-a-file"));
  EXPECT_THAT(
      [&] {
        open({{"train", "a"}, {"dev", "b"}, {"test", ""}});
      },
      ThrowsMessage<ConfigError>(HasSubstr("a:1:1: error: got the tag 'x'")));
}

}  // namespace
}  // namespace rethink
