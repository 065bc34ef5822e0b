#include "core/system/machine_fault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <new>

#include "core/files/file.h"
#include "core/system/process.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

std::system_error of_system(int number) {
  return {number, std::generic_category(), "cannot"};
}

std::filesystem::filesystem_error of_file(int number) {
  return {"cannot create directories", "/store/x", {number, std::generic_category()}};
}

TEST(MachineFault, IsRecognisedByAnErrorNumber) {
  EXPECT_EQ(machine_fault(ENOSPC), MachineFault::disk_full);
  EXPECT_EQ(machine_fault(EDQUOT), MachineFault::disk_full);
  EXPECT_EQ(machine_fault(EIO), MachineFault::disk);
  EXPECT_EQ(machine_fault(EROFS), MachineFault::disk);
  EXPECT_EQ(machine_fault(EMFILE), MachineFault::resources);
  EXPECT_EQ(machine_fault(ENFILE), MachineFault::resources);
  EXPECT_EQ(machine_fault(EAGAIN), MachineFault::resources);
  EXPECT_EQ(machine_fault(ENOMEM), MachineFault::resources);
  EXPECT_EQ(machine_fault(EACCES), MachineFault::none);
}

TEST(MachineFault, IsRecognisedByTheException) {
  EXPECT_EQ(machine_fault(of_system(EAGAIN)), MachineFault::resources);
  EXPECT_EQ(machine_fault(of_system(ENOMEM)), MachineFault::resources);
  EXPECT_EQ(machine_fault(std::bad_alloc()), MachineFault::none) << "an attempt's outcome is oom";
  EXPECT_EQ(machine_fault(of_file(ENOSPC)), MachineFault::disk_full);
  EXPECT_EQ(machine_fault(of_file(EROFS)), MachineFault::disk);
  EXPECT_EQ(machine_fault(of_file(EACCES)), MachineFault::none);
  EXPECT_EQ(machine_fault(std::runtime_error("thread: Resource temporarily unavailable")),
            MachineFault::resources);
  EXPECT_EQ(machine_fault(std::runtime_error("shapes differ")), MachineFault::none);
  // Our own errors are recognised by their class, since the text may quote another error.
  EXPECT_EQ(machine_fault(TrialError("program-failed", "the log says: No space left on device")),
            MachineFault::none);
}

TEST(MachineFault, OfAFileHasAClassAndNamesTheLimit) {
  EXPECT_THROW(throw_file_error("/x", "cannot write", ENOSPC), DiskFullError);
  EXPECT_THAT([] { throw_file_error("/x", "cannot write", EIO); },
              ThrowsMessage<DiskError>("/x: cannot write: Input/output error"));
  EXPECT_THAT([] { throw_file_error("/x", "cannot open", EMFILE); },
              ThrowsMessage<ResourceError>(
                  "/x: cannot open: Too many open files (a limit on open files: ulimit -n)"));
  EXPECT_THAT([] { throw_system_error("cannot start 'x'", EAGAIN); },
              ThrowsMessage<ResourceError>(HasSubstr("ulimit -u")));
  EXPECT_EQ(text_of_resource_error("/proc/7/stat: cannot read", EROFS),
            "/proc/7/stat: cannot read: Read-only file system");
  EXPECT_THAT([] { throw_system_error("cannot start 'x'", ENOENT); },
              ThrowsMessage<MachineError>("cannot start 'x': No such file or directory"));
}

TEST(MachineFault, IsReportedInOneForm) {
  EXPECT_THAT(machine_message(of_file(ENOSPC)),
              StartsWith("/store/x: cannot create directories: the disk at "));
  EXPECT_EQ(machine_message(of_file(EACCES)),
            "/store/x: cannot create directories: Permission denied");
  EXPECT_THAT(machine_message(of_system(EAGAIN)),
              StartsWith("cannot start a thread: Resource temporarily unavailable"));
  EXPECT_EQ(machine_message(of_system(ENOMEM)),
            "cannot start a thread: Cannot allocate memory (a limit on memory: ulimit -v, "
            "memory.max, or the machine's own)");
  EXPECT_EQ(machine_message(std::runtime_error("x")), "x");
}

TEST(FullDisk, SaysWhetherBytesOrInodesRanOut) {
  EXPECT_EQ(text_of_full_disk(
                "/ (/dev/vda)",
                {.bytes = uint64_t{9} << 30, .free_bytes = 0, .inodes = 100, .free_inodes = 50}),
            "the disk at / (/dev/vda) is full: 0.00 of 9.00 GiB free");
  EXPECT_EQ(text_of_full_disk("/ (/dev/vda)", {.bytes = uint64_t{9} << 30,
                                               .free_bytes = uint64_t{8} << 30,
                                               .inodes = 100,
                                               .free_inodes = 50}),
            "the disk at / (/dev/vda) takes no more: 8.00 of 9.00 GiB free, so the file is larger, "
            "or a quota is used up");
  EXPECT_EQ(text_of_full_disk("/ (/dev/vda)", {.bytes = uint64_t{9} << 30,
                                               .free_bytes = uint64_t{8} << 30,
                                               .inodes = 100,
                                               .free_inodes = 0}),
            "the disk at / (/dev/vda) has no free inode for another file (all 100 are in use); "
            "remove files, even small ones");
  EXPECT_FALSE(lacks_inodes({.bytes = 1, .free_bytes = 1, .inodes = 0, .free_inodes = 0}));
}

}  // namespace
}  // namespace rethink
