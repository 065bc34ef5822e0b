// Pipes, links, devices, sockets and folders in the place of each file of a store, for each
// command.
// Every command ends within seconds, none crashes, and nothing outside the store changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <map>
#include <sstream>
#include <thread>

#include "core/files/owner.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "tests/crash/driver.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

/// A guard against a command that hangs; all of them end within a fraction of it.
constexpr const char* kMostSeconds = "30";
constexpr int kTimedOut = 124;  // of timeout(1)

enum class Kind { pipe, link_outside, device, dangling_link, looping_link, socket, folder };

const std::map<Kind, const char*> kKinds = {
    {Kind::pipe, "pipe"},
    {Kind::link_outside, "link to outside"},
    {Kind::device, "link to a device"},
    {Kind::dangling_link, "dangling link"},
    {Kind::looping_link, "link to itself"},
    {Kind::socket, "socket"},
    {Kind::folder, "folder"},
};

/// Returns names, kinds and contents of all files in a folder.
std::map<std::string, std::string> contents_of(const fs::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const bool is_file = fs::is_regular_file(entry.symlink_status());
    contents[entry.path()] = is_file ? read_text(entry.path()) : "no file";
  }
  return contents;
}

void make_socket(const fs::path& path) {
  const FileDescriptor descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  // A socket's address must be short, so it uses the folder's descriptor.
  const FileDescriptor folder = open_file(path.parent_path(), O_RDONLY | O_DIRECTORY);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name =
      fmt::format("/proc/self/fd/{}/{}", folder.get(), path.filename().string());
  ASSERT_LT(name.size(), sizeof address.sun_path);
  name.copy(address.sun_path, name.size());
  ASSERT_EQ(bind(descriptor.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
}

/// Returns a folder in memory if there is room, since the test makes and syncs hundreds of stores.
fs::path quick_folder() {
  constexpr uint64_t kRoom = uint64_t{4} << 30;
  return free_disk_bytes(memory_folder()) > kRoom ? memory_folder() : fs::temp_directory_path();
}

class HostileFiles : public DriverTest {
 protected:
  HostileFiles() : DriverTest(quick_folder()) {
    write_text(folder_ / "s.yaml",
               "sweep: s\nseeds: [0]\nstages:\n"
               "  done: {job: noop, steps: 3}\n"
               "  child: {job: noop, needs: {init: done}, steps: 2}\n"
               "  failed: {job: noop, steps: 5, checkpoint_every: 1, fail_at: 4}\n");
    fs::create_directories(folder_ / "plots/tables");
    write_text(folder_ / "plots/tables/t.yaml",
               "table: t\nsweep: s.yaml\nstage: done\nrows: [{label: x}]\n"
               "columns: [{label: y, metric: dev/score}]\nseeds: 1\n");
    EXPECT_EQ(run("s.yaml", "whole").status, 1);
    for (const TrialFolder& trial : trials("whole")) {
      const Json config = Json::parse(read_text(trial.trial())).at("config");
      if (config.at("steps") == 3) done_ = trial.path().filename();
      if (config.at("steps") == 5) failed_ = trial.path().filename();
    }
    for (const auto& entry : fs::directory_iterator(folder_ / "whole/sweeps"))
      sweep_ = entry.path().filename();
  }

  std::vector<std::string> files() const {
    std::vector<std::string> all = {"rethink.db",
                                    "rethink.db-wal",
                                    "rethink.db-shm",
                                    "uuid",
                                    "lock",
                                    "requests/x.json",
                                    "sweeps",
                                    "trials",
                                    "requests/x.answer",
                                    "sweeps/" + sweep_};
    for (const char* part : {"", "/trial.json", "/lock", "/result.json", "/old_result.json",
                             "/scores.json", "/attempt-1", "/attempt-1/events.jsonl",
                             "/attempt-1/log", "/artifacts", "/artifacts/weights.safetensors"})
      all.push_back("trials/" + done_ + part);
    for (const char* part : {"/state.json", "/attempt-1/end.json", "/checkpoints",
                             "/checkpoints/checkpoint-3", "/checkpoints/.x.1.tmp"})
      all.push_back("trials/" + failed_ + part);
    return all;
  }

  /// Commands that leave a store unchanged, run one after another.
  std::vector<std::vector<std::string>> readers() const {
    return {{"status"},
            {"query", "SELECT * FROM runs"},
            {"show", failed_},
            {"why", done_},
            {"logs", done_},
            {"logs", failed_},
            {"diff", done_, failed_},
            {"plan", "s.yaml"},
            {"table", "t"},
            {"curve", "dev/score"},
            {"db", "check", "--hashes"},
            {"gc", "--dry-run"},
            {"export", done_, (folder_ / "exported").string()}};
  }
  /// Commands that each get a separate store.
  std::vector<std::vector<std::string>> writers() const {
    return {{"run", "s.yaml"},    {"gc"},
            {"rm", "--yes", "s"}, {"rm", failed_},
            {"db", "rebuild"},    {"cancel", "s"},
            {"retry", "s"},       {"db", "merge", (folder_ / "whole").string()}};
  }

  /// Replaces `file` of the store by a file of another kind.
  void replace(const std::string& file, Kind kind) const {
    const fs::path path = folder_ / "store" / file, outside = folder_ / "outside/it";
    remove_tree(folder_ / "outside");
    fs::create_directories(folder_ / "outside");
    if (kind == Kind::link_outside && fs::exists(path)) {
      fs::copy(path, outside, fs::copy_options::recursive);
      if (fs::is_directory(outside)) write_text(outside / ".y.1.tmp", "kept");
    } else {
      write_text(outside, "{\"kept\": true}\n");
    }
    const bool was_folder = fs::is_directory(path);
    remove_tree(path);
    fs::create_directories(path.parent_path());
    switch (kind) {
      case Kind::pipe:
        ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
        break;
      case Kind::link_outside:
        fs::create_symlink(outside, path);
        break;
      case Kind::device:
        fs::create_symlink("/dev/zero", path);
        break;
      case Kind::dangling_link:
        fs::create_symlink(folder_ / "outside/none", path);
        break;
      case Kind::looping_link:
        fs::create_symlink(path.filename(), path);
        break;
      case Kind::socket:
        make_socket(path);
        break;
      case Kind::folder:
        if (was_folder) return write_text(path, "a file in a folder's place");
        fs::create_directory(path);
        write_text(path / "inside", "x");
    }
  }

  void fresh_store() const {
    remove_tree(folder_ / "store");
    fs::copy(folder_ / "whole", folder_ / "store", fs::copy_options::recursive);
  }

  ProgramResult rethink_in_time(const std::vector<std::string>& words,
                                const std::string& store) const {
    ProgramRun run;
    run.words = {"timeout", "--signal=KILL", kMostSeconds, kRethink.string()};
    run.words.insert(run.words.end(), words.begin(), words.end());
    run.words.insert(run.words.end(), {"--store", (folder_ / store).string()});
    run.folder = folder_.path();
    run.environment["RETHINK_PROGRAMS"] = programs_.string();
    return run_program(run);
  }

  void expect_good_end(const std::vector<std::string>& words, const std::string& store) const {
    const ProgramResult result = rethink_in_time(words, store);
    EXPECT_THAT(result.status, testing::Lt(kTimedOut)) << joined(words, " ") << result.error;
    EXPECT_THAT(result.error, Not(HasSubstr("unexpected:"))) << joined(words, " ");
  }

  void try_commands(const std::string& file, Kind kind) {
    SCOPED_TRACE(file + ": " + kKinds.at(kind));
    fresh_store();
    replace(file, kind);
    // A list of sweeps or all trials may be on another disk, and are then written there.
    const bool may_be_linked = file == "sweeps" || file == "trials";
    const auto before = contents_of(folder_ / "outside");
    for (const auto& words : readers()) expect_good_end(words, "store");
    remove_tree(folder_ / "fresh");
    expect_good_end({"db", "merge", (folder_ / "store").string()}, "fresh");
    for (const auto& words : writers()) {
      fresh_store();
      replace(file, kind);
      expect_good_end(words, "store");
      if (may_be_linked) continue;
      EXPECT_EQ(contents_of(folder_ / "outside"), before) << joined(words, " ");
    }
  }

  std::string done_, failed_, sweep_;
};

TEST_F(HostileFiles, PipesHangNoCommand) {
  for (const std::string& file : files()) try_commands(file, Kind::pipe);
}

TEST_F(HostileFiles, NothingIsWrittenOrRemovedThroughALink) {
  for (const std::string& file : files()) try_commands(file, Kind::link_outside);
}

/// RETHINK_WHOLE_MATRIX runs all combinations, which takes a minute.
TEST_F(HostileFiles, AnythingElseIsNamed) {
  const bool whole = std::getenv("RETHINK_WHOLE_MATRIX") != nullptr;
  const std::vector<Kind> kinds = {Kind::device, Kind::dangling_link, Kind::looping_link,
                                   Kind::socket, Kind::folder};
  size_t turn = 0;
  for (const std::string& file : files()) {
    const size_t chosen = turn++ % kinds.size();
    for (size_t i = 0; i < kinds.size(); ++i) {
      if (whole || i == chosen) try_commands(file, kinds[i]);
    }
  }
}

TEST_F(HostileFiles, ALinkedPartOfATrialIsNamedAndOtherTrialsGoOn) {
  for (const std::string part : {"", "/checkpoints", "/attempt-1", "/trial.json"}) {
    fresh_store();
    const std::string path = (folder_ / "store/trials" / (failed_ + part)).string();
    replace("trials/" + failed_ + part, Kind::link_outside);
    remove_tree(folder_ / "store/trials" / done_);
    const std::string named = path + ": is a link, and rethink follows no link below trials/";
    const ProgramResult ran = rethink_in_time({"run", "s.yaml"}, "store");
    EXPECT_EQ(ran.status, 1);
    EXPECT_THAT(ran.error, AllOf(HasSubstr("failed: " + failed_), HasSubstr(named),
                                 HasSubstr("2 of 3 trials done, 1 failed")));
    for (const std::vector<std::string>& words : {std::vector<std::string>{"gc"},
                                                  {"retry", "s"},
                                                  {"rm", "--yes", "s"},
                                                  {"rm", failed_},
                                                  {"db", "rebuild"},
                                                  {"db", "check"}}) {
      const ProgramResult result = rethink_in_time(words, "store");
      EXPECT_THAT(result.output + result.error, HasSubstr(named)) << joined(words, " ");
      EXPECT_EQ(result.status == 0, words[0] == "gc") << joined(words, " ");
    }
    const ProgramResult merged =
        rethink_in_time({"db", "merge", (folder_ / "store").string()}, "other");
    EXPECT_EQ(merged.status, 1);
    EXPECT_THAT(merged.error, HasSubstr("not merged: trial " + failed_ + ": " + named));
  }
}

TEST_F(HostileFiles, AStoreAndItsTrialsMayLieBehindLinks) {
  fs::rename(folder_ / "whole", folder_ / "real");
  fs::create_directory_symlink(folder_ / "real", folder_ / "store");
  fs::rename(folder_ / "real/trials", folder_ / "disk");
  fs::create_directory_symlink(folder_ / "disk", folder_ / "real/trials");
  EXPECT_EQ(rethink({"db", "check", "--hashes"}).status, 0);
  EXPECT_EQ(rethink({"gc"}).status, 0);
  EXPECT_EQ(rethink({"rm", failed_}).status, 0);
  EXPECT_EQ(run("s.yaml").status, 1);
  EXPECT_EQ(rethink({"db", "rebuild"}).status, 0);
  EXPECT_EQ(rethink({"db", "check", "--hashes"}).status, 0);
}

TEST_F(HostileFiles, AFileThatIsTooLargeIsDamaged) {
  fresh_store();
  fs::resize_file(folder_ / "store/sweeps" / sweep_, kMostSweepBytes + 1);
  EXPECT_THAT(rethink_in_time({"status"}, "store").error, HasSubstr(sweep_ + " is damaged"));
  fresh_store();
  fs::resize_file(folder_ / "store/trials" / done_ / "result.json", kMostJsonBytes + 1);
  EXPECT_THAT(rethink_in_time({"db", "check"}, "store").output,
              HasSubstr("result.json is damaged"));
  EXPECT_EQ(rethink_in_time({"run", "s.yaml"}, "store").status, 1);
  EXPECT_EQ(rethink_in_time({"db", "check"}, "store").status, 0);
}

TEST_F(HostileFiles, ARunningDriverStaysInterruptible) {
  write_text(folder_ / "endless.yaml",
             "sweep: endless\nseeds: [0]\nstages: {a: {job: noop, steps: 100000, sleep_ms: 10}}\n");
  for (const std::string file : {"requests/x.json", "requests/x.answer", "result.json", "lock",
                                 "attempt-1/events.jsonl", "attempt-1/end.json", "checkpoints"}) {
    SCOPED_TRACE(file);
    remove_tree(folder_ / "store");
    std::jthread driver([&] {
      EXPECT_EQ(rethink_in_time({"run", "endless.yaml"}, "store").status, 130);
    });
    wait_for_attempts();
    const bool is_request = file.starts_with("requests");
    const std::string at =
        is_request ? "" : "trials/" + trials().front().path().filename().string() + "/";
    replace(at + file, Kind::pipe);
    const ProgramResult status = rethink_in_time({"status"}, "store");
    EXPECT_EQ(status.status, 0) << status.error;
    signal_driver(SIGTERM);
  }
}

}  // namespace
}  // namespace rethink
