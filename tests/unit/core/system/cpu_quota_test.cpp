#include <gtest/gtest.h>

#include "core/system/processor.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

class CpuQuotaTest : public testing::Test {
 protected:
  void be_in(const std::string& groups) { write_text(root_ / "proc/self/cgroup", groups); }
  void write(const std::string& file, const std::string& text) {
    write_text(root_ / "sys/fs/cgroup" / file, text);
  }
  std::optional<double> quota() const { return cpu_quota(root_.path()); }

  TempFolder root_;
};

TEST_F(CpuQuotaTest, IsUnsetWithoutALimit) {
  EXPECT_EQ(quota(), std::nullopt);
  be_in("0::/a/b\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST_F(CpuQuotaTest, IsTheQuotaOfTheGroup) {
  be_in("0::/a/b\n");
  write("a/b/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(), 1.5);
}

TEST_F(CpuQuotaTest, IsTheLeastOfTheGroupsAbove) {
  be_in("0::/a/b/c\n");
  write("a/b/c/cpu.max", "max 100000\n");
  write("a/b/cpu.max", "400000 100000\n");
  write("a/cpu.max", "50000 100000\n");
  EXPECT_EQ(quota(), 0.5);
}

TEST_F(CpuQuotaTest, OfAContainerIsInTheTopGroup) {
  be_in("0::/\n");
  write("cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2);
}

TEST_F(CpuQuotaTest, OfVersion1IsRead) {
  be_in("12:memory:/x\n4:cpu,cpuacct:/job\n0::/\n");
  write("cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
  write("cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("cpu,cpuacct/job/cpu.cfs_quota_us", "250000\n");
  EXPECT_EQ(quota(), 2.5);
  // A container without a cgroup namespace reads its path on the host, which it cannot see.
  be_in("4:cpuacct,cpu:/docker/0123\n");
  write("cpu/cpu.cfs_quota_us", "50000\n");
  write("cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 0.5);
}

TEST_F(CpuQuotaTest, OfVersion2BesideVersion1IsRead) {
  be_in("1:cpuset:/\n0::/a\n");
  write("unified/a/cpu.max", "100000 100000\n");
  EXPECT_EQ(quota(), 1);
}

}  // namespace
}  // namespace rethink
