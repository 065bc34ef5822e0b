#include "results/store/store_state.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/json.h"
#include "core/store_files/stored_json.h"
#include "results/folders/store_lock.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;
using testing::UnorderedElementsAre;

SweepMember member(const std::string& name) {
  return {id_of(name), "train", "", {}};
}

std::vector<std::string> members_of(const std::filesystem::path& store, const std::string& sweep) {
  std::vector<std::string> trials;
  const Sweep whole = read_sweep(store, sweep, "").value();
  for (const SweepMember& found : whole.members) trials.push_back(found.trial);
  return trials;
}

void replace(const std::filesystem::path& store, const SweepFile& file) {
  std::vector<SweepFile> known = read_sweep_files(store);
  replace_sweep_file(store, file, known);
  const std::vector<SweepFile> now = read_sweep_files(store);
  ASSERT_EQ(known.size(), now.size());
  for (size_t i = 0; i < now.size(); ++i) EXPECT_EQ(known[i].path, now[i].path);
}

TEST(SweepFiles, AreTextThatStoredTextMakes) {
  const TempFolder folder;
  for (const size_t members : {0, 1, 2}) {
    SweepFile file{"s", "small", "--set \"a\"", "\u00e4.yaml", {}, {id_of("a")}};
    file.with = {"--data=/data"};
    for (size_t i = 0; i < members; ++i)
      file.members.push_back({id_of(i ? "b" : "a"), "train", "small", {{"arm", "\u00d6 \"1\""}}});
    write_sweep_file(folder.path(), file);
    const std::string text = read_file(sweep_path(folder.path(), file));
    const Json json = Json::parse(text);
    EXPECT_EQ(text, stored_text(json));
    EXPECT_EQ(json.at("members").size(), members);
  }
}

TEST(SweepFiles, ReadBackAsWritten) {
  const TempFolder folder;
  const SweepFile written = {"paper/masks",
                             "small",
                             "--set lr=1",
                             "masks.yaml",
                             {{id_of("a"), "train", "small", {{"arm", "Star"}, {"lr", "0.1"}}}},
                             {id_of("a")}};
  write_sweep_file(folder.path(), written);
  const std::optional<Sweep> read = read_sweep(folder.path(), "paper/masks", "small");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->files.size(), 1u);
  EXPECT_EQ(read->files[0].source, "masks.yaml");
  EXPECT_EQ(read->files[0].choice, "--set lr=1");
  EXPECT_EQ(read->cancelled, written.cancelled);
  ASSERT_EQ(read->members.size(), 1u);
  EXPECT_EQ(read->members[0].labels, written.members[0].labels);
  EXPECT_EQ(read->members[0].profile, "small");
  EXPECT_FALSE(read_sweep(folder.path(), "paper/masks", "other"));
}

TEST(SweepFiles, ReplaceOnlyTheMembersOfTheirOwnChoice) {
  const TempFolder folder;
  const std::string yaml = (folder / "s.yaml").string();
  write_text(yaml, "sweep: s\n");
  replace(folder.path(), {"s", "", "", yaml, {member("a"), member("b")}, {}});
  replace(folder.path(), {"s", "", "--seeds 3", yaml, {member("c"), member("a")}, {}});
  replace(folder.path(), {"s", "", "", yaml, {member("d")}, {}});
  EXPECT_THAT(members_of(folder.path(), "s"), ElementsAre(id_of("d"), id_of("c"), id_of("a")));
}

TEST(SweepFiles, OfTwoYamlFilesWithOneNameLoseNothing) {
  const TempFolder folder;
  const std::string first = (folder / "first.yaml").string(),
                    second = (folder / "second.yaml").string();
  write_text(first, "sweep: s\n");
  write_text(second, "sweep: s\n");
  replace(folder.path(), {"s", "", "", first, {member("a")}, {}});
  replace(folder.path(), {"s", "", "", second, {member("b")}, {}});
  EXPECT_THAT(members_of(folder.path(), "s"), ElementsAre(id_of("a"), id_of("b")));
  EXPECT_TRUE(answers_to(*read_sweep(folder.path(), "s", ""), first));
  EXPECT_FALSE(answers_to(*read_sweep(folder.path(), "s", ""), (folder / "third.yaml").string()));
}

TEST(SweepFiles, TakeThePlaceOfAFileThatWasMoved) {
  const TempFolder folder;
  const std::string before = (folder / "before.yaml").string(),
                    after = (folder / "after.yaml").string();
  replace(folder.path(), {"s", "", "", before, {member("a")}, {}});
  replace(folder.path(), {"s", "", "", after, {member("a"), member("b")}, {}});
  ASSERT_EQ(read_sweep_files(folder.path()).size(), 1u);
  EXPECT_EQ(read_sweep_files(folder.path())[0].source, after);
  EXPECT_THAT(members_of(folder.path(), "s"), ElementsAre(id_of("a"), id_of("b")));
}

/// Another person's file of the same name may have been moved, so `gc` must not free its trials.
TEST(SweepFiles, KeepTrialsOfAMissingFileThatTheNewOneLacks) {
  const TempFolder folder;
  const std::string theirs = (folder / "theirs.yaml").string(),
                    ours = (folder / "ours.yaml").string();
  replace(folder.path(), {"s", "", "", theirs, {member("a"), member("b")}, {}});
  replace(folder.path(), {"s", "", "", ours, {member("b"), member("c")}, {}});
  EXPECT_EQ(read_sweep_files(folder.path()).size(), 2u);
  EXPECT_THAT(members_of(folder.path(), "s"),
              UnorderedElementsAre(id_of("a"), id_of("b"), id_of("c")));
}

