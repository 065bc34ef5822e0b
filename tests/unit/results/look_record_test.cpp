#include "results/folders/look_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files/file.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

LookRecord some_look(const std::string& verdict) {
  return {{"bet", "diag_free", "small", 5, {{"smallest", 0.1}}},
          verdict,
          "2026-11-28T12:00:00.000Z",
          {{"gain", 0.25}, {"p", 0.01}},
          "'a' 1, 'b' 2",
          "about 9 seeds",
          "0123"};
}

std::filesystem::path only_file(const std::filesystem::path& store) {
  return std::filesystem::directory_iterator(store / "looks")->path();
}

TEST(LookRecord, StaysAsItWasWritten) {
  const TempFolder store;
  const LookRecord first = some_look("holds");
  EXPECT_FALSE(read_look(store.path(), first.look));
  record_look(store.path(), first);
  record_look(store.path(), some_look("fails"));
  const LookRecord read = read_look(store.path(), first.look).value();
  EXPECT_EQ(read.verdict, "holds");
  EXPECT_EQ(read.at, first.at);
  EXPECT_EQ(read.look.rule, first.look.rule);
  EXPECT_EQ(read.numbers, first.numbers);
  EXPECT_EQ(read.why, first.why);
  EXPECT_EQ(read.decides, first.decides);
  EXPECT_EQ(read.trials, first.trials);
  const Json rule = first.look.rule;
  for (LookName other : {LookName{"a3", "diag_free", "small", 5, rule},
                         {"bet", "x", "small", 5, rule},
                         {"bet", "diag_free", "", 5, rule},
                         {"bet", "diag_free", "small", 8, rule},
                         {"bet", "diag_free", "small", 5, {{"smallest", 0.2}}}}) {
    EXPECT_FALSE(read_look(store.path(), other)) << other.claims << other.claim << other.seeds;
  }
  EXPECT_THAT(damaged_looks(store.path()), IsEmpty());
}

TEST(LookRecord, IsFoundUnderAnyProfile) {
  const TempFolder store;
  LookRecord look = some_look("holds");
  record_look(store.path(), look);
  look.look.profile = "lucky";
  record_look(store.path(), look);
  look.look.claim = "other";
  record_look(store.path(), look);
  const std::vector<LookRecord> looks = looks_by_claim(store.path(), "bet").at("diag_free");
  ASSERT_EQ(looks.size(), 2u);
  EXPECT_EQ(looks[0].look.profile, "lucky");
  EXPECT_EQ(looks[1].look.profile, "small");
}

TEST(LookRecord, ByAnotherRuleIsStoredBesideTheFirst) {
  const TempFolder store;
  record_look(store.path(), some_look("holds"));
  LookRecord other = some_look("fails");
  other.look.rule = {{"smallest", 0.2}};
  other.at = "2026-11-29T12:00:00.000Z";
  record_look(store.path(), other);
  const std::vector<LookRecord> looks = looks_by_claim(store.path(), "bet").at("diag_free");
  ASSERT_EQ(looks.size(), 2u);
  EXPECT_EQ(looks[0].verdict, "holds");
  EXPECT_EQ(looks[1].verdict, "fails");
  EXPECT_EQ(read_look(store.path(), some_look("").look)->verdict, "holds");
}

TEST(LookRecord, IsNamedWhereItIsDamaged) {
  const TempFolder store;
  const LookName look = some_look("holds").look;
  record_look(store.path(), some_look("holds"));
  const std::filesystem::path file = only_file(store.path());
  std::string text = read_file(file);
  text.replace(text.find("holds"), 5, "fails");
  write_text(file, text);
  EXPECT_THAT([&] { read_look(store.path(), look); },
              ThrowsMessage<ConfigError>(HasSubstr(file.string() + " is damaged (")));
  EXPECT_THAT(damaged_looks(store.path()), ElementsAre(HasSubstr("restore it from a backup")));
}

TEST(LookRecord, IsRejectedUnderTheNameOfAnotherLook) {
  const TempFolder store;
  record_look(store.path(), some_look("holds"));
  const std::filesystem::path file = only_file(store.path());
  std::filesystem::rename(file, file.parent_path() / "0123456789abcdef0123.json");
  EXPECT_THAT(damaged_looks(store.path()), ElementsAre(HasSubstr("the name of another look")));
}

TEST(LookRecord, ArrivesWithAMerge) {
  const TempFolder from, into;
  record_look(from.path(), some_look("holds"));
  for (int time = 0; time < 2; ++time) {
    const MergedLooks merged = merge_looks(from.path(), into.path());
    EXPECT_EQ(merged.added, time == 0 ? 1u : 0u);
    EXPECT_THAT(merged.differing, IsEmpty());
    EXPECT_THAT(merged.damaged, IsEmpty());
    EXPECT_EQ(read_look(into.path(), some_look("").look)->verdict, "holds");
  }
}

TEST(LookRecord, OfTwoStoresIsTheEarlierOne) {
  LookRecord early = some_look("holds"), late = some_look("fails");
  early.at = "2026-11-28T11:00:00.000Z";
  for (const bool ours_first : {true, false}) {
    const TempFolder from, into;
    record_look(from.path(), ours_first ? late : early);
    record_look(into.path(), ours_first ? early : late);
    EXPECT_THAT(
        merge_looks(from.path(), into.path()).differing,
        ElementsAre("claim diag_free of bet at 5 seeds: the looks of both stores differ; the "
                    "earlier one counts, of 2026-11-28T11:00:00.000Z: 'holds'"));
    EXPECT_EQ(read_look(into.path(), early.look)->verdict, "holds");
    EXPECT_THAT(damaged_looks(into.path()), IsEmpty());
  }
}

TEST(LookRecord, OfTwoThatSayTheSameKeepsTheEarlierDay) {
  LookRecord early = some_look("holds"), late = some_look("holds");
  early.at = "2026-11-28T11:00:00.000Z";
  for (const bool ours_first : {true, false}) {
    const TempFolder from, into;
    record_look(from.path(), ours_first ? late : early);
    record_look(into.path(), ours_first ? early : late);
    EXPECT_THAT(merge_looks(from.path(), into.path()).differing, IsEmpty());
    EXPECT_EQ(read_look(into.path(), early.look)->at, early.at);
  }
}

TEST(LookRecord, ThatIsDamagedIsNotTakenAndNamed) {
  const TempFolder from, into;
  record_look(from.path(), some_look("holds"));
  const std::filesystem::path file = only_file(from.path());
  std::string text = read_file(file);
  text.replace(text.find("holds"), 5, "fails");
  write_text(file, text);
  EXPECT_THAT(merge_looks(from.path(), into.path()).damaged, ElementsAre(HasSubstr(file.string())));
  EXPECT_FALSE(read_look(into.path(), some_look("").look));
}

}  // namespace
}  // namespace rethink
