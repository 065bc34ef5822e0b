#include "app/driver/run/short_titles.h"

#include <gtest/gtest.h>

namespace rethink {
namespace {

using Labels = std::map<std::string, std::string>;

PlannedTrial trial(const std::string& stage, const Labels& labels, int64_t seed) {
  PlannedTrial planned;
  planned.stage = stage;
  planned.labels = labels;
  planned.trial.seed = seed;
  return planned;
}

std::vector<std::string> titles(const std::vector<PlannedTrial>& trials) {
  std::vector<const PlannedTrial*> all;
  for (const PlannedTrial& one : trials) all.push_back(&one);
  const ShortTitles titles(all);
  std::vector<std::string> texts;
  for (const PlannedTrial& one : trials) texts.push_back(titles.of(one));
  return texts;
}

using Titles = std::vector<std::string>;

TEST(ShortTitles, SayWhatDiffersByTheEndOfItsName) {
  EXPECT_EQ(titles({trial("train", {{"optimizer.lr", "0.1"}, {"model.layers", "2"}}, 0),
                    trial("train", {{"optimizer.lr", "0.2"}, {"model.layers", "2"}}, 0)}),
            (Titles{"train lr=0.1", "train lr=0.2"}));
  EXPECT_EQ(titles({trial("train", {{"optimizer.lr", "0.1"}}, 0),
                    trial("train", {{"optimizer.lr", "0.1"}}, 1)}),
            (Titles{"train seed 0", "train seed 1"}));
}

TEST(ShortTitles, ANameHasAsManyPartsAsTellItApart) {
  EXPECT_EQ(titles({trial("a", {{"optimizer.lr", "1"}, {"mask.lr", "1"}}, 0),
                    trial("a", {{"optimizer.lr", "2"}, {"mask.lr", "2"}}, 0)}),
            (Titles{"a mask.lr=1 optimizer.lr=1", "a mask.lr=2 optimizer.lr=2"}));
  EXPECT_EQ(titles({trial("a", {{"at.0.layers", "1"}}, 0), trial("a", {{"at.0.layers", "2"}}, 0)}),
            (Titles{"a layers=1", "a layers=2"}));
  EXPECT_EQ(titles({trial("a", {{"at.0.layers", "1"}, {"at.1.layers", "1"}}, 0),
                    trial("a", {{"at.0.layers", "2"}, {"at.1.layers", "2"}}, 0)}),
            (Titles{"a at.0.layers=1 at.1.layers=1", "a at.0.layers=2 at.1.layers=2"}));
}

TEST(ShortTitles, StagesDifferForThemselvesAndAMissingLabelDiffers) {
  EXPECT_EQ(titles({trial("a", {{"arm", "x"}}, 0), trial("b", {{"arm", "x"}}, 1),
                    trial("b", {{"arm", "x"}, {"rate", "2"}}, 1)}),
            (Titles{"a", "b", "b rate=2"}));
  EXPECT_EQ(titles({trial("b", {{"rate", "2"}}, 1), trial("b", {}, 1)}), (Titles{"b rate=2", "b"}));
}

}  // namespace
}  // namespace rethink
