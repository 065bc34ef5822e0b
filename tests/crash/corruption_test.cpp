// Random damage to a file of a store, each to a fresh copy. Afterwards every number of the store equals
// that of an undamaged run, or a command has reported the damage. RETHINK_CORRUPTIONS is their number
// (300), RETHINK_SEED selects them. A quarter of the small JSON files have no checksum when they are damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/files/file.h"
#include "core/json.h"
#include "experiments/run/requests.h"
#include "results/folders/outside_scores.h"
#include "results/store/ingest.h"
#include "tests/crash/driver.h"
#include "tests/support/random_choices.h"

namespace rethink {
namespace {

constexpr const char* kArms = R"(sweep: arms
seeds: [0, 1]
stages:
  train: {job: noop, steps: 6, grid: {tag: [a, b]}}
  best: {job: select, needs: {from: train}, over: [tag], by: dev/score}
  tune: {job: noop, needs: {init: best}, steps: 3, tag: tuned}
  broken: {job: noop, steps: 4, fail_at: 3, tag: broken}
)";
constexpr const char* kHalf = R"(sweep: half
seeds: [0]
stages:
  half: {job: noop, steps: 50, checkpoint_every: 10, tag: half}
)";

const std::vector<std::string> kNumbers = {
    "query",
    "SELECT m.trial, split, name, step, value FROM metric m JOIN trial t ON t.id = m.trial WHERE "
    "t.state = 'done'",
    "--format", "csv"};

struct Corruption {
  std::string what;
  std::string bytes;
};

/// Returns the damaged bytes, or the same ones if this kind of damage does not apply to the file.
Corruption corrupted(std::string bytes, RandomChoices& random) {
  const auto changed_where = [&](const std::string& what, auto is_chosen, std::string_view from) {
    std::vector<size_t> places;
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (is_chosen(bytes[i])) places.push_back(i);
    }
    if (!places.empty()) bytes[random.one_of(places)] = random.one_of(from);
    return Corruption{what, bytes};
  };
  const size_t place = random.below(bytes.size());
  switch (random.below(9)) {
    case 0:
      if (!bytes.empty()) bytes[place] = static_cast<char>(bytes[place] ^ (1 << random.below(8)));
      return {"a bit flipped", bytes};
    case 1:
      return changed_where(
          "a digit changed", [](char c) { return c >= '0' && c <= '9'; }, "0123456789");
    case 2:
      return changed_where(
          "a letter changed", [](char c) { return c >= 'a' && c <= 'z'; },
          "abcdefghijklmnopqrstuvwxyz");
    case 3:
      return {"cut", bytes.substr(0, place)};
    case 4:
      return {"bytes added", bytes + std::string(1 + random.below(40),
                                                 random.one_of(std::string_view("\0 \n{0x", 6)))};
    case 5:
      for (size_t i = place; i < std::min(bytes.size(), place + 64); ++i) bytes[i] = '\0';
      return {"zeroed", bytes};
    case 6:
      return {"a part doubled", bytes.substr(0, place) + bytes.substr(place / 2)};
    case 7:
      return {"emptied", ""};
    default:
      return {"a part taken out",
              bytes.substr(0, place) + bytes.substr(std::min(bytes.size(), place + 1 + place / 4))};
  }
}

/// Returns the bytes of a small JSON file as version 0.1.0 left it, without a checksum. Other bytes
/// are returned unchanged,
/// and so is `trial.json`, which always had one.
std::string without_checksum(const std::filesystem::path& file, const std::string& bytes) {
  if (file.extension() != ".json" || file.filename() == "trial.json") return bytes;
  Json description = Json::parse(bytes);
  return description.erase("checksum") == 0 ? bytes : description.dump(1);
}

