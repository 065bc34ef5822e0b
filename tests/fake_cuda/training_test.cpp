// The released worker trains on fake GPUs: every job, every attention variant, both precisions.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/golden.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

/// A folder with stores, and the commands that are run in it.
class Machine {
 public:
  explicit Machine(std::string gpus = "H100=GPU-aa1") : gpus_(std::move(gpus)) {
    std::filesystem::create_directory(folder_ / "report");
  }

  /// What the command wrote. Its exit code must be `code`.
  std::string run(const std::string& command, int code = 0) const {
    const std::string home = folder_.path().string();
    const std::string line =
        "cd '" + home + "' && export HOME='" + home + "' XDG_CACHE_HOME='" + home +
        "/cache' PATH='" RETHINK_BINARY_DIR "/bin':\"$PATH\" RETHINK_PROGRAMS='" RETHINK_BINARY_DIR
        "/fake_cuda' LD_LIBRARY_PATH='" RETHINK_BINARY_DIR "/noop/fake_nvml' FAKE_GPUS='" +
        gpus_ + "' FAKE_CUDA_REPORT='" + home +
        "/report' RETHINK_DATA='" RETHINK_SOURCE_DIR "/tests/gpu/data' && { " + command +
        "\n} 2>&1 </dev/null";
    FILE* pipe = popen(line.c_str(), "r");
    std::string output;
    std::array<char, 4096> buffer;
    while (const size_t size = fread(buffer.data(), 1, buffer.size(), pipe))
      output.append(buffer.data(), size);
    const int status = pclose(pipe);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == code) << command << "\n" << output;
    return output;
  }

  void write(const std::string& file, const std::string& text) const {
    write_text(folder_ / file, text);
  }

  /// The events of all processes since the last call, each with how often it came.
  std::map<std::string, int64_t> events() const {
    std::map<std::string, int64_t> counts;
    for (const auto& file : std::filesystem::directory_iterator(folder_ / "report")) {
      std::istringstream lines(read_text(file.path()));
      for (std::string line; std::getline(lines, line);) ++counts[line];
      std::filesystem::remove(file.path());
    }
    return counts;
  }

  /// Every number that trials of the store measured, but times and memory.
  std::map<std::string, double> metrics(const std::string& store) const {
    std::istringstream lines(run(
        "rethink query --store " + store +
        " --format csv \"SELECT printf('%s %s %s/%s at %d', s.stage, s.labels, m.split, m.name, "
        "m.step) AS what, printf('%.9g', m.value) AS value FROM metric m JOIN sweep_trial s ON "
        "s.trial = m.trial\""));
    std::map<std::string, double> values;
    std::string line;
    std::getline(lines, line);  // the header
    while (std::getline(lines, line)) {
      const size_t comma = line.rfind(',');
      values[line.substr(0, comma)] = std::strtod(line.c_str() + comma + 1, nullptr);
    }
    return values;
  }

 private:
  const TempFolder folder_;
  const std::string gpus_;
};

constexpr const char* kJobs = RETHINK_SOURCE_DIR "/tests/gpu/sweeps/jobs.yaml";
constexpr const char* kVariants = RETHINK_SOURCE_DIR "/tests/gpu/sweeps/variants.yaml";

void expect_equal(const std::map<std::string, double>& got,
                  const std::map<std::string, double>& expected, double tolerance) {
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(got.size(), expected.size());
  for (const auto& [what, value] : expected) {
    const auto found = got.find(what);
    ASSERT_NE(found, got.end()) << what;
    EXPECT_NEAR(found->second, value, tolerance * std::max(1.0, std::abs(value))) << what;
  }
}

TEST(FakeCudaJobs, GiveTheNumbersOfTheCpuInFloat32) {
  const Machine machine;
  machine.run("rethink run '" + std::string(kJobs) + "' --only lm --store cpu --device cpu -q");
  machine.run("rethink run '" + std::string(kJobs) + "' --only lm --store gpu --device cuda -q");
  expect_equal(machine.metrics("gpu"), machine.metrics("cpu"), 1e-5);
}

}  // namespace
}  // namespace rethink
