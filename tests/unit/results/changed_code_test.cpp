#include "results/records/changed_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/store/rebuild.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kTopk = "attention/topk";

Schema schema_with(const std::string& code) {
  Schema schema;
  PluginSchema& topk = schema.plugins["attention"]["topk"];
  topk.registry = "attention";
  topk.name = "topk";
  topk.source = "models/attention/topk.cpp";
  topk.code = code;
  return schema;
}

class ChangedCodeTest : public ::testing::Test {
 protected:
  /// A trial, done with this code of the plug-in.
  void add_done(const std::string& name, const std::string& code, const std::string& commit = "") {
    Json start = start_event(1, 0);
    start["code"] = {{kTopk, code}};
    if (!commit.empty()) start["commit"] = commit;
    TrialMaker(folder_.path(), name).attempt(1, {start, end_event("done")}).result(1);
  }
  std::vector<ChangedCode> now(const std::string& code) {
    rebuild(folder_.path());
    Store store(folder_.path(), Store::Access::read);
    return changed_code(store, schema_with(code));
  }

  TempFolder folder_;
};

TEST_F(ChangedCodeTest, CountsDoneTrialsOfOtherCode) {
  add_done("a", "111");
  add_done("b", "111");
  add_done("c", "222");
  const std::vector<ChangedCode> changed = now("222");
  ASSERT_THAT(changed, SizeIs(1));
  EXPECT_EQ(changed[0].change.plugin, kTopk);
  EXPECT_EQ(changed[0].change.before, "111");
  EXPECT_EQ(changed[0].change.now, "222");
  EXPECT_EQ(changed[0].trials, 2u);
  const Note note = note_on(changed[0], "store", ChangedTrials::of_plan);
  EXPECT_EQ(note.code.text(), "changed-code");
  EXPECT_EQ(note.where.file, kTopk);
  EXPECT_THAT(note.text, HasSubstr("2 done trials were made by other code: models/"));
  EXPECT_THAT(note_on(changed[0], "store", ChangedTrials::of_store).text,
              HasSubstr("2 done trials of the store were made by other code: models/"));
  EXPECT_THAT(note.text, HasSubstr("models/attention/topk.cpp has changed"));
  EXPECT_THAT(note.text, HasSubstr("`rethink accept attention/topk`"));
}

TEST_F(ChangedCodeTest, NamesTheCommitsOfThePrograms) {
  add_done("a", "111", "0123456789ab");
  add_done("b", "111", "0123456789ab");
  add_done("c", "111");  // version 0.2.0 recorded none
  const auto note = [&] { return note_on(now("222").at(0), "store", ChangedTrials::of_plan).text; };
  EXPECT_THAT(note(), HasSubstr("made by other code (commit 0123456789ab): models/"));
  add_done("d", "111", "456");
  EXPECT_THAT(note(), HasSubstr(" (commits 0123456789ab, 456): "));
  add_done("e", "111", "789");
  add_done("f", "111", "89a-dirty");
  EXPECT_THAT(note(), HasSubstr(" (commits 0123456789ab, 456 and 2 others): "));
}

TEST_F(ChangedCodeTest, LooksAtTheTrialsThatAreAskedForAlone) {
  add_done("a", "111");
  add_done("b", "111");
  rebuild(folder_.path());
  Store store(folder_.path(), Store::Access::read);
  const std::vector<ChangedCode> changed = changed_code(store, {id_of("a")}, schema_with("222"));
  ASSERT_THAT(changed, SizeIs(1));
  EXPECT_EQ(changed[0].trials, 1u);
}

TEST_F(ChangedCodeTest, LeavesOutWhatWasAccepted) {
  add_done("a", "111");
  accept(folder_.path(), {kTopk, "111", "222"});
  EXPECT_THAT(now("222"), IsEmpty());
  EXPECT_THAT(now("333"), SizeIs(1)) << "another change";
  EXPECT_FALSE(is_accepted(folder_.path(), {"attention/dense", "111", "222"}));
}

TEST_F(ChangedCodeTest, KnowsNothingOfTrialsAndPluginsWithoutCode) {
  TrialMaker(folder_.path(), "a").attempt(1, {start_event(1, 0), end_event("done")}).result(1);
  EXPECT_THAT(now("222"), IsEmpty());
  add_done("b", "111");
  EXPECT_THAT(now(""), IsEmpty());
  rebuild(folder_.path());
  Store store(folder_.path(), Store::Access::read);
  EXPECT_THAT(changed_code(store, Schema{}), IsEmpty());
}

}  // namespace
}  // namespace rethink