class RandomCorruption : public DriverTest {
 protected:
  RandomCorruption() : DriverTest(memory_folder()) {
    write_text(folder_ / "arms.yaml", kArms);
    write_text(folder_ / "half.yaml", kHalf);
    for (const char* store : {"made", "quiet"}) {
      EXPECT_EQ(rethink({"run", "arms.yaml"}, store).status, 1);  // `broken` fails
    }
    EXPECT_EQ(rethink({"run", "half.yaml"}, "quiet").status, 0);
    EXPECT_EQ(rethink({"run", "half.yaml", "--max-trials", "0"}, "made").status, 0);
    std::vector<std::filesystem::path> done;
    for (const TrialFolder& trial : trials("made")) {
      if (trial.attempts().empty()) train_half(trial);
      if (std::filesystem::exists(trial.result())) done.push_back(trial.path());
    }
    std::ranges::sort(done);
    import_scores("quiet", done);
    import_scores("made", done, "sound");
    // It runs again, because its weights were not kept.
    std::filesystem::rename(folder_ / "sound/trials" / done.front().filename() / "result.json",
                            folder_ / "sound/trials" / done.front().filename() / "old_result.json");
    write_text(folder_ / "sound/requests/8c7a8e0e-4f0b-4a53-9d0c-1f6f3f2f7c11.json",
               request_text({.kind = Request::Kind::retry,
                             .targets = {"arms"},
                             .profile = {},
                             .only = {"failed"},
                             .by = "somebody"}));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "sound")) {
      if (entry.is_regular_file())
        files_.push_back(entry.path().lexically_relative(folder_ / "sound"));
    }
    std::ranges::sort(files_);
    expected_ = numbers("quiet");
    EXPECT_GT(expected_.size(), 30u);
    for (const char* file : {"rethink.db-wal", "rethink.db-shm"})
      EXPECT_GT(std::filesystem::file_size(folder_ / "sound" / file), 0u);
    std::filesystem::copy(folder_ / "sound", folder_ / "store",
                          std::filesystem::copy_options::recursive);
    readable_ = numbers("store").size();
  }

  /// Imports scores of all trials but the first, each in a separate transaction. `killed`: a copy of the
  /// store as a kill of the importing process leaves it, with these transactions in the -wal.
  void import_scores(const std::string& store, const std::vector<std::filesystem::path>& done,
                     const std::string& killed = "") const {
    Store index(folder_ / store, Store::Access::write);
    for (size_t i = 1; i < done.size(); ++i) {
      const std::filesystem::path trial = folder_ / store / "trials" / done[i].filename();
      write_outside_scores(trial, {{"test", 0.5 + 0.01 * static_cast<double>(i),
                                    "gluebenchmark.com", "2026-11-20", "2026-11-21T10:00:00Z"}});
      put_outside_scores(index, trial);
    }
    if (killed.empty()) return;
    std::filesystem::copy(folder_ / store, folder_ / killed,
                          std::filesystem::copy_options::recursive);
  }

  /// Runs a command under a time limit, since a hang counts as a failure, too.
  ProgramResult limited(const std::vector<std::string>& words, const std::string& store) const {
    std::vector<std::string> all{"timeout", "-s", "KILL", "60", kRethink.string()};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"--store", (folder_ / store).string()});
    return run_program({.words = all,
                        .folder = folder_.path(),
                        .environment = {{"RETHINK_PROGRAMS", programs_.string()}}});
  }

  /// Returns "trial,split,name,step": value, of done trials.
  std::map<std::string, std::string> numbers(const std::string& store) const {
    const ProgramResult result = limited(kNumbers, store);
    EXPECT_EQ(result.status, 0) << result.error;
    return rows_of(result.output);
  }

  static std::map<std::string, std::string> rows_of(const std::string& output) {
    std::map<std::string, std::string> all;
    std::istringstream lines(output);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      const size_t comma = line.rfind(',');
      all[line.substr(0, comma)] = line.substr(comma + 1);
    }
    return all;
  }

  /// Returns the first number of `found` that an undamaged run does not have; "": none.
  std::string wrong_number(const std::map<std::string, std::string>& found) const {
    for (const auto& [key, value] : found) {
      const auto row = expected_.find(key);
      if (row == expected_.end()) return "a number of nothing: " + key + "\n";
      if (row->second != value)
        return "a wrong number: " + key + " is " + value + ", expected " + row->second + "\n";
    }
    return "";
  }

  /// Checks the rules for every command after any damage: it ends by itself and explains the fault.
  static std::string fault_of(const ProgramResult& result) {
    const std::string said = result.output + result.error;
    if (result.status > 3) return "exit " + std::to_string(result.status) + ": " + said;
    if (said.find("unexpected") != std::string::npos) return said;
    if (result.status > 1 && said.empty()) return "ended without a word";
    return "";
  }

  /// Returns whether a line reports damage and names the file, or the trial and the kind of file.
  static bool names_damage(const std::string& said, const std::filesystem::path& file) {
    const bool is_of_trial = file.begin() != file.end() && *file.begin() == "trials";
    const std::string trial = is_of_trial ? std::next(file.begin())->string() : "";
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);) {
      if (line.find("damage") == std::string::npos) continue;
      if (line.find((std::filesystem::path("store") / file).string()) != std::string::npos)
        return true;
      if (is_of_trial && line.find(trial) != std::string::npos) return true;
    }
    return false;
  }

  /// Applies one damage and runs all commands; returns the fault, or "".
  std::string outcome_of(const std::filesystem::path& file, const Corruption& corruption) {
    std::filesystem::remove_all(folder_ / "store");
    std::filesystem::copy(folder_ / "sound", folder_ / "store",
                          std::filesystem::copy_options::recursive);
    write_text(folder_ / "store" / file, corruption.bytes);
    const bool is_database = file.filename().string().starts_with("rethink.db");
    std::string said, last;
    const auto give = [&](const std::vector<std::string>& words) {
      const ProgramResult result = limited(words, "store");
      last = result.output;
      said += joined(words, " ") + ": " + std::to_string(result.status) + "\n" + result.output +
              result.error;
      const std::string fault = fault_of(result);
      if (!fault.empty()) throw std::runtime_error(said);
      return result.status;
    };
    try {
      give({"status"});
      if (is_database && give(kNumbers) == 0) {
        const std::map<std::string, std::string> found = rows_of(last);
        const std::string wrong = wrong_number(found);
        if (!wrong.empty()) return wrong + said;
        if (found.size() != readable_) return "a reader misses numbers without a word\n" + said;
      }
      const int ran = give({"run", "arms.yaml", "half.yaml"});
      // A file that no reader could open, such as a newer version's database, needs the command that the message names.
      if (is_database && ran == 3) {
        give({"db", "rebuild"});
        give({"run", "arms.yaml", "half.yaml"});
      }
      const int check = give({"db", "check", "--hashes"});
      if (is_database && check != 0) return "the database was not mended\n" + said;
      if (check > 1) return "the check could not be made\n" + said;
      const std::map<std::string, std::string> found = numbers("store");
      const std::string wrong = wrong_number(found);
      if (!wrong.empty()) return wrong + said;
      const bool all = found.size() == expected_.size();
      if (!all && !names_damage(said, file))
        return "numbers are missing, nothing was named\n" + said;
      ++counts_[all ? check == 0 ? "as a quiet run" : "numbers right, damage named"
                    : "damage named"];
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }

  std::vector<std::filesystem::path> files_;
  std::map<std::string, std::string> expected_;
  size_t readable_ = 0;  // numbers of the undamaged store
  std::map<std::string, size_t> counts_;
};

TEST_F(RandomCorruption, NeverBecomesAWrongNumber) {
  const uint64_t seed = number_from("RETHINK_SEED", 1),
                 times = number_from("RETHINK_CORRUPTIONS", 300);
  size_t fallen = 0;
  for (uint64_t i = 0; i < times && fallen < 10; ++i) {
    RandomChoices random(seed * 1'000'003 + i);
    const std::filesystem::path file = random.one_of(files_);
    std::string bytes = read_text(folder_ / "sound" / file);
    if (random.below(4) == 0) bytes = without_checksum(file, bytes);
    const Corruption corruption = corrupted(bytes, random);
    const std::string outcome = outcome_of(file, corruption);
    if (outcome.empty()) continue;
    ++fallen;
    ADD_FAILURE() << "damage " << i << " of seed " << seed << ": " << file.string() << " "
                  << corruption.what << "\n"
                  << outcome;
  }
  for (const auto& [what, count] : counts_) std::cout << count << " " << what << "\n";
}

}  // namespace
}  // namespace rethink
