#include "core/files/store_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/files/hash.h"
#include "core/files/lock.h"
#include "core/files/owner.h"
#include "core/format/safetensors.h"
#include "core/json.h"
#include "core/store_files/event.h"
#include "core/store_files/stored_json.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class StoreFile : public testing::Test {
 protected:
  StoreFile() { std::filesystem::create_directories(trial_ / "attempt-1"); }

  void expect_refused(const std::filesystem::path& path, const std::string& why) const {
    EXPECT_THAT(store_file_problem(path), HasSubstr(why));
    EXPECT_THROW(open_store_file(path, O_RDONLY), DamagedFile);
    EXPECT_THROW(read_store_file(path), DamagedFile);
    EXPECT_THROW(sha256_file(path), DamagedFile);
    EXPECT_THROW(SafetensorsFile{path}, DamagedFile);
    EXPECT_FALSE(is_locked(path));
    EXPECT_TRUE(read_events(path, 0, [](const Json&) {}).damaged);
  }

  TempFolder folder_;
  std::filesystem::path trial_ = folder_ / "store/trials/0123456789abcdef0123";
};

TEST_F(StoreFile, APipeIsNotWaitedFor) {
  for (const auto& path : {trial_ / "lock", folder_ / "lock"}) {
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    expect_refused(path, "lock: is a named pipe, expected a file");
  }
}

TEST_F(StoreFile, ADeviceIsNotReadWithoutEnd) {
  std::filesystem::create_symlink("/dev/zero", folder_ / "x.json");
  expect_refused(folder_ / "x.json", "x.json: is a device, expected a file");
}

TEST_F(StoreFile, AFolderAndADanglingLinkAreNotFiles) {
  std::filesystem::create_directory(trial_ / "result.json");
  expect_refused(trial_ / "result.json", "result.json: is a folder, expected a file");
  std::filesystem::create_symlink("nowhere", folder_ / "x.json");
  expect_refused(folder_ / "x.json", "x.json: is a link to nowhere, which does not exist; mount");
  std::filesystem::create_symlink("y.json", folder_ / "y.json");
  expect_refused(folder_ / "y.json", "y.json: is a link to y.json, which does not exist; mount");
}

TEST_F(StoreFile, NoLinkCountsBelowATrial) {
  write_text(folder_ / "text", "{}");
  std::filesystem::create_symlink(folder_ / "text", trial_ / "result.json");
  expect_refused(trial_ / "result.json",
                 "result.json: is a link, and rethink follows no link below trials/");
  EXPECT_THROW(read_file(trial_ / "result.json"), DamagedFile);
  std::filesystem::create_directory(folder_ / "elsewhere");
  write_text(folder_ / "elsewhere/events.jsonl", "");
  std::filesystem::create_directory_symlink(folder_ / "elsewhere", trial_ / "attempt-2");
  expect_refused(trial_ / "attempt-2/events.jsonl",
                 "attempt-2: is a link, and rethink follows no link below trials/");
  EXPECT_THAT(store_folder_problem(trial_ / "attempt-2"), HasSubstr("attempt-2: is a link"));
}

TEST_F(StoreFile, LinksAboveATrialAndBesideTrialsAreFollowed) {
  write_text(trial_ / "trial.json", "{}");
  std::filesystem::create_directory_symlink(folder_ / "store", folder_ / "trials");
  const auto through = folder_ / "trials/trials" / trial_.filename() / "trial.json";
  EXPECT_EQ(read_store_file(through), "{}");
  std::filesystem::create_directory_symlink(folder_ / "store/trials", folder_ / "other");
  EXPECT_EQ(read_store_file(folder_ / "other" / trial_.filename() / "trial.json"), "{}");
  std::filesystem::create_symlink(trial_ / "trial.json", folder_ / "x.json");
  EXPECT_EQ(read_store_file(folder_ / "x.json"), "{}");
}

TEST_F(StoreFile, IsThereOrNot) {
  EXPECT_THAT(store_file_problem(trial_ / "none"), IsEmpty());
  EXPECT_THROW(read_store_file(trial_ / "none"), MachineError);
  EXPECT_THAT(store_folder_problem(trial_ / "attempt-1"), IsEmpty());
  EXPECT_THAT(store_folder_problem(trial_ / "attempt-3"), IsEmpty());
}

TEST_F(StoreFile, ThatIsTooLargeIsDamaged) {
  write_text(trial_ / "x", "12345");
  EXPECT_EQ(read_store_file(trial_ / "x", 5), "12345");
  EXPECT_THAT([&] { read_store_file(trial_ / "x", 4); },
              testing::ThrowsMessage<DamagedFile>(HasSubstr("x: has more than 0 MiB")));
  std::filesystem::resize_file(trial_ / "x", kMostJsonBytes + 1);
  EXPECT_THAT([&] { read_store_json(trial_ / "x"); },
              testing::ThrowsMessage<DamagedFile>(HasSubstr("x: has more than 16 MiB")));
}

TEST_F(StoreFile, AnEventsLineWithoutEndIsDamaged) {
  const std::string first = event_line({{"event", "tick"}});
  write_text(trial_ / "attempt-1/events.jsonl", first);
  std::filesystem::resize_file(trial_ / "attempt-1/events.jsonl", kMostEventBytes);
  EXPECT_FALSE(read_events(trial_ / "attempt-1/events.jsonl", 0, [](const Json&) {}).damaged);
  std::filesystem::resize_file(trial_ / "attempt-1/events.jsonl", kMostEventBytes * 2);
  const EventRead read = read_events(trial_ / "attempt-1/events.jsonl", 0, [](const Json&) {});
  EXPECT_TRUE(read.damaged);
  EXPECT_EQ(read.offset, first.size());
  EXPECT_THROW(event_line({{"event", std::string(kMostEventBytes, 'x')}}), TrialError);
}

TEST_F(StoreFile, AFolderThatIsNotThereIsEmptyAndALoopIsNot) {
  EXPECT_EQ(entries_of(trial_ / "none"), std::filesystem::directory_iterator());
  write_text(trial_ / "file", "x");
  EXPECT_EQ(entries_of(trial_ / "file"), std::filesystem::directory_iterator());
  EXPECT_EQ(entries_of(trial_)->path().parent_path(), trial_);
  std::filesystem::create_directory_symlink("loop", folder_ / "loop");
  EXPECT_THROW(entries_of(folder_ / "loop"), MachineError);
}

TEST_F(StoreFile, ARemovedTreeTakesNothingWithIt) {
  write_text(folder_ / "kept", "x");
  std::filesystem::create_directory_symlink(folder_.path(), trial_ / "attempt-1/out");
  remove_tree(trial_);
  EXPECT_FALSE(std::filesystem::exists(trial_));
  std::filesystem::create_directory_symlink(folder_.path(), folder_ / "link");
  remove_tree(folder_ / "link");
  EXPECT_FALSE(std::filesystem::is_symlink(folder_ / "link"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "kept"));
  remove_tree(folder_ / "none");
}

}  // namespace
}  // namespace rethink
