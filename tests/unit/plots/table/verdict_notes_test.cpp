// Notes on the data and models of `small` also apply to `verdict`, which decides. A note for the one profile names
// the other, or is one of the exceptions below.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/yaml/yaml.h"
#include "plots/table/table_spec.h"
#include "tests/support/golden.h"

namespace rethink::test {
namespace {

namespace fs = std::filesystem;

/// Tables, and the beginnings of their notes that do not apply to `verdict`.
const std::map<std::string, std::vector<std::string>> kNotOfVerdict = {
    // it has rates of its own
    {"a3/depth", {"every row has the learning rate 1e-4"}},
    {"a3/heads", {"every row has the learning rate 1e-4"}},
    {"a3/layers", {"every row has the learning rate 1e-4"}},
    {"a3/permutations", {"every row has the learning rate 1e-4"}},
    // one candidate of each arm; its own note says which
    {"a3/glue", {"MiniLM-L6, tuned", "four candidates an arm: learning rates without"}},
    // five measurements
    {"a3/favor", {"a layer of BERT-base on one text, measured three times"}},
    // nothing is planned there
    {"a3/memory", {"a layer of BERT-base", "limits: 8 GiB"}},
    {"a3/ner", {"MiniLM-L6", "triplet: "}},
    {"a3/ner_other", {"MiniLM-L6", "triplet: "}},
    {"a3/ner_pretrained", {"MiniLM-L6"}},
    {"a3/ner_self", {"MiniLM-L6", "triplet: "}},
    {"a3/overhead", {"31 passes"}},
    {"a3/speed", {"medians of 7 passes", "limits: 8 GiB"}},
    {"a3/squad", {"for BERT MiniLM-L6"}},
    {"bet/diag_discount_translation", {"De-En: Multi30k"}},
    // the row is not planned there
    {"bet/table2_translation", {"Yang et al."}},
    {"bet/table2_ud", {"Yang et al."}},
};

bool has_profile(const fs::path& sweep, const std::string& profile) {
  const Yaml file = read_yaml(fs::path(RETHINK_SOURCE_DIR) / sweep);
  const Yaml* profiles = file.find("profiles");
  return profiles && profiles->find(profile);
}

bool names(const NoteSpec& note, const std::string& profile) {
  return std::ranges::any_of(note.profiles, [&](const Word& word) { return word.text == profile; });
}

TEST(VerdictNotes, SayWhatThoseOfSmallSay) {
  size_t notes = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(RETHINK_SOURCE_DIR) / "plots/tables")) {
    if (entry.path().extension() != ".yaml") continue;
    if (read_yaml(entry.path()).find("kind")) continue;  // of words, without notes of profiles
    const TableSpec spec = read_table_spec(entry.path());
    const bool decides = std::ranges::any_of(
        sweeps_of(spec), [](const Word& sweep) { return has_profile(sweep.text, "verdict"); });
    if (!decides) continue;
    const auto known = kNotOfVerdict.find(spec.name);
    for (const NoteSpec& note : spec.notes) {
      if (!names(note, "small") || names(note, "verdict")) continue;
      const bool is_known = known != kNotOfVerdict.end() &&
                            std::ranges::any_of(known->second, [&](const std::string& begin) {
                              return note.text.starts_with(begin);
                            });
      EXPECT_TRUE(is_known) << spec.name << ": " << note.text;
      ++notes;
    }
  }
  EXPECT_GT(notes, 0u);
}

}  // namespace
}  // namespace rethink::test