TEST(SweepFiles, OfTheFirstFormatHaveNoChoice) {
  const TempFolder folder;
  const std::string yaml = (folder / "s.yaml").string();
  write_text(yaml, "sweep: s\n");
  Json old{{"format", 1},
           {"sweep", "s"},
           {"profile", ""},
           {"source", yaml},
           {"cancelled", Json::array()}};
  old["members"] = {{{"trial", id_of("a")}, {"stage", "train"}, {"labels", Json::object()}}};
  write_text(folder / "sweeps" / "0123456789abcdef0123.json", old.dump());
  EXPECT_THAT(members_of(folder.path(), "s"), ElementsAre(id_of("a")));
  replace(folder.path(), {"s", "", "--set lr=1", yaml, {member("b")}, {}});
  EXPECT_THAT(members_of(folder.path(), "s"), ElementsAre(id_of("a"), id_of("b")));
  replace(folder.path(), {"s", "", "", yaml, {member("c")}, {}});
  EXPECT_THAT(members_of(folder.path(), "s"), ElementsAre(id_of("c"), id_of("b")));
}

TEST(SweepFiles, ATrialIsCancelledWhenNoChoiceWantsIt) {
  const TempFolder folder;
  write_sweep_file(folder.path(),
                   {"s", "", "", "", {member("a"), member("b")}, {id_of("a"), id_of("b")}});
  write_sweep_file(folder.path(), {"s", "", "--seeds 0", "", {member("a")}, {}});
  EXPECT_THAT(read_sweep(folder.path(), "s", "")->cancelled, ElementsAre(id_of("b")));
}

TEST(SweepFiles, LeaveADamagedOneOut) {
  const TempFolder folder;
  const std::filesystem::path path = sweep_path(folder.path(), {"s", "", "", "", {}, {}});
  write_sweep_file(folder.path(), {"other", "", "", "", {}, {}});
  for (const char* text : {"", "{", R"({"format":1,"sweep":"s"})"}) {
    write_text(path, text);
    std::vector<std::filesystem::path> damaged;
    ASSERT_EQ(read_sweep_files(folder.path(), &damaged).size(), 1u);
    EXPECT_THAT(damaged, ElementsAre(path));
    EXPECT_EQ(read_sweep_files(folder.path()).front().sweep, "other");
  }
  write_text(path, R"({"format":3,"sweep":"s"})");
  EXPECT_THAT([&] { read_sweep_files(folder.path()); },
              ThrowsMessage<MachineError>(HasSubstr("newer version")));
}

/// Version 0.1.0 wrote such a file without a checksum.
TEST(SweepFiles, CancelMembersAlone) {
  const TempFolder folder;
  const std::filesystem::path path = sweep_path(folder.path(), {"s", "", "", "", {}, {}});
  std::filesystem::create_directories(path.parent_path());
  const auto text = [](int format, const std::string& cancelled) {
    return Json{{"format", format},
                {"sweep", "s"},
                {"profile", ""},
                {"source", ""},
                {"cancelled", {cancelled}},
                {"members", {{{"trial", id_of("a")}, {"stage", "t"}, {"labels", Json::object()}}}}}
        .dump();
  };
  const auto damaged = [&](const std::string& written) {
    write_text(path, written);
    std::vector<std::filesystem::path> found;
    read_sweep_files(folder.path(), &found);
    return !found.empty();
  };
  EXPECT_FALSE(damaged(text(2, id_of("a"))));
  EXPECT_TRUE(damaged(text(2, id_of("b"))));
  EXPECT_FALSE(damaged(text(1, id_of("b")))) << "it kept those of earlier plans";
  EXPECT_FALSE(damaged(stored_text(Json::parse(text(2, id_of("b")))))) << "its checksum fits";
}

TEST(TrialState, IsForgottenByARetry) {
  const TempFolder folder;
  const TrialMaker trial(folder.path(), "a");
  write_trial_state(trial.folder(), TrialState::failed, "no data");
  EXPECT_EQ(state_from_folder(trial.folder()).state, TrialState::failed);
  clear_trial_state(trial.folder());
  clear_trial_state(trial.folder());
  EXPECT_EQ(state_from_folder(trial.folder()).state, std::nullopt);
}

TEST(StoreLock, NamesItsOwnerToASecondWriter) {
  const TempFolder folder;
  EXPECT_FALSE(store_owner(folder.path()));
  {
    const StoreLock lock = StoreLock::take(folder / "store", "run");
    EXPECT_EQ(store_owner(folder / "store")->at("pid"), getpid());
    EXPECT_FALSE(StoreLock::try_take(folder / "store", "run"));
    EXPECT_THAT([&] { StoreLock::take(folder / "store", "db rebuild"); },
                ThrowsMessage<MachineError>(HasSubstr(
                    fmt::format("the store is in use by `rethink run`, process {} on", getpid()))));
  }
  EXPECT_FALSE(store_owner(folder / "store"));
  EXPECT_TRUE(StoreLock::try_take(folder / "store", "run"));
}

TEST(StoreLock, WaitsForTheChildOfAKilledOwner) {
  const TempFolder folder;
  const pid_t owner = fork();
  if (owner == 0) {  // killed while a child of its own still has all that it had open
    const StoreLock lock = StoreLock::take(folder.path(), "run");
    if (fork() == 0) {
      usleep(200'000);
      _exit(0);
    }
    raise(SIGKILL);
  }
  ASSERT_EQ(waitpid(owner, nullptr, 0), owner);
  ASSERT_EQ(store_owner(folder.path())->at("pid"), owner);
  EXPECT_NO_THROW(StoreLock::take(folder.path(), "run"));
}

}  // namespace
}  // namespace rethink
