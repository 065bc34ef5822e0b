#include "results/query/recorded_sweeps.h"

#include <gmock/gmock.h>

#include "results/store/rebuild.h"
#include "tests/unit/results/filled_store.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

class RecordedSweeps : public testing::Test {
 protected:
  RecordedSweeps() {
    fill(folder.path());
    rebuild(folder.path());
  }
  /// Writes a second file of the sweep, with a trial that no run has prepared.
  void write_choice() const {
    SweepFile file;
    file.sweep = "paper/masks";
    file.choice = "--seeds 7";
    file.source = "masks.yaml";
    file.with = {"--data=/data"};
    for (const char* name : {"d", "b", "b", "f0"})
      file.members.push_back({id_of(name), "train", "", {{"arm", name}}});
    write_sweep_file(folder.path(), file);
  }
  std::vector<Sweep> sweeps(Store& store) const { return recorded_sweeps(store, folder.path()); }

  const TempFolder folder;
};

TEST_F(RecordedSweeps, CountTheirTrialsByState) {
  Store store(folder.path(), Store::Access::read);
  const std::vector<Sweep> all = sweeps(store);
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].files.size(), 1u);
  EXPECT_EQ(all[0].files[0].source, "masks.yaml");
  const auto counts = ElementsAre(Pair(TrialState::done, 1), Pair(TrialState::cancelled, 1));
  const SweepStates states = states_of_sweep(store, all[0], {TrialState::cancelled});
  EXPECT_EQ(states.trials, 2u);
  EXPECT_THAT(states.counts, counts);
  EXPECT_THAT(states.listed, ElementsAre(Pair(id_of("d"), TrialState::cancelled)));
  EXPECT_THAT(states.of_files, ElementsAre(counts));
  const std::vector<SweepMember> members =
      members_of_sweep(store, all[0], {id_of("a"), id_of("e")});
  ASSERT_EQ(members.size(), 1u);
  EXPECT_EQ(members[0].trial, id_of("a"));
  EXPECT_THAT(members[0].labels, ElementsAre(Pair("arm", "Star")));
}

TEST_F(RecordedSweeps, AreThoseOfTheFilesWhereTheDatabaseIsBehind) {
  write_choice();
  for (const bool knows : {false, true}) {
    if (knows) rebuild(folder.path());
    Store store(folder.path(), Store::Access::read);
    const std::vector<Sweep> all = sweeps(store);
    ASSERT_EQ(all.size(), 1u);
    ASSERT_EQ(all[0].files.size(), 2u);
    EXPECT_THAT(all[0].files[1].with, ElementsAre("--data=/data"));
    // The second file contains trial d, which the first file gave up. A trial without a row waits.
    const SweepStates states = states_of_sweep(store, all[0], {});
    EXPECT_EQ(states.not_started, 1u);
    EXPECT_EQ(states.trials, 4u) << "trial b has two positions";
    EXPECT_THAT(states_of_sweep(store, all[0], {TrialState::waiting}).listed,
                ElementsAre(Pair(id_of("f0"), TrialState::waiting)));
    EXPECT_THAT(states.listed, UnorderedElementsAre(Pair(id_of("a"), TrialState::done),
                                                    Pair(id_of("d"), TrialState::ready),
                                                    Pair(id_of("b"), TrialState::failed),
                                                    Pair(id_of("f0"), TrialState::waiting)));
    EXPECT_THAT(states.counts, ElementsAre(Pair(TrialState::waiting, 1), Pair(TrialState::ready, 1),
                                           Pair(TrialState::done, 1), Pair(TrialState::failed, 1)));
    EXPECT_THAT(states.of_files,
                ElementsAre(ElementsAre(Pair(TrialState::ready, 1), Pair(TrialState::done, 1)),
                            ElementsAre(Pair(TrialState::waiting, 1), Pair(TrialState::ready, 1),
                                        Pair(TrialState::failed, 1))));
    EXPECT_EQ(store.trial(id_of("d"))->state, TrialState::ready);
  }
}

TEST_F(RecordedSweeps, AreNoneWhereTheirFilesWereRemoved) {
  std::filesystem::remove_all(folder / "sweeps");
  Store store(folder.path(), Store::Access::read);
  EXPECT_THAT(sweeps(store), IsEmpty());
  EXPECT_EQ(store.trial(id_of("d"))->state, TrialState::ready);
}

}  // namespace
}  // namespace rethink
